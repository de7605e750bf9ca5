//! The transparency log in the store: no gaps, migrations, and standings that know their entries.

use super::{SAMPLE_5, filled};
use crate::harness::{Engine, Place, Server, Setup};
use becivic_core::log::{Hash, Peaks, leaf};
use becivic_core::vocabulary::Status;
use becivic_server::db::log_entries::{self, New};
use becivic_server::db::{DbError, standings, transitions};
use becivic_server::moment::Moment;
use becivic_server::transparency;
use std::collections::BTreeSet;

/// One to twenty-five entries in each of many transactions at once, a third of which are taken back: what stays is one tree, whose
/// entries can be read before their transaction ends.
pub fn the_log_has_no_gaps(place: &Place) {
    let db = place.db();
    std::thread::scope(|scope| {
        for worker in 0..8_usize {
            let db = db.clone();
            scope.spawn(move || {
                for turn in 0..25_usize {
                    let written = db.write_now(move |tx| {
                        for number in 0..=turn {
                            let artefact = "skill:written-by-many".to_owned();
                            let entry = format!("{worker} {turn} {number}").into_bytes();
                            let new =
                                New { edge_of: Some(artefact.clone()), entry: entry.clone(), nonce: None };
                            let at = log_entries::append(tx, new)?;
                            if turn % 8 == 7 {
                                let latest = log_entries::edge(tx, &artefact)?.expect("an entry");
                                assert_eq!((latest.index as i64, latest.entry), (at, entry));
                            }
                        }
                        if (worker + turn) % 3 == 0 { Err(DbError::Taken) } else { Ok(()) }
                    });
                    assert_eq!(written.is_err(), (worker + turn) % 3 == 0);
                }
            });
        }
    });
    let kept = db.read_now(|tx| log_entries::peaks(tx)).expect("read");
    let mut grown = Peaks::default();
    for at in 0..kept.size() as i64 {
        let found = db.read_now(move |tx| log_entries::at(tx, at)).expect("read").expect("no gap");
        assert_eq!(found.leaf, leaf(&found.entry));
        assert_eq!(found.proof, grown.append(found.leaf).proof);
    }
    assert_eq!(kept, grown);
    assert!(kept.size() > 1_500, "{}", kept.size());
    db.close();
}

/// What changed before there was a log stands in none; the log begins with what stands then.
pub fn a_log_begins_beside_what_happened_before(engine: Engine) {
    let (place, db) = filled(engine, (5, 2), SAMPLE_5);
    db.close();
    let db = place.db();
    let before = db.write_now(|tx| transitions::list(tx, i64::MAX, 10)).expect("read");
    assert_eq!(before.iter().map(|it| it.log_position).collect::<Vec<_>>(), [None]);
    let found = db.write_now(|tx| {
        let mut standing = standings::find(tx, "skill", "arrival-declaration")?.ok_or(DbError::Taken)?;
        let now = Moment(0);
        let first = transparency::put_right(tx, &mut standing, None, now)?;
        let again = transparency::put_right(tx, &mut standing, None, now)?;
        Ok((
            first,
            again,
            log_entries::peaks(tx)?.size(),
            transparency::told(tx, "skill:arrival-declaration")?,
        ))
    });
    let (first, again, size, told) = found.expect("recorded");
    assert_eq!((first, again, size), (true, false, 1), "once is enough");
    assert_eq!(told.map(|it| (it.to, it.version)), Some((Some(Status::Beta), Some("0.2.0".to_owned()))));
    db.close();
}

