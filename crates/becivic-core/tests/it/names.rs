//! The recogniser of names with the committed weights: how good it must be, and what no text may do to it.

#[path = "../../examples/names/score.rs"]
mod score;

use becivic_core::names::Names;
use becivic_core::names::model::Model;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::LazyLock;

static WEIGHTS: &[u8] = include_bytes!("../../../../models/names.bin");
static NAMES: LazyLock<Names<'static>> = LazyLock::new(|| Names::read(WEIGHTS).expect("the weights"));

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/names"))
}

#[test]
fn enough_names_are_found_in_every_language_and_community_and_few_other_lines_are_held() {
    let lines = score::read(&folder(), "").unwrap();
    let mut wrong = String::new();
    let scores = score::score(&NAMES, &lines, |line, what| {
        wrong.push_str(&format!(
            "{}\t{}\t{}\t{what}\t| {}\n",
            line.language, line.phenomenon, line.community, line.text
        ));
    });
    let mut broken = Vec::new();
    for (of, share) in &scores.recall {
        let least = if of.starts_with("language") { 0.95 } else { 0.90 };
        if !of.starts_with("phenomenon") && share.share < least {
            broken
                .push(format!("{of}: {} of {} names found, at least {least} must be", share.hits, share.of));
        }
    }
    let held = scores.held["all"];
    if held.hits > 20 {
        broken
            .push(format!("{} lines without a name are held, 20 were when the weights were made", held.hits));
    }
    if held.share > 0.03 {
        broken
            .push(format!("{} of {} lines without a name are held, at most 3 % may be", held.hits, held.of));
    }
    assert!(broken.is_empty(), "{broken:#?}\n{wrong}");
}

/// A form of address, or somebody's own introduction, says more than what else a word can be.
#[test]
fn months_places_and_everyday_words_are_names_where_somebody_is_addressed() {
    for (text, name) in [
        ("Frau Sommer hat mir gesagt, dass der Termin ausfällt.", "Sommer"),
        ("Mme Avril au guichet 3 m'a dit de revenir.", "Avril"),
        ("Au guichet, M. Namur voulait deux photos.", "Namur"),
        ("M. de Namur nous a reçus avec la carte.", "Namur"),
        ("Hello, my name is Will and I need a residence card.", "Will"),
        ("Guten Tag, ich heiße Sommer und brauche einen Termin.", "Sommer"),
        ("Mevrouw Zomer van de gemeente belde terug.", "Zomer"),
        ("Mrs May at the desk asked for the lease.", "May"),
    ] {
        let found = NAMES.find(text).persons;
        let names: Vec<&str> = found.iter().map(|it| &text[it.start..it.end]).collect();
        assert!(names.iter().any(|it| it.contains(name)), "{text} {names:?}\n{}", NAMES.explain(text));
    }
    for text in [
        "Madame la bourgmestre est à Namur en avril.",
        "Monsieur le consul reçoit le lundi.",
        "Meine Frau Montag zum Amt? Nein, am Dienstag.",
        "In Namur, im Sommer, am Montag und im Mai ist das Rathaus zu.",
        "Moi c'est Namur qui m'a convoqué en avril.",
        "Bonjour Madame, Merci pour votre aide.",
        "My name is not on the list of May.",
        "Ich heiße Sie herzlich willkommen.",
    ] {
        assert_eq!(NAMES.find(text).persons, [], "{text}\n{}", NAMES.explain(text));
    }
}

#[test]
fn the_test_set_is_large_and_half_of_it_names_nobody() {
    for prefix in ["", "tuning-"] {
        let lines = score::read(&folder(), prefix).unwrap();
        for language in ["fr", "nl", "de", "en"] {
            let of = lines.iter().filter(|line| line.language == language);
            let benign = of.clone().filter(|line| line.names.is_empty()).count();
            let all = of.count();
            assert_eq!(all, 2 * benign, "{prefix}{language}");
            assert!(all >= if prefix.is_empty() { 300 } else { 100 }, "{prefix}{language}: {all}");
        }
    }
    let full = |prefix: &str| -> BTreeSet<(String, String)> {
        let lines = score::read(&folder(), prefix).unwrap();
        let named =
            lines.iter().flat_map(|line| line.names.iter().map(move |name| (line, &line.text[name.clone()])));
        named
            .filter(|(_, name)| name.contains(' '))
            .map(|(line, name)| (line.language.clone(), name.to_lowercase()))
            .collect()
    };
    let (test, tuning) = (full(""), full("tuning-"));
    let shared: Vec<_> = test.intersection(&tuning).collect();
    assert!(shared.is_empty(), "full names in both sets of a language: {shared:?}");
}

#[test]
fn the_weights_are_small_and_read_as_they_are() {
    assert!(WEIGHTS.len() <= 25_000_000, "{} bytes", WEIGHTS.len());
    assert!(Model::read(WEIGHTS).is_ok());
}

/// Texts nobody writes: each is read in one pass, and what is found lies on character borders.
#[test]
fn strange_texts_are_read_to_their_end() {
    let word = "a".repeat(50_000);
    let long = "Mme Fatiha El Amrani ".repeat(2_400);
    let texts = [
        "",
        " ",
        "\u{0}\u{1}\u{7f}",
        "1234567890",
        "👩‍👩‍👧‍👦 Jan 👍🏽",
        "e\u{301}milie Dupont",
        "J\u{200b}an P\u{ad}eeters",
        "محمد بن علي",
        "\u{202e}sreteeP naJ\u{202c}",
        "Ｊａｎ Ｐｅｅｔｅｒｓ",
        "Ян Петерс и Jan Петерс",
        "''''----....",
        "M.",
        "Mme",
        "je m'appelle",
        "-- ",
        "’s",
        "'s 's",
        "ﬁﬂ",
        word.as_str(),
        long.as_str(),
    ];
    for text in texts {
        check(text);
    }
    let hidden = NAMES.find("Mme Fat\u{200b}iha El Am\u{ad}rani m'a dit de revenir");
    assert_eq!(hidden.persons.len(), 1, "{hidden:?}");
}

fn check(text: &str) {
    let found = NAMES.find(text);
    let mut end = 0;
    for person in &found.persons {
        assert!(person.start >= end && person.start < person.end, "{text:?} {found:?}");
        assert!(text.get(person.start..person.end).is_some(), "{text:?} {found:?}");
        assert!((0.0..=1.0).contains(&person.score), "{found:?}");
        end = person.end;
    }
    assert_eq!(found, NAMES.find(text));
}

proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,200}") {
        check(&text);
    }

    #[test]
    fn any_text_of_name_like_pieces_is_read(text in "(Mme|dhr\\.|Jan|peeters|El |-|'|’|\u{301}|\u{200b}|\n|[.,:;]|é|ß|I|İ| ){0,60}") {
        check(&text);
    }
}
