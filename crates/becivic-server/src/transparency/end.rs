//! Whether a log can be added to. What is written onto a log that was cut or changed could never be taken back, and would be signed.
//!
//! 1. No standing and no change of a status names an entry that is not there: a log does not get shorter.
//! 2. The tree that its last row says it is, is the tree that its entries and tiles make: of the last tile the entries themselves are
//!    hashed, and above it the tiles that are not full yet.

use crate::db::{Db, DbError, Tx, log_entries, standings, transitions};
use becivic_core::log::{Tile, Unproved, leaf, root};

/// Refuses a log that does not add up.
pub fn check(db: &Db) -> anyhow::Result<()> {
    Ok(db.read_now(|tx| adds_up(tx))?)
}

fn adds_up(tx: &mut dyn Tx) -> Result<(), DbError> {
    let broken = |why: String| {
        let help = "restore the database; `becivic verify --data DIR` says more";
        DbError::Defect(format!("the transparency log cannot be added to: {why}; {help}"))
    };
    // Asked first: whoever appends at the same moment names what is there by then.
    let changed = transitions::list(tx, i64::MAX, 1)?;
    let changed = changed
        .first()
        .and_then(|it| Some((format!("{}:{}", it.target_type, it.target_id), it.log_position?)));
    let named = standings::named_last(tx)?;
    let peaks = log_entries::peaks(tx)?;
    for (artefact, position) in [changed, named].into_iter().flatten() {
        if position.unsigned_abs() >= peaks.size() {
            return Err(broken(format!(
                "{artefact} is told of by entry {position}, and it has {} entries",
                peaks.size()
            )));
        }
    }
    let first = Tile { level: Some(1), index: 0, width: 1 };
    if peaks.size() == 0 && log_entries::tile(tx, first)?.is_some() {
        return Err(broken("it has tiles, and no entries".to_owned()));
    }
    let made = root(peaks.size(), |tile| {
        let of_entries = tile.level == Some(0);
        let asked = if of_entries { Tile { level: None, ..tile } } else { tile };
        let parts = log_entries::tile(tx, asked)?.ok_or_else(|| broken(format!("{asked} is not whole")))?;
        let hash = |part: Vec<u8>| if of_entries { leaf(&part).to_vec() } else { part };
        Ok::<_, DbError>(parts.into_iter().flat_map(hash).collect())
    });
    match made {
        Ok(made) if made == peaks.root() => Ok(()),
        Ok(_) => Err(broken(
            "its entries and tiles are not those of the tree that its last row says it is".to_owned(),
        )),
        Err(Unproved::Tiles(error)) => Err(error),
        Err(error) => Err(broken(error.to_string())),
    }
}
