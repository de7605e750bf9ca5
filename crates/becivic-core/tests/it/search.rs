//! The search of agents: what it finds, what it leaves out, and why.
//!
//! 1. Labelled queries over the public corpus find what they should, and those about something else find nothing.
//! 2. Small indexes show each way from a word to a word, and that weaker ways count less.
//! 3. Filters hold, what is put away is never found, an updated index answers as a new one.
//! 4. No query does harm.

use crate::fixture_dir;
use becivic_core::corpus::{Content, Corpus, Input};
use becivic_core::search::{
    Document, Found, Index, Kind, Place, Question, Reason, SynonymTable, Through, find,
};
use becivic_core::vocabulary::{Domain, Language, Status};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

#[derive(Deserialize)]
struct Labelled {
    language: Language,
    query: String,
    #[serde(default)]
    expected: Vec<String>,
    #[serde(default)]
    outside: bool,
}

static QUERIES: LazyLock<Vec<Labelled>> = LazyLock::new(|| {
    let text = std::fs::read_to_string(fixture_dir().join("search/queries.json")).expect("the queries");
    serde_json::from_str(&text).expect("labelled queries")
});

static CORPUS: LazyLock<Corpus> = LazyLock::new(|| {
    let root = fixture_dir().join("../corpus");
    let mut inputs = Vec::new();
    gather(&root, &root, &mut inputs);
    Corpus::from_inputs(inputs)
});

static INDEX: LazyLock<Index> = LazyLock::new(|| Index::of(&CORPUS));

fn gather(root: &Path, folder: &Path, inputs: &mut Vec<Input>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            gather(root, &path, inputs);
        } else {
            let relative =
                path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
            inputs.push(Input {
                path: relative,
                content: Content::Bytes(std::fs::read(&path).expect("a file")),
            });
        }
    }
}

fn ids(found: &Found) -> Vec<&str> {
    found.hits.iter().map(|hit| hit.id.as_str()).collect()
}

const PROCEDURES: &[Kind] = &[Kind::Skill, Kind::Path];

#[test]
fn people_find_what_they_ask_for() {
    let (mut asked, mut found, mut outside, mut nothing) = ([0.0f64; 2], [0.0f64; 2], 0.0f64, 0.0f64);
    let mut missed = Vec::new();
    for labelled in QUERIES.iter() {
        let question = Question { kinds: PROCEDURES, limit: 3, ..Question::new(&labelled.query) };
        let answer = find(&INDEX, &question);
        let hits = ids(&answer);
        if labelled.outside {
            outside += 1.0;
            let floor = answer.nothing_fits && hits == ["meta-no-skill-fallback"];
            nothing += if floor { 1.0 } else { 0.0 };
            continue;
        }
        let right = labelled.expected.iter().any(|id| hits.contains(&id.as_str()));
        for class in 0..=usize::from(labelled.language != Language::En) {
            asked[class] += 1.0;
            found[class] += if right { 1.0 } else { 0.0 };
        }
        if !right {
            missed.push(format!("{}: {hits:?}", labelled.query));
        }
    }
    assert!(asked[0] >= 140.0 && outside >= 20.0, "{} queries, {outside} outside", asked[0]);
    assert!(found[0] / asked[0] >= 0.90, "{} of {}: {missed:#?}", found[0], asked[0]);
    assert!(found[1] / asked[1] >= 0.80, "{} of {} across languages: {missed:#?}", found[1], asked[1]);
    assert!(nothing / outside >= 0.9, "{nothing} of {outside}");
}

#[test]
fn every_expected_page_is_there_and_each_language_is_asked_enough() {
    for labelled in QUERIES.iter() {
        for id in &labelled.expected {
            assert!(CORPUS.has_skill(id) || CORPUS.has_path(id), "{}: {id}", labelled.query);
        }
        assert_eq!(labelled.expected.is_empty(), labelled.outside, "{}", labelled.query);
    }
    for language in Language::ALL {
        let asked = QUERIES.iter().filter(|labelled| labelled.language == *language && !labelled.outside);
        assert!(asked.count() >= 35, "{language}");
    }
}

