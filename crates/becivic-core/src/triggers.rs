//! `agents/triggers.json`: phrases that tell an agent that a conversation is about something a skill covers.

use crate::vocabulary::Phrases;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The whole file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Triggers {
    pub schema_version: u32,
    /// Skill id to phrases by language.
    pub skills: BTreeMap<String, Phrases>,
}
