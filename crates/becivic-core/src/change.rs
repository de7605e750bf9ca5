//! What a change did: the artefacts before and after, and who wrote it.
//!
//! Rules 12, 14, 17 and 18 look at history. Whoever does IO hands over the files as they were at the
//! base revision ([`BaseFile`]) for those that changed; everything else is decided here.

mod tag_only;

pub use tag_only::edit_of;

use crate::corpus::{self, Content, Input, Paths, Piece, Skill};
use crate::finding::Finding;
use std::collections::BTreeMap;

/// The bot that fills uids, flips statuses and bumps versions.
pub const BOT_EMAIL: &str = "bot@becivic.be";

/// A file that differs from the base revision.
#[derive(Debug)]
pub struct BaseFile {
    /// Path relative to the corpus root.
    pub path: String,
    /// Its bytes at the base; `None` when it is new.
    pub before: Option<Vec<u8>>,
    /// E-mail addresses of the commits since the base that touched it; empty when the change is not
    /// committed yet.
    pub authors: Vec<String>,
}

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
    /// Whether every commit that touched it is the bot's.
    pub by_bot: bool,
    /// Whether it existed at the base, readable or not.
    pub existed: bool,
}

impl Change {
    /// Reads the base versions of changed files. Findings about the base are dropped: they are the
    /// base's affair.
    pub fn read(files: Vec<BaseFile>) -> Self {
        let mut change = Self::default();
        for file in files {
            let existed = file.before.is_some();
            let by_bot = !file.authors.is_empty() && file.authors.iter().all(|a| a == BOT_EMAIL);
            let piece = file.before.map(|bytes| {
                let (piece, _): (Piece, Vec<Finding>) =
                    corpus::read(Input { path: file.path.clone(), content: Content::Bytes(bytes) });
                piece
            });
            match crate::layout::classify(&file.path) {
                crate::layout::FileKind::Skill(id) => {
                    let before = match piece {
                        Some(Piece::Skill(skill)) => Some(*skill),
                        _ => None,
                    };
                    change.skills.insert(id, Was { before, by_bot, existed });
                }
                crate::layout::FileKind::PathsIndex => {
                    let before = match piece {
                        Some(Piece::Paths(paths)) => Some(*paths),
                        _ => None,
                    };
                    change.paths = Some(Was { before, by_bot, existed });
                }
                _ => {}
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
