//! Versions of a skill: what one is, and whether readers may see it.
//!
//! 1. A version is the file of a skill at a commit of `main`. [`Version::read`] takes from it what can be said without its text:
//!    its status, its number, and a digest by which the same text is recognised at another commit.
//! 2. A version that says it is quarantined is shown to nobody, and neither is the same text at another commit, unless a newer
//!    commit brought that text back (DECISIONS §8).
//! 3. While a skill is quarantined, the stable version it names is the only one to be read, unless that was flagged too.

use crate::body;
use crate::facts::{Commit, Facts};
use crate::withheld;
use crate::world::SeenSkill;
use becivic_core::corpus::{self, Content, Input, Piece, Skill};
use becivic_core::skill::Frontmatter;
use becivic_core::vocabulary::Status;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// Fields of the frontmatter that may differ although the text is the same: a change of status alone touches them.
const ABOUT_STANDING: [&str; 5] =
    ["status", "version", "version_pin", "previous_stable_sha", "superseded_by"];

/// A version of a skill, without its text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Version {
    /// The status it had; nothing where the file cannot be read today.
    pub status: Option<Status>,
    /// Its number.
    pub number: String,
    /// A digest of everything it said but its standing.
    pub text: String,
    /// The entries of the catalogue it cites.
    pub cites: BTreeSet<String>,
}

impl Version {
    /// Reads the file of a skill.
    pub fn read(id: &str, file: &str) -> Self {
        skill(id, file).map_or_else(Self::default, |skill| Self::of(&skill))
    }

    fn of(skill: &Skill) -> Self {
        let Some(front) = &skill.front else { return Self::default() };
        let text = digest(front, skill.body());
        let cites = body::cites(skill);
        Self { status: Some(front.status), number: front.version.clone(), text, cites }
    }
}

/// The file of a skill, in the corpus.
pub fn file_of(id: &str) -> String {
    format!("skills/{id}/canonical.md")
}

/// A skill from the text of its file; nothing where it cannot be read.
fn skill(id: &str, file: &str) -> Option<Box<Skill>> {
    let input = Input { path: file_of(id), content: Content::Bytes(file.as_bytes().to_vec()) };
    let (Piece::Skill(skill), _) = corpus::read(input) else { return None };
    Some(skill)
}

fn digest(front: &Frontmatter, body: &str) -> String {
    let mut fields = serde_json::to_value(front).unwrap_or(Value::Null);
    if let Value::Object(fields) = &mut fields {
        ABOUT_STANDING.iter().for_each(|name| drop(fields.remove(*name)));
    }
    let hash = Sha256::new().chain_update(fields.to_string()).chain_update(body).finalize();
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The versions of a skill, as whoever looks at it now may see them.
#[derive(Clone, Copy)]
pub struct Versions<'v> {
    seen: SeenSkill<'v>,
    facts: &'v Facts,
}

impl<'v> Versions<'v> {
    /// The versions of a skill.
    pub fn new(seen: SeenSkill<'v>, facts: &'v Facts) -> Self {
        let standing = facts.standing("skill", seen.id());
        Self { seen: seen.beside(standing.map(|it| it.status)), facts }
    }

    /// The skill as it was at a commit, where readers may see it.
    pub fn at(&self, commit: &str) -> Option<Box<Skill>> {
        let skill = skill(self.seen.id(), self.file(commit)?)?;
        let version = Version::of(&skill);
        (self.was_published(&version) && self.is_open(commit, &version)).then_some(skill)
    }

    /// The stable version it names, where readers may go back to it.
    pub fn previous_stable(&self) -> Option<(&'v str, Box<Skill>)> {
        let commit = self.seen.previous_stable().filter(|_| !self.stable_is_flagged())?;
        let skill = skill(self.seen.id(), self.file(commit)?)?;
        let was_stable = skill.front.as_ref().is_some_and(|front| front.status == Status::Stable);
        was_stable.then_some((commit, skill))
    }

    /// The file at a commit, without its author's copies of what was put away elsewhere; nothing where it cannot be read.
    pub fn shown_file(&self, commit: &str) -> Option<String> {
        let skill = skill(self.seen.id(), self.file(commit)?)?;
        Some(withheld::file(&skill, self.facts).into_owned())
    }

    /// The file at a commit, as it was fetched.
    fn file(&self, commit: &str) -> Option<&'v str> {
        self.facts.files.get(&format!("{commit}:{}", file_of(self.seen.id()))).map(String::as_str)
    }

    /// What is known of the version of a commit that changed the skill.
    pub fn of(&self, commit: &Commit) -> Option<&'v Version> {
        self.facts.versions.get(&commit.sha)
    }

    /// Whether readers may see the version of a commit that changed the skill.
    pub fn is_shown(&self, commit: &Commit) -> bool {
        self.of(commit).is_some_and(|version| self.is_open(&commit.sha, version))
    }

    /// Whether `main` has ever said this: what only an open pull request holds was not published.
    fn was_published(&self, version: &Version) -> bool {
        self.facts.commits.iter().any(|commit| self.of(commit).is_some_and(|it| it.text == version.text))
    }

    fn is_open(&self, commit: &str, version: &Version) -> bool {
        match version.status {
            None | Some(Status::Quarantined) => false,
            Some(Status::Stable) if self.seen.status == Status::Quarantined => self.is_way_back(commit),
            Some(Status::Draft | Status::Alpha | Status::Beta | Status::Stable | Status::Deprecated) => {
                self.seen.status != Status::Quarantined && !self.was_put_away(version)
            }
        }
    }

    /// Whether the newest commit that says the same is one that puts it away.
    fn was_put_away(&self, version: &Version) -> bool {
        let mut known = self.facts.commits.iter().filter_map(|commit| self.of(commit));
        let newest = known.find(|it| it.text == version.text);
        newest.is_some_and(|it| it.status == Some(Status::Quarantined))
    }

    fn is_way_back(&self, commit: &str) -> bool {
        let named = self.seen.previous_stable().filter(|_| !self.stable_is_flagged());
        named.is_some_and(|named| named.starts_with(commit) || commit.starts_with(named))
    }

    fn stable_is_flagged(&self) -> bool {
        self.facts.standing("skill", self.seen.id()).is_some_and(|it| it.stable_is_flagged)
    }
}
