//! A whole log, checked from outside.
//!
//! 1. The checkpoint is signed by the log's key.
//! 2. A checkpoint that was seen before is the beginning of this one: the log neither lost anything nor forked since.
//! 3. Every bundle of entries and every tile is read: entries are hashed into the tree, tiles must say the same hashes, and the root
//!    must be the checkpoint's. So every entry is where it is claimed to be, and every proof that anybody makes of these tiles holds.
//! 4. The entries are replayed, and what they say is compared with what is served.
//!
//! Every problem is named, with the tile or the entry it is in. Only what cannot be read at all ends the audit early.

use super::bundle::{BadBundle, unbundle};
use super::carried::Carried;
use super::checkpoint::{BadCheckpoint, Checkpoint};
use super::note::Verifier;
use super::prove::{self, Unproved};
use super::replay::{Amiss, Replay};
use super::tile::Tile;
use super::tree::{Hash, Peaks, hex, is_consistent, leaf};
use crate::vocabulary::Status;
use std::collections::BTreeMap;
use std::convert::Infallible;

/// Problems that are told; more of them say nothing new.
const MOST_TOLD: usize = 1_000;

/// Where a log is read.
pub trait Source {
    /// Why it cannot be.
    type Error;

    /// A tile or a bundle; `None` where there is none.
    fn tile(&mut self, tile: Tile) -> Result<Option<Vec<u8>>, Self::Error>;
}

/// What is wrong with a log.
#[derive(Clone, Debug, PartialEq, thiserror::Error, serde::Serialize)]
#[serde(tag = "problem", rename_all = "snake_case")]
#[allow(missing_docs)] // the sentences say it
pub enum Problem {
    #[error("the checkpoint is not believed: {why}")]
    BadCheckpoint { why: String },
    #[error("the log was rolled back: it had {had} entries when it was seen last, and has {has}")]
    RolledBack { had: u64, has: u64 },
    #[error("the log forked: its first {size} entries are not those that were seen")]
    Forked { size: u64 },
    #[error("{tile} is missing")]
    MissingTile { tile: String },
    #[error("{tile} is not as long as it should be: {has} whole ones where {due} are due")]
    TruncatedTile { tile: String, has: u64, due: u64 },
    #[error("{tile} does not hold the hashes of its entries: number {place} is another")]
    ChangedTile { tile: String, place: u64 },
    #[error("the entries do not add up to the checkpoint: their root is {found}, and {signed} is signed")]
    OtherRoot { found: String, signed: String },
    #[error("the proof that comes with {artefact} does not hold: {why}")]
    Unproven { artefact: String, why: String },
    #[error("nothing can be added to it: {why}")]
    Unfit { why: String },
    #[error("{artefact} comes without a proof")]
    WithoutProof { artefact: String },
    #[error("what {artefact} says is not what the log has the digest of")]
    OtherContent { artefact: String },
    #[error("{0}")]
    #[serde(untagged)]
    Amiss(Amiss),
}

/// What an audit found.
#[derive(Clone, Debug)]
pub struct Audit {
    /// The state of the log that was checked.
    pub checkpoint: Option<Checkpoint>,
    /// Where everything stands by its entries.
    pub replay: Replay,
    /// What is wrong.
    pub problems: Vec<Problem>,
    tree: Tree,
    is_cut: bool,
}

impl Audit {
    /// Checks the proof that an artefact came with: it holds, it is of this log's latest word about the artefact, and what the artefact
    /// says is what that word has the digest of. Says whether contents could be compared.
    pub fn compare_proof(
        &mut self,
        artefact: &str,
        carried: &Carried,
        content: Option<&Hash>,
        key: &Verifier,
    ) -> bool {
        if self.is_cut {
            return false;
        }
        let size = self.checkpoint.as_ref().map_or(0, |it| it.size);
        let latest = self.replay.artefacts().get(artefact).map(|it| it.index);
        let checked = carried.check(artefact, key);
        let same = checked.as_ref().ok().and_then(|(entry, _)| carried.is_of(entry, content?));
        let why = match checked {
            Err(why) => Some(why.to_string()),
            // Something has happened to it since the log was read.
            Ok(_) if carried.index >= size => None,
            Ok(_) if latest != Some(carried.index) => {
                Some("it is not the latest entry of the log about it".to_owned())
            }
            Ok((_, checkpoint)) => {
                let tiles = |tile: Tile| Ok::<_, Infallible>(self.tree.tile(tile).concat());
                let root = prove::root(checkpoint.size, tiles);
                (root != Ok(checkpoint.root)).then(|| "its checkpoint is of another log".to_owned())
            }
        };
        self.problems.extend(why.map(|why| Problem::Unproven { artefact: artefact.to_owned(), why }));
        if same == Some(false) {
            self.problems.push(Problem::OtherContent { artefact: artefact.to_owned() });
        }
        same.is_some()
    }

    /// Compares what is served; `served` is every artefact with its status and version.
    pub fn compare(&mut self, served: &BTreeMap<String, (Status, Option<String>)>) {
        if self.is_cut {
            return;
        }
        self.problems.extend(self.replay.compare(served).into_iter().map(Problem::Amiss));
    }
}

