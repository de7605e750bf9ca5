//! The steps on small cases; the fixtures exercise the rest.

use super::*;
use serde_json::json;

fn feedback() -> Value {
    json!({
        "schema_version": 1,
        "feedback_id": "fbk_019a813c-9115-7ea3-a020-804b533da6ff",
        "submitted_at": "2026-11-14T09:30:00Z",
        "submitting_agent": "example-runtime/1.4.0",
        "submission_contract_version": "2.1.0",
        "declared_capabilities": ["multi_turn", "structured_output"],
        "body": "The map is hard to read.",
    })
}

#[test]
fn banned_names_are_found_at_any_depth_and_in_any_spelling() {
    let value = json!({
        "a": [{"User-Email": 1}, {"user_email": {"user_id": 2}}],
        "b/c": {"submitterName": 3},
        "username": "folded",
        "users": "fine", "session": "fine", "identity": "fine", "address": "fine",
    });
    assert_eq!(
        banned_fields(&value),
        ["/a/0/User-Email", "/a/1/user_email", "/b~1c/submitterName", "/username"]
    );
    assert!(banned_fields(&feedback()).is_empty());
}

#[test]
fn the_ban_comes_first_and_is_said_once() {
    let mut value = feedback();
    value["github_login"] = json!("x");
    value["userName"] = json!({"deep": ["x"]});
    value["body"] = json!("");
    let categories: Vec<&str> = check(Kind::Feedback, &value).iter().map(|r| r.category.as_str()).collect();
    assert_eq!(categories, ["identity_field_banned", "identity_field_banned", "schema_fail"]);
}

#[test]
fn capabilities_wait_for_the_shape() {
    let mut value = feedback();
    value["declared_capabilities"] = json!(["multi_turn"]);
    let refusals = check(Kind::Feedback, &value);
    assert_eq!(refusals.len(), 1);
    assert_eq!(refusals[0].category, Category::CapabilityMismatch);
    assert_eq!(refusals[0].missing.as_deref(), Some("structured_output"));
    value["topic"] = json!("weather");
    let refusals = check(Kind::Feedback, &value);
    assert_eq!(refusals.len(), 1);
    assert_eq!((refusals[0].category, refusals[0].pointer.as_str()), (Category::SchemaFail, "/topic"));
}

#[test]
fn refusals_echo_nothing_the_sender_made_up() {
    let mut value = feedback();
    value["Jan Peeters, Gent"] = json!({"user_email": "x"});
    value.as_object_mut().expect("object").remove("body");
    let refusals = check(Kind::Feedback, &value);
    let places: Vec<(&str, Option<&str>)> =
        refusals.iter().map(|r| (r.pointer.as_str(), r.missing.as_deref())).collect();
    assert!(places.iter().all(|(pointer, _)| !pointer.contains("Peeters")), "{places:?}");
    assert!(places.contains(&("", Some("body"))), "{places:?}");
}

#[test]
fn the_steps_are_taken_in_order() {
    let permitted =
        Raw::new(Kind::Feedback, feedback()).shape().and_then(Shaped::permit).expect("everything is right");
    assert_eq!(permitted.submission().id(), "fbk_019a813c-9115-7ea3-a020-804b533da6ff");
    assert_eq!(serde_json::to_value(permitted.submission()).expect("JSON"), *permitted.value());
    assert!(Raw::new(Kind::Concern, feedback()).shape().is_err());
}

#[test]
fn a_proposed_body_is_inert_text() {
    let draft = include_str!("../../../../fixtures/drafts/valid/skill/minimal-frontmatter.json");
    let mut draft: Value = serde_json::from_str(draft).expect("a fixture");
    assert_eq!(check(Kind::Draft, &draft), []);
    for bad in [
        "<b>now</b>",
        "{1 + 1}",
        "<CohortStats n=\"1\" />",
        "![x](https://a.be/x.png)",
        "<Note />",
        "a <VV name=\"x\">",
    ] {
        let body = draft["content"]["body"].as_str().expect("a body").to_owned();
        draft["content"]["body"] = json!(format!("{body}\n{bad}\n"));
        let refusals = check(Kind::Draft, &draft);
        assert_eq!(refusals.len(), 1, "{bad}: {refusals:#?}");
        assert!(refusals.iter().all(|r| r.category == Category::SchemaFail && r.pointer == "/content/body"));
        draft["content"]["body"] = json!(body);
    }
}
