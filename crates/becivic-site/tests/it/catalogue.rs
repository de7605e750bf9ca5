//! Values and references.

use crate::given::{Given, Printed};
use becivic_core::vocabulary::{Language, Status};
use becivic_site::address::Which;
use becivic_site::facts::{Cohort, Entry, Explained, Facts, Row, Said, Standing};
use becivic_site::pages;
use serde_json::{Value, json};

fn row(status: &str, value: Value, day: &str) -> Row {
    Row {
        status: status.to_owned(),
        value: Some(value),
        value_type: Some("string".to_owned()),
        source: Some("dofi-arrival-page".to_owned()),
        as_of: Some("2026".to_owned()),
        committed_at: day.to_owned(),
        ..Row::default()
    }
}

fn reference(status: &str, title: &str, url: &str) -> Row {
    Row {
        status: status.to_owned(),
        title: Some(title.to_owned()),
        url: Some(url.to_owned()),
        archived_url: Some("https://web.archive.org/web/2026/https://dofi.ibz.be/en".to_owned()),
        last_verified: Some("2026-05-12".to_owned()),
        committed_at: "2026-05-12T08:00:00Z".to_owned(),
        ..Row::default()
    }
}

fn entry(uid: &str, name: &str, current: Row, stable: Option<Row>) -> Entry {
    Entry { uid: uid.to_owned(), name: name.to_owned(), current, stable, flagged: Vec::new() }
}

fn value_facts(current: Row, stable: Option<Row>, rows: Vec<Row>) -> Facts {
    let mut facts = Facts { rows, ..Facts::default() };
    let fee = entry("val-00001", "commune-certificate-fee-eur", current, stable);
    facts.entries.insert("val-00001".to_owned(), fee.into());
    let dofi = reference("alpha", "Immigration Office: declaring your arrival", "https://dofi.ibz.be/en");
    let dofi = entry("ref-00002", "dofi-arrival-page", dofi, None);
    facts.entries.insert("dofi-arrival-page".to_owned(), dofi.into());
    let missing = vec![json!({"rejects": 1}), json!({"rate": null}), json!({"time": 86_400_001})];
    let cohort = Cohort {
        cohort_started_at: "2026-11-01".to_owned(),
        standing: Some(Explained { missing, ..Explained::default() }),
        ..Cohort::default()
    };
    let standing = Standing { status: Status::Alpha, flagged: false, stable_is_flagged: false, cohort };
    facts.standings.insert("volatile_value:val-00001".to_owned(), standing);
    facts
}

fn checked(given: &Given, address: &str, facts: &Facts, language: Language) -> Printed {
    let page = given.page(address, facts, language);
    page.agrees();
    given.leads_somewhere(&page);
    page
}

#[test]
fn a_pending_value_stands_beside_the_stable_one() {
    let stable = row("stable", json!("€5"), "2026-05-12T08:00:00Z");
    let pending = row("alpha", json!("€6 <b>"), "2026-11-01T09:10:11Z");
    let put_away = Row {
        superseded_at: Some("2026-06-02".to_owned()),
        ended_by: Some("quarantined".to_owned()),
        ..row("alpha", json!("pay to evil.example"), "2026-06-01")
    };
    let ended = Row {
        superseded_at: Some("2026-11-01T09:10:11Z".to_owned()),
        ended_by: Some("corrected".to_owned()),
        ..stable.clone()
    };
    let mut facts = value_facts(pending.clone(), Some(stable), vec![pending, put_away, ended]);
    facts.said = vec![Said {
        uid: "con-00003".to_owned(),
        kind: "concern".to_owned(),
        target_type: "volatile_value".to_owned(),
        target_id: "val-00001".to_owned(),
        observed_value: Some(json!("€7")),
        committed_at: "2026-11-02".to_owned(),
        ..Said::default()
    }];
    let page = checked(&Given::fixtures(), "/values/val-00001", &facts, Language::En);
    assert!(
        !page.html.contains("evil") && !page.markdown.contains("evil"),
        "what a warning ended says nothing"
    );
    assert!(!page.html.contains("09:10"), "times are days");
    assert!(
        page.html.contains("href=\"/references/ref-00002\"")
            && page.html.contains("/skills/arrival-declaration")
    );
    page.expect("catalogue/value-pending.en");
}