/// Checks a log; `told` hears how many entries were read so far.
pub fn audit<S: Source>(
    source: &mut S,
    note: &str,
    key: &Verifier,
    seen: Option<&Checkpoint>,
    mut told: impl FnMut(u64),
) -> Result<Audit, S::Error> {
    let mut audit = Audit {
        checkpoint: None,
        replay: Replay::default(),
        problems: Vec::new(),
        tree: Tree::default(),
        is_cut: false,
    };
    let checkpoint = match Checkpoint::open(note, key) {
        Ok(checkpoint) => checkpoint,
        Err(why) => {
            audit.problems.push(Problem::BadCheckpoint { why: BadCheckpoint::to_string(&why) });
            return Ok(audit);
        }
    };
    audit.checkpoint = Some(checkpoint.clone());
    let mut tree = Tree::default();
    for bundle in Tile::bundles(checkpoint.size) {
        if !read_bundle(source, bundle, &mut tree, &mut audit)? {
            // What comes after a gap could only be told wrong.
            audit.is_cut = true;
            return Ok(audit);
        }
        told(tree.peaks.size());
    }
    let found = tree.peaks.root();
    if found != checkpoint.root {
        audit.problems.push(Problem::OtherRoot { found: hex(&found), signed: hex(&checkpoint.root) });
    }
    check_tiles(source, checkpoint.size, &tree, &mut audit)?;
    if let Some(seen) = seen {
        check_history(seen, &checkpoint, &tree, &mut audit);
    }
    audit.problems.truncate(MOST_TOLD);
    audit.tree = tree;
    Ok(audit)
}

/// The tree as the entries make it.
#[derive(Clone, Debug, Default)]
struct Tree {
    peaks: Peaks,
    /// The hashes of tiles, by their level.
    levels: Vec<Vec<Hash>>,
}

impl Tree {
    fn append(&mut self, hash: Hash) {
        let grown = self.peaks.append(hash);
        for (level, hash) in std::iter::once((0, hash)).chain(grown.above) {
            if self.levels.len() <= usize::from(level) {
                self.levels.push(Vec::new());
            }
            if let Some(row) = self.levels.get_mut(usize::from(level)) {
                row.push(hash);
            }
        }
    }

    /// The tile as it must be.
    fn tile(&self, tile: Tile) -> &[Hash] {
        let row =
            tile.level.and_then(|level| self.levels.get(usize::from(level))).map_or(&[][..], Vec::as_slice);
        let first = usize::try_from(tile.first()).unwrap_or(usize::MAX);
        row.get(first..).map_or(&[][..], |rest| rest.get(..tile.width as usize).unwrap_or(rest))
    }
}

/// Reads a bundle; says whether it was whole.
fn read_bundle<S: Source>(
    source: &mut S,
    bundle: Tile,
    tree: &mut Tree,
    audit: &mut Audit,
) -> Result<bool, S::Error> {
    let tile = bundle.to_string();
    let Some(bytes) = source.tile(bundle)? else {
        audit.problems.push(Problem::MissingTile { tile });
        return Ok(false);
    };
    let entries = match unbundle(&bytes) {
        Ok(entries) if entries.len() as u64 == bundle.width => entries,
        Ok(entries) => {
            let has = entries.len() as u64;
            audit.problems.push(Problem::TruncatedTile { tile, has, due: bundle.width });
            return Ok(false);
        }
        Err(BadBundle::Truncated(whole) | BadBundle::TooLong(whole)) => {
            audit.problems.push(Problem::TruncatedTile { tile, has: whole as u64, due: bundle.width });
            return Ok(false);
        }
    };
    for entry in entries {
        tree.append(leaf(entry));
        if let Err(amiss) = audit.replay.read(entry) {
            audit.problems.push(Problem::Amiss(amiss));
        }
    }
    Ok(true)
}

/// Every tile says what the entries do.
fn check_tiles<S: Source>(source: &mut S, size: u64, tree: &Tree, audit: &mut Audit) -> Result<(), S::Error> {
    for level in 0..8 {
        let there = size >> (8 * u32::from(level));
        for place in (0..there).step_by(256) {
            let Some(tile) = Tile::holding(level, place, size) else { continue };
            check_tile(source, tile, tree, audit)?;
        }
    }
    Ok(())
}

fn check_tile<S: Source>(source: &mut S, tile: Tile, tree: &Tree, audit: &mut Audit) -> Result<(), S::Error> {
    let name = tile.to_string();
    let Some(bytes) = source.tile(tile)? else {
        audit.problems.push(Problem::MissingTile { tile: name });
        return Ok(());
    };
    let (hashes, rest) = bytes.as_chunks::<32>();
    if !rest.is_empty() || hashes.len() as u64 != tile.width {
        let has = hashes.len() as u64;
        audit.problems.push(Problem::TruncatedTile { tile: name, has, due: tile.width });
        return Ok(());
    }
    let due = tree.tile(tile);
    let other = hashes.iter().zip(due).position(|(hash, due)| hash != due);
    let other = other.or((due.len() < hashes.len()).then_some(due.len()));
    if let Some(place) = other {
        audit.problems.push(Problem::ChangedTile { tile: name, place: tile.first() + place as u64 });
    }
    Ok(())
}

/// What was seen before is the beginning of what is seen now.
fn check_history(seen: &Checkpoint, now: &Checkpoint, tree: &Tree, audit: &mut Audit) {
    if seen.size > now.size {
        audit.problems.push(Problem::RolledBack { had: seen.size, has: now.size });
        return;
    }
    let tiles = |tile: Tile| Ok::<_, Infallible>(tree.tile(tile).concat());
    let proof: Result<_, Unproved<_>> = prove::consistency(seen.size, now.size, tiles);
    let agrees = |proof: Vec<Hash>| is_consistent((seen.size, &seen.root), (now.size, &now.root), &proof);
    if !proof.is_ok_and(agrees) {
        audit.problems.push(Problem::Forked { size: seen.size });
    }
}
