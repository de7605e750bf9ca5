//! Which versions readers get: none that is quarantined, in no form, by no way around.

use super::ground::{Ground, file, ground, html, markdown, sha};
use super::{amended, changed};
use becivic_core::vocabulary::{Language, Status};
use becivic_site::address::Which;
use becivic_site::pages;

const ID: &str = "legalise-foreign-document";

fn at(digit: char) -> Which {
    Which::SkillAt(ID.to_owned(), sha(digit))
}

fn change(digit: char) -> Which {
    Which::SkillChange(ID.to_owned(), sha(digit))
}

/// The page in both forms, as one text.
fn said(ground: &Ground, which: &Which) -> String {
    let blocks = ground.show(which, Language::En).doc.blocks;
    html(&blocks, Language::En) + &markdown(&blocks, Language::En)
}

fn status(ground: &Ground, which: &Which) -> u16 {
    ground.show(which, Language::En).status
}

/// A text with something in it that must not be seen, in its summary and in its body.
fn poisoned(status: &str) -> String {
    changed(
        ID,
        &[
            ("summary: Make", "summary: POISON Make"),
            ("## Process", "POISON in the text.\n\n## Process"),
            ("status: alpha", &format!("status: {status}")),
        ],
    )
}

fn every_page(digits: &str) -> Vec<Which> {
    let mut pages = vec![Which::Skills, Which::Skill(ID.to_owned()), Which::SkillHistory(ID.to_owned())];
    pages.extend(digits.chars().flat_map(|digit| [at(digit), change(digit)]));
    pages
}

fn assert_clean(ground: &Ground, digits: &str) {
    for which in every_page(digits) {
        assert!(!said(ground, &which).contains("POISON"), "{which:?}");
    }
}

#[test]
fn the_poison_is_there_to_be_found() {
    let mut ground = ground(&[(ID, &poisoned("alpha"))]);
    ground.history(ID, &[('1', "first", &file(ID)), ('2', "bad", &poisoned("alpha"))]);
    for which in [Which::Skill(ID.to_owned()), Which::Skills, at('2'), change('2')] {
        assert!(said(&ground, &which).contains("POISON"), "{which:?}");
    }
}

#[test]
fn a_quarantined_text_is_nowhere_also_not_at_the_commit_that_brought_it_in() {
    let mut ground = ground(&[(ID, &poisoned("quarantined"))]);
    let (first, bad, put_away) = (file(ID), poisoned("alpha"), poisoned("quarantined"));
    ground.history(ID, &[('1', "first", &first), ('2', "bad", &bad), ('3', "put away", &put_away)]);
    assert_clean(&ground, "123");
    assert_eq!([at('1'), at('2'), at('3')].map(|which| status(&ground, &which)), [404; 3]);
}

#[test]
fn a_text_that_was_quarantined_once_stays_away_when_another_took_its_place() {
    let first = file(ID);
    let mut ground = ground(&[(ID, &first)]);
    let (bad, put_away) = (poisoned("alpha"), poisoned("quarantined"));
    ground.history(
        ID,
        &[
            ('1', "first", &first),
            ('2', "bad", &bad),
            ('3', "put away", &put_away),
            ('4', "rolled back", &first),
        ],
    );
    assert_clean(&ground, "1234");
    assert_eq!(
        [at('1'), at('2'), at('3'), at('4')].map(|which| status(&ground, &which)),
        [200, 404, 404, 200]
    );
}

#[test]
fn a_text_that_was_brought_back_can_be_read_again() {
    let text = file(ID);
    let mut ground = ground(&[(ID, &text)]);
    let put_away = changed(ID, &[("status: alpha", "status: quarantined")]);
    ground.history(ID, &[('1', "first", &text), ('2', "put away", &put_away), ('3', "brought back", &text)]);
    assert_eq!([at('1'), at('2'), at('3')].map(|which| status(&ground, &which)), [200, 404, 200]);
}

#[test]
fn a_flag_ahead_of_the_file_counts_at_once() {
    let bad = poisoned("alpha");
    for by_standing in [false, true] {
        let mut ground = ground(&[(ID, &bad)]);
        ground.history(ID, &[('1', "first", &file(ID)), ('2', "bad", &bad)]);
        if by_standing {
            ground.stands(ID, Status::Quarantined, &[]);
            let pages = every_page("12").into_iter().filter(|which| *which != Which::Skills);
            pages.for_each(|which| assert!(!said(&ground, &which).contains("POISON"), "{which:?}"));
        } else {
            ground.withheld.insert(("skill".to_owned(), ID.to_owned()));
            assert_clean(&ground, "12");
        }
        assert_eq!([at('1'), at('2')].map(|which| status(&ground, &which)), [404; 2]);
    }
}