#[test]
fn the_page_itself_comes_first() {
    for (query, first) in [
        ("birth certificate", "birth-and-marriage-acts"),
        ("ik kom net aan in België", "arrival-declaration-at-commune"),
        ("je m'installe en Belgique", "arrival-declaration-at-commune"),
        ("neu in Belgien", "arrival-declaration-at-commune"),
        ("just moved to Belgium from France", "arrival-declaration-at-commune"),
        ("I moved from Ghent to Liège", "change-of-address"),
        ("Belgian passport after five years", "nationality-application"),
        // What another state gives is nowhere here; what else is asked for is.
        ("German citizenship test in Berlin", "meta-no-skill-fallback"),
        ("nationalité française", "meta-no-skill-fallback"),
        ("US visa", "meta-no-skill-fallback"),
        ("I hold a Polish passport, how do I become Belgian", "nationality-application"),
        ("test de français pour la nationalité", "language-evidence-a2"),
        // The corpus has no page on travel documents, and none on what to do without a card but the desk.
        ("Reisepass", "meta-no-skill-fallback"),
        ("lost identity card", "meta-no-skill-fallback"),
    ] {
        let answer = find(&INDEX, &Question { kinds: &[Kind::Skill], ..Question::new(query) });
        assert_eq!(ids(&answer).first(), Some(&first), "{query}: {answer:#?}");
    }
}

#[test]
fn skills_about_the_corpus_are_found_by_name_only() {
    for query in
        ["split a large process into skills and paths", "meerdere stappen tegelijk", "propose a new skill"]
    {
        let answer = find(&INDEX, &Question { kinds: &[Kind::Skill], ..Question::new(query) });
        assert!(!answer.nothing_fits && answer.hits[0].id.starts_with("meta-"), "{query}: {answer:#?}");
    }
    for labelled in QUERIES.iter().filter(|labelled| !labelled.outside) {
        let answer = find(&INDEX, &Question { kinds: PROCEDURES, ..Question::new(&labelled.query) });
        let meta = answer.hits.iter().any(|hit| hit.id.starts_with("meta-"));
        assert!(!meta || answer.nothing_fits, "{}: {answer:#?}", labelled.query);
    }
}

#[test]
fn when_nothing_fits_the_answer_says_so() {
    let question = Question::new("recipe for waffles");
    let answer = find(&INDEX, &question);
    assert!(answer.nothing_fits);
    assert_eq!(ids(&answer), ["meta-no-skill-fallback"]);
    assert_eq!(answer.hits[0].reasons, [Reason::NOTHING]);
    assert_eq!(answer.hits[0].reasons[0].to_string(), "nothing in the corpus fits");

    let paths = find(&INDEX, &Question { kinds: &[Kind::Path], ..question });
    assert!(paths.nothing_fits && paths.hits.is_empty());
    let withheld = BTreeSet::from([("skill".to_owned(), "meta-no-skill-fallback".to_owned())]);
    assert!(find(&INDEX, &Question { withheld: &withheld, ..question }).hits.is_empty());
    assert!(find(&Index::of_documents(Vec::new()), &question).hits.is_empty());
}

/// A document of one kind with a title in a language and a text.
fn document(id: &str, title: (Language, &str), text: &str) -> Document {
    let mut document = Document::of_value(id, &[], Some(Status::Stable));
    (document.kind, document.title, document.texts) = (Kind::Path, title.1.to_owned(), Vec::new());
    document.add(Place::Title, Some(title.0), title.1);
    document.add(Place::Body, Some(title.0), text);
    document
}

fn table() -> SynonymTable {
    let groups = json!({"schema_version": 1, "groups": {
        "criminal-record": {"fr": ["casier judiciaire"], "nl": ["strafregister"], "en": ["criminal record"]},
        "move": {"fr": ["déménager"], "nl": ["verhuizen"], "de": ["umziehen"], "en": ["move house", "move"]},
    }});
    serde_json::from_value(groups).expect("a table")
}

