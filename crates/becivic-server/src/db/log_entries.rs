//! `log_entries`, `log_tiles`: the transparency log. Rows are added and stay as they are; only nonces are erased, with the texts they
//! were made for.
//!
//! 1. Whoever appends is alone until their transaction ends, and so knows what comes before.
//! 2. The leaf of the last row and its proof are the peaks of the tree: nothing else has to be read, and that only once in a transaction.
//!    Of a proof each row holds what lies within its own tile, and the first row of the tile the rest, which is the same for all of it.
//! 3. A leaf that completes 256 brings a hash of the next level, and so on upwards.
//! 4. Entries wait until some can be written by one statement, and at most until the work that appends them is done ([`settle`]).
//! 5. What an artefact came to is said by its latest entry, whose place its standing knows. Entries with which an artefact begins or is
//!    gone, its edges, are found by its name as well: so what has no standing is found too, and most entries are in no index.

use super::{DbError, Param, Row, Tx, uids};
use crate::secrets::Bytes32;
use becivic_core::log::{Hash, Peaks, Tile, leaf};
use std::sync::LazyLock;

/// The counter whose row is held by whoever appends, where several could.
const COUNTER: &str = "log";

/// What is appended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the columns
pub struct New {
    /// The artefact that begins or is gone with it.
    pub edge_of: Option<String>,
    pub entry: Vec<u8>,
    pub nonce: Option<Bytes32>,
}

/// A log that grows in this transaction.
#[derive(Clone, Debug)]
pub struct Growing {
    peaks: Peaks,
    waiting: Vec<Waiting>,
}

/// An entry with its place, not written yet.
#[derive(Clone, Debug)]
struct Waiting {
    position: i64,
    new: New,
    leaf: Hash,
    proof: Vec<u8>,
}

impl Waiting {
    fn row(&self) -> [Param<'_>; COLUMNS] {
        [
            self.position.into(),
            (&self.new.entry).into(),
            (&self.leaf).into(),
            (&self.proof).into(),
            self.new.nonce.as_ref().map(Bytes32::as_slice).into(),
            self.new.edge_of.as_ref().into(),
        ]
    }
}

/// One entry with its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// Its place.
    pub index: u64,
    /// What is published.
    pub entry: Vec<u8>,
    /// Its hash.
    pub leaf: Hash,
    /// The proof that it is in the tree that ends with it.
    pub proof: Vec<Hash>,
    /// What its digests were made with.
    pub nonce: Option<Vec<u8>>,
}

/// Appends; says where.
pub fn append(tx: &mut dyn Tx, new: New) -> Result<i64, DbError> {
    const HASH: &str = "INSERT INTO log_tiles (level, position, hash) VALUES ($1, $2, $3)";
    let mut log = match tx.kept().log.take() {
        Some(log) => log,
        None => {
            lock(tx)?;
            Growing { peaks: peaks(tx)?, waiting: Vec::new() }
        }
    };
    let position = log.peaks.size() as i64;
    let size = position + 1;
    let leaf = leaf(&new.entry);
    let grown = log.peaks.append(leaf);
    let proof = grown.proof.get(..own(position)).unwrap_or(&grown.proof).concat();
    log.waiting.push(Waiting { position, new, leaf, proof });
    let enough = log.waiting.len() == TOGETHER;
    tx.kept().log = Some(log);
    for (level, hash) in &grown.above {
        let place = (size >> (8 * u32::from(*level))) - 1;
        tx.execute(HASH, &[i64::from(*level).into(), place.into(), hash.into()])?;
    }
    if enough {
        settle(tx)?;
    }
    Ok(position)
}

/// Writes the entries that wait. Whoever reads the log asks for this first.
pub fn settle(tx: &mut dyn Tx) -> Result<(), DbError> {
    static ONE: LazyLock<String> = LazyLock::new(|| insertion(1));
    static MANY: LazyLock<String> = LazyLock::new(|| insertion(TOGETHER));
    let waiting = tx.kept().log.as_mut().map(|log| std::mem::take(&mut log.waiting)).unwrap_or_default();
    let (many, rest) = waiting.as_chunks::<TOGETHER>();
    for entries in many {
        let rows: Vec<Param<'_>> = entries.iter().flat_map(Waiting::row).collect();
        tx.execute(&MANY, &rows)?;
    }
    for entry in rest {
        tx.execute(&ONE, &entry.row())?;
    }
    Ok(())
}

