//! What a proposal makes of the files of a corpus: the one place where an amendment or a draft becomes text.
//!
//! 1. [`plan`]: the artefact's text with the change in it. A body diff is applied strictly, a field is set where it stands, an
//!    entry of the Path Directory is put in. Addresses that were not there before are listed, and names of the catalogue that
//!    nobody has made yet.
//! 2. Whoever carries it out mints those names ([`Plan::missing`]) and gives a draft path its uid.
//! 3. [`Plan::finish`]: uids are filled in; a change of content takes the artefact back to alpha and notes where its stable
//!    text stands (DECISIONS §5); the research report is begun or continued (§9.6); a process that branches gets its diagram; a
//!    new category is listed; versions are brought up to what the change calls for; rollups and the catalogue's files follow.
//! 4. [`Made::broken_rule`]: the rules are asked about the corpus as it would be.
//!
//! The same steps run when a submission is received, with made-up uids, and when it is committed.

mod citations;
mod diagram;
mod fields;
mod finish;
mod restore;
mod seeds;
mod sidecar;

pub use citations::{Citation, cited};
pub use finish::{Made, make, missing_in, pushed, text_of, texts_as_files};
pub use restore::{content_of, with_content, with_source_field, with_status};

use crate::catalogue::Catalogue;
use crate::corpus::Corpus;
use crate::format;
use crate::preflight::{Category, Refusal, amended};
use crate::schema::Schema;
use crate::submission::amendment::{Content, FieldChange, PathChange, SkillChange, SourceChange};
use crate::submission::provenance::Provenance;
use crate::submission::{Amendment, Draft, Submission, draft};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What a proposal is carried out on.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The corpus.
    pub corpus: &'a Corpus,
    /// The catalogue as it is now.
    pub catalogue: &'a dyn Catalogue,
    /// The commit the corpus stands at.
    pub commit: &'a str,
    /// The UTC day, `YYYY-MM-DD`.
    pub day: &'a str,
    /// What the proposal is called in public.
    pub uid: &'a str,
}

/// Texts by file.
pub type Texts = BTreeMap<String, String>;

/// Which artefact a proposal is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Artefact {
    /// A skill.
    Skill(String),
    /// A path.
    Path(String),
}

impl Artefact {
    /// `skill:<id>` or `path:<id>`, as trailers name it.
    pub fn named(&self) -> String {
        match self {
            Self::Skill(id) => format!("skill:{id}"),
            Self::Path(id) => format!("path:{id}"),
        }
    }

    /// Its id.
    pub fn id(&self) -> &str {
        match self {
            Self::Skill(id) | Self::Path(id) => id,
        }
    }
}

/// A proposal as text, before uids and versions.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it is about.
    pub artefact: Artefact,
    /// Where in the submission to point when the rules say no.
    pub pointer: &'static str,
    /// Hosts that were not cited before.
    pub hosts: BTreeSet<String>,
    /// Names of the catalogue that nobody has made yet.
    pub missing: Vec<Citation>,
    /// Whether it begins an artefact.
    pub is_new: bool,
    /// Whether it begins a path, which then needs a uid.
    pub needs_path_uid: bool,
    file: String,
    text: String,
    notes: Option<Provenance>,
}

/// Works out what a proposal makes of its artefact; `None` for what touches no file.
pub fn plan(ground: Ground<'_>, submission: &Submission) -> Result<Option<Plan>, Refusal> {
    match submission {
        Submission::Amendment(it) => amendment(ground, it),
        Submission::Draft(it) => draft(ground, it).map(Some),
        Submission::Concern(_)
        | Submission::Validation(_)
        | Submission::Feedback(_)
        | Submission::Rating(_)
        | Submission::Analytics(_) => Ok(None),
    }
}

