//! Versions brought up to what a change calls for (§9.7, §6.12.7): what `becivic bump` writes.
//!
//! 1. For each skill that differs from the base: what it was, what the edit did, and so which version it
//!    must carry ([`version::expected`]). The same for each path entry.
//! 2. A pinned version is skipped and said so; a retired artefact keeps the version it had.
//! 3. When any entry of the Path Directory changed, the directory's own version follows
//!    ([`version::catalogue`]). `generated_at` is left alone.
//! 4. Only the version's own characters are replaced; the rest of each file stays byte for byte.
//!
//! Counting starts at the base, so a second run changes nothing.

mod catalogue;

use crate::catalogue::Catalogue;
use crate::change::{Change, edit_of};
use crate::corpus::{Corpus, Skill};
use crate::node::Node;
use crate::text::Span;
use crate::version::{self, Before, Edit, Version};
use crate::vocabulary::Status;
use std::collections::BTreeMap;
use std::fmt;

/// What a change calls for.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Versions to write, in the order of their artefacts.
    pub bumps: Vec<Bump>,
    /// Changed artefacts whose pinned version stays.
    pub pinned: Vec<String>,
    /// Changed artefacts that cannot be read, so that nobody can say.
    pub unreadable: Vec<String>,
    /// New texts by file.
    pub files: BTreeMap<String, String>,
}

/// One version to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bump {
    /// `skills/<id>`, `paths/<id>` or `paths/index.json`.
    pub artefact: String,
    /// The version it carries.
    pub from: Version,
    /// The version it gets.
    pub to: Version,
    /// Why.
    pub why: Why,
}

/// Why a version is what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The artefact is new.
    New,
    /// Its content changed.
    Content,
    /// Only the form of its tags changed, which bumps nothing.
    TagOnly,
    /// Its status changed.
    Status(Status, Status),
    /// It left the lifecycle, where versions are frozen.
    Retired,
    /// It carried a version that its status never has.
    WrongLine,
    /// Only its version was edited.
    NothingElse,
    /// An entry of the Path Directory changed.
    Entries,
}

impl fmt::Display for Bump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} → {} ({})", self.artefact, self.from, self.to, self.why)
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::New => f.write_str("new"),
            Self::Content => f.write_str("content"),
            Self::TagOnly => f.write_str("tags only"),
            Self::Status(old, new) => write!(f, "{old} → {new}"),
            Self::Retired => f.write_str("retired"),
            Self::WrongLine => f.write_str("follows the status"),
            Self::NothingElse => f.write_str("nothing else changed"),
            Self::Entries => f.write_str("entries changed"),
        }
    }
}

/// What a change against a base calls for.
pub fn plan(corpus: &Corpus, change: &Change, catalogue: &dyn Catalogue) -> Plan {
    let mut plan = Plan::default();
    for (id, skill) in &corpus.skills {
        if let Some(was) = change.skill(id) {
            plan.skill(skill, was.before.as_ref(), was.existed, catalogue);
        }
    }
    for id in &corpus.unreadable_skills {
        if change.skill(id).is_some() {
            plan.unreadable.push(format!("skills/{id}"));
        }
    }
    match (&corpus.paths, change.paths()) {
        (Some(paths), Some(was)) => {
            catalogue::plan(paths, was.before.as_ref(), was.existed, &mut plan);
        }
        (None, Some(_)) => plan.unreadable.push("paths/index.json".to_owned()),
        (Some(_) | None, None) => {}
    }
    plan
}

impl Plan {
    fn skill(&mut self, skill: &Skill, before: Option<&Skill>, existed: bool, catalogue: &dyn Catalogue) {
        let artefact = format!("skills/{}", skill.folder);
        let now = skill.front.as_ref().and_then(|front| front.version.parse().ok());
        let (Some(front), Some(now)) = (&skill.front, now) else {
            self.unreadable.push(artefact);
            return;
        };
        if front.version_pin == Some(true) {
            self.pinned.push(artefact);
            return;
        }
        let edit = before.map_or(Edit::Content, |before| edit_of(before, skill, catalogue));
        let was = before
            .and_then(|before| before.front.as_ref())
            .and_then(|front| Some(Before { status: front.status, version: front.version.parse().ok()? }));
        let seen = Seen { was, existed, edit, status: front.status, now };
        if let Some((to, why)) = seen.judge()
            && let Some(node) = skill.node()
            && let Some(span) = version_span(node, skill.source.text(), now)
        {
            self.bumps.push(Bump { artefact, from: now, to, why });
            let text = replaced(skill.source.text(), &mut [(span, to)]);
            self.files.insert(skill.source.path().to_owned(), text);
        }
    }
}

/// An artefact under review.
struct Seen {
    /// What it was; `None` when it is new, or was not readable.
    was: Option<Before>,
    /// Whether it existed at the base.
    existed: bool,
    edit: Edit,
    status: Status,
    now: Version,
}

impl Seen {
    /// The version it must get and why; `None` when it has it.
    fn judge(&self) -> Option<(Version, Why)> {
        let Self { was, existed, edit, status, now } = *self;
        let to = match was {
            // The base cannot be read: only the line is known.
            None if existed && version::line(status).is_none_or(|line| line == now.line()) => now,
            None | Some(_) => version::expected(was, status, now, edit),
        };
        let why = match was {
            None if existed => Why::WrongLine,
            None => Why::New,
            Some(_) if status.is_retired() => Why::Retired,
            Some(was) if was.status != status => Why::Status(was.status, status),
            Some(was) if version::line(status) != Some(was.version.line()) => Why::WrongLine,
            Some(_) => match edit {
                Edit::Nothing => Why::NothingElse,
                Edit::TagOnly => Why::TagOnly,
                Edit::Content => Why::Content,
            },
        };
        (to != now).then_some((to, why))
    }
}

/// Where the characters of the version are written: the value without its quotes.
fn version_span(node: &Node, text: &str, version: Version) -> Option<Span> {
    let span = node.get("version")?.span;
    let version = version.to_string();
    let at = text.get(span.range())?.find(&version)?;
    let start = span.start as usize + at;
    Some(Span::new(start, start + version.len()))
}

/// The text with each span replaced by a version.
fn replaced(text: &str, edits: &mut [(Span, Version)]) -> String {
    edits.sort_by_key(|(span, _)| *span);
    let mut out = String::with_capacity(text.len() + 8);
    let mut at = 0;
    for (span, version) in edits {
        out.push_str(text.get(at..span.start as usize).unwrap_or_default());
        out.push_str(&version.to_string());
        at = span.end as usize;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}
