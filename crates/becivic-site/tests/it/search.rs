//! Search: what is found for what people type, the same in a browser, and the page.

use crate::expect::expect;
use crate::machine::{Given, repository};
use becivic_core::vocabulary::Language;
use becivic_site::address::Which;
use becivic_site::search::{Index, find};
use becivic_site::{Facts, doc, pages, words};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// What people type, and the page they want: the first, or one of the first three.
const WANTED: &[(&str, &str)] = &[
    ("adresse", "/skills/change-of-address"),
    ("verhuizen", "/skills/change-of-address"),
    ("Umzug", "/skills/change-of-address"),
    ("moving", "/skills/change-of-address"),
    ("déménagement", "/skills/change-of-address"),
    ("demenag", "/skills/change-of-address"),
    ("I am moving house", "/skills/change-of-address"),
    ("casier judiciaire", "/skills/criminal-record-extract"),
    ("strafregister", "/skills/criminal-record-extract"),
    ("uittreksel strafregister", "/skills/criminal-record-extract"),
    ("criminal record", "/skills/criminal-record-extract"),
    ("crimnal recrod", "/skills/criminal-record-extract"),
    ("Strafregisterauszug", "/skills/criminal-record-extract"),
    ("nationalité", "/skills/nationality-application"),
    ("nationaliteit", "/skills/nationality-application"),
    ("Staatsangehörigkeit", "/skills/nationality-application"),
    ("staatsangehorigkeit", "/skills/nationality-application"),
    ("becoming belgian", "/skills/nationality-application"),
    ("natonality", "/skills/nationality-application"),
    ("mutualité", "/skills/mutualite-enrolment"),
    ("mutuelle", "/skills/mutualite-enrolment"),
    ("ziekenfonds", "/skills/mutualite-enrolment"),
    ("Krankenkasse", "/skills/mutualite-enrolment"),
    ("health insurance", "/skills/mutualite-enrolment"),
    ("bevolkingsregister", "/paths/residence-certificate-with-history"),
    ("register bevolking", "/paths/residence-certificate-with-history"),
    ("gezinssamenstelling", "/skills/household-composition"),
    ("composition de ménage", "/skills/household-composition"),
    ("apostille", "/skills/apostille-foreign-document-hague"),
    ("privacy", "/docs/privacy"),
];