fn amendment(ground: Ground<'_>, it: &Amendment) -> Result<Option<Plan>, Refusal> {
    let mut plan = match &it.content {
        Content::Skill(SkillChange::Body { body_diff, .. }) => {
            let skill = ground.corpus.skills.get(&it.target_id).ok_or_else(gone)?;
            let pointer = "/content/body_diff";
            let body = amended::body(skill.body(), body_diff)?;
            amended::tags(&body, pointer, ground.catalogue).map_or(Ok(()), Err)?;
            let hosts = amended::new_hosts(&[skill.body()], &[&body], pointer)?;
            let text = skill.source.text();
            let head = text.strip_suffix(skill.body()).unwrap_or(text);
            Plan::of_skill(&it.target_id, format!("{head}{body}"), pointer, hosts)
        }
        Content::Skill(SkillChange::Frontmatter { frontmatter_change }) => {
            let skill = ground.corpus.skills.get(&it.target_id).ok_or_else(gone)?;
            let front = serde_json::to_value(skill.front.as_ref().ok_or_else(gone)?).map_err(|_| gone())?;
            let changed = field(Schema::Skill, &front, frontmatter_change)?;
            let hosts = hosts_of_field(&front, &changed)?;
            let first = frontmatter_change.field_path.split('.').next().unwrap_or_default();
            let value = changed.get(first).ok_or_else(gone)?;
            let text = fields::set(skill.source.text(), first, value).ok_or_else(gone)?;
            Plan::of_skill(&it.target_id, text, FIELD_POINTER, hosts)
        }
        Content::Path(PathChange::FieldEdit { frontmatter_change }) => {
            let entry = entry(ground.corpus, &it.target_id)?;
            let changed = field(Schema::Path, &entry, frontmatter_change)?;
            let hosts = hosts_of_field(&entry, &changed)?;
            Plan::of_path(ground.corpus, &it.target_id, changed, FIELD_POINTER, hosts)?
        }
        Content::PathSource(SourceChange::FieldEdit { frontmatter_change }) => {
            let (path, source) = it.target_id.split_once(':').ok_or_else(gone)?;
            let mut entry = entry(ground.corpus, path)?;
            let sources = entry.get_mut("sources").and_then(Value::as_array_mut).ok_or_else(gone)?;
            let slot = sources.iter_mut().find(|it| it["id"] == *source).ok_or_else(gone)?;
            let changed = field(Schema::PathSource, slot, frontmatter_change)?;
            let hosts = hosts_of_field(slot, &changed)?;
            *slot = changed;
            Plan::of_path(ground.corpus, path, entry, FIELD_POINTER, hosts)?
        }
        Content::PathSource(SourceChange::SourceAdd { source_add }) => {
            let mut entry = entry(ground.corpus, &it.target_id)?;
            let source = serde_json::to_value(source_add).map_err(|_| gone())?;
            let pointer = "/content/source_add";
            let hosts = amended::new_hosts(&[], &amended::strings(&source), pointer)?;
            entry.get_mut("sources").and_then(Value::as_array_mut).ok_or_else(gone)?.push(source);
            Plan::of_path(ground.corpus, &it.target_id, entry, pointer, hosts)?
        }
        Content::VolatileValue(_) | Content::Reference(_) => return Ok(None),
    };
    plan.missing = citations::missing(&plan.text, ground.catalogue);
    plan.notes = it.provenance.clone().flatten();
    Ok(Some(plan))
}

const FIELD_POINTER: &str = "/content/frontmatter_change/proposed_value";

fn draft(ground: Ground<'_>, it: &Draft) -> Result<Plan, Refusal> {
    let taken = || {
        refusal(
            Category::CrossRefFail,
            "/proposed_id",
            "this id is taken",
            "Choose another id, or amend what is there.",
        )
    };
    let mut plan = match &it.content {
        draft::Content::Skill(skill) => {
            if ground.corpus.has_skill(&it.proposed_id) {
                return Err(taken());
            }
            amended::tags(&skill.body, "/content/body", ground.catalogue).map_or(Ok(()), Err)?;
            let front = serde_json::to_value(&skill.frontmatter).map_err(|_| gone())?;
            let mut texts = amended::strings(&front);
            texts.push(&skill.body);
            let hosts = amended::new_hosts(&[], &texts, "/content/body")?;
            let fields = front.as_object().cloned().unwrap_or_default();
            let mut plan =
                Plan::of_skill(&it.proposed_id, fields::whole(&fields, &skill.body), "/content", hosts);
            plan.missing = citations::missing(&plan.text, ground.catalogue);
            plan
        }
        draft::Content::Path(path) => {
            if ground.corpus.has_path(&it.proposed_id) {
                return Err(taken());
            }
            let entry = serde_json::to_value(&path.entry).map_err(|_| gone())?;
            let hosts = amended::new_hosts(&[], &amended::strings(&entry), "/content/entry")?;
            let mut plan = Plan::of_path(ground.corpus, &it.proposed_id, entry, "/content/entry", hosts)?;
            plan.needs_path_uid = path.entry.uid.is_none();
            plan
        }
    };
    plan.is_new = true;
    plan.notes = it.provenance.clone().flatten();
    Ok(plan)
}

