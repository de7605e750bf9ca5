//! The form as it is handed out.

use super::known::Known;
use super::words::Words;
use super::{AdministrationLanguages, App, CONSENT_VERSION, Mode};
use crate::skill::{Frontmatter, IoType, RowBounds};
use crate::vocabulary::{Language, Status, words};
use serde::Serialize;
use serde_json::Value;
use serde_with::skip_serializing_none;

/// A form.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Form {
    /// The version of this shape.
    pub form_version: u32,
    /// The host that shows it.
    pub app: App,
    /// The language of its own words.
    pub locale: Language,
    /// How well the person is known.
    pub mode: Mode,
    /// The skill it is for.
    pub skill: Option<SkillLabel>,
    /// Its heading.
    pub title: String,
    /// What it is about, or that nothing is missing.
    pub intro: String,
    /// What is asked; none where nothing is missing.
    pub sections: Vec<Section>,
    /// The consent below, which is not needed.
    pub consent: ConsentBox,
    /// Why it is done this way: closed until somebody opens it.
    pub trust: Trust,
    /// The languages of the administration, by place.
    pub administration_languages: AdministrationLanguages,
    /// The JSON Schema of exactly what the form yields.
    pub payload_schema: Value,
}

/// What names a skill.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // as in the frontmatter
pub struct SkillLabel {
    pub id: String,
    pub title: String,
    pub status: Status,
    pub version: String,
    pub superseded_by: Option<String>,
}

impl SkillLabel {
    pub(super) fn of(front: &Frontmatter) -> Self {
        Self {
            id: front.id.clone(),
            title: front.title.clone(),
            status: front.status,
            version: front.version.clone(),
            superseded_by: front.superseded_by.clone(),
        }
    }
}

words! {
    /// Which part of the form.
    SectionId {
        /// The universal questions.
        AboutYou = "about_you",
        /// What the skill asks and the profile keeps.
        Kept = "kept",
        /// What the skill asks for the session only.
        Procedure = "procedure",
        /// What is known already, to be changed where it is no longer right.
        Known = "known",
    }
}

/// A part of the form.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Section {
    pub id: SectionId,
    pub title: String,
    pub hint: String,
    pub fields: Vec<Field>,
}

impl Section {
    pub(super) fn of(id: SectionId, fields: Vec<Field>, words: &Words) -> Self {
        let (title, hint) = match id {
            SectionId::AboutYou => (words.about_you, words.about_you_hint),
            SectionId::Kept => (words.kept, words.kept_hint),
            SectionId::Procedure => (words.procedure, words.procedure_hint),
            SectionId::Known => (words.known, words.known_hint),
        };
        Self { id, title: title.to_owned(), hint: hint.to_owned(), fields }
    }
}

words! {
    /// How long an answer is kept.
    Keep {
        /// In the profile, across procedures.
        Profile = "profile",
        /// For the session only.
        Session = "session",
    }
}

/// A question.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Field {
    /// Its name: that of the input, or of the profile's field.
    pub name: String,
    /// What kind of answer it takes.
    #[serde(rename = "type")]
    pub io_type: IoType,
    /// The question.
    pub label: String,
    /// What to know before answering.
    pub description: Option<String>,
    /// The language of both.
    pub lang: Language,
    /// The answers to choose from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Choice>,
    /// Whether the form is complete only with an answer, or for rows with a marker.
    pub required: bool,
    /// How long the answer is kept.
    pub keep: Keep,
    /// The keys that lead to it in the profile.
    pub profile_path: Option<Vec<String>>,
    /// What is known already, or proposed.
    pub value: Option<Value>,
    /// The columns of rows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<FieldColumn>,
    /// How many rows.
    pub bounds: Option<RowBounds>,
    /// The ways to give rows, all of which end in the same array.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub capture_modes: Vec<CaptureMode>,
    /// Which numbers.
    pub range: Option<Range>,
    /// How many characters.
    pub max_length: Option<u64>,
    /// Which characters, as a regular expression.
    pub pattern: Option<String>,
}

/// An answer to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Choice {
    pub value: String,
    pub label: String,
    pub lang: Language,
}

/// A column of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct FieldColumn {
    pub id: String,
    #[serde(rename = "type")]
    pub io_type: IoType,
    pub label: String,
    pub lang: Language,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Choice>,
    /// Whether every row needs it.
    pub required: bool,
}

/// Which numbers a field takes.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Range {
    pub minimum: Option<i64>,
    pub maximum: Option<i64>,
    /// Whether only whole ones.
    pub whole: bool,
}

words! {
    /// A way to give rows.
    Way {
        /// Typed into the form.
        Form = "form",
        /// Read from documents in a folder, later.
        FolderDrop = "folder_drop",
        /// Told in the conversation, later.
        Chat = "chat",
    }
}

/// A way to give rows, and what the form yields for it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct CaptureMode {
    pub mode: Way,
    pub label: String,
    /// The marker that stands in until the rows are there; none where they are typed.
    pub yields: Option<Pending>,
}

/// The marker that stands in for rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pending {
    /// Where they will come from.
    #[serde(rename = "__mode")]
    pub mode: Way,
    /// That they are not there yet.
    #[serde(rename = "__status")]
    pub status: &'static str,
}

impl CaptureMode {
    pub(super) fn all(words: &Words) -> Vec<Self> {
        let label = |way: Way| match way {
            Way::Form => words.mode_form,
            Way::FolderDrop => words.mode_folder,
            Way::Chat => words.mode_chat,
        };
        let marker = |way: Way| match way {
            Way::Form => None,
            Way::FolderDrop | Way::Chat => Some(Pending { mode: way, status: "pending" }),
        };
        let mode = |way: &Way| Self { mode: *way, label: label(*way).to_owned(), yields: marker(*way) };
        Way::ALL.iter().map(mode).collect()
    }
}

/// The one consent, bundled (§24.6.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConsentBox {
    /// The key in the profile's `consent`.
    pub name: &'static str,
    /// What is ticked.
    pub label: String,
    /// What it means.
    pub description: String,
    /// Which words it is given to.
    pub version: &'static str,
    /// Never needed.
    pub required: bool,
    /// Whether it was given before, to these words; unticked otherwise.
    pub given: bool,
}

impl ConsentBox {
    pub(super) fn of(words: &Words, known: &Known) -> Self {
        Self {
            name: "alpha_bundle",
            label: words.consent_label.to_owned(),
            description: words.consent_about.to_owned(),
            version: CONSENT_VERSION,
            required: false,
            given: known.agreed(),
        }
    }
}

/// Why it is done this way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Trust {
    pub title: String,
    /// Whether it is open at first.
    pub open: bool,
    pub clauses: [Clause; 4],
}

/// One of the four reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Clause {
    pub id: &'static str,
    pub title: String,
    pub text: String,
}

impl Trust {
    pub(super) fn of(words: &Words) -> Self {
        let clause =
            |id, title: &str, text: &str| Clause { id, title: title.to_owned(), text: text.to_owned() };
        Self {
            title: words.trust_title.to_owned(),
            open: false,
            clauses: [
                clause("anonymity", words.anonymity, words.anonymity_text),
                clause("document_discipline", words.documents, words.documents_text),
                clause("forward_only_state", words.forward, words.forward_text),
                clause("review_before_submit", words.review, words.review_text),
            ],
        }
    }
}
