//! `profile.json` on the person's own machine (§8.7.4) as types: categories, counts and months only.
//!
//! [`Profile::read`] takes a profile as found: old spellings (`has_eID`, `other_languages`,
//! `civil_status`) are moved to their new names, each with a warning. What is written has new names only.

use crate::vocabulary::words;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use serde_with::skip_serializing_none;
use std::collections::BTreeMap;

pub mod kept;
mod migrate;

/// A profile. Only the two metadata fields are compulsory.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // field names are the specification's
pub struct Profile {
    pub profile_schema_version: String,
    pub last_updated_at: String,
    pub region: Option<ProfileRegion>,
    pub commune_nis5: Option<String>,
    pub administration_language: Option<AdministrationLanguage>,
    pub conversation_language: Option<String>,
    pub civic_status: Option<CivicStatus>,
    pub nationality_status: Option<NationalityStatus>,
    pub residency_status: Option<ResidencyStatus>,
    pub residency_history: Option<Vec<ResidencyPeriod>>,
    pub dependents: Option<Dependents>,
    pub employment_history: Option<Vec<EmploymentPeriod>>,
    pub education_history: Option<Vec<EducationPeriod>>,
    pub document_inventory: Option<DocumentInventory>,
    pub browser_driving_preference: Option<BrowserDriving>,
    pub consent: Option<BTreeMap<String, Consent>>,
    pub active_procedures: Option<Vec<String>>,
    pub transitions_in_progress: Option<Vec<Transition>>,
}

impl Profile {
    /// A profile as found, with old spellings moved to their new names.
    pub fn current(value: &Value) -> Value {
        migrate::to_current(value).0
    }

    /// Reads a profile as found; the warnings say which old spellings were moved.
    pub fn read(value: &Value) -> Result<(Self, Vec<&'static str>), serde_json::Error> {
        let (value, warnings) = migrate::to_current(value);
        Ok((Self::deserialize(value)?, warnings))
    }
}

/// Who depends on the person: counts only.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Dependents {
    pub minor_children_count: Option<u32>,
    pub adult_dependents_count: Option<u32>,
    pub spouse_abroad: Option<bool>,
}

/// A stay: months, and the kind of right it rested on.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ResidencyPeriod {
    pub start: String,
    pub end: String,
    pub visa_type: Option<VisaType>,
    pub permit_type: Option<PermitType>,
    pub country_of_last_residence: Option<String>,
}

/// A time of work: no employer.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct EmploymentPeriod {
    pub start: String,
    pub end: String,
    #[serde(rename = "type")]
    pub kind: EmploymentType,
    pub days_per_week: Option<Number>,
    pub total_days_estimate: Option<u32>,
}

/// A time of study: no institution.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct EducationPeriod {
    pub start: String,
    pub end: String,
    pub level: EducationLevel,
    pub country_of_institution: Option<String>,
}

/// What the person holds, and until which month.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, non_snake_case)] // the names are the specification's
pub struct DocumentInventory {
    pub has_id_card: Option<HasIdCard>,
    pub has_residence_card: Option<bool>,
    pub has_work_permit: Option<bool>,
    pub has_NN: Option<bool>,
    pub has_passport_BE: Option<bool>,
    pub has_passport_other: Option<bool>,
    pub validity_end_id_card: Option<String>,
    pub validity_end_residence_card: Option<String>,
    pub validity_end_work_permit: Option<String>,
    pub validity_end_passport_BE: Option<String>,
    pub validity_end_passport_other: Option<String>,
}

/// A consent value: a scalar, or one level of scalars. JSON keeps the kinds apart by type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum Consent {
    Group(BTreeMap<String, ConsentScalar>),
    Scalar(ConsentScalar),
}

/// A consent scalar.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum ConsentScalar {
    Flag(bool),
    Number(Number),
    Text(String),
    Nothing,
}

words! {
    /// Regions as profiles name them (DECISIONS §10).
    ProfileRegion {
        /// Flanders.
        Flanders = "Flanders",
        /// Wallonia.
        Wallonia = "Wallonia",
        /// Brussels-Capital.
        BrusselsCapital = "Brussels-Capital",
        /// The German-speaking Community.
        GermanSpeakingCommunity = "German-speaking-community",
        /// Not in Belgium yet.
        NotInBelgiumYet = "not-in-belgium-yet",
    }
}

