//! The pages of skills: banners, lists, histories, differences and older versions, in both forms.

mod ground;
mod sound;
mod versions;

use crate::expect;
use becivic_core::corpus::Corpus;
use becivic_core::vocabulary::{Language, Status};
use becivic_site::address::Which;
use becivic_site::facts::{Facts, Transition};
use ground::{Ground, around_the_text, file, ground, html, markdown, of, published, sha};
use serde_json::json;

const HOUR: i64 = 60 * 60 * 1000;

fn skill(id: &str) -> Which {
    Which::Skill(id.to_owned())
}

/// Looks at a page, and compares what it says in a language with files.
fn check(name: &str, ground: &Ground, which: &Which, language: Language) {
    sound::check(ground, which);
    let blocks = around_the_text(&ground.show(which, language));
    // A line for each element, so that a difference can be read.
    let html = html(&blocks, language).replace("><", ">\n<") + "\n";
    expect::expect(&format!("skill/{name}.html"), &html);
    expect::expect(&format!("skill/{name}.md"), &markdown(&blocks, language));
}

/// A skill of the corpus in another state.
fn changed(id: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(file(id), |text, (from, to)| {
        assert!(text.contains(from), "{id} has {from}");
        text.replacen(from, to, 1)
    })
}

/// `legalise-foreign-document` when it was stable, and after an amendment.
fn amended() -> (String, String) {
    let id = "legalise-foreign-document";
    let stable = changed(
        id,
        &[
            ("version: 0.1.2", "version: 1.0.4"),
            ("status: alpha", "status: stable"),
            ("copy at the commune", "copy"),
        ],
    );
    let alpha = changed(
        id,
        &[("origin: community", &format!("origin: community\nprevious_stable_sha: \"{}\"", sha('a')))],
    );
    (stable, alpha)
}

#[test]
fn alpha_that_is_new() {
    let mut ground = ground(&[]);
    let missing = [json!({"confirms": 2}), json!({"submitters": 1}), json!({"time": 31 * HOUR})];
    ground.stands("arrival-declaration", Status::Alpha, &missing);
    for (name, language) in [
        ("alpha-new", Language::En),
        ("alpha-new-fr", Language::Fr),
        ("alpha-new-nl", Language::Nl),
        ("alpha-new-de", Language::De),
    ] {
        check(name, &ground, &skill("arrival-declaration"), language);
    }
    assert!(!ground.show(&skill("arrival-declaration"), Language::En).indexed);
}

#[test]
fn alpha_after_a_stable_version() {
    let (stable, alpha) = amended();
    let mut ground = ground(&[("legalise-foreign-document", &alpha)]);
    ground.had("legalise-foreign-document", 'a', &stable);
    ground.stands("legalise-foreign-document", Status::Alpha, &[json!({"moons": 3})]);
    check("alpha-after-stable", &ground, &skill("legalise-foreign-document"), Language::En);
}

#[test]
fn alpha_whose_stable_version_was_flagged_leads_nowhere() {
    let (stable, alpha) = amended();
    let mut ground = ground(&[("legalise-foreign-document", &alpha)]);
    ground.had("legalise-foreign-document", 'a', &stable);
    ground.stands("legalise-foreign-document", Status::Alpha, &[]).stable_is_flagged = true;
    check("alpha-stable-flagged", &ground, &skill("legalise-foreign-document"), Language::En);
    let said =
        markdown(&ground.show(&skill("legalise-foreign-document"), Language::En).doc.blocks, Language::En);
    assert!(!said.contains(&sha('a')));
}

#[test]
fn beta() {
    let beta = changed(
        "renew-residence-card",
        &[("version: 1.0.3", "version: 0.2.1"), ("status: stable", "status: beta")],
    );
    let mut ground = ground(&[("renew-residence-card", &beta)]);
    let missing = [json!({"rate": 3}), json!({"rejects": 1}), json!({"time": 14 * 24 * HOUR})];
    let standing = ground.stands("renew-residence-card", Status::Beta, &missing);
    standing.cohort.probe_confirms = 2;
    standing.cohort.skill_quality_avg = Some(4.25);
    standing.cohort.skill_quality_n = Some(4);
    check("beta", &ground, &skill("renew-residence-card"), Language::En);
}

#[test]
fn stable_has_no_banner_and_is_indexed() {
    let mut ground = ground(&[]);
    let files = [("letter.md", Some("Dear commune")), ("form.pdf", None), ("a b.txt", Some("x"))];
    let files = files.map(|(name, text)| (name.to_owned(), text.map(Into::into)));
    ground.corpus.templates.insert("renew-residence-card".to_owned(), files.into());
    check("stable", &ground, &skill("renew-residence-card"), Language::En);
    assert!(ground.show(&skill("renew-residence-card"), Language::En).indexed);
}

#[test]
fn stable_that_is_flagged() {
    let mut ground = ground(&[]);
    ground.stands("renew-residence-card", Status::Stable, &[]).flagged = true;
    check("stable-flagged", &ground, &skill("renew-residence-card"), Language::En);
}

