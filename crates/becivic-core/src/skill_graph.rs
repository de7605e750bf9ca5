//! The answer of the skill graph (§24.2) as types. Its `applies_to` is the frontmatter field `domain`.

use crate::vocabulary::{Domain, words};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// The graph: skills and how they hang together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // field names are the specification's
pub struct SkillGraph {
    pub generated_at: String,
    pub filters_applied: Filters,
    pub nodes: Vec<GraphNode>,
    pub edges: Vec<GraphEdge>,
}

/// What the asker filtered by.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Filters {
    pub applies_to: Option<Vec<Domain>>,
    pub status: Option<Vec<ShownStatus>>,
    pub customer_locale: Option<Locale>,
    pub profile_match: Option<ProfileMatch>,
}

/// One skill.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct GraphNode {
    pub id: String,
    pub title: String,
    pub summary: Option<String>,
    /// True where the skill has no summary; never false.
    pub summary_missing: Option<bool>,
    pub description: Option<String>,
    pub status: ShownStatus,
    pub version: Option<String>,
    pub canonical_url: String,
    pub tags: Vec<String>,
    pub applies_to: Option<Domain>,
    pub prerequisites: Vec<String>,
    pub related: Vec<String>,
    pub profile_requirements: Vec<Axis>,
    pub pending: Option<Pending>,
}

/// A newer text under validation, beside the stable one offered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Pending {
    pub version: String,
    pub status: PendingStatus,
}

/// How one skill hangs on another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct GraphEdge {
    pub from: String,
    pub to: String,
    #[serde(rename = "type")]
    pub kind: EdgeType,
}

words! {
    /// The statuses a graph shows.
    ShownStatus {
        /// A skeleton.
        Draft = "draft",
        /// Not yet confirmed.
        Alpha = "alpha",
        /// Confirmed by a few.
        Beta = "beta",
        /// Confirmed by many.
        Stable = "stable",
    }
}

words! {
    /// The statuses of a text under validation.
    PendingStatus {
        /// Not yet confirmed.
        Alpha = "alpha",
        /// Confirmed by a few.
        Beta = "beta",
    }
}

words! {
    /// Kinds of edge.
    EdgeType {
        /// To be done before.
        Prerequisites = "prerequisites",
        /// Worth offering after.
        Related = "related",
    }
}

words! {
    /// The language an answer is for.
    Locale {
        /// Dutch.
        Nl = "NL",
        /// French.
        Fr = "FR",
        /// German.
        De = "DE",
        /// English.
        En = "EN",
    }
}

words! {
    /// Where a profile is looked at.
    ProfileMatch {
        /// On the person's machine; nothing of it is echoed.
        EvaluatedByClient = "evaluated-by-client",
    }
}

words! {
    /// Profile axes a skill may ask for (`profile.schema.json`, `axis`).
    #[allow(missing_docs)]
    Axis {
        Region = "region", CommuneNis5 = "commune_nis5",
        AdministrationLanguage = "administration_language", ConversationLanguage = "conversation_language",
        CivicStatus = "civic_status", NationalityStatus = "nationality_status",
        ResidencyStatus = "residency_status", ResidencyHistory = "residency_history",
        Dependents = "dependents", MinorChildren = "dependents.minor_children_count",
        AdultDependents = "dependents.adult_dependents_count", SpouseAbroad = "dependents.spouse_abroad",
        EmploymentHistory = "employment_history", EducationHistory = "education_history",
        DocumentInventory = "document_inventory", HasIdCard = "document_inventory.has_id_card",
        HasResidenceCard = "document_inventory.has_residence_card",
        HasWorkPermit = "document_inventory.has_work_permit", HasNn = "document_inventory.has_NN",
        HasPassportBe = "document_inventory.has_passport_BE",
        HasPassportOther = "document_inventory.has_passport_other",
        BrowserDrivingPreference = "browser_driving_preference", ActiveProcedures = "active_procedures",
        TransitionsInProgress = "transitions_in_progress",
    }
}
