//! A skill's frontmatter (§6.1) as types. The schema `skill.schema.json` carries the caps; a test feeds
//! both the same instances so that neither can drift from the other.

use crate::profile::ResidencyStatus;
use crate::skill_graph::Axis;
use crate::vocabulary::{Capability, Domain, Origin, Phrases, Role, Status, Timing, words};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use std::collections::BTreeMap;

/// The category whose skills are outside the state machine.
pub const META_CATEGORY: &str = "meta";

/// The routing floor of §24.2: where an agent goes when no other skill fits.
pub const FALLBACK: &str = "meta-no-skill-fallback";

/// Frontmatter fields in their canonical order: `becivic fmt` writes them so.
pub const FIELD_ORDER: &[&str] = &[
    "id",
    "title",
    "summary",
    "description",
    "schema_version",
    "version",
    "version_pin",
    "status",
    "origin",
    "superseded_by",
    "category",
    "domain",
    "tags",
    "synonyms",
    "previous_stable_sha",
    "regional_variation",
    "recurring",
    "walked_at",
    "authority_id",
    "applies_to",
    "requires",
    "requires_paths",
    "prerequisites",
    "related",
    "profile_requirements",
    "inputs",
    "outputs",
    "requires_capabilities",
    "last_verified",
    "verification_notes",
    "user_context_needed",
    "submission_contract_version",
];

/// The frontmatter of `skills/<id>/canonical.md`.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // field names are the specification's, §6.1
pub struct Frontmatter {
    pub id: String,
    pub title: String,
    pub summary: Option<String>,
    pub description: Option<String>,
    pub schema_version: u32,
    pub version: String,
    pub version_pin: Option<bool>,
    pub status: Status,
    pub origin: Origin,
    pub superseded_by: Option<String>,
    pub category: String,
    pub domain: Option<Domain>,
    pub tags: Option<Vec<String>>,
    pub synonyms: Option<Phrases>,
    pub previous_stable_sha: Option<String>,
    pub regional_variation: Option<bool>,
    pub recurring: Option<bool>,
    pub walked_at: Option<String>,
    pub authority_id: Option<String>,
    pub applies_to: Option<AppliesTo>,
    pub requires: Option<Vec<Requires>>,
    pub requires_paths: Option<Vec<RequiresPath>>,
    pub prerequisites: Option<Vec<String>>,
    pub related: Option<Vec<String>>,
    pub profile_requirements: Option<Vec<Axis>>,
    pub inputs: Option<Vec<Input>>,
    pub outputs: Option<Vec<Output>>,
    pub requires_capabilities: Option<Vec<Capability>>,
    pub last_verified: Option<String>,
    pub verification_notes: Option<String>,
    pub user_context_needed: Option<Vec<String>>,
    pub submission_contract_version: String,
}

impl Frontmatter {
    /// The required skills; empty when none are declared.
    pub fn requires(&self) -> &[Requires] {
        self.requires.as_deref().unwrap_or_default()
    }

    /// The required paths; empty when none are declared.
    pub fn requires_paths(&self) -> &[RequiresPath] {
        self.requires_paths.as_deref().unwrap_or_default()
    }

    /// The declared inputs.
    pub fn inputs(&self) -> &[Input] {
        self.inputs.as_deref().unwrap_or_default()
    }

    /// The declared outputs.
    pub fn outputs(&self) -> &[Output] {
        self.outputs.as_deref().unwrap_or_default()
    }

    /// Whether the skill is about the corpus itself.
    pub fn is_meta(&self) -> bool {
        self.category == META_CATEGORY
    }
}

/// Who a skill is for, coarsely.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct AppliesTo {
    pub residency_status: Option<Vec<ResidencyStatus>>,
    pub visa_categories: Option<Vec<String>>,
    pub origin_countries: Option<Vec<String>>,
    pub communes: Option<Vec<String>>,
}

words! {
    /// What an edge of the composition graph may select on.
    Selector {
        /// Region.
        Region = "region",
        /// Country of origin.
        OriginCountry = "origin_country",
        /// Kind of sponsor.
        SponsorType = "sponsor_type",
        /// Kind of entry.
        EntryType = "entry_type",
        /// Residence card aimed at.
        CardOutcome = "card_outcome",
        /// Branch of a procedure.
        SubCategory = "sub_category",
    }
}

/// Per-edge selector: key to accepted values.
pub type SelectsOn = BTreeMap<Selector, Vec<String>>;

/// A required skill.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Requires {
    pub id: String,
    pub selects_on: Option<SelectsOn>,
}

/// A required path.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct RequiresPath {
    pub id: String,
    pub role: Option<Role>,
    pub timing: Option<Timing>,
    pub notes: Option<String>,
    pub selects_on: Option<SelectsOn>,
}

words! {
    /// The types of inputs and outputs (`types.json`): values first, then form inputs.
    IoType {
        /// ISO 3166-1 alpha-2.
        CountryCode = "country_code",
        /// NIS5 code.
        Commune = "commune",
        /// A named document.
        DocumentArtefact = "document_artefact",
        /// Text.
        String = "string",
        /// Number.
        Number = "number",
        /// Day.
        Date = "date",
        /// Yes or no.
        Bool = "bool",
        /// One of several options.
        SingleChoice = "single_choice",
        /// A line typed freely.
        Text = "text",
        /// A pair of pills.
        YesNo = "yes_no",
        /// A month.
        MonthYear = "month_year",
        /// A month, or still running.
        MonthYearOrCurrent = "month_year_or_current",
        /// Rows of columns.
        RowList = "row_list",
    }
}

/// Something a skill needs to know.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Input {
    pub name: String,
    #[serde(rename = "type")]
    pub io_type: IoType,
    pub label: Option<String>,
    pub description: Option<String>,
    pub render: Option<Render>,
    pub options: Option<Vec<String>>,
    pub columns: Option<Vec<Column>>,
    pub defaults: Option<RowBounds>,
}

words! {
    /// Where an answer is kept.
    Render {
        /// In the person's profile, across procedures.
        Profile = "profile",
    }
}

/// A column of a row list.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Column {
    pub id: String,
    #[serde(rename = "type")]
    pub io_type: IoType,
    pub label: String,
    pub options: Option<Vec<String>>,
}

/// How many rows a row list takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct RowBounds {
    pub min_rows: u32,
    pub max_rows: u32,
}

/// Something a skill or a path yields.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Output {
    pub name: String,
    #[serde(rename = "type")]
    pub io_type: IoType,
    pub description: Option<String>,
}