#[test]
fn the_stable_version_before_a_quarantined_one_is_the_way_back_unless_it_was_flagged_too() {
    let (stable, alpha) = amended();
    let bad = alpha.replace("status: alpha", "status: quarantined");
    let mut ground = ground(&[(ID, &bad)]);
    ground.history(
        ID,
        &[('1', "first", &file(ID)), ('2', "stable", &stable), ('3', "amended", &alpha), ('4', "bad", &bad)],
    );
    // The commit that is named is one of `main`, not one that changed the file.
    ground.had(ID, 'a', &stable);
    let of_all =
        |ground: &Ground| [at('a'), at('1'), at('2'), at('3'), at('4')].map(|which| status(ground, &which));
    assert_eq!(of_all(&ground), [200, 404, 404, 404, 404]);
    ground.stands(ID, Status::Quarantined, &[]).stable_is_flagged = true;
    assert_eq!(of_all(&ground), [404; 5]);
    assert!(!said(&ground, &Which::Skill(ID.to_owned())).contains(&sha('a')));
}

#[test]
fn what_main_never_said_is_not_served() {
    let mut ground = ground(&[]);
    ground.history(ID, &[('1', "first", &file(ID))]);
    // As if a commit of an open pull request were given out.
    ground.had(ID, '9', &poisoned("alpha"));
    assert_clean(&ground, "9");
    assert_eq!([at('9'), change('9')].map(|which| status(&ground, &which)), [404; 2]);
}

#[test]
fn unknown_commits_and_broken_files_are_missing_pages() {
    let mut ground = ground(&[]);
    ground.history(
        ID,
        &[('1', "first", &file(ID)), ('2', "broken", "no frontmatter\n"), ('3', "mended", &file(ID))],
    );
    assert_eq!([at('2'), at('7'), change('7')].map(|which| status(&ground, &which)), [404; 3]);
    assert!(said(&ground, &change('3')).contains("is withheld"));
    assert_eq!(status(&ground, &Which::SkillAt("nothing".to_owned(), sha('1'))), 404);
}

#[test]
fn very_long_texts_are_not_compared() {
    let long = file(ID) + &"A line.\n\n".repeat(3_000);
    let mut ground = ground(&[]);
    ground.history(ID, &[('1', "first", &file(ID)), ('2', "long", &long)]);
    assert!(said(&ground, &change('2')).contains("too long to be compared"));
}

#[test]
fn a_page_asks_for_what_it_shows() {
    let (stable, alpha) = amended();
    let mut ground = ground(&[(ID, &alpha)]);
    ground.history(ID, &[('1', "first", &file(ID)), ('2', "stable", &stable), ('3', "amended", &alpha)]);
    let path = || format!("skills/{ID}/canonical.md");
    let world = ground.world();
    let needs = pages::needs(&world, &Which::Skill(ID.to_owned()));
    assert_eq!(needs.file_at, [(sha('a'), path())]);
    assert!(needs.entries.contains("val-00001") && needs.entries.contains("ref-00001"));
    assert!(needs.said_of.contains(&("volatile_value", "val-00001".to_owned())));
    let first = pages::needs(&world, &change('3'));
    assert_eq!((first.commits_of, first.versions_of), (Some(path()), Some(ID.to_owned())));
    let then = pages::needs_then(&world, &change('3'), &ground.facts);
    assert_eq!(then.file_at, [(sha('3'), path()), (sha('2'), path())]);
    // A name that is cut short is enough.
    let short = Which::SkillChange(ID.to_owned(), "1111111".to_owned());
    assert_eq!(pages::needs_then(&world, &short, &ground.facts).file_at, [(sha('1'), path())]);
    assert_eq!(pages::needs(&world, &at('2')).file_at, [(sha('2'), path())]);
    assert!(pages::needs_then(&world, &at('2'), &ground.facts).entries.contains("ref-00001"));
    assert!(pages::needs_then(&world, &at('7'), &ground.facts).entries.is_empty());
}

#[test]
fn paths_that_a_skill_names_are_asked_about_with_their_sources() {
    let ground = ground(&[]);
    let needs = pages::needs(&ground.world(), &Which::Skill("arrival-declaration".to_owned()));
    assert!(needs.said_of.contains(&("path", "household-certificate".to_owned())));
    assert!(
        needs
            .said_of
            .iter()
            .any(|(kind, id)| *kind == "path_source" && id.starts_with("household-certificate:"))
    );
}