#[test]
fn each_way_from_a_word_to_a_word_is_told() {
    let documents = vec![
        document("record", (Language::En, "Criminal record"), "What the court knows."),
        document("register", (Language::Nl, "Uittreksel bevolkingsregister"), "Bevolking en register."),
        document("licence", (Language::Nl, "Rijbewijs"), "Rijden met een auto."),
        document("proof", (Language::Nl, "Bewijs van woonst"), "Waar iemand woont."),
        document("moving", (Language::En, "Moving"), "Boxes and vans."),
        document("diploma", (Language::Fr, "Équivalence de diplôme"), "Reconnaissance."),
    ];
    let index = Index::with_synonyms(documents, &table());
    for (query, id, found, through) in [
        ("criminal record", "record", "criminal record", Through::Same),
        ("casier judiciaire", "record", "criminal record", Through::Synonym),
        ("Strafregister", "record", "criminal record", Through::Synonym),
        ("déménager", "moving", "moving", Through::Synonym),
        ("moved", "moving", "moving", Through::Family),
        ("diplômes", "diploma", "diplome", Through::Family),
        ("diplme", "diploma", "diplome", Through::Spelling),
        ("equivalnece", "diploma", "equivalence", Through::Spelling),
        ("rijbewijs", "licence", "rijbewijs", Through::Same),
        ("register", "register", "bevolkingsregister", Through::Compound),
        ("bewijzen", "proof", "bewijs", Through::Family),
    ] {
        let answer = find(&index, &Question::new(query));
        let first = answer.hits.first().unwrap_or_else(|| panic!("{query} finds nothing"));
        let Some(Reason::Word { found: word, through: way, .. }) = first.reasons.first() else {
            panic!("{query}: {first:?}");
        };
        assert_eq!((first.id.as_str(), word.as_str(), *way), (id, found, through), "{query}");
    }
    let proofs = find(&index, &Question::new("bewijs"));
    assert_eq!(ids(&proofs), ["proof"], "a part of three letters makes no compound");
    assert_eq!(ids(&find(&index, &Question::new("rijbewijs"))), ["licence"]);
    assert_eq!(ids(&find(&index, &Question::new("register bevolking"))), ["register"]);
}

#[test]
fn a_compound_that_nobody_wrote_is_made_of_words_that_are_there() {
    let documents = vec![
        document("extract", (Language::Nl, "Uittreksel strafregister"), ""),
        document("other", (Language::Nl, "Uittreksel bevolking"), ""),
    ];
    let index = Index::of_documents(documents);
    let answer = find(&index, &Question::new("strafregisteruittreksel"));
    assert_eq!(ids(&answer), ["extract"]);
    let Some(Reason::Word { found, through, .. }) = answer.hits[0].reasons.first() else {
        panic!("{answer:?}")
    };
    assert_eq!((found.as_str(), *through), ("strafregister + uittreksel", Through::Compound));
}

#[test]
fn weaker_ways_count_less() {
    let documents = vec![
        document("same", (Language::Nl, "verhuizen"), ""),
        document("family", (Language::Nl, "verhuizing"), ""),
        document("synonym", (Language::En, "move house"), ""),
        document("body", (Language::Nl, "iets anders"), "hier staat verhuizen ergens"),
    ];
    let index = Index::with_synonyms(documents, &table());
    let answer = find(&index, &Question::new("verhuizen"));
    assert_eq!(ids(&answer), ["same", "family", "synonym"]);
    assert!(answer.hits.iter().all(|hit| hit.score <= 1000));
    let wrong = find(&index, &Question::new("verhuisen"));
    assert!(wrong.hits[0].score < answer.hits[0].score, "{wrong:#?}");
}

#[test]
fn filters_hold() {
    let mut question = Question { limit: 50, ..Question::new("change of address") };
    let all = find(&INDEX, &question);
    for kind in Kind::ALL {
        assert!(all.hits.iter().any(|hit| hit.kind == *kind), "no {kind}: {:#?}", ids(&all));
    }
    question.kinds = &[Kind::Reference];
    let references = find(&INDEX, &question);
    assert!(!references.hits.is_empty() && references.hits.iter().all(|hit| hit.kind == Kind::Reference));
    question.kinds = &[];
    question.domains = &[Domain::Housing];
    assert_eq!(ids(&find(&INDEX, &question)), ["change-of-address"]);
    question.domains = &[Domain::Taxation];
    assert!(find(&INDEX, &question).nothing_fits);
    question.domains = &[];
    question.category = Some("belgium-federal");
    assert!(find(&INDEX, &question).hits.iter().all(|hit| matches!(hit.kind, Kind::Skill | Kind::Path)));
    question.category = None;
    question.statuses = &[Status::Stable];
    assert!(find(&INDEX, &question).nothing_fits);
    question.statuses = &[];
    let withheld = BTreeSet::from([("skill".to_owned(), "change-of-address".to_owned())]);
    question.withheld = &withheld;
    assert!(!ids(&find(&INDEX, &question)).contains(&"change-of-address"));
    question.limit = 0;
    assert!(find(&INDEX, &question).hits.is_empty());
}

#[test]
fn rows_of_a_database_take_the_place_of_seeds() {
    let row = Document::of_value("parking-card-fee-eur", &["euro per year"], Some(Status::Beta));
    let index = INDEX.with_rows(vec![row]);
    let question = Question { kinds: &[Kind::Value, Kind::Reference], ..Question::new("parking card fee") };
    assert_eq!(ids(&find(&index, &question)), ["parking-card-fee-eur"]);
    assert!(!ids(&find(&INDEX, &question)).contains(&"parking-card-fee-eur"));
    let same = index.updated(&CORPUS);
    assert_eq!(find(&same, &question), find(&index, &question));
    assert!(find(&same, &Question { query: "change of address", ..question }).nothing_fits);
}

