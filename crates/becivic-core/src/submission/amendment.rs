//! An amendment (§6.2.2): a change to one existing artefact.

use super::concern::Scalar;
use super::provenance::Provenance;
use super::{Kind, TargetType, content_by_target, not_permitted};
use crate::path::PathSource;
use crate::vocabulary::{Capability, words};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use serde_with::skip_serializing_none;

/// An amendment. `C` is its content: typed, or still JSON while `target_type` is not yet known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // field names are the specification's
pub struct Amendment<C = Content> {
    pub schema_version: u32,
    pub amendment_id: String,
    pub submitted_at: String,
    pub submitting_agent: String,
    pub submission_contract_version: String,
    pub declared_capabilities: Vec<Capability>,
    #[serde(deserialize_with = "target")]
    pub target_type: TargetType,
    pub target_id: String,
    pub rationale: String,
    /// What the consumer's own check said; informational.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pre_flight_validation_result: Option<Map<String, Value>>,
    #[serde(default, deserialize_with = "super::nullable", skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Option<Provenance>>,
    pub content: C,
}

fn target<'de, D: Deserializer<'de>>(from: D) -> Result<TargetType, D::Error> {
    TargetType::permitted(Kind::Amendment, from)
}

/// What an amendment changes, in the shape its target asks for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Content {
    /// A skill's body or one frontmatter field.
    Skill(SkillChange),
    /// A scalar.
    VolatileValue(ValueChange),
    /// A citation.
    Reference(ReferenceChange),
    /// One field of a path.
    Path(PathChange),
    /// One field of a source, or a new source.
    PathSource(SourceChange),
}

impl Content {
    fn read(target: TargetType, value: &Value) -> Result<Self, String> {
        let content = match target {
            TargetType::Skill => SkillChange::deserialize(value).map(Self::Skill),
            TargetType::VolatileValue => ValueChange::deserialize(value).map(Self::VolatileValue),
            TargetType::Reference => ReferenceChange::deserialize(value).map(Self::Reference),
            TargetType::Path => PathChange::deserialize(value).map(Self::Path),
            TargetType::PathSource => SourceChange::deserialize(value).map(Self::PathSource),
            TargetType::SkillGraph
            | TargetType::Observation
            | TargetType::AgentProtocol
            | TargetType::Session => return Err(not_permitted(Kind::Amendment, target)),
        };
        content.map_err(|error| error.to_string())
    }
}

content_by_target! { Amendment<Content>:
    schema_version, amendment_id, submitted_at, submitting_agent, submission_contract_version,
    declared_capabilities, target_type, target_id, rationale, pre_flight_validation_result,
    provenance
}

/// A change to a skill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "amendment_subtype", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum SkillChange {
    /// A unified diff of the body.
    #[serde(rename = "body")]
    Body {
        /// The commit the submitter read.
        skill_commit: String,
        body_diff: String,
    },
    /// One frontmatter field.
    #[serde(rename = "frontmatter")]
    Frontmatter { frontmatter_change: FieldChange },
}

/// A new value for one field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldChange {
    /// Dotted path of the field.
    pub field_path: String,
    /// Its new value, typed by the field.
    pub proposed_value: Value,
}

words! {
    /// The JSON type of a scalar.
    ValueType {
        /// Any number.
        Number = "number",
        /// A whole number.
        Integer = "integer",
        /// Text.
        String = "string",
    }
}

/// A corrected scalar.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ValueChange {
    pub proposed_value: Scalar,
    pub value_type: ValueType,
    pub note: Option<String>,
}

/// Corrections to a citation.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ReferenceChange {
    pub proposed_title: Option<String>,
    pub proposed_url: Option<String>,
    pub proposed_last_verified: Option<String>,
    pub archived_url: Option<String>,
    pub note: Option<String>,
}

/// A change to a path: one field of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "amendment_subtype", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum PathChange {
    /// One field.
    #[serde(rename = "field_edit")]
    FieldEdit { frontmatter_change: FieldChange },
}

/// A change to the sources of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "amendment_subtype", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum SourceChange {
    /// One field of an existing source.
    #[serde(rename = "field_edit")]
    FieldEdit { frontmatter_change: FieldChange },
    /// A whole new source.
    #[serde(rename = "source_add")]
    SourceAdd { source_add: Box<PathSource> },
}