/// Entries are where they were, whatever table they lay in. Standings know theirs, and what begins or is gone is found by its name.
pub fn a_log_moves_as_it_is(engine: Engine) {
    const OLD: &str =
        "INSERT INTO log_entries (position, entry, leaf, proof, nonce) VALUES ($1, $2, $3, $4, $5)";
    let (place, db) = filled(engine, (6, 2), SAMPLE_5);
    let entry = |artefact: &str, between: &str, rule: &str| {
        format!(
            r#"{{"v":1,"artefact":"{artefact}","what":"merge",{between}"rule":"{rule}","day":"2026-11-16"}}"#
        )
        .into_bytes()
    };
    let mut entries = vec![
        entry("skill:arrival-declaration", r#""to":"alpha","#, "first"),
        entry("path:\\u00e9tat-civil", r#""from":"alpha","#, &"x".repeat(5_000)),
        entry("skill:arrival-declaration", r#""from":"alpha","to":"beta","#, "third"),
    ];
    // More than a tile, and rows that hold the whole of their proofs.
    let another = |number: usize| entry("skill:quiet", r#""from":"beta","to":"beta","#, &number.to_string());
    entries.extend((3..600).map(another));
    let mut grown = Peaks::default();
    let proofs: Vec<Vec<Hash>> = entries.iter().map(|entry| grown.append(leaf(entry)).proof).collect();
    let rows: Vec<_> = entries.iter().cloned().zip(proofs.clone()).collect();
    db.write_now(move |tx| {
        for (position, (entry, proof)) in rows.iter().enumerate() {
            let (leaf, proof, nonce) = (leaf(entry), proof.concat(), &[7; 32][..]);
            let row = [
                (position as i64).into(),
                entry.as_slice().into(),
                (&leaf).into(),
                (&proof).into(),
                Some(nonce).into(),
            ];
            tx.execute(OLD, &row)?;
        }
        Ok(())
    })
    .expect("appended");
    db.close();
    let db = place.db();
    let more: Vec<Vec<u8>> = (600..900).map(another).collect();
    let appended = more.clone();
    db.write_now(move |tx| {
        for entry in &appended {
            log_entries::append(tx, New { edge_of: None, entry: entry.clone(), nonce: Some([7; 32]) })?;
        }
        Ok(())
    })
    .expect("appended");
    let proofs = proofs.into_iter().chain(more.iter().map(|entry| grown.append(leaf(entry)).proof));
    let proofs: Vec<Vec<Hash>> = proofs.collect();
    entries.extend(more);
    let (peaks, found, each) = db
        .read_now(|tx| {
            let found: Vec<_> = (0..900).map(|at| log_entries::at(tx, at)).collect::<Result<_, _>>()?;
            let skill = ("skill", "arrival-declaration");
            let found_by_name = [
                log_entries::latest(tx, skill)?,
                log_entries::edge(tx, "skill:arrival-declaration")?,
                log_entries::edge(tx, "path:\u{e9}tat-civil")?,
                log_entries::latest(tx, ("path", "\u{e9}tat-civil"))?,
            ];
            let indices = found_by_name.map(|it| it.map(|it| it.index));
            assert_eq!(indices, [Some(2), Some(0), Some(1), None]);
            let mut each = BTreeSet::new();
            log_entries::each_edge(tx, |_, entry| {
                assert!(each.insert(entry.to_vec()), "an edge is met once");
                Ok(())
            })?;
            Ok((log_entries::peaks(tx)?, found, each))
        })
        .expect("read");
    assert_eq!(peaks, grown);
    for ((entry, proof), found) in entries.iter().zip(proofs).zip(found) {
        let found = found.expect("an entry");
        assert_eq!((&found.entry, found.proof, found.nonce), (entry, proof, Some(vec![7; 32])));
    }
    assert_eq!(each, entries[..2].iter().cloned().collect());
    db.close();
}

/// What somebody removes or mixes up by hand is found in the log itself, and told where it was wrong.
pub fn standings_find_their_entries_again(engine: Engine) {
    let place = Place::new(engine);
    Server::start(&place, &Setup::fixtures()).stop();
    let read = || {
        let db = place.db();
        let read = db.read_now(|tx| {
            let skills = standings::of_type(tx, "skill")?;
            let mut named = Vec::new();
            for (id, _, _) in skills {
                named.push(log_entries::latest(tx, ("skill", &id))?.map(|it| (id, it.index)));
            }
            Ok((named, log_entries::peaks(tx)?.size()))
        });
        db.close();
        read.expect("read")
    };
    let (named, size) = read();
    assert!(!named.is_empty() && named.iter().all(Option::is_some), "{named:?}");
    for lost in
        ["DELETE FROM standings WHERE target_type = 'skill'", "UPDATE standings SET log_position = NULL"]
    {
        place.write(|tx| tx.execute(lost, &[]).map(drop));
        Server::start(&place, &Setup::fixtures()).stop();
        assert_eq!(read(), (named.clone(), size), "{lost}: the log said the same all along");
    }
    // What has no row any more and no standing is gone.
    let gone = "volatile_value:val-09999";
    let entry = format!(
        r#"{{"v":1,"artefact":"{gone}","what":"began","to":"alpha","rule":"began","day":"2026-11-16"}}"#
    );
    place.write(move |tx| {
        let new = New { edge_of: Some(gone.to_owned()), entry: entry.clone().into_bytes(), nonce: None };
        log_entries::append(tx, new).map(drop)
    });
    Server::start(&place, &Setup::fixtures()).stop();
    let told = place.db().read_now(move |tx| transparency::told(tx, gone)).expect("read").expect("an entry");
    assert_eq!((told.from, told.to, told.rule.as_str()), (Some(Status::Alpha), None, "corrected_log"));
    assert_eq!(read(), (named, size + 2), "that, and nothing else");
}