#[test]
fn draft() {
    check("draft", &ground(&[]), &skill("school-enrolment"), Language::En);
}

#[test]
fn deprecated() {
    check("deprecated", &ground(&[]), &skill("old-registration"), Language::En);
}

#[test]
fn quarantined_with_a_way_back() {
    let (stable, alpha) = amended();
    let bad = alpha.replace("status: alpha", "status: quarantined");
    let mut ground = ground(&[("legalise-foreign-document", &bad)]);
    ground.had("legalise-foreign-document", 'a', &stable);
    check("quarantined", &ground, &skill("legalise-foreign-document"), Language::En);
}

#[test]
fn quarantined_by_a_flag_ahead_of_the_file() {
    let mut ground = ground(&[]);
    ground.withheld.insert(("skill".to_owned(), "arrival-declaration".to_owned()));
    check("quarantined-by-flag", &ground, &skill("arrival-declaration"), Language::En);
}

#[test]
fn what_is_required_at_any_distance_is_named_when_it_is_not_stable() {
    let near = changed(
        "renew-residence-card",
        &[(
            "requires_paths:",
            "requires:\n  - id: arrival-declaration\n  - id: meta-no-skill-fallback\nrequires_paths:",
        )],
    );
    let ground = ground(&[("renew-residence-card", &near)]);
    let said = markdown(&ground.show(&skill("renew-residence-card"), Language::En).doc.blocks, Language::En);
    let banner: Vec<&str> = said.lines().filter(|line| line.starts_with("> - ")).collect();
    assert_eq!(
        banner,
        [
            "> - [Declare your arrival at the commune](/skills/arrival-declaration) Alpha",
            "> - [Have a foreign document legalised](/skills/legalise-foreign-document) Alpha",
        ]
    );
}

#[test]
fn every_skill_by_subject_status_and_authority() {
    let mut ground = ground(&[]);
    ground.withheld.insert(("skill".to_owned(), "legalise-foreign-document".to_owned()));
    check("browse", &ground, &Which::Skills, Language::En);
    check("browse-de", &ground, &Which::Skills, Language::De);
}

#[test]
fn a_corpus_without_skills_says_so() {
    check("browse-empty", &of(Corpus::default()), &Which::Skills, Language::Fr);
}

#[test]
fn the_drawing_stands_under_the_heading_of_the_process() {
    let ground = published();
    let mut drawn = 0;
    for id in ground.corpus.diagrams.keys() {
        let shown = ground.show(&skill(id), Language::Nl);
        let (html, markdown) =
            (html(&shown.doc.blocks, Language::Nl), markdown(&shown.doc.blocks, Language::Nl));
        let after = html.split("<h2 id=\"process\">Process</h2>\n").nth(1).expect("a process");
        assert!(after.starts_with("</div><figure class=\"picture\">"), "{id}: {}", &after[..200]);
        let after = markdown.split("\n## Process\n\n").nth(1).expect("a process");
        assert!(after.starts_with("*De stappen van"), "{id}: {}", &after[..200]);
        assert!(
            html.contains("<svg class=\"flow\" lang=\"en\"")
                && html.contains("tabindex=\"0\"><div role=\"img\"")
        );
        drawn += 1;
    }
    assert!(drawn > 5);
}

#[test]
fn a_page_warns_once() {
    let ground = published();
    let page = |language| html(&ground.show(&skill("change-of-address"), language).doc.blocks, language);
    assert_eq!(page(Language::En).matches("not legal advice").count(), 1, "the text says it itself");
    assert!(
        page(Language::Fr).contains("pas un conseil juridique"),
        "and who reads another language is told too"
    );
    assert!(!page(Language::En).contains('⚠'), "the sign is drawn by the style sheet");
}

/// The small corpus, with this many more skills of one category.
fn crowded(more: usize) -> Ground {
    let text = file("renew-residence-card");
    let others: Vec<(String, String)> = (0..more)
        .map(|at| {
            let id = format!("extra-{at:04}");
            let text = text
                .replace("renew-residence-card", &id)
                .replace("Renew a residence card", &format!("Extra {at}"));
            (id, text)
        })
        .collect();
    ground(&others.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect::<Vec<_>>())
}

