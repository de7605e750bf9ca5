//! Feedback (§6.2.5): a message about Be Civic itself, never published.

use crate::vocabulary::{Capability, words};
use serde::{Deserialize, Serialize};

/// A message.
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<Topic>,
    /// An https address or a skill id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