#[test]
fn reasons_are_written_for_programs_and_for_readers() {
    let answer = find(&INDEX, &Question { kinds: &[Kind::Skill], limit: 1, ..Question::new("Krankenkasse") });
    let written = serde_json::to_value(&answer.hits[0].reasons).expect("JSON");
    assert_eq!(
        written,
        json!([{"asked": "krankenkasse", "found": "krankenkasse", "place": "synonym", "language": "de", "through": "same word"}])
    );
    let read = answer.hits[0].reasons[0].to_string();
    assert_eq!(read, "`krankenkasse` is answered by `krankenkasse` in the synonym (same word)");
}

#[test]
fn very_long_queries_are_cut() {
    let one = find(&INDEX, &Question::new("verhuizen"));
    let long = format!("verhuizen {}", " ".repeat(5_000_000));
    assert_eq!(find(&INDEX, &Question::new(&long)), one);
    let many = "strafregisteruittreksel ".repeat(200_000);
    assert!(!find(&INDEX, &Question::new(&many)).hits.is_empty());
    for odd in ["", " ", "?!", "\u{0}", "的", "\u{301}\u{301}", "a", "1", &"x".repeat(399), "𝕬 ﷽"] {
        assert!(find(&INDEX, &Question::new(odd)).hits.len() <= 10, "{odd}");
    }
}

/// A skill with another sentence, or gone.
fn patched(corpus: &Corpus, id: &str, sentence: Option<&str>) -> Corpus {
    let path = format!("skills/{id}/canonical.md");
    let text = CORPUS.skills[id].source.text();
    let (changed, removed) = match sentence {
        None => (Vec::new(), vec![path]),
        Some(sentence) => {
            let bytes = format!("{text}\n{sentence}\n").into_bytes();
            (vec![Input { path, content: Content::Bytes(bytes) }], Vec::new())
        }
    };
    corpus.patched(changed, &removed).expect("skills can be patched")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_query_does_harm(query in "\\PC{0,60}", words in prop::collection::vec("[a-zéüß]{1,14}", 0..8)) {
        for text in [query.as_str(), &words.join(" ")] {
            let answer = find(&INDEX, &Question::new(text));
            prop_assert!(answer.hits.len() <= 10);
            prop_assert!(answer.hits.iter().all(|hit| hit.score <= 1000));
            prop_assert_eq!(&find(&INDEX, &Question::new(text)), &answer);
        }
    }

    #[test]
    fn an_updated_index_answers_as_a_new_one(
        edits in prop::collection::vec((0usize..16, prop::option::of("[a-z]{4,9}( [a-z]{4,9}){0,3}")), 1..12),
    ) {
        let ids: Vec<&String> = CORPUS.skills.keys().collect();
        let (mut corpus, mut index) = (CORPUS.clone(), INDEX.clone());
        for (at, sentence) in &edits {
            corpus = patched(&corpus, ids[*at % ids.len()], sentence.as_deref());
            index = index.updated(&corpus);
        }
        let fresh = Index::of(&corpus);
        prop_assert_eq!(index.len(), fresh.len());
        let written = edits.iter().filter_map(|(_, sentence)| sentence.as_deref());
        let asked = QUERIES.iter().step_by(13).map(|labelled| labelled.query.as_str());
        for query in written.chain(asked) {
            let question = Question::new(query);
            prop_assert_eq!(find(&index, &question), find(&fresh, &question), "{}", query);
        }
    }

    #[test]
    fn the_order_of_documents_does_not_matter(seed in 0usize..1000) {
        let words = ["commune", "adresse", "gemeente", "strafregister", "register", "move", "tax", "verhuizen"];
        let word = |n: usize| words[(seed * 7 + n * n * 3 + n) % words.len()];
        let make = |n: usize| {
            let title = format!("{} {}", word(n), word(n + 5));
            document(&format!("d{n}"), (Language::ALL[n % 4], &title), word(n + 1))
        };
        let forward: Vec<Document> = (0..30).map(make).collect();
        let backward: Vec<Document> = (0..30).rev().map(make).collect();
        let (one, other) = (Index::with_synonyms(forward, &table()), Index::with_synonyms(backward, &table()));
        for query in words {
            prop_assert_eq!(find(&one, &Question::new(query)), find(&other, &Question::new(query)));
        }
    }
}