#[test]
fn a_list_stays_small_and_its_subject_has_pages_for_the_rest() {
    let of_page =
        |ground: &Ground, which: &Which| html(&ground.show(which, Language::En).doc.blocks, Language::En);
    let few = of_page(&crowded(0), &Which::Skills);
    let many = of_page(&crowded(250), &Which::Skills);
    assert!(many.len() < few.len() * 4, "{} of {}", many.len(), few.len());
    assert!(
        many.contains(
            "<a href=\"/skills/categories/belgium-federal/\">All 253 procedures on this subject</a>"
        )
    );
    let ground = crowded(250);
    let page = |number: usize| Which::CategoryOf("belgium-federal".to_owned(), number);
    let mut found = 0;
    for number in 1..=3 {
        let text = of_page(&ground, &page(number));
        found += text.matches("href=\"/skills/extra-").count();
        let has = |address: &str| text.contains(&format!("href=\"{address}\""));
        assert_eq!(has(&page(number + 1).address()), number < 3);
        assert_eq!(number > 1 && has(&page(number - 1).address()), number > 1);
    }
    assert_eq!(found, 250);
    let reads = |path: &str| becivic_site::address::read(&ground.world(), path);
    use becivic_site::{Form, Found};
    assert_eq!(reads("/skills/categories/belgium-federal/"), Found::Page(page(1), Form::Html));
    assert_eq!(reads("/skills/categories/belgium-federal/3/"), Found::Page(page(3), Form::Html));
    assert_eq!(reads("/skills/categories/belgium-federal/1"), Found::Moved(page(1).address()));
    for nowhere in ["4", "0", "x"] {
        assert_eq!(reads(&format!("/skills/categories/belgium-federal/{nowhere}/")), Found::Missing);
    }
    assert_eq!(reads("/skills/categories/nothing/"), Found::Missing);
}

#[test]
fn a_subject_has_a_page_in_each_language() {
    let which = Which::CategoryOf("origin-foreign-documents".to_owned(), 1);
    check("subject-fr", &ground(&[]), &which, Language::Fr);
}

#[test]
fn of_what_is_quarantined_not_even_the_title_is_shown_anywhere() {
    let given = crate::given::Given::fixtures().without("skill", "arrival-declaration");
    let addresses = [
        "/skills/",
        "/skills/arrival-declaration",
        "/skills/arrival-declaration/history",
        "/skills/renew-residence-card",
        "/search",
    ];
    for address in addresses {
        let facts = Facts { query: "arrival".to_owned(), ..Facts::default() };
        let page = given.page(address, &facts, Language::En);
        assert!(!page.html.contains("Declare your arrival at the commune"), "{address}: {}", page.html);
        assert!(!page.markdown.contains("Declare your arrival at the commune"), "{address}");
        assert!(
            !page.shown.title.contains("Declare") && !page.shown.description.contains("Declare"),
            "{address}"
        );
    }
    let list = given.page("/skills/", &Facts::default(), Language::En).html;
    assert!(list.contains("/skills/arrival-declaration\">"), "it is named by its id: {list}");
}

/// Three versions: written, amended after it was stable, quarantined and brought back to what it was.
fn with_history() -> Ground {
    let id = "legalise-foreign-document";
    let (stable, alpha) = amended();
    let mut ground = ground(&[(id, &alpha)]);
    let first = file(id);
    ground.history(
        id,
        &[
            ('1', "Have a foreign document legalised: first text", &first),
            ('2', "stable", &stable),
            ('3', "amd-00017", &alpha),
        ],
    );
    ground.facts.transitions = vec![
        Transition {
            target_type: "skill".to_owned(),
            target_id: id.to_owned(),
            from_status: "beta".to_owned(),
            to_status: "stable".to_owned(),
            rule: "beta_to_stable".to_owned(),
            day: "2026-05-02".to_owned(),
            ..Transition::default()
        },
        Transition {
            target_type: "skill".to_owned(),
            target_id: "another".to_owned(),
            ..Transition::default()
        },
    ];
    ground
}

#[test]
fn history() {
    let ground = with_history();
    let which = Which::SkillHistory("legalise-foreign-document".to_owned());
    check("history", &ground, &which, Language::En);
    check("history-nl", &ground, &which, Language::Nl);
}

#[test]
fn a_history_nobody_knows() {
    let which = Which::SkillHistory("renew-residence-card".to_owned());
    check("history-empty", &ground(&[]), &which, Language::En);
}

#[test]
fn a_change_line_by_line() {
    let which = Which::SkillChange("legalise-foreign-document".to_owned(), sha('3'));
    check("change", &with_history(), &which, Language::En);
}

#[test]
fn the_first_version_is_all_new() {
    let which = Which::SkillChange("legalise-foreign-document".to_owned(), sha('1'));
    check("change-first", &with_history(), &which, Language::En);
}

#[test]
fn an_older_version() {
    let ground = with_history();
    let which = Which::SkillAt("legalise-foreign-document".to_owned(), sha('2'));
    check("at", &ground, &which, Language::En);
    let shown = ground.show(&which, Language::En);
    assert_eq!((shown.status, shown.indexed), (200, false));
    assert_eq!(which.canonical(), "/skills/legalise-foreign-document");
}

#[test]
fn every_published_skill_has_a_sound_page() {
    let ground = published();
    let ids: Vec<String> = ground.corpus.skills.keys().cloned().collect();
    assert!(!ids.is_empty());
    for id in ids {
        sound::check(&ground, &Which::Skill(id.clone()));
        sound::check(&ground, &Which::SkillHistory(id));
    }
    sound::check(&ground, &Which::Skills);
}
