//! A validation (§6.2.3): a verdict on an artefact, or a vote on a committed concern.

use super::{Kind, TargetType};
use crate::path::SourceClass;
use crate::vocabulary::{Capability, words};
use serde::{Deserialize, Deserializer, Serialize};
use serde_with::skip_serializing_none;

/// A verdict. The only single submission that may carry a session id.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // field names are the specification's
pub struct Validation {
    pub schema_version: u32,
    pub validation_id: String,
    pub submitted_at: String,
    pub submitting_agent: String,
    pub submission_contract_version: String,
    pub declared_capabilities: Vec<Capability>,
    #[serde(deserialize_with = "target")]
    pub target_type: TargetType,
    pub target_id: String,
    pub verdict: Verdict,
    pub injection_flag: Option<bool>,
    pub rationale: Option<String>,
    pub injection_reason: Option<String>,
    pub session_id: Option<String>,
    pub traversal_metadata: Option<TraversalMetadata>,
}

impl Validation {
    /// Whether the artefact is said to steer the agent.
    pub fn flags_injection(&self) -> bool {
        self.injection_flag.unwrap_or(false)
    }
}

fn target<'de, D: Deserializer<'de>>(from: D) -> Result<TargetType, D::Error> {
    TargetType::permitted(Kind::Validation, from)
}

words! {
    /// The two verdicts; on a concern, a vote up or down.
    Verdict {
        /// It holds.
        Confirm = "confirm",
        /// It does not.
        Reject = "reject",
    }
}

/// How the walk of a path source ended; categories only (DECISIONS §14).
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct TraversalMetadata {
    pub outcome: Outcome,
    pub signal: Option<String>,
    pub source_class: SourceClass,
    pub validates_post_handoff: Option<bool>,
    pub duration_bucket: Option<String>,
}

words! {
    /// The end of a walk.
    Outcome {
        /// The document or tool was reached.
        Success = "success",
        /// It was not.
        Failed = "failed",
        /// The source was passed over.
        Skipped = "skipped",
        /// The person did not want it.
        Declined = "declined",
    }
}