#[test]
fn a_value_that_was_put_away_is_unresolved() {
    let current = Row { value: Some(Value::Null), ..row("quarantined", Value::Null, "2026-11-01") };
    let facts = value_facts(current.clone(), None, vec![current]);
    let page = checked(&Given::fixtures(), "/values/val-00001", &facts, Language::Fr);
    assert!(page.html.contains("[unresolved]"));
    page.expect("catalogue/value-unresolved.fr");
}

#[test]
fn a_reference_links_to_its_source_and_its_copy() {
    let mut facts = Facts::default();
    let row = reference("stable", "Immigration Office: declaring your arrival", "https://dofi.ibz.be/en");
    facts.rows = vec![row.clone()];
    facts.entries.insert("ref-00002".to_owned(), entry("ref-00002", "dofi-arrival-page", row, None).into());
    let page = checked(&Given::fixtures(), "/references/ref-00002", &facts, Language::De);
    assert!(page.shown.indexed);
    page.expect("catalogue/reference-stable.de");
}

#[test]
fn an_address_that_is_not_of_the_web_is_no_link() {
    let mut facts = Facts::default();
    let row = reference("alpha", "<script>x</script>", "javascript:alert(1)");
    facts.entries.insert("ref-00002".to_owned(), entry("ref-00002", "dofi-arrival-page", row, None).into());
    let page = Given::fixtures().page("/references/ref-00002", &facts, Language::En);
    assert!(!page.html.contains("href=\"javascript") && !page.html.contains("<script"));
    assert!(!page.markdown.contains("](javascript"));
    let mut facts = Facts::default();
    let row = reference("alpha", "A page", "https://ibz.be/a) [click](https://evil.example/");
    facts.entries.insert("ref-00002".to_owned(), entry("ref-00002", "dofi-arrival-page", row, None).into());
    let page = Given::fixtures().page("/references/ref-00002", &facts, Language::En);
    let links = pulldown_cmark::Parser::new(&page.markdown).filter_map(|event| match event {
        pulldown_cmark::Event::Start(pulldown_cmark::Tag::Link { dest_url, .. }) => {
            Some(dest_url.into_string())
        }
        _ => None,
    });
    assert!(links.into_iter().all(|to| !to.starts_with("https://evil")), "no address ends its link");
}

#[test]
fn an_entry_nobody_has_heard_of_is_missing() {
    for which in [Which::Value("val-99999".to_owned()), Which::Reference("ref-99999".to_owned())] {
        let page = Given::fixtures().page_of(&which, &Facts::default(), Language::Nl);
        assert_eq!((page.shown.status, page.shown.indexed), (404, false));
    }
}

#[test]
fn a_quarantined_skill_is_not_named_among_those_that_cite() {
    let given = Given::fixtures().without("skill", "arrival-declaration");
    let facts = value_facts(row("alpha", json!("€5"), "2026-05-12"), None, Vec::new());
    let page = checked(&given, "/values/val-00001", &facts, Language::En);
    assert!(!page.html.contains("arrival-declaration"), "{}", page.html);
}

#[test]
fn a_page_asks_for_the_entry_its_rows_and_its_source() {
    let needs = pages::needs(&Given::fixtures().world(), &Which::Value("val-00001".to_owned()));
    assert!(needs.entries.contains("val-00001") && needs.with_sources);
    assert_eq!(needs.rows_of.as_deref(), Some("val-00001"));
    assert!(needs.said_of.contains(&("volatile_value", "val-00001".to_owned())));
}

#[test]
fn every_public_value_and_reference_in_four_languages() {
    let given = Given::public();
    let seeds = given.corpus.catalogue.values().iter().map(|it| ("values", it.uid.clone(), it.name.clone()));
    let references =
        given.corpus.catalogue.references().iter().map(|it| ("references", it.uid.clone(), it.name.clone()));
    let all: Vec<(&str, String, String)> = seeds.chain(references).collect();
    assert!(all.len() > 100);
    let mut cited = 0;
    for (at, (kind, uid, name)) in all.iter().enumerate() {
        let mut facts = Facts::default();
        let current = match *kind {
            "values" => row("alpha", json!(18), "2026-11-15"),
            _ => reference("alpha", "A page", "https://ibz.be/"),
        };
        facts.rows = vec![current.clone()];
        facts.entries.insert(uid.clone(), entry(uid, name, current, None).into());
        let language = Language::ALL[at % Language::ALL.len()];
        let page = checked(&given, &format!("/{kind}/{uid}"), &facts, language);
        cited += usize::from(page.html.contains("href=\"/skills/"));
    }
    assert!(cited > all.len() / 2, "most of what is in the catalogue is cited: {cited} of {}", all.len());
}