impl Plan {
    fn of_skill(id: &str, text: String, pointer: &'static str, hosts: BTreeSet<String>) -> Self {
        Self {
            artefact: Artefact::Skill(id.to_owned()),
            pointer,
            hosts,
            missing: Vec::new(),
            is_new: false,
            needs_path_uid: false,
            file: format!("skills/{id}/canonical.md"),
            text,
            notes: None,
        }
    }

    fn of_path(
        corpus: &Corpus,
        id: &str,
        entry: Value,
        pointer: &'static str,
        hosts: BTreeSet<String>,
    ) -> Result<Self, Refusal> {
        let text = with_entry(corpus, id, entry)?;
        let artefact = Artefact::Path(id.to_owned());
        Ok(Self { artefact, file: PATHS.to_owned(), ..Self::of_skill(id, text, pointer, hosts) })
    }
}

/// Where paths stand.
const PATHS: &str = "paths/index.json";

/// The Path Directory with one entry put in or replaced.
fn with_entry(corpus: &Corpus, id: &str, entry: Value) -> Result<String, Refusal> {
    let source = corpus.paths.as_ref().map(|paths| paths.source.text()).ok_or_else(gone)?;
    edited_index(source, |paths| {
        paths.insert(id.to_owned(), entry);
    })
}

/// The Path Directory after an edit of its entries, laid out as ever.
fn edited_index(
    text: &str,
    edit: impl FnOnce(&mut serde_json::Map<String, Value>),
) -> Result<String, Refusal> {
    let mut index: Value = serde_json::from_str(text).map_err(|_| gone())?;
    edit(index.get_mut("paths").and_then(Value::as_object_mut).ok_or_else(gone)?);
    let text = index.to_string();
    Ok(format::canonical(PATHS, text.as_bytes()).ok().flatten().unwrap_or(text))
}

fn entry(corpus: &Corpus, id: &str) -> Result<Value, Refusal> {
    let path = corpus.paths.as_ref().and_then(|paths| paths.entries.get(id)).ok_or_else(gone)?;
    serde_json::to_value(&path.entry).map_err(|_| gone())
}

fn field(schema: Schema, artefact: &Value, change: &FieldChange) -> Result<Value, Refusal> {
    amended::field(schema, artefact, &change.field_path, &change.proposed_value)
}

fn hosts_of_field(before: &Value, after: &Value) -> Result<BTreeSet<String>, Refusal> {
    amended::new_hosts(&amended::strings(before), &amended::strings(after), FIELD_POINTER)
}

/// The target was there a moment ago.
fn gone() -> Refusal {
    let help = "Take the id from the artefact as it is published now.";
    refusal(Category::CrossRefFail, "/target_id", "the artefact is not there, or cannot be read", help)
}

fn refusal(category: Category, pointer: &str, message: &str, help: &str) -> Refusal {
    Refusal {
        category,
        pointer: pointer.to_owned(),
        missing: None,
        detectors: Vec::new(),
        message: message.to_owned(),
        help: help.to_owned(),
    }
}

/// One field of an entry of the Path Directory set, in the directory's text.
fn set_in_entry(text: &str, id: &str, fields: &[(&str, Value)]) -> Result<String, Refusal> {
    edited_index(text, |paths| {
        if let Some(entry) = paths.get_mut(id).and_then(Value::as_object_mut) {
            entry.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), json!(value))));
        }
    })
}