/// Odd things that people, or others, type.
const ODD: &[&str] = &[
    "",
    " ",
    "...",
    "a",
    "de la",
    "le",
    "ß",
    "œuvre",
    "Ærø",
    "日本語",
    "Ελλάδα",
    "İstanbul",
    "e\u{301}tat civil",
    "<script>alert(1)</script>",
    "' OR 1=1 --",
    "constructor",
    "__proto__ toString",
    "nationality nationality nationality",
    "one two three four five six seven eight nine ten address",
    "permis de conduire",
    "car",
    "kind",
    "registr",
    "5",
    "595 596",
    "👩‍👩‍👧 family",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

#[test]
fn what_people_type_finds_what_they_want() {
    let given = Given::of("corpus");
    let index = Index::of(&given.world());
    let mut wrong = Vec::new();
    for (query, wanted) in WANTED {
        let hits = find(&index, query, 10, Language::En);
        if hits.first().is_none_or(|hit| hit.address != *wanted) {
            let found: Vec<&str> = hits.iter().map(|hit| hit.address.as_str()).collect();
            wrong.push(format!("{query}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_browser_finds_the_same_in_the_same_order() {
    let given = Given::of("corpus");
    let index = Index::of(&given.world());
    let queries: Vec<&str> = WANTED.iter().map(|(query, _)| *query).chain(ODD.iter().copied()).collect();
    // Every beginning of some of them too: that is what typing looks like.
    let typed = WANTED.iter().flat_map(|(query, _)| query.char_indices().map(|(at, _)| &query[..at]));
    let queries: Vec<&str> = queries.into_iter().chain(typed).collect();
    let here: Vec<Value> = queries
        .iter()
        .map(|query| {
            find(&index, query, 20, Language::Nl)
                .into_iter()
                .map(|hit| json!([hit.address, hit.title, hit.language, hit.why]))
                .collect()
        })
        .collect();
    let there = in_node(&json!({"index": index.to_json(), "queries": queries}));
    for ((query, here), there) in queries.iter().zip(&here).zip(there.as_array().expect("a list")) {
        assert_eq!(here, there, "{query:?}");
    }
    assert!(here.iter().filter(|hits| hits.as_array().is_some_and(|hits| !hits.is_empty())).count() > 100);
}

/// Runs the script that pages load, under Node.
fn in_node(given: &Value) -> Value {
    let run = "const {prepare, find} = require(process.argv[1]); let text = '';
        process.stdin.on('data', (it) => text += it).on('end', () => {
            const given = JSON.parse(text), index = prepare(JSON.parse(given.index));
            const hits = given.queries.map((query) => find(index, query, 20, 'nl').map((hit) => [hit.address, hit.title, hit.lang, hit.why]));
            console.log(JSON.stringify(hits));
        });";
    let mut node = Command::new("node")
        .args(["-e", run])
        .arg(repository("crates/becivic-site/assets/search.js"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Node is installed");
    node.stdin.take().expect("open").write_all(given.to_string().as_bytes()).expect("written");
    let output = node.wait_with_output().expect("ended");
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn the_script_and_the_index_are_small() {
    let script = std::fs::metadata(repository("crates/becivic-site/assets/search.js")).expect("there").len();
    assert!(script < 6_800, "{script}");
    let small = Index::of(&Given::of("corpus").world());
    let large = Index::of(&Given::grown(2_000).world());
    let each = (large.to_json().len() - small.to_json().len()) / 2_000;
    assert!(small.to_json().len() < 60_000, "{}", small.to_json().len());
    assert!(each < 1_500, "{each}");
}

#[test]
fn what_is_put_away_is_not_found() {
    let given = Given::of("corpus").without("skill", "change-of-address");
    let index = Index::of(&given.world());
    assert!(
        find(&index, "verhuizen", 50, Language::En)
            .iter()
            .all(|hit| hit.address != "/skills/change-of-address")
    );
}

#[test]
fn a_limit_holds_and_status_and_kind_are_told() {
    let given = Given::of("corpus");
    let index = Index::of(&given.world());
    let hits = find(&index, "nationality", 2, Language::En);
    assert_eq!(hits.len(), 2);
    assert!(hits.iter().all(|hit| hit.status.is_some()));
    assert_eq!(find(&index, "Umzug", 1, Language::En)[0].why, "Umzug melden");
}

#[test]
fn a_path_is_called_by_its_title_in_the_readers_language_and_found_in_all_four() {
    let given = Given::of("corpus");
    let world = given.world();
    let index = Index::of(&world);
    let id = "household-composition-certificate";
    let titles = &world.path(id).and_then(|path| path.entry()).expect("shown").title;
    for reader in Language::ALL {
        for asked in titles.values() {
            let hits = find(&index, asked, 5, *reader);
            let hit = hits.iter().find(|hit| hit.address == format!("/paths/{id}")).expect(asked);
            assert_eq!((Some(&hit.title), hit.language), (titles.get(reader), *reader), "{asked}");
            assert!(hit.why != hit.title, "{asked}");
        }
    }
}

#[test]
fn the_page_is_as_it_was() {
    let given = Given::of("corpus");
    for (name, query, language) in [
        ("empty", "", Language::En),
        ("found", "casier judiciaire", Language::Fr),
        ("nothing", "<i>xyzzy</i>", Language::De),
    ] {
        let facts = Facts { query: query.to_owned(), ..Facts::default() };
        let words = words::of(language);
        let shown = pages::show(&given.world(), &Which::Search, &facts, words);
        assert_eq!((shown.status, shown.indexed), (200, query.is_empty()));
        let html = doc::html::blocks(&shown.doc.blocks, words).into_string();
        // The script's name changes with its content.
        let html = html.replace(becivic_site::assets::address("search.js"), "/assets/search.js");
        assert!(!html.contains("<i>xyzzy"));
        expect(&format!("search/{name}.html"), &(html.replace("><", ">\n<") + "\n"));
        expect(&format!("search/{name}.md"), &doc::markdown::blocks(&shown.doc.blocks, words));
    }
}
