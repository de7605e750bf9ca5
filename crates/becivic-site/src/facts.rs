//! What pages need besides the files: rows of the catalogue, where things stand, what people said, and commits.
//!
//! A page says what it [`Needs`]; whoever serves it fetches that and hands it over as [`Facts`]. Two pages made of the same files
//! and the same facts are the same bytes, so [`Facts::digest`] decides whether a page has to be made again.

mod api;

pub use api::{Api, Concerns, Endpoint, McpTool};

use crate::version::Version;
use becivic_core::vocabulary::Status;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// What a page needs to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Entries of the catalogue, by uid (or by name, where a tag has no uid yet).
    pub entries: BTreeSet<String>,
    /// Where artefacts stand, as `(type, id)`.
    pub standings: BTreeSet<(&'static str, String)>,
    /// What was said of the sources of these paths.
    pub sources: BTreeSet<String>,
    /// What people said of artefacts, as `(type, id)`.
    pub said_of: BTreeSet<(&'static str, String)>,
    /// The commits that changed a file of the corpus.
    pub commits_of: Option<String>,
    /// All rows of an entry.
    pub rows_of: Option<String>,
    /// With every entry also the reference its shown value was taken from, by the name the row gives it.
    pub with_sources: bool,
    /// A file as it was at a commit of `main`, as `(commit, path)`; of another commit nothing is given.
    pub file_at: Vec<(String, String)>,
    /// What is known of every version of a skill, for each of its commits.
    pub versions_of: Option<String>,
    /// The changes of status of an artefact, as `(type, id)`.
    pub transitions_of: Option<(&'static str, String)>,
    /// The newest changes of status, this many.
    pub transitions: usize,
    /// Counts over everything.
    pub activity: bool,
    /// Where every artefact of these types stands, and how many concerns were committed about each.
    pub all_of: BTreeSet<&'static str>,
    /// The first entries of a type by uid, this many.
    pub first_entries: Option<(&'static str, usize)>,
    /// The interface for programs.
    pub api: bool,
    /// What the transparency log says last of an artefact, as `(type, id)`.
    pub logged: Option<(&'static str, String)>,
}

/// What was found out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Facts {
    /// The day it is (UTC), as `2026-11-16`; empty where nobody looks at a clock, so that pages stay the same.
    pub today: String,
    /// Entries of the catalogue, by what they were asked for with.
    #[serde(skip)]
    pub entries: BTreeMap<String, Shared>,
    /// Where artefacts stand, by `type:id`.
    pub standings: BTreeMap<String, Standing>,
    /// What was said of sources, by `path:source`.
    pub sources: BTreeMap<String, OfSource>,
    /// What people said, the best rated first.
    pub said: Vec<Said>,
    /// Commits, newest first.
    pub commits: Vec<Commit>,
    /// Rows of one entry, newest first.
    pub rows: Vec<Row>,
    /// Files as they were, by `commit:path`; missing where there was none.
    pub files: BTreeMap<String, String>,
    /// Versions of a skill ([`Version::read`]), by the commits in `commits`.
    pub versions: BTreeMap<String, Version>,
    /// Changes of status, newest first.
    pub transitions: Vec<Transition>,
    /// Counts over everything.
    pub activity: Option<Activity>,
    /// Concerns about artefacts, by `type:id`; missing where there are none.
    pub concerns: BTreeMap<String, Concerns>,
    /// The interface for programs; nothing where only files are served.
    pub api: Option<Api>,
    /// What somebody searches for.
    pub query: String,
    /// What the transparency log says last of artefacts, by `type:id`.
    pub logged: BTreeMap<String, Logged>,
}

/// An entry of the transparency log with the proof that it stands there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Logged {
    /// Its place.
    pub index: u64,
    /// The entry, as it is logged.
    pub entry: String,
    /// What its digests were made with.
    pub nonce: Option<String>,
    /// Hashes in base64, from the entry upwards.
    pub proof: Vec<String>,
    /// The signed state of the log that ends with it.
    pub checkpoint: String,
}

/// An entry of the catalogue: its current row, and the stable one that readers get while that is not stable (DECISIONS §4).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// `val-NNNNN` or `ref-NNNNN`.
    pub uid: String,
    /// What it is called.
    pub name: String,
    /// The current row.
    pub current: Row,
    /// The newest stable row before it, where the current one is not stable.
    pub stable: Option<Row>,
    /// What earlier rows said that a flag ended and nobody brought back. Nobody is shown any of it: copies are known by it.
    pub flagged: Vec<Row>,
}

impl Entry {
    /// What readers get: the stable row where there is one, else the current one, unless it says nothing.
    pub fn shown(&self) -> Option<&Row> {
        self.stable.as_ref().or(Some(&self.current)).filter(|row| row.says_something())
    }

    /// What stands beside it, as plain text: a row that is not stable yet.
    pub fn pending(&self) -> Option<&Row> {
        self.stable.as_ref().map(|_| &self.current).filter(|row| row.says_something())
    }
}

/// An entry as pages share it: what it is, in 32 bytes, is worked out once.
#[derive(Clone, Debug)]
pub struct Shared(Arc<(Entry, OnceLock<[u8; 32]>)>);

impl Shared {
    fn digest(&self) -> [u8; 32] {
        *self.0.1.get_or_init(|| Sha256::digest(written(&self.0.0)).into())
    }
}

impl From<Entry> for Shared {
    fn from(entry: Entry) -> Self {
        Self(Arc::new((entry, OnceLock::new())))
    }
}

impl Deref for Shared {
    type Target = Entry;

    fn deref(&self) -> &Entry {
        &self.0.0
    }
}

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// What a digest is made of. No map in here has keys that are no text, so this cannot fail.
fn written(it: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(it).unwrap_or_default()
}

/// One row of the catalogue, as it is published.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // the published fields
pub struct Row {
    pub status: String,
    pub value: Option<Value>,
    pub value_type: Option<String>,
    /// The name of the reference a value was taken from.
    pub source: Option<String>,
    pub as_of: Option<String>,
    pub title: Option<String>,
    pub url: Option<String>,
    pub archived_url: Option<String>,
    pub last_verified: Option<String>,
    pub committed_at: String,
    pub superseded_at: Option<String>,
    pub ended_by: Option<String>,
}

impl Row {
    /// Whether there is anything in it: what was put away says nothing.
    pub fn says_something(&self) -> bool {
        let is_put_away =
            self.status == Status::Quarantined.as_str() || self.status == Status::Deprecated.as_str();
        let said = self.value.as_ref().is_some_and(|it| !it.is_null())
            || self.url.as_ref().is_some_and(|url| !url.is_empty());
        said && !is_put_away
    }

    /// A value as it is read.
    pub fn text(&self) -> String {
        match &self.value {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => String::new(),
            Some(other) => other.to_string(),
        }
    }
}

/// Where an artefact stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The status it is served with.
    pub status: Status,
    /// Whether somebody flagged it and nobody has decided on it yet.
    pub flagged: bool,
    /// Whether the stable version before it was flagged too.
    pub stable_is_flagged: bool,
    /// What its cohort adds up to.
    pub cohort: Cohort,
}

