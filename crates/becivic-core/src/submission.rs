//! What a consuming agent may send (§6.2): seven types, one file each, and the envelope around them.
//!
//! 1. [`Kind`] names the type, its id field and prefix, its schema, and the targets it permits.
//! 2. `read` turns a value of one kind into a [`Submission`]. Where `target_type` decides the shape of
//!    `content`, the content is kept as JSON until the target is known, then read into that one shape:
//!    no shape is ever guessed by trying.
//! 3. Writing a submission gives back the JSON it was read from.
//!
//! Caps and patterns are the schemas' business; these types hold the shape. A test feeds both the same
//! instances.

pub mod amendment;
pub mod analytics;
pub mod concern;
pub mod draft;
pub mod envelope;
pub mod feedback;
pub mod provenance;
pub mod rating;
pub mod validation;

pub use amendment::Amendment;
pub use analytics::Analytics;
pub use concern::Concern;
pub use draft::Draft;
pub use envelope::Envelope;
pub use feedback::Feedback;
pub use rating::Rating;
pub use validation::Validation;

use crate::schema::Schema;
use crate::vocabulary::words;
use serde::de::{Deserialize, Deserializer, Error};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// Reads a submission whose `target_type` decides the shape of its `content`: everything else first, with
/// the content as a plain value, then the content as what its target says. The fields that stay as they are
/// are named once.
macro_rules! content_by_target {
    ($name:ident<$content:ident>: $($field:ident),+ $(,)?) => {
        impl<'de> serde::Deserialize<'de> for $name<$content> {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let raw = $name::<serde_json::Value>::deserialize(from)?;
                let content = $content::read(raw.target_type, &raw.content);
                let content = content.map_err(serde::de::Error::custom)?;
                Ok(Self { $($field: raw.$field,)+ content })
            }
        }
    };
}
use content_by_target;

words! {
    /// The types of submission. Their spelling is the wire's `type` in an envelope.
    Kind {
        /// Something is wrong, or missing.
        Concern = "concern",
        /// A change to one existing artefact.
        Amendment = "amendment",
        /// A verdict on an artefact, or a vote on a concern.
        Validation = "validation",
        /// A new skill or path.
        Draft = "draft",
        /// A message about Be Civic itself.
        Feedback = "feedback",
        /// One to five stars.
        Rating = "rating",
        /// One consented event of a session's life.
        Analytics = "analytics",
    }
}

impl Kind {
    /// The field that holds the client-made id.
    pub fn id_field(self) -> &'static str {
        match self {
            Self::Concern => "concern_id",
            Self::Amendment => "amendment_id",
            Self::Validation => "validation_id",
            Self::Draft => "draft_id",
            Self::Feedback => "feedback_id",
            Self::Rating => "rating_id",
            Self::Analytics => "analytics_event_id",
        }
    }

    /// Where it is sent, and asked for: `/api/<folder>`.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Concern => "concerns",
            Self::Amendment => "amendments",
            Self::Validation => "validations",
            Self::Draft => "drafts",
            Self::Feedback => "feedback-channel",
            Self::Rating => "ratings",
            Self::Analytics => "analytics",
        }
    }

    /// What the id starts with; a UUIDv7 follows (§6.2.3, identifier conventions).
    pub fn id_prefix(self) -> &'static str {
        match self {
            Self::Concern => "con_",
            Self::Amendment => "amd_",
            Self::Validation => "val_",
            Self::Draft => "drf_",
            Self::Feedback => "fbk_",
            Self::Rating => "rtg_",
            Self::Analytics => "anl_",
        }
    }

    /// The schema of the type.
    pub fn schema(self) -> Schema {
        match self {
            Self::Concern => Schema::Concern,
            Self::Amendment => Schema::Amendment,
            Self::Validation => Schema::Validation,
            Self::Draft => Schema::Draft,
            Self::Feedback => Schema::Feedback,
            Self::Rating => Schema::Rating,
            Self::Analytics => Schema::Analytics,
        }
    }

    /// The targets the type permits (the table of §6.2, and §6.2.7 for ratings).
    pub fn targets(self) -> &'static [TargetType] {
        use TargetType as T;
        match self {
            Self::Concern => {
                &[T::Skill, T::VolatileValue, T::Reference, T::Path, T::PathSource, T::SkillGraph]
            }
            Self::Amendment => &[T::Skill, T::VolatileValue, T::Reference, T::Path, T::PathSource],
            Self::Validation => {
                &[T::Skill, T::VolatileValue, T::Reference, T::Path, T::PathSource, T::Observation]
            }
            Self::Draft => &[T::Skill, T::Path],
            Self::Rating => &[T::Skill, T::AgentProtocol, T::Session],
            Self::Feedback | Self::Analytics => &[],
        }
    }
}

