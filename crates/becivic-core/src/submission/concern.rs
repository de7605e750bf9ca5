//! A concern (§6.2.1): something is wrong with an artefact, or the corpus lacks one.

use super::{Kind, TargetType, content_by_target, not_permitted};
use crate::vocabulary::{Capability, Language, Region, words};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Number, Value};
use serde_with::skip_serializing_none;
use std::collections::BTreeMap;

/// A concern. `C` is its content: typed, or still JSON while `target_type` is not yet known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // field names are the specification's
pub struct Concern<C = Content> {
    pub schema_version: u32,
    pub concern_id: String,
    pub submitted_at: String,
    pub submitting_agent: String,
    pub submission_contract_version: String,
    pub declared_capabilities: Vec<Capability>,
    #[serde(deserialize_with = "target")]
    pub target_type: TargetType,
    pub target_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    pub content: C,
}

fn target<'de, D: Deserializer<'de>>(from: D) -> Result<TargetType, D::Error> {
    TargetType::permitted(Kind::Concern, from)
}

/// Where a concern arose, coarsely; dropped at commit.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Context {
    pub language_used: Option<Language>,
    pub country: Option<String>,
    pub region: Option<Region>,
    /// NIS5 code or slug; null when the concern is bound to no commune.
    #[serde(default, deserialize_with = "super::nullable", skip_serializing_if = "Option::is_none")]
    pub commune: Option<Option<String>>,
    pub applies_to_match: Option<BTreeMap<String, Matched>>,
}

/// On what a key of the skill's `applies_to` matched. The JSON types never overlap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum Matched {
    Scalar(MatchedScalar),
    List(Vec<MatchedScalar>),
}

/// One matched value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum MatchedScalar {
    Flag(bool),
    Number(Number),
    Text(String),
}

/// What a concern says, in the shape its target asks for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Content {
    /// About the text of a skill.
    Skill(SkillIssue),
    /// About a named scalar.
    VolatileValue(ValueIssue),
    /// About a citation.
    Reference(ReferenceIssue),
    /// About a path.
    Path(PathReport),
    /// About one source of a path.
    PathSource(SourceIssue),
    /// About something the corpus lacks.
    SkillGraph(Gap),
}

impl Content {
    fn read(target: TargetType, value: &Value) -> Result<Self, String> {
        let content = match target {
            TargetType::Skill => SkillIssue::deserialize(value).map(Self::Skill),
            TargetType::VolatileValue => ValueIssue::deserialize(value).map(Self::VolatileValue),
            TargetType::Reference => ReferenceIssue::deserialize(value).map(Self::Reference),
            TargetType::Path => PathReport::deserialize(value).map(Self::Path),
            TargetType::PathSource => SourceIssue::deserialize(value).map(Self::PathSource),
            TargetType::SkillGraph => Gap::deserialize(value).map(Self::SkillGraph),
            TargetType::Observation | TargetType::AgentProtocol | TargetType::Session => {
                return Err(not_permitted(Kind::Concern, target));
            }
        };
        content.map_err(|error| error.to_string())
    }
}

content_by_target! { Concern<Content>:
    schema_version, concern_id, submitted_at, submitting_agent, submission_contract_version,
    declared_capabilities, target_type, target_id, context
}

words! {
    /// How widely a concern holds.
    Scope {
        /// Everywhere.
        General = "general",
        /// In one commune.
        Commune = "commune-specific",
        /// In one region.
        Regional = "regional-specific",
        /// For one role.
        Role = "role-specific",
    }
}

words! {
    /// Where the evidence comes from.
    EvidenceSource {
        /// What the person met.
        CustomerReport = "customer-report",
        /// A published source.
        Citation = "citation",
        /// Several agree.
        Corroboration = "corroboration",
    }
}

words! {
    /// Where the evidence about a citation comes from: never from one person's report.
    CitationEvidence {
        /// A published source.
        Citation = "citation",
        /// Several agree.
        Corroboration = "corroboration",
    }
}

/// An accuracy issue with the text of a skill.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct SkillIssue {
    pub scope: Scope,
    /// A NIS5 code, a region or a role, as the scope says.
    pub specifier: Option<String>,
    pub body: String,
    pub evidence_date: String,
    pub evidence_source: EvidenceSource,
}

/// A scalar that differs from the catalogue.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ValueIssue {
    pub vv_uid: String,
    pub observed_value: Scalar,
    pub note: Option<String>,
    pub evidence_date: String,
}

/// A scalar as it was met: the two JSON types never overlap, so reading it guesses nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    /// As a number.
    Number(Number),
    /// As text.
    Text(String),
}

/// A citation that is gone, superseded or wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ReferenceIssue {
    pub ref_uid: String,
    pub body: String,
    pub evidence_date: String,
    pub evidence_source: CitationEvidence,
}

/// One experience with a path.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct PathReport {
    pub scope: Scope,
    /// A NIS5 code, a region or a role, as the scope says.
    pub specifier: Option<String>,
    pub report: String,
    pub evidence_date: String,
    pub evidence_source: EvidenceSource,
}

/// Trouble with one source of one path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct SourceIssue {
    pub body: String,
    pub evidence_date: String,
    pub evidence_source: EvidenceSource,
}

/// A procedure the corpus lacks.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Gap {
    pub body: String,
    pub proposed_skill_id: Option<String>,
    pub evidence_date: String,
}
