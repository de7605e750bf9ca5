//! Step 4: nothing personal in any string, key or number (§6.8).
//!
//! One refusal per place, with the names of the rules that fired and nothing of the text. Provenance has a
//! category of its own, because only its author can rewrite it (§6.2.3).
//!
//! Ids of submissions and sessions, and hashes of commits, are not looked at: they are random, so that one in some thousands
//! holds the digits of a telephone or national number by chance; their shape is the schema's business, and they are never
//! published.

use super::{Category, Refusal, identity};
use crate::scrub::Scrubber;
use crate::submission::Kind;
use serde_json::Value;

/// What the rules find in a submission.
pub fn scrub(value: &Value, scrubber: &Scrubber) -> Vec<Refusal> {
    let mut refusals: Vec<Refusal> = Vec::new();
    // No rule fires on a field name of ours; a test holds the rules to it.
    for found in scrubber.scan_value_but(value, identity::is_own) {
        let pointer = identity::known_part(&found.pointer);
        if is_random(value, &pointer) {
            continue;
        }
        let name = scrubber.rules().get(found.hit.rule).map_or("", |rule| rule.name.as_str());
        match refusals.last_mut().filter(|last| last.pointer == pointer) {
            Some(last) if last.detectors.iter().any(|known| known == name) => {}
            Some(last) => last.detectors.push(name.to_owned()),
            None => refusals.push(refusal(pointer, name)),
        }
    }
    for refusal in &mut refusals {
        let place = if refusal.detectors.len() > 1 { "rules" } else { "rule" };
        refusal.message = format!("the scrub {place} {} fired here", refusal.detectors.join(", "));
    }
    refusals
}

/// Whether a submission's or a session's id stands here, or the whole hash of a commit.
fn is_random(value: &Value, pointer: &str) -> bool {
    let of_submission = Kind::ALL.iter().any(|kind| pointer.strip_prefix('/') == Some(kind.id_field()));
    let of_session = matches!(pointer, "/session_id" | "/target_id");
    let text = value.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if pointer == "/content/skill_commit" {
        return text.len() == 40 && text.bytes().all(is_hex);
    }
    let uuid = text.get(4..).unwrap_or_default();
    let is_uuid = uuid.len() == 36
        && uuid.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => is_hex(byte),
        });
    is_uuid && (of_submission || (of_session && text.starts_with("ses_")))
}

fn refusal(pointer: String, rule: &str) -> Refusal {
    let in_provenance = pointer == "/provenance" || pointer.starts_with("/provenance/");
    let category = if in_provenance { Category::Layer2ScrubFailure } else { Category::RegexFail };
    Refusal {
        category,
        pointer,
        missing: None,
        detectors: vec![rule.to_owned()],
        message: String::new(),
        help: "Write it without what points at a person: no number, name, address or contact.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_id_is_random_and_a_text_is_not() {
        // The last group holds a number that the rules take for a person's.
        let uuid = "01a1e0b9-fe8f-788b-a2a3-b64300964062";
        let scrubber = Scrubber::bundled().expect("the bundled rules run");
        let found = |value: Value| scrub(&value, scrubber).len();
        assert_eq!(
            found(json!({"concern_id": format!("con_{uuid}"), "session_id": format!("ses_{uuid}")})),
            0
        );
        assert_eq!(found(json!({"target_type": "session", "target_id": format!("ses_{uuid}")})), 0);
        assert_eq!(found(json!({"content": {"body": format!("con_{uuid}")}})), 1);
        assert_eq!(found(json!({"concern_id": format!("con_{uuid} and more")})), 1);
        let commit = "12a0470123456b0e5d0c9f1e2d3c4b5a69788796";
        assert_eq!(found(json!({"content": {"skill_commit": commit}})), 0);
        assert_ne!(found(json!({"content": {"skill_commit": "0470123456"}})), 0);
    }

    #[test]
    fn no_rule_fires_on_a_field_name_of_ours_and_none_needs_escaping() {
        let scrubber = Scrubber::bundled().expect("sound rules");
        let names: Vec<&str> = identity::names().filter(|name| identity::is_own(name)).collect();
        assert!(names.contains(&"concern_id"));
        for name in names {
            assert!(scrubber.scan(name).is_empty() && !name.contains(['~', '/']), "{name}");
        }
    }

    #[test]
    fn a_key_that_is_not_ours_is_read() {
        let scrubber = Scrubber::bundled().expect("sound rules");
        let value = json!({"content": {"someone@example.org": 1}});
        assert_eq!(scrub(&value, scrubber).len(), 1);
    }
}
