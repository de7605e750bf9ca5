//! What a change did: the artefacts before and after, and whose hand did it.
//!
//! Rules 12, 14, 17 and 18 look at history. Whoever does IO hands over, for each file that changed
//! ([`BaseFile`]), what it was at the base and each step it took since; everything else is decided here.
//! A uid was written by hand when the step that brought it in is not the bot's: the pair of name and uid
//! stands after the step and before it in no parent, nor in a skill that the change removed (a renamed
//! skill keeps its citations).

mod tag_only;

pub use tag_only::edit_of;

use crate::corpus::{self, Content, Input, Paths, Piece, Skill};
use crate::layout::{FileKind, classify};
use crate::mdx::{self, tag::TagKind};
use crate::text::Source;
use std::collections::{BTreeMap, BTreeSet};

/// The bot that fills uids, flips statuses and bumps versions.
pub const BOT_EMAIL: &str = "bot@becivic.be";

/// A file that differs from the base revision.
#[derive(Debug)]
pub struct BaseFile {
    /// Path relative to the corpus root.
    pub path: String,
    /// Its bytes at the base; `None` when it is new.
    pub before: Option<Vec<u8>>,
    /// What changed it since, newest first or last: the order does not matter.
    pub steps: Vec<Step>,
}

/// One commit that changed a file, or what is on disk and not committed yet.
#[derive(Debug)]
pub struct Step {
    /// The author's address; `None` for what is not committed.
    pub author: Option<String>,
    /// The file after the step; empty when it was removed.
    pub after: Vec<u8>,
    /// The file in each parent that has it.
    pub parents: Vec<Vec<u8>>,
}

impl Step {
    fn by_bot(&self) -> bool {
        self.author.as_deref() == Some(BOT_EMAIL)
    }
}

/// The name and the uid of a citation.
pub type Identity = (String, String);

/// A change against a base revision.
#[derive(Debug, Default)]
pub struct Change {
    skills: BTreeMap<String, Was<Skill>>,
    paths: Option<Was<Paths>>,
}

/// What something was, and whose hand changed it.
#[derive(Debug)]
pub struct Was<T> {
    /// As it was at the base; `None` when it is new, or could not be read there.
    pub before: Option<T>,
    /// Whether every step since is the bot's.
    pub by_bot: bool,
    /// Whether it existed at the base, readable or not.
    pub existed: bool,
    /// Citations whose uid somebody else than the bot brought in.
    pub by_hand: BTreeSet<Identity>,
}

impl Change {
    /// Reads the base versions of changed files; `removed` are skills that the change took away.
    /// Findings about the base are dropped: they are the base's affair.
    pub fn read(files: Vec<BaseFile>, removed: &[Vec<u8>]) -> Self {
        let mut known: BTreeSet<Identity> = removed.iter().flat_map(|bytes| citations_in(bytes)).collect();
        let mut change = Self::default();
        for file in files {
            let kind = classify(&file.path);
            let existed = file.before.is_some();
            let by_bot = !file.steps.is_empty() && file.steps.iter().all(Step::by_bot);
            let is_skill = matches!(kind, FileKind::Skill(_));
            let by_hand = if is_skill { by_hand(&file, &mut known) } else { BTreeSet::new() };
            let piece = file.before.map(|bytes| {
                let input = Input { path: file.path.clone(), content: Content::Bytes(bytes) };
                corpus::read(input).0
            });
            match (kind, piece) {
                (FileKind::Skill(id), piece) => {
                    let before = match piece {
                        Some(Piece::Skill(skill)) => Some(*skill),
                        _ => None,
                    };
                    change.skills.insert(id, Was { before, by_bot, existed, by_hand });
                }
                (FileKind::PathsIndex, piece) => {
                    let before = match piece {
                        Some(Piece::Paths(paths)) => Some(*paths),
                        _ => None,
                    };
                    change.paths = Some(Was { before, by_bot, existed, by_hand });
                }
                (_, _) => {}
            }
        }
        change
    }

    /// What a changed skill was; `None` when it did not change.
    pub fn skill(&self, id: &str) -> Option<&Was<Skill>> {
        self.skills.get(id)
    }

    /// What the changed Path Directory was; `None` when it did not change.
    pub fn paths(&self) -> Option<&Was<Paths>> {
        self.paths.as_ref()
    }
}

/// The citations of a file whose uid a step brought in that is not the bot's.
fn by_hand(file: &BaseFile, known: &mut BTreeSet<Identity>) -> BTreeSet<Identity> {
    known.extend(file.before.iter().flat_map(|bytes| citations_in(bytes)));
    let mut found = BTreeSet::new();
    for step in file.steps.iter().filter(|step| !step.by_bot()) {
        let parents: BTreeSet<Identity> = step.parents.iter().flat_map(|bytes| citations_in(bytes)).collect();
        let brought = citations_in(&step.after).into_iter().filter(|pair| !parents.contains(pair));
        found.extend(brought.filter(|pair| !known.contains(pair)));
    }
    found
}

/// The citations with a uid in a file, read forgivingly: whatever else may be wrong with it, what it
/// cites stands there.
fn citations_in(bytes: &[u8]) -> Vec<Identity> {
    let text = String::from_utf8_lossy(bytes).replace('\r', "");
    let (document, _) = mdx::parse(&text, 0);
    let source = Source::new("", text);
    let cited = document.tags.iter().filter(|tag| matches!(tag.kind, TagKind::VV | TagKind::Ref));
    cited
        .filter_map(|tag| {
            let uid = tag.value(&source, "uid")?.into_owned();
            Some((tag.value(&source, "name")?.into_owned(), uid))
        })
        .collect()
}
