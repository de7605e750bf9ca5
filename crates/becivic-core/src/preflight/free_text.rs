//! Which strings of a submission are somebody's own words: the one list.
//!
//! 1. Every string is, but for fields whose words, ids, days or addresses the schemas prescribe ([`CLOSED`]): a field that is
//!    added later is looked at until somebody says otherwise.
//! 2. Within the data of an entry or a frontmatter, what is one word of small letters, digits and hyphens is an id.
//! 3. Of a diff, the lines it adds are: the others are public already.

use crate::submission::Kind;
use serde_json::Value;

/// A string of somebody's own words, or a piece of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeText<'v> {
    /// Where the string stands, as a JSON pointer.
    pub pointer: String,
    /// Where the piece begins in the string, in bytes.
    pub start: usize,
    /// The words.
    pub text: &'v str,
}

/// Every piece of a submission's own words, in its order.
pub fn of(kind: Kind, value: &Value) -> Vec<FreeText<'_>> {
    let mut found = Vec::new();
    let is_closed = |name: &str| name == kind.id_field() || CLOSED.contains(&name);
    walk(value, &mut String::new(), &is_closed, &mut found);
    found
}

/// Every string of a submission, also those that the schemas prescribe; of a diff, what it adds.
pub fn everything(kind: Kind, value: &Value) -> Vec<FreeText<'_>> {
    let mut found = Vec::new();
    walk(value, &mut String::new(), &|name| name == kind.id_field(), &mut found);
    found
}

/// Fields whose strings the schemas prescribe.
const CLOSED: &[&str] = &[
    "schema_version",
    "submitted_at",
    "submitting_agent",
    "submission_contract_version",
    "declared_capabilities",
    "session_id",
    "type",
    "target_type",
    "target_id",
    "proposed_id",
    "verdict",
    "topic",
    "traversal_metadata",
    "scope",
    "specifier",
    "evidence_date",
    "evidence_source",
    "vv_uid",
    "ref_uid",
    "proposed_skill_id",
    "skill_commit",
    "field_path",
    "value_type",
    "proposed_url",
    "archived_url",
    "proposed_last_verified",
];

/// How deep fields stand that [`CLOSED`] speaks of: `content` and what lies in it. Deeper names are an artefact's own.
const DEPTH: usize = 3;

fn walk<'v>(
    value: &'v Value,
    pointer: &mut String,
    is_closed: &impl Fn(&str) -> bool,
    found: &mut Vec<FreeText<'v>>,
) {
    let length = pointer.len();
    match value {
        Value::String(text) if pointer == "/content/body_diff" => added(text, pointer, found),
        Value::String(text) if is_id(text) => {}
        Value::String(text) => found.push(FreeText { pointer: pointer.clone(), start: 0, text }),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                pointer.push('/');
                pointer.push_str(&at.to_string());
                walk(item, pointer, is_closed, found);
                pointer.truncate(length);
            }
        }
        Value::Object(fields) => {
            let shallow = pointer.matches('/').count() < DEPTH;
            for (name, inner) in fields.iter().filter(|(name, _)| !(shallow && is_closed(name))) {
                pointer.push('/');
                match name.contains(['~', '/']) {
                    true => pointer.push_str(&name.replace('~', "~0").replace('/', "~1")),
                    false => pointer.push_str(name),
                }
                walk(inner, pointer, is_closed, found);
                pointer.truncate(length);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A point is no part of an id: it may be that of a host.
fn is_id(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_'))
}

fn added<'v>(diff: &'v str, pointer: &str, found: &mut Vec<FreeText<'v>>) {
    let mut at = 0;
    for line in diff.split_inclusive('\n') {
        if let Some(text) = line.strip_prefix('+').filter(|_| !line.starts_with("+++ ")) {
            found.push(FreeText {
                pointer: pointer.to_owned(),
                start: at + 1,
                text: text.trim_end_matches('\n'),
            });
        }
        at += line.len();
    }
}

#[cfg(test)]
mod tests {
    use super::super::identity;
    use super::*;
    use serde_json::json;

    #[test]
    fn words_are_told_from_what_is_prescribed() {
        let concern = json!({
            "concern_id": "con_0192f4b8-5f6e-7000-8000-000000000001", "target_type": "skill", "target_id": "x",
            "submitting_agent": "example-runtime/1.4.0",
            "content": {"scope": "general", "body": "Two photographs.", "evidence_date": "2026-10-28"},
        });
        let found = of(Kind::Concern, &concern);
        assert_eq!(
            found,
            [FreeText { pointer: "/content/body".to_owned(), start: 0, text: "Two photographs." }]
        );
        let draft = json!({
            "commit_message": "A new page.", "proposed_id": "a-page",
            "content": {"frontmatter": {"id": "a-page", "title": "A page", "scope": "Of mine"}, "body": "Text.\nMore."},
        });
        let pointers: Vec<String> = of(Kind::Draft, &draft).into_iter().map(|it| it.pointer).collect();
        let data = ["/content/frontmatter/title", "/content/body", "/commit_message"];
        assert!(data.iter().all(|it| pointers.iter().any(|found| found == it)), "{pointers:?}");
        assert!(!pointers.iter().any(|it| it.ends_with("/id") || it.ends_with("proposed_id")));
    }

    #[test]
    fn a_host_is_no_id() {
        let message = json!({"feedback_id": "fbk_1", "body": "evil.com", "pointer": "https://evil.com/x", "topic": "bug"});
        let pointers: Vec<String> = of(Kind::Feedback, &message).into_iter().map(|it| it.pointer).collect();
        assert_eq!(pointers, ["/body", "/pointer"]);
        let skill = json!({"body": "Clear.", "pointer": "change-of-address"});
        assert_eq!(of(Kind::Feedback, &skill).len(), 1);
    }

    #[test]
    fn of_a_diff_what_it_adds() {
        let diff = "--- a\n+++ b\n@@ -1,2 +1,3 @@\n same\n-gone\n+here é\n+there\n";
        let value = json!({"content": {"body_diff": diff, "skill_commit": "abc"}});
        let found = of(Kind::Amendment, &value);
        let texts: Vec<&str> = found.iter().map(|it| it.text).collect();
        assert_eq!(texts, ["here é", "there"]);
        for it in &found {
            assert_eq!(diff.get(it.start..it.start + it.text.len()), Some(it.text));
        }
    }

    #[test]
    fn the_list_names_fields_that_exist() {
        for name in CLOSED {
            assert!(identity::is_own(name), "{name}");
        }
    }
}
