//! One entry: what happened to one artefact.
//!
//! 1. It is a line of JSON with its fields in this order, so that the same change is the same bytes.
//! 2. `from` and `to` are statuses; nothing in `from` is an artefact that was not there, nothing in `to` one that is gone.
//! 3. `numbers` are those the rule looked at, each beside what it was held against (`…_needed`); measured spans are whole days.
//! 4. `inputs` and `content` are digests over a nonce that is kept beside the row: with the nonce anybody can check them, and when
//!    both are erased nothing can be guessed from what stays.
//! 5. No hash of a person, no address and no text of anybody's is in it.

use super::tree::{Hash, hex};
use super::words as in_words;
use crate::vocabulary::{Status, words};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// The version of the shape.
pub const ENTRY_VERSION: u32 = 1;

words! {
    /// What happened.
    What {
        /// The log met it as it stands.
        Began = "began",
        /// A step up.
        Promotion = "promotion",
        /// Rejected content left.
        Rollback = "rollback",
        /// Flagged content was put away.
        Quarantine = "quarantine",
        /// Nobody confirms it any more, or somebody retired it.
        Deprecation = "deprecation",
        /// It came back.
        Reinstatement = "reinstatement",
        /// Content changed by a commit.
        Merge = "merge",
        /// A row of the catalogue took another's place.
        Supersession = "supersession",
        /// It is gone.
        Removal = "removal",
        /// The thresholds that hold from here on.
        Policy = "policy",
        /// A status was put right that did not agree with its file or row.
        Correction = "correction",
    }
}

impl What {
    /// What a change is, by the rule or the act that made it.
    pub fn of(rule: &str, from: Option<Status>, to: Option<Status>) -> Self {
        let was_put_away = matches!(from, Some(Status::Quarantined | Status::Deprecated));
        match (rule, to) {
            ("began", _) => Self::Began,
            ("corrected_log", _) => Self::Correction,
            (_, None) => Self::Removal,
            ("alpha_to_beta" | "beta_to_stable", _) => Self::Promotion,
            ("rejected" | "all_sources_rejected", _) => Self::Rollback,
            ("nobody_confirms", _) => Self::Deprecation,
            ("injection_flags", _) => Self::Quarantine,
            ("works_again", _) => Self::Reinstatement,
            ("corrected", _) => Self::Supersession,
            (_, Some(Status::Quarantined)) if from != to => Self::Quarantine,
            (_, Some(Status::Deprecated)) if from != to => Self::Deprecation,
            ("maintainer", Some(_)) if was_put_away && from != to => Self::Reinstatement,
            (_, Some(_)) => Self::Merge,
        }
    }
}

/// One change: as it is read, or of texts and numbers that are kept elsewhere while it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound(serialize = "T: Serialize, N: Figures"))]
#[allow(missing_docs)] // the fields, as above
pub struct Entry<T = String, N = Map<String, Value>> {
    pub v: u32,
    pub artefact: T,
    pub what: What,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Status>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Status>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<T>,
    pub rule: T,
    #[serde(default, skip_serializing_if = "Figures::are_none")]
    pub numbers: N,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<T>,
    pub day: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<T>,
}

/// The numbers of an entry.
pub trait Figures: Serialize {
    /// Whether there are none: nothing is written then.
    fn are_none(&self) -> bool;
}

impl Figures for Map<String, Value> {
    fn are_none(&self) -> bool {
        self.is_empty()
    }
}

impl<T: Serialize, N: Figures> Entry<T, N> {
    /// The bytes that are logged.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(1024);
        let _memory_takes_everything = serde_json::to_writer(&mut bytes, self);
        bytes
    }
}

impl Entry {
    /// The sentence: "skill:x became beta, by alpha_to_beta".
    pub fn in_words(&self) -> String {
        in_words::sentence(self)
    }

    /// Reads them.
    pub fn read(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(bytes)
    }
}

/// The digest of content under a nonce.
pub fn content_digest(nonce: &[u8], content: &Hash) -> String {
    hex(&Sha256::new().chain_update(b"content").chain_update(nonce).chain_update(content).finalize())
}

/// The digest of what a decision looked at under a nonce.
pub fn inputs_digest(nonce: &[u8], inputs: &[u8]) -> String {
    hex(&Sha256::new().chain_update(b"inputs").chain_update(nonce).chain_update(inputs).finalize())
}

/// JSON whose bytes do not depend on the order somebody wrote its keys in: sorted, without blanks. What a path or a row of the
/// catalogue says is digested so.
pub fn canonical(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(value, &mut bytes);
    bytes
}

fn write(value: &Value, into: &mut Vec<u8>) {
    match value {
        Value::Object(fields) => {
            let mut sorted: Vec<(&String, &Value)> = fields.iter().collect();
            sorted.sort_by_key(|(name, _)| name.as_str());
            into.push(b'{');
            for (number, (name, inner)) in sorted.into_iter().enumerate() {
                if number > 0 {
                    into.push(b',');
                }
                plain(name.as_str(), into);
                into.push(b':');
                write(inner, into);
            }
            into.push(b'}');
        }
        Value::Array(items) => {
            into.push(b'[');
            for (number, inner) in items.iter().enumerate() {
                if number > 0 {
                    into.push(b',');
                }
                write(inner, into);
            }
            into.push(b']');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => plain(value, into),
    }
}

/// What has nothing inside.
fn plain(value: &(impl Serialize + ?Sized), into: &mut Vec<u8>) {
    let _memory_takes_everything = serde_json::to_writer(into, value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_entry_is_the_same_bytes_and_reads_back() {
        let entry = Entry {
            v: ENTRY_VERSION,
            artefact: "skill:change-of-address".to_owned(),
            what: What::Promotion,
            from: Some(Status::Alpha),
            to: Some(Status::Beta),
            version: Some("0.2.0".to_owned()),
            rule: "alpha_to_beta".to_owned(),
            numbers: json!({"confirms": 3, "confirms_needed": 3}).as_object().cloned().expect("an object"),
            policy: Some("1".to_owned()),
            day: "2026-11-16".to_owned(),
            inputs: None,
            content: Some(content_digest(&[1; 32], &[2; 32])),
        };
        let bytes = entry.bytes();
        assert_eq!(Entry::read(&bytes).expect("an entry"), entry);
        assert!(bytes.starts_with(
            br#"{"v":1,"artefact":"skill:change-of-address","what":"promotion","from":"alpha""#
        ));
        assert!(Entry::read(br#"{"v":1,"artefact":"x","what":"vanished","rule":"","day":""}"#).is_err());
    }

    #[test]
    fn canonical_json_does_not_depend_on_order() {
        let one = json!({"b": [1, {"z": "é\"", "a": null}], "a": 1.5});
        let other = json!({"a": 1.5, "b": [1, {"a": null, "z": "é\""}]});
        assert_eq!(canonical(&one), canonical(&other));
        assert_eq!(canonical(&one), r#"{"a":1.5,"b":[1,{"a":null,"z":"é\""}]}"#.as_bytes());
        assert_ne!(content_digest(&[1; 32], &[2; 32]), inputs_digest(&[1; 32], &[2; 32]));
    }
}
