//! Answers that carry their proof: what somebody read of an artefact, held against what the log says of it.
//!
//! 1. Wherever an answer tells of one artefact, `log` stands beside its name ([`Answered::all`]).
//! 2. The proof holds, is about that artefact, and the entry has the status and the version that the answer tells
//!    ([`Answered::check`]).
//! 3. What a path or a row says is what the answer says without what the server adds to it ([`Answered::content`]); a skill's content is
//!    its file.

use super::carried::{Carried, Unproven};
use super::checkpoint::Checkpoint;
use super::entry::{Entry, canonical};
use super::note::Verifier;
use super::tree::Hash;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// What answers add to the content of a path or a row.
const ADDED: [&str; 5] = ["flagged", "cohort", "log", "notice", "last_validated"];
/// And to that of a row alone: its name and its life in the catalogue.
const ADDED_TO_ROWS: [&str; 7] =
    ["uid", "name", "status", "committed_at", "superseded_at", "ended_by", "previous_stable"];
/// And to each source of a path.
const ADDED_TO_SOURCES: [&str; 4] = ["last_user_confirmation", "last_validated", "stale", "tallies"];

/// An answer about one artefact.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a>(&'a Map<String, Value>);

impl<'a> Answered<'a> {
    /// An answer that tells of nothing else.
    pub fn of(answer: &'a Value) -> Option<Self> {
        answer.as_object().map(Self)
    }

    /// Every one in a JSON value, at any depth.
    pub fn all(value: &'a Value) -> Vec<Self> {
        let mut found = Vec::new();
        look(value, &mut found);
        found
    }

    /// What is carried; nothing where the server said that there is nothing.
    pub fn carried(self) -> Option<Result<Carried, Unproven>> {
        let log = self.0.get("log").filter(|log| !log.is_null())?;
        Some(serde_json::from_value(log.clone()).map_err(|_| Unproven::Shape))
    }

    /// Holds it against the log: what the log says, and its state that says so.
    pub fn check(self, key: &Verifier) -> Result<(Entry, Checkpoint), Unproven> {
        let carried = self.carried().ok_or(Unproven::Missing)??;
        let claimed = Entry::read(carried.entry.as_bytes()).map_err(|_| Unproven::Entry)?.artefact;
        let names = ["uid", "id"].into_iter().filter_map(|name| self.text(name));
        let named = |(_, id): (&str, &str)| names.into_iter().any(|name| name == id);
        if !claimed.split_once(':').is_some_and(named) {
            return Err(Unproven::OtherArtefact(claimed));
        }
        let (entry, checkpoint) = carried.check(&claimed, key)?;
        self.agrees(&entry)?;
        Ok((entry, checkpoint))
    }

    /// Whether it tells the status and the version that an entry has.
    pub fn agrees(self, entry: &Entry) -> Result<(), Unproven> {
        let differs = |told: Option<&str>, logged: Option<&str>| match (told, logged) {
            (Some(told), Some(logged)) if told != logged => {
                Err(Unproven::Otherwise { told: told.to_owned(), logged: logged.to_owned() })
            }
            _ => Ok(()),
        };
        differs(self.text("status"), Some(entry.to.map_or("gone", |status| status.as_str())))?;
        differs(self.text("version"), entry.version.as_deref())
    }

    /// The digest of what a path or a row of the catalogue says in it.
    pub fn content(self, kind: &str) -> Hash {
        let mut content = self.0.clone();
        let is_row = kind != "path";
        content.retain(|name, _| {
            let added = ADDED.contains(&name.as_str()) || is_row && ADDED_TO_ROWS.contains(&name.as_str());
            !added
        });
        let sources = content.get_mut("sources").filter(|_| !is_row).and_then(Value::as_array_mut);
        for source in sources.into_iter().flatten().filter_map(Value::as_object_mut) {
            source.retain(|name, _| !ADDED_TO_SOURCES.contains(&name.as_str()));
        }
        Sha256::digest(canonical(&Value::Object(content))).into()
    }

    /// What it goes by.
    pub fn name(self) -> &'a str {
        self.text("id").or_else(|| self.text("uid")).unwrap_or("an answer")
    }

    fn text(self, name: &str) -> Option<&'a str> {
        self.0.get(name).and_then(Value::as_str)
    }
}

fn look<'a>(value: &'a Value, found: &mut Vec<Answered<'a>>) {
    match value {
        Value::Object(fields) => {
            if fields.contains_key("log") && (fields.contains_key("id") || fields.contains_key("uid")) {
                found.push(Answered(fields));
            }
            fields.values().for_each(|inner| look(inner, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| look(inner, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