/// How many hashes of its proof a row holds.
fn own(position: i64) -> usize {
    match position % TILE {
        0 => usize::MAX,
        within => within.count_ones() as usize,
    }
}

/// Entries of a tile.
const TILE: i64 = 256;

/// Entries that one statement writes.
const TOGETHER: usize = 10;

/// What is written of each.
const COLUMNS: usize = 6;

fn insertion(rows: usize) -> String {
    let row = |number: usize| {
        let places = (1..=COLUMNS).map(|column| format!("${}", number * COLUMNS + column));
        format!("({})", places.collect::<Vec<_>>().join(", "))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    format!(
        "INSERT INTO log_entries (position, entry, leaf, proof, nonce, edge_of) VALUES {}",
        rows.join(", ")
    )
}

/// Nobody else appends until this transaction ends.
pub fn lock(tx: &mut dyn Tx) -> Result<(), DbError> {
    if tx.writes_alone() { Ok(()) } else { uids::at_least(tx, COUNTER, 0) }
}

/// The peaks of the whole tree.
pub fn peaks(tx: &mut dyn Tx) -> Result<Peaks, DbError> {
    settle(tx)?;
    let Some(row) = tx.first(LAST, &[])? else { return Ok(Peaks::default()) };
    let Logged { index, leaf, proof, .. } = read(&row)?;
    let broken =
        || DbError::Defect(format!("entry {index} of the transparency log is broken; restore the database"));
    Peaks::after(index, &proof, leaf).ok_or_else(broken)
}

/// An entry as [`read`] takes it: with its own part of the proof, and that of the first in its tile.
macro_rules! entries {
    () => {
        "SELECT e.position, e.entry, e.leaf, e.proof, first.proof, e.nonce FROM log_entries e \
         LEFT JOIN log_entries first ON first.position = e.position / 256 * 256 WHERE "
    };
}

pub(super) const LAST: &str = concat!(entries!(), "e.position = (SELECT max(position) FROM log_entries)");

/// One entry.
pub fn at(tx: &mut dyn Tx, position: i64) -> Result<Option<Logged>, DbError> {
    settle(tx)?;
    tx.first(AT, &[position.into()])?.as_ref().map(read).transpose()
}

pub(super) const AT: &str = concat!(entries!(), "e.position = $1");

/// The latest entry of an artefact that has a standing.
pub fn latest(tx: &mut dyn Tx, (target_type, target_id): (&str, &str)) -> Result<Option<Logged>, DbError> {
    settle(tx)?;
    tx.first(LATEST, &[target_type.into(), target_id.into()])?.as_ref().map(read).transpose()
}

pub(super) const LATEST: &str = concat!(
    entries!(),
    "e.position = (SELECT log_position FROM standings WHERE target_type = $1 AND target_id = $2)"
);

/// The latest entry with which an artefact begins or is gone.
pub fn edge(tx: &mut dyn Tx, artefact: &str) -> Result<Option<Logged>, DbError> {
    settle(tx)?;
    tx.first(EDGE, &[artefact.into()])?.as_ref().map(read).transpose()
}

pub(super) const EDGE: &str = concat!(entries!(), "e.edge_of = $1 ORDER BY e.position DESC LIMIT 1");

/// Goes through what the log says of all artefacts where they began or were gone last; `see` gets each with the name it is found by. Each
/// is found by a step over all earlier ones: a long log costs no more than a short one. Few are in memory at a time.
pub fn each_edge(
    tx: &mut dyn Tx,
    mut see: impl FnMut(&str, &[u8]) -> Result<(), DbError>,
) -> Result<(), DbError> {
    const SQL: &str = "WITH RECURSIVE each(number, name) AS ( \
           SELECT CAST(1 AS BIGINT), (SELECT min(edge_of) FROM log_entries WHERE edge_of > $1) UNION ALL \
           SELECT number + 1, (SELECT min(edge_of) FROM log_entries e WHERE e.edge_of > each.name) FROM each \
           WHERE each.name IS NOT NULL AND number < $2) \
         SELECT each.name, entry FROM each JOIN log_entries ON position = \
           (SELECT max(position) FROM log_entries e WHERE e.edge_of = each.name) ORDER BY number";
    const PAGE: i64 = 1_000;
    settle(tx)?;
    let mut after = String::new();
    loop {
        let rows = tx.query(SQL, &[after.as_str().into(), PAGE.into()])?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.text(0)?;
        for row in &rows {
            see(&row.text(0)?, &row.bytes(1)?)?;
        }
    }
}

/// Lets an entry be found by the artefact that begins or is gone with it.
pub fn find_by(tx: &mut dyn Tx, position: i64, artefact: &str) -> Result<(), DbError> {
    const SQL: &str = "UPDATE log_entries SET edge_of = $1 WHERE position = $2";
    tx.execute(SQL, &[artefact.into(), position.into()]).map(drop)
}

/// Goes through the whole log; `see` gets each entry with its place.
pub fn each(tx: &mut dyn Tx, mut see: impl FnMut(i64, &[u8])) -> Result<(), DbError> {
    const PAGE: i64 = 1_000;
    settle(tx)?;
    let mut after = -1;
    loop {
        let rows = tx.query(AFTER, &[after.into(), PAGE.into()])?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.int(0)?;
        for row in &rows {
            see(row.int(0)?, &row.bytes(1)?);
        }
    }
}

pub(super) const AFTER: &str =
    "SELECT position, entry FROM log_entries WHERE position > $1 ORDER BY position LIMIT $2";

/// The bytes of a tile, or the entries of a bundle, at its full width or less; `None` where the log is not that long.
pub fn tile(tx: &mut dyn Tx, tile: Tile) -> Result<Option<Vec<Vec<u8>>>, DbError> {
    settle(tx)?;
    let ends = |at: u64| i64::try_from(at).ok();
    let range = ends(tile.first()).zip(ends(tile.first().saturating_add(tile.width)));
    let Some((from, to)) = range else { return Ok(None) };
    let rows = match tile.level {
        None => tx.query(ENTRIES, &[from.into(), to.into()])?,
        Some(0) => tx.query(LEAVES, &[from.into(), to.into()])?,
        Some(level) => tx.query(HASHES, &[i64::from(level).into(), from.into(), to.into()])?,
    };
    if rows.len() as u64 != tile.width {
        return Ok(None);
    }
    rows.iter().map(|row| row.bytes(0)).collect::<Result<_, _>>().map(Some)
}

pub(super) const ENTRIES: &str =
    "SELECT entry FROM log_entries WHERE position >= $1 AND position < $2 ORDER BY position";
pub(super) const LEAVES: &str =
    "SELECT leaf FROM log_entries WHERE position >= $1 AND position < $2 ORDER BY position";
pub(super) const HASHES: &str =
    "SELECT hash FROM log_tiles WHERE level = $1 AND position >= $2 AND position < $3 ORDER BY position";

/// Erases what digests were made with: whatever they were of cannot be told from them any more.
pub fn erase_nonces(tx: &mut dyn Tx) -> Result<u64, DbError> {
    settle(tx)?;
    tx.execute("UPDATE log_entries SET nonce = NULL WHERE nonce IS NOT NULL", &[])
}

fn read(row: &Row) -> Result<Logged, DbError> {
    let position = row.int(0)?;
    let mut proof = hashes(&row.bytes(3)?);
    if position % TILE != 0 {
        // Rows that were written earlier hold all of it.
        proof.truncate(own(position));
        proof.extend(hashes(&row.maybe_bytes(4)?.unwrap_or_default()));
    }
    Ok(Logged {
        index: position.unsigned_abs(),
        entry: row.bytes(1)?,
        leaf: hash(row.bytes(2)?)?,
        proof,
        nonce: row.maybe_bytes(5)?,
    })
}

fn hash(bytes: Vec<u8>) -> Result<Hash, DbError> {
    bytes.try_into().map_err(|_| DbError::Defect("a hash of the log has not 32 bytes".to_owned()))
}

fn hashes(bytes: &[u8]) -> Vec<Hash> {
    bytes.as_chunks().0.to_vec()
}