/// A cohort, as it is published (§6.10).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // the published fields
pub struct Cohort {
    pub affirms: i64,
    pub rejects: i64,
    pub n: i64,
    pub distinct_ips: i64,
    pub injection_flags: i64,
    pub cohort_started_at: String,
    pub last_validation_at: Option<String>,
    pub probe_confirms: i64,
    pub probe_rejects: i64,
    pub skill_quality_avg: Option<f64>,
    pub skill_quality_n: Option<i64>,
    /// Why it is where it is.
    pub standing: Option<Explained>,
}

/// Why an artefact is where it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // the published fields
pub struct Explained {
    pub rule: String,
    pub explanation: String,
    /// What is missing, one object with one name each: `confirms`, `submitters`, `days`, `time`, `rate`, `rejects`.
    pub missing: Vec<Value>,
    pub next_look: Option<String>,
}

/// What was said of a source of a path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // the published fields
pub struct OfSource {
    pub last_user_confirmation: Option<String>,
    pub last_validated: Option<String>,
    pub stale: bool,
    pub affirms: i64,
    pub rejects: i64,
    pub distinct_ips: i64,
    pub probe_confirms: i64,
    pub probe_rejects: i64,
}

/// Something people said: a concern, or an amendment that waits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // the published fields
pub struct Said {
    pub uid: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub target_type: String,
    pub target_id: String,
    pub scope: Option<String>,
    pub specifier: Option<String>,
    pub text: Option<String>,
    pub observed_value: Option<Value>,
    pub rationale: Option<String>,
    pub evidence_month: Option<String>,
    pub up: i64,
    pub down: i64,
    pub net_score: i64,
    pub hidden: bool,
    pub committed_at: String,
}

