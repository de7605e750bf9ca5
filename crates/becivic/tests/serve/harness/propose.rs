//! Amendments and drafts that are accepted, to be changed by whoever tests what is not.

use super::make;
use super::{Server, root};
use serde_json::{Value, json};

/// The commit that the server serves.
pub fn commit(server: &Server) -> String {
    server.get("/readyz").json()["commit"].as_str().expect("a commit").to_owned()
}

/// A change of one field of a skill, a path or a source of one.
pub fn field(target_type: &str, target_id: &str, field_path: &str, value: Value) -> Value {
    let subtype = if target_type == "skill" { "frontmatter" } else { "field_edit" };
    let content = json!({
        "amendment_subtype": subtype,
        "frontmatter_change": {"field_path": field_path, "proposed_value": value},
    });
    amendment(target_type, target_id, content)
}

/// A change of a skill's text: one more line after the one that begins with `after`.
pub fn line(server: &Server, skill: &str, after: &str, added: &str) -> Value {
    let text = std::fs::read_to_string(root().join(format!("fixtures/corpus/skills/{skill}/canonical.md")));
    let text = text.expect("a skill of the fixtures");
    let body = text.splitn(3, "---\n").nth(2).expect("frontmatter and body");
    let at = body.lines().position(|line| line.starts_with(after)).expect("the line is there");
    let kept = body.lines().nth(at).unwrap_or_default();
    let count = added.lines().count();
    let more: String = added.lines().map(|line| format!("+{line}\n")).collect();
    let diff = format!("@@ -{0},1 +{0},{1} @@\n {kept}\n{more}", at + 1, count + 1);
    body_diff(skill, &commit(server), &diff)
}

/// A change of a skill's text.
pub fn body_diff(skill: &str, commit: &str, diff: &str) -> Value {
    amendment("skill", skill, json!({"amendment_subtype": "body", "skill_commit": commit, "body_diff": diff}))
}

/// A corrected address of a reference.
pub fn reference(uid: &str, url: &str) -> Value {
    amendment("reference", uid, json!({"proposed_url": url}))
}

fn amendment(target_type: &str, target_id: &str, content: Value) -> Value {
    let mut value = make::value_amendment("val-00001", json!("x"));
    value["target_type"] = target_type.into();
    value["target_id"] = target_id.into();
    value["declared_capabilities"] =
        json!(["multi_turn", "structured_output", "web_fetch", "tool_execution"]);
    value["content"] = content;
    value
}

/// A new skill, as the fixture has it.
pub fn draft(id: &str) -> Value {
    let file = root().join("fixtures/drafts/valid/skill/minimal-frontmatter.json");
    let text = std::fs::read_to_string(file).expect("a fixture").replace("bulky-waste-pickup", id);
    fresh(&text)
}

/// A new path, as the fixture has it.
pub fn path_draft(id: &str) -> Value {
    let file = root().join("fixtures/drafts/valid/path/two-sources.json");
    fresh(&std::fs::read_to_string(file).expect("a fixture").replace("nationality-certificate", id))
}

fn fresh(text: &str) -> Value {
    let mut value: Value = serde_json::from_str(text).expect("JSON");
    value["draft_id"] = make::id("drf_").into();
    value["submitted_at"] = make::time(0).into();
    value
}

/// A draft whose body has one more paragraph.
pub fn draft_saying(id: &str, paragraph: &str) -> Value {
    let mut value = draft(id);
    let body = value["content"]["body"].as_str().expect("a body");
    let place = "## Required documents\n";
    assert!(body.contains(place));
    value["content"]["body"] = body.replacen(place, &format!("{place}\n{paragraph}\n"), 1).into();
    value
}