words! {
    /// What a submission speaks of.
    TargetType {
        /// A skill, by id.
        Skill = "skill",
        /// A named scalar of the catalogue, by uid.
        VolatileValue = "volatile_value",
        /// A citation of the catalogue, by uid.
        Reference = "reference",
        /// A path, by id.
        Path = "path",
        /// A source of a path, as `<path_id>:<source_id>`.
        PathSource = "path_source",
        /// The corpus as a whole: something it lacks.
        SkillGraph = "skill_graph",
        /// A committed concern, by uid.
        Observation = "observation",
        /// A version of the submission contract.
        AgentProtocol = "agent_protocol",
        /// One session.
        Session = "session",
    }
}

impl TargetType {
    /// Reads a target type that the kind permits.
    fn permitted<'de, D: Deserializer<'de>>(kind: Kind, from: D) -> Result<Self, D::Error> {
        let target = Self::deserialize(from)?;
        if kind.targets().contains(&target) {
            Ok(target)
        } else {
            Err(D::Error::custom(not_permitted(kind, target)))
        }
    }
}

fn not_permitted(kind: Kind, target: TargetType) -> String {
    format!("target_type {target} is not permitted on type {kind}")
}

/// Reads a field that is absent, null or a value, and keeps the three apart.
fn nullable<'de, D, T>(from: D) -> Result<Option<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::<T>::deserialize(from).map(Some)
}

/// A submission of any type.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // one variant per Kind
pub enum Submission {
    Concern(Concern),
    Amendment(Amendment),
    Validation(Validation),
    Draft(Box<Draft>),
    Feedback(Feedback),
    Rating(Rating),
    Analytics(Analytics),
}

impl Submission {
    /// Reads a value as one type.
    pub fn read(kind: Kind, value: &Value) -> Result<Self, serde_json::Error> {
        Ok(match kind {
            Kind::Concern => Self::Concern(Concern::deserialize(value)?),
            Kind::Amendment => Self::Amendment(Amendment::deserialize(value)?),
            Kind::Validation => Self::Validation(Validation::deserialize(value)?),
            Kind::Draft => Self::Draft(Box::new(Draft::deserialize(value)?)),
            Kind::Feedback => Self::Feedback(Feedback::deserialize(value)?),
            Kind::Rating => Self::Rating(Rating::deserialize(value)?),
            Kind::Analytics => Self::Analytics(Analytics::deserialize(value)?),
        })
    }

    /// Its type.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Concern(_) => Kind::Concern,
            Self::Amendment(_) => Kind::Amendment,
            Self::Validation(_) => Kind::Validation,
            Self::Draft(_) => Kind::Draft,
            Self::Feedback(_) => Kind::Feedback,
            Self::Rating(_) => Kind::Rating,
            Self::Analytics(_) => Kind::Analytics,
        }
    }

    /// Its client-made id.
    pub fn id(&self) -> &str {
        match self {
            Self::Concern(it) => &it.concern_id,
            Self::Amendment(it) => &it.amendment_id,
            Self::Validation(it) => &it.validation_id,
            Self::Draft(it) => &it.draft_id,
            Self::Feedback(it) => &it.feedback_id,
            Self::Rating(it) => &it.rating_id,
            Self::Analytics(it) => &it.analytics_event_id,
        }
    }
}

impl Submission {
    /// When its sender says it was made.
    pub fn submitted_at(&self) -> &str {
        match self {
            Self::Concern(it) => &it.submitted_at,
            Self::Amendment(it) => &it.submitted_at,
            Self::Validation(it) => &it.submitted_at,
            Self::Draft(it) => &it.submitted_at,
            Self::Feedback(it) => &it.submitted_at,
            Self::Rating(it) => &it.submitted_at,
            Self::Analytics(it) => &it.submitted_at,
        }
    }

    /// What it speaks of, where it speaks of anything; for a draft, what it would make.
    pub fn target(&self) -> Option<(TargetType, &str)> {
        match self {
            Self::Concern(it) => Some((it.target_type, &it.target_id)),
            Self::Amendment(it) => Some((it.target_type, &it.target_id)),
            Self::Validation(it) => Some((it.target_type, &it.target_id)),
            Self::Draft(it) => Some((it.target_type, &it.proposed_id)),
            Self::Rating(it) => Some((it.target_type, &it.target_id)),
            Self::Feedback(_) | Self::Analytics(_) => None,
        }
    }
}

impl Serialize for Submission {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Concern(it) => it.serialize(to),
            Self::Amendment(it) => it.serialize(to),
            Self::Validation(it) => it.serialize(to),
            Self::Draft(it) => it.serialize(to),
            Self::Feedback(it) => it.serialize(to),
            Self::Rating(it) => it.serialize(to),
            Self::Analytics(it) => it.serialize(to),
        }
    }
}
