//! Several submissions in one request (§8.3.0a).
//!
//! 1. The envelope is read strictly; of each item only the type is looked at, so that a bad item never
//!    spoils the others.
//! 2. [`Envelope::item`] merges what the envelope declares once into one item, without its `type`: the
//!    result validates alone, against the schema of its own type. An item's own `submitted_at` wins;
//!    the other shared fields belong to the envelope, and an item that repeats one with another value
//!    keeps the envelope's. Only a validation receives the session id.

use super::Kind;
use crate::vocabulary::{Capability, words};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// An envelope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // field names are the specification's
pub struct Envelope {
    pub schema_version: u32,
    pub session_id: String,
    pub submitted_at: String,
    pub submitting_agent: String,
    pub submission_contract_version: String,
    pub declared_capabilities: Vec<Capability>,
    pub mode: Mode,
    pub items: Vec<Item>,
}

words! {
    /// What is to happen with the items.
    Mode {
        /// Say whether they would be accepted.
        Validate = "validate",
        /// Accept them.
        Stage = "stage",
    }
}

/// One item, not yet looked into.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Its type; analytics never travels in an envelope.
    #[serde(rename = "type", deserialize_with = "item_kind")]
    pub kind: Kind,
    /// Every other field, as sent.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

fn item_kind<'de, D: Deserializer<'de>>(from: D) -> Result<Kind, D::Error> {
    match Kind::deserialize(from)? {
        Kind::Analytics => Err(D::Error::custom("analytics events are sent on their own")),
        kind @ (Kind::Concern
        | Kind::Amendment
        | Kind::Validation
        | Kind::Draft
        | Kind::Feedback
        | Kind::Rating) => Ok(kind),
    }
}

impl Envelope {
    /// One item with the envelope's shared fields merged in; `None` past the last.
    pub fn item(&self, index: usize) -> Option<(Kind, Value)> {
        let item = self.items.get(index)?;
        Some((item.kind, self.merged(item.kind, item.fields.clone())))
    }

    /// The fields of an item of this kind with the envelope's shared fields merged in, and without its `type`.
    pub fn merged(&self, kind: Kind, mut fields: Map<String, Value>) -> Value {
        fields.shift_remove("type");
        let shared = [
            ("submitting_agent", Value::from(self.submitting_agent.as_str())),
            ("submission_contract_version", Value::from(self.submission_contract_version.as_str())),
            (
                "declared_capabilities",
                self.declared_capabilities.iter().map(|token| token.as_str()).collect(),
            ),
        ];
        for (name, value) in shared {
            fields.insert(name.to_owned(), value);
        }
        fields.entry("submitted_at").or_insert_with(|| Value::from(self.submitted_at.as_str()));
        if kind == Kind::Validation {
            fields.entry("session_id").or_insert_with(|| Value::from(self.session_id.as_str()));
        }
        Value::Object(fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn envelope(items: Value) -> Envelope {
        let value = json!({
            "schema_version": 1,
            "session_id": "ses_019a813c-19d6-7820-9c09-5b3fffdd357b",
            "submitted_at": "2026-11-14T09:30:00Z",
            "submitting_agent": "example-runtime/1.4.0",
            "submission_contract_version": "2.1.0",
            "declared_capabilities": ["multi_turn"],
            "mode": "validate",
            "items": items,
        });
        Envelope::deserialize(&value).expect("well-formed")
    }

    #[test]
    fn an_item_takes_what_the_envelope_declares_and_keeps_its_own_time() {
        let it = envelope(json!([
            {"type": "feedback", "body": "x", "submitted_at": "2026-11-13T08:00:00Z"},
            {"type": "validation", "verdict": "confirm", "submitting_agent": "other/1"},
        ]));
        let (kind, feedback) = it.item(0).expect("first");
        assert_eq!(kind, Kind::Feedback);
        assert_eq!(feedback["submitted_at"], "2026-11-13T08:00:00Z");
        assert_eq!(feedback["declared_capabilities"], json!(["multi_turn"]));
        assert_eq!(feedback.get("session_id"), None);
        assert_eq!(feedback.get("type"), None);
        let (_, validation) = it.item(1).expect("second");
        assert_eq!(validation["submitting_agent"], "example-runtime/1.4.0");
        assert_eq!(validation["session_id"], it.session_id.as_str());
        assert_eq!(it.item(2), None);
    }
}
