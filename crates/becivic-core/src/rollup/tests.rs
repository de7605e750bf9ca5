use super::*;
use crate::corpus::{Content, Corpus, Input};

fn skill(id: &str, extra: &str) -> Input {
    let text = format!(
        "---\nid: {id}\ntitle: T\nschema_version: 4\norigin: be-civic\ncategory: belgium-federal\n{extra}submission_contract_version: 2.0.0\n---\n"
    );
    Input { path: format!("skills/{id}/canonical.md"), content: Content::Bytes(text.into_bytes()) }
}

#[test]
fn skills_are_listed_by_id_and_quarantined_ones_say_little() {
    let corpus = Corpus::from_inputs(vec![
        skill("b", "version: 0.1.0\nstatus: quarantined\nlast_verified: 2026-01-01\n"),
        skill("a", "version: 0.0.0\nstatus: draft\nsummary: S\n"),
    ]);
    let text = skills(&corpus).expect("all readable");
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        value,
        serde_json::json!({"schema_version": 3, "skills": [
            {"id": "a", "title": "T", "version": "0.0.0", "status": "draft", "origin": "be-civic",
             "category": "belgium-federal", "applies_to": {}, "summary": "S"},
            {"id": "b", "version": "0.1.0", "status": "quarantined"},
        ]})
    );
    assert!(text.starts_with("{\n  \"schema_version\": 3,\n  \"skills\": [\n    {\n      \"id\": \"a\""));
    assert!(text.ends_with("}\n"));
    assert_eq!(paths(&corpus), Ok("{\n  \"schema_version\": 1,\n  \"paths\": []\n}\n".to_owned()));
}

#[test]
fn what_cannot_be_read_is_named() {
    let corpus = Corpus::from_inputs(vec![
        skill("a", "version: 0.0.0\nstatus: nonsense\n"),
        Input { path: "skills/b/canonical.md".into(), content: Content::NotAFile },
        Input { path: "paths/index.json".into(), content: Content::Bytes(b"{".to_vec()) },
    ]);
    let named = ["skills/a/canonical.md", "skills/b/canonical.md"].map(str::to_owned).to_vec();
    assert_eq!(skills(&corpus), Err(Unreadable(named)));
    assert_eq!(paths(&corpus), Err(Unreadable(vec!["paths/index.json".to_owned()])));
}

#[test]
fn new_categories_are_listed_but_near_misses_are_not() {
    let list = r#"{"schema_version": 1, "categories": [{"id": "belgium-federall", "description": "D"}]}"#;
    let listed = |text: &str| Input {
        path: "schemas/categories.json".into(),
        content: Content::Bytes(text.as_bytes().to_vec()),
    };
    let a = || skill("a", "version: 0.0.0\nstatus: draft\n");
    let near = categories(&Corpus::from_inputs(vec![a(), listed(list)]));
    assert_eq!(near.near, [("belgium-federal".to_owned(), "belgium-federall".to_owned())]);
    assert_eq!(near.text, None);
    let new = categories(&Corpus::from_inputs(vec![a()]));
    assert_eq!(new.added, ["belgium-federal"]);
    let text = new.text.expect("the list changes");
    assert!(text.contains(NEW_DESCRIPTION));
    let again = categories(&Corpus::from_inputs(vec![a(), listed(&text)]));
    assert_eq!(again, Listing::default());
}
