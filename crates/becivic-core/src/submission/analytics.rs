//! An analytics event (§6.2.6): sent only with consent, and naming nothing by which two events could be
//! joined.

use crate::vocabulary::words;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// An event. `C` is its content: typed, or still JSON while `event_type` is not yet known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // field names are the specification's
pub struct Analytics<C = Content> {
    pub schema_version: u32,
    pub analytics_event_id: String,
    pub submitted_at: String,
    pub submitting_agent: String,
    pub submission_contract_version: String,
    pub opt_in_consent: bool,
    pub event_type: EventType,
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub content: Option<C>,
}

fn none<C>() -> Option<C> {
    None
}

words! {
    /// The events of a session's life.
    EventType {
        /// It began.
        SessionStart = "session_start",
        /// It went from one step to another.
        StepTransition = "step_transition",
        /// It ended.
        SessionOutcome = "session_outcome",
    }
}

/// What an event says, in the shape its type asks for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Content {
    /// Nothing.
    SessionStart(Nothing),
    /// From where to where.
    StepTransition(StepTransition),
    /// How it ended.
    SessionOutcome(SessionOutcome),
}

impl Content {
    fn read(event: EventType, value: &Value) -> Result<Self, serde_json::Error> {
        match event {
            EventType::SessionStart => Nothing::deserialize(value).map(Self::SessionStart),
            EventType::StepTransition => StepTransition::deserialize(value).map(Self::StepTransition),
            EventType::SessionOutcome => SessionOutcome::deserialize(value).map(Self::SessionOutcome),
        }
    }
}

impl<'de> Deserialize<'de> for Analytics<Content> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let raw = Analytics::<Value>::deserialize(from)?;
        let content = match (raw.event_type, raw.content) {
            (EventType::SessionStart, None) => None,
            (EventType::StepTransition | EventType::SessionOutcome, None) => {
                return Err(D::Error::missing_field("content"));
            }
            (event, Some(value)) => Some(Content::read(event, &value).map_err(D::Error::custom)?),
        };
        Ok(Self {
            schema_version: raw.schema_version,
            analytics_event_id: raw.analytics_event_id,
            submitted_at: raw.submitted_at,
            submitting_agent: raw.submitting_agent,
            submission_contract_version: raw.submission_contract_version,
            opt_in_consent: raw.opt_in_consent,
            event_type: raw.event_type,
            content,
        })
    }
}

/// An empty object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// A step from one part of a skill to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct StepTransition {
    pub from_step: String,
    pub to_step: String,
}

/// The end of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct SessionOutcome {
    pub outcome: SessionEnd,
}

words! {
    /// How a session ended.
    SessionEnd {
        /// The person got what they came for.
        Success = "success",
        /// They stopped.
        Abandoned = "abandoned",
        /// They seem to have stopped.
        AbandonedInferred = "abandoned_inferred",
        /// It went elsewhere.
        Derailed = "derailed",
    }
}
