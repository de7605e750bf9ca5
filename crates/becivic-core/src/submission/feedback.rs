//! Feedback (§6.2.5): a message about Be Civic itself, never published.

use crate::vocabulary::{Capability, words};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A message.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // field names are the specification's
pub struct Feedback {
    pub schema_version: u32,
    pub feedback_id: String,
    pub submitted_at: String,
    pub submitting_agent: String,
    pub submission_contract_version: String,
    pub declared_capabilities: Vec<Capability>,
    pub topic: Option<Topic>,
    /// An https address or a skill id.
    pub pointer: Option<String>,
    pub body: String,
}

words! {
    /// What a message is about.
    Topic {
        /// Something does not work.
        Bug = "bug",
        /// Something could be better.
        Suggestion = "suggestion",
        /// Something is good.
        Praise = "praise",
        /// Something is hard to understand.
        Confusion = "confusion",
        /// Something shuts people out.
        Accessibility = "accessibility",
        /// Anything else.
        Other = "other",
    }
}
