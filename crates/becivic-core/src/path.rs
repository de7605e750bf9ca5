//! Path Directory entries and their sources (§6.12) as types.

use crate::skill::Output;
use crate::vocabulary::{Language, Origin, Phrases, Region, Role, Status, words};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;
use std::collections::BTreeMap;

/// `paths/index.json`, as far as the wrapper goes; entries are read one by one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct PathsIndex {
    pub schema_version: u32,
    pub version: String,
    pub generated_at: String,
    pub paths: BTreeMap<String, PathEntry>,
}

/// Text in the languages it is written in.
pub type Multilingual = BTreeMap<Language, String>;

/// A route to a document, a tool, a form or a desk.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // field names are the specification's, §6.12.1
pub struct PathEntry {
    pub id: String,
    /// Absent on a proposed entry: the catalogue gives uids.
    pub uid: Option<String>,
    pub title: Multilingual,
    pub description: Multilingual,
    pub synonyms: Option<Phrases>,
    pub themes: Vec<Theme>,
    pub authority_id: String,
    pub schema_version: u32,
    pub version: String,
    pub version_pin: Option<bool>,
    pub status: Status,
    pub origin: Origin,
    pub category: String,
    pub purpose: Role,
    /// Profile axes with fitting values, plus `audience_summary`.
    pub applies_to: BTreeMap<String, Value>,
    pub outputs: Vec<Output>,
    pub sources: Vec<PathSource>,
    pub related_skills: Vec<String>,
    pub last_verified: String,
    pub verification_notes: Option<String>,
    pub superseded_by: Option<String>,
    pub previous_stable_sha: Option<String>,
}

words! {
    /// The twelve themes of §6.12.1a.
    Theme {
        /// Identity and civil status.
        IdentityCivilStatus = "identity-civil-status",
        /// Residency and immigration.
        ResidencyAndImmigration = "residency-and-immigration",
        /// Family.
        Family = "family",
        /// Housing and property.
        HousingAndProperty = "housing-and-property",
        /// Mobility and vehicles.
        MobilityAndVehicles = "mobility-and-vehicles",
        /// Work and self-employment.
        WorkAndSelfEmployment = "work-and-self-employment",
        /// Social protection and pensions.
        SocialProtectionAndPensions = "social-protection-and-pensions",
        /// Health and care.
        HealthAndCare = "health-and-care",
        /// Education and training.
        EducationAndTraining = "education-and-training",
        /// Taxation and finance.
        TaxationAndFinance = "taxation-and-finance",
        /// Justice and civic life.
        JusticeAndCivicLife = "justice-and-civic-life",
        /// Environment and energy.
        EnvironmentAndEnergy = "environment-and-energy",
    }
}

words! {
    /// The nine source classes of §6.12.3.
    SourceClass {
        /// IRISbox quick link: an audited document after authentication.
        BrusselsTier1Quicklink = "brussels-tier1-quicklink",
        /// IRISbox inquiry form after authentication.
        BrusselsTier2Inquiry = "brussels-tier2-inquiry",
        /// Form with a captcha, no authentication.
        BrusselsTier3Noauth = "brussels-tier3-noauth",
        /// A Flemish page behind a typed API.
        FlandersApiPage = "flanders-api-page",
        /// A Walloon page found through its sitemap.
        WalloniaSitemapPage = "wallonia-sitemap-page",
        /// A federal form without authentication.
        FederalAnonymousForm = "federal-anonymous-form",
        /// A federal portal behind authentication.
        FederalAuthHandoff = "federal-auth-handoff",
        /// A partner's portal.
        PartnerPortal = "partner-portal",
        /// A desk, a letter or an e-mail.
        Offline = "offline",
    }
}

/// One channel through which a target is reachable.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // field names are the specification's, §6.12.2
pub struct PathSource {
    pub id: String,
    pub source_class: SourceClass,
    pub audience: Audience,
    pub auth: Auth,
    pub procedure: Procedure,
    pub validation_path: ValidationPath,
    pub priority: u8,
    pub actor: Actor,
    pub fallback_only: Option<bool>,
    pub preferred_auth_provider: Option<String>,
    pub audited_document_delivery: Option<bool>,
    pub post_handoff_observed: Option<bool>,
    pub notes: Option<String>,
}

/// Who a source is for; the predicates alone decide.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Audience {
    pub regions: Option<Vec<Region>>,
    pub communes: Option<Vec<String>>,
    pub predicates: Vec<Predicate>,
}

/// One condition on the person's profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Predicate {
    pub field: String,
    pub op: Op,
    pub value: Value,
}

words! {
    /// How a predicate compares.
    Op {
        /// Equal.
        Eq = "eq",
        /// One of.
        In = "in",
        /// At least.
        Gte = "gte",
        /// At most.
        Lte = "lte",
        /// Present.
        Exists = "exists",
    }
}

/// How a person proves who they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Auth {
    pub method: AuthMethod,
    pub supported_providers: Vec<String>,
}

words! {
    /// Kinds of authentication.
    AuthMethod {
        /// None.
        None = "none",
        /// The federal service.
        Csam = "csam",
        /// A partner's own.
        PartnerSso = "partner-sso",
        /// Something else.
        Other = "other",
    }
}

/// What happens on the source.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Procedure {
    pub kind: String,
    pub deeplink: Option<String>,
    pub requires_commune_param: Option<bool>,
    pub post_auth_behavior: Option<String>,
    pub expected_response_type: Option<String>,
    pub captcha: Option<bool>,
    pub delivery_mode: Option<String>,
    pub estimated_seconds: Option<u64>,
    pub desk: Option<String>,
    pub bring: Option<Vec<String>>,
    pub ask_for: Option<String>,
    pub steps: Option<Vec<String>>,
}

/// How one knows that a source works.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ValidationPath {
    pub kind: String,
    pub success_signals: Vec<Signal>,
    pub failure_signals: Vec<FailureSignal>,
    pub user_confirms_required: bool,
}

/// A sign of success.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Signal {
    pub check: String,
    pub value: Value,
}

/// A sign of failure, and what it means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct FailureSignal {
    pub check: String,
    pub value: Value,
    pub outcome: String,
}

/// Who does what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Actor {
    pub primary: Primary,
    pub handoff: Handoff,
}

words! {
    /// Who acts on a source.
    Primary {
        /// The agent.
        Agent = "agent",
        /// The person.
        User = "user",
        /// Both, with a handoff.
        Both = "both",
    }
}

/// How responsibility passes to the person and back.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Handoff {
    pub when: HandoffWhen,
    pub agent_responsibility: String,
    pub user_responsibility: Option<String>,
    pub resumption: Option<String>,
}

words! {
    /// The moment of a handoff.
    HandoffWhen {
        /// Never.
        None = "none",
        /// At an authentication wall.
        AuthWall = "auth-wall",
        /// At a captcha.
        Captcha = "captcha",
        /// At a confirmation.
        Confirmation = "confirmation",
        /// The person must be there.
        PhysicalPresence = "physical-presence",
        /// The person takes over.
        FullTakeover = "full-takeover",
    }
}