/// A commit.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Commit {
    pub sha: String,
    pub subject: String,
    /// The day.
    pub day: String,
}

/// A change of status.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Transition {
    pub target_type: String,
    pub target_id: String,
    pub from_status: String,
    pub to_status: String,
    pub rule: String,
    pub policy: String,
    /// The numbers it was decided with.
    pub numbers: Value,
    pub day: String,
    /// Its place in the transparency log.
    pub log_index: Option<i64>,
}

/// Counts over everything, for the dashboard (§6.5). Nothing in it is about a person.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs)]
pub struct Activity {
    /// By `type` and status.
    pub by_status: BTreeMap<String, BTreeMap<String, i64>>,
    /// Verdicts by day.
    pub verdicts_by_day: BTreeMap<String, i64>,
    /// Concerns by day.
    pub concerns_by_day: BTreeMap<String, i64>,
    /// Changes of status by day.
    pub transitions_by_day: BTreeMap<String, i64>,
    pub concerns: i64,
    pub pending_amendments: i64,
    /// Skills with the most concerns of the last 30 days.
    pub busiest: Vec<(String, i64)>,
}

impl Facts {
    /// What these facts are, in 32 bytes: the same facts, the same page.
    pub fn digest(&self) -> [u8; 32] {
        let mut facts = written(self);
        for (asked, entry) in &self.entries {
            facts.extend_from_slice(&(asked.len() as u64).to_le_bytes());
            facts.extend_from_slice(asked.as_bytes());
            facts.extend_from_slice(&entry.digest());
        }
        Sha256::digest(facts).into()
    }

    /// Takes in what was found out besides; what is in both is the newer one's.
    pub fn add(&mut self, more: Self) {
        let Self {
            today,
            entries,
            standings,
            sources,
            said,
            commits,
            rows,
            files,
            versions,
            transitions,
            activity,
            concerns,
            api,
            query,
            logged,
        } = more;
        if !query.is_empty() {
            self.query = query;
        }
        self.concerns.extend(concerns);
        self.logged.extend(logged);
        self.api = api.or(self.api.take());
        if !today.is_empty() {
            self.today = today;
        }
        self.entries.extend(entries);
        self.standings.extend(standings);
        self.sources.extend(sources);
        self.said.extend(said);
        self.commits.extend(commits);
        self.rows.extend(rows);
        self.files.extend(files);
        self.versions.extend(versions);
        self.transitions.extend(transitions);
        self.activity = activity.or(self.activity.take());
    }

    /// Where an artefact stands.
    pub fn standing(&self, target_type: &str, id: &str) -> Option<&Standing> {
        // Where only files are known, nothing stands anywhere.
        if self.standings.is_empty() { None } else { self.standings.get(&format!("{target_type}:{id}")) }
    }
}
