//! A rating (§6.2.7): one to five stars on the one axis that the target names.

use super::{Kind, TargetType};
use crate::vocabulary::Capability;
use serde::{Deserialize, Deserializer, Serialize};
use serde_with::skip_serializing_none;

/// A rating.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // field names are the specification's
pub struct Rating {
    pub schema_version: u32,
    pub rating_id: String,
    pub submitted_at: String,
    pub submitting_agent: String,
    pub submission_contract_version: String,
    pub declared_capabilities: Vec<Capability>,
    #[serde(deserialize_with = "target")]
    pub target_type: TargetType,
    pub target_id: String,
    pub skill_quality_stars: Option<u8>,
    pub agent_protocol_stars: Option<u8>,
    pub user_experience_stars: Option<u8>,
    pub would_be_5_stars: Option<String>,
}

impl Rating {
    /// The stars on the axis that the target names.
    pub fn stars(&self) -> Option<u8> {
        match self.target_type {
            TargetType::Skill => self.skill_quality_stars,
            TargetType::AgentProtocol => self.agent_protocol_stars,
            TargetType::Session => self.user_experience_stars,
            TargetType::VolatileValue
            | TargetType::Reference
            | TargetType::Path
            | TargetType::PathSource
            | TargetType::SkillGraph
            | TargetType::Observation => None,
        }
    }
}

fn target<'de, D: Deserializer<'de>>(from: D) -> Result<TargetType, D::Error> {
    TargetType::permitted(Kind::Rating, from)
}