words! {
    /// Languages of the administration.
    AdministrationLanguage {
        /// Dutch.
        Nl = "NL",
        /// French.
        Fr = "FR",
        /// German.
        De = "DE",
    }
}

words! {
    /// Civil standing.
    CivicStatus {
        /// Never married.
        Single = "single",
        /// In a legal cohabitation.
        CohabitantLegal = "cohabitant-legal",
        /// Married.
        Married = "married",
        /// Divorced.
        Divorced = "divorced",
        /// Widowed.
        Widowed = "widowed",
    }
}

words! {
    /// Nationality, coarsely.
    NationalityStatus {
        /// Belgian.
        Be = "BE",
        /// Of another member state.
        Eu = "EU",
        /// Of a third country.
        NonEu = "non-EU",
        /// Several.
        Multiple = "multiple",
    }
}

words! {
    /// Residence, coarsely.
    ResidencyStatus {
        /// In the registers.
        Registered = "registered",
        /// On the way in.
        Registering = "registering",
        /// As a citizen of the Union.
        EuCitizen = "EU-citizen",
        /// With a permit.
        NonEuPermit = "non-EU-permit",
        /// Asking for protection.
        Asylum = "asylum",
        /// Without papers.
        Undocumented = "undocumented",
    }
}

words! {
    /// Whether the person holds a Belgian chip card.
    HasIdCard {
        /// Yes.
        Yes = "yes",
        /// Asked for, not in hand.
        NotYetWaiting = "not-yet-waiting",
        /// No.
        No = "no",
        /// Not sure.
        NotSure = "not-sure",
    }
}

words! {
    /// Whether an agent may drive the browser.
    BrowserDriving {
        /// Yes, unless told otherwise.
        DriveByDefault = "drive-by-default",
        /// Ask each time.
        AskEachTime = "ask-each-time",
        /// Never.
        NeverDrive = "never-drive",
    }
}

words! {
    /// The visa a stay began with.
    VisaType {
        /// None.
        None = "none",
        /// None needed.
        VisaExempt = "visa-exempt",
        /// Short stay.
        ShortStayC = "short-stay-c",
        /// Long stay.
        LongStayD = "long-stay-d",
        /// Another.
        Other = "other",
    }
}

words! {
    /// The family of residence card or annex a stay rests on; never a number.
    #[allow(missing_docs)]
    PermitType {
        A = "A", B = "B", C = "C", D = "D", E = "E", EPlus = "E+", Eu = "EU", EuPlus = "EU+", F = "F",
        FPlus = "F+", H = "H", I = "I", J = "J", K = "K", L = "L", M = "M", N = "N", Ai = "AI",
        IdentityCard = "identity-card", Annex = "annex", None = "none", Other = "other",
    }
}

words! {
    /// Kinds of work and its absence.
    EmploymentType {
        /// Full time.
        FullTime = "FT",
        /// Part time.
        PartTime = "PT",
        /// On one's own account.
        SelfEmployed = "self-employed",
        /// Student.
        Student = "student",
        /// Unemployed.
        Unemployed = "unemployed",
        /// Retired.
        Retired = "retired",
    }
}

words! {
    /// Levels of study.
    #[allow(missing_docs)]
    EducationLevel {
        Primary = "primary", LowerSecondary = "lower-secondary", UpperSecondary = "upper-secondary",
        Vocational = "vocational", PostSecondary = "post-secondary", Bachelor = "bachelor",
        Master = "master", Doctorate = "doctorate", LanguageCourse = "language-course",
        IntegrationCourse = "integration-course", Other = "other",
    }
}

words! {
    /// Changes of life under way.
    #[allow(missing_docs)]
    Transition {
        MarriagePlanned = "marriage-planned", LegalCohabitationPlanned = "legal-cohabitation-planned",
        Divorce = "divorce", Separation = "separation", BirthExpected = "birth-expected",
        Adoption = "adoption", DeathInHousehold = "death-in-household", AddressChange = "address-change",
        ArrivalInBelgium = "arrival-in-belgium", DepartureFromBelgium = "departure-from-belgium",
        JobChange = "job-change", Retirement = "retirement", StudyStart = "study-start",
        PermitRenewal = "permit-renewal", NationalityChange = "nationality-change",
    }
}
