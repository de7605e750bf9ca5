//! A draft (§6.2.4): a proposal for a new skill or path, at alpha and of community origin.

use super::provenance::Provenance;
use super::{Kind, TargetType, content_by_target, not_permitted};
use crate::path::PathEntry;
use crate::skill::Frontmatter;
use crate::vocabulary::Capability;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// A draft. `C` is its content: typed, or still JSON while `target_type` is not yet known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // field names are the specification's
pub struct Draft<C = Content> {
    pub schema_version: u32,
    pub draft_id: String,
    pub submitted_at: String,
    pub submitting_agent: String,
    pub submission_contract_version: String,
    pub declared_capabilities: Vec<Capability>,
    #[serde(deserialize_with = "target")]
    pub target_type: TargetType,
    pub proposed_id: String,
    pub commit_message: String,
    #[serde(default, deserialize_with = "super::nullable", skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Option<Provenance>>,
    pub content: C,
}

fn target<'de, D: Deserializer<'de>>(from: D) -> Result<TargetType, D::Error> {
    TargetType::permitted(Kind::Draft, from)
}

/// The artefact proposed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Content {
    /// A skill.
    Skill(Box<SkillDraft>),
    /// A path.
    Path(Box<PathDraft>),
}

impl Content {
    fn read(target: TargetType, value: &Value) -> Result<Self, String> {
        let content = match target {
            TargetType::Skill => SkillDraft::deserialize(value).map(Box::new).map(Self::Skill),
            TargetType::Path => PathDraft::deserialize(value).map(Box::new).map(Self::Path),
            TargetType::VolatileValue
            | TargetType::Reference
            | TargetType::PathSource
            | TargetType::SkillGraph
            | TargetType::Observation
            | TargetType::AgentProtocol
            | TargetType::Session => return Err(not_permitted(Kind::Draft, target)),
        };
        content.map_err(|error| error.to_string())
    }
}

content_by_target! { Draft<Content>:
    schema_version, draft_id, submitted_at, submitting_agent, submission_contract_version,
    declared_capabilities, target_type, proposed_id, commit_message, provenance
}

/// A skill as proposed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct SkillDraft {
    pub frontmatter: Frontmatter,
    pub body: String,
}

/// A path as proposed: the entry has no uid yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct PathDraft {
    pub entry: PathEntry,
}
