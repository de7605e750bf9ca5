//! The store itself, on both engines: every column is classified, every statement has its index, uids have no gaps,
//! migrations keep what was there.

mod columns;
mod log;

use crate::harness::{Engine, Place};
use becivic_core::consensus::{Ballot, Kind, Policy, Tally, Verdict};
use becivic_server::consensus::land::{self, Landing};
use becivic_server::db::catalogue::{self, Prefix};
use becivic_server::db::concerns::{self, Concern};
use becivic_server::db::votes::{self, Vote};
use becivic_server::db::{Db, DbError, STATEMENTS, contributors, jobs, standings, uids};
use becivic_server::moment::Moment;
use columns::COLUMNS;
use std::collections::BTreeSet;

/// The columns of the database, as `table.column`, asked from the database itself.
pub fn columns_of(place: &Place) -> BTreeSet<String> {
    place.db().close();
    match place.cluster() {
        Some(cluster) => {
            let mut client =
                postgres::Client::connect(&cluster.url(), postgres::NoTls).expect("a connection");
            let sql = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'";
            let rows = client.query(sql, &[]).expect("columns");
            let named =
                rows.iter().map(|row| format!("{}.{}", row.get::<_, String>(0), row.get::<_, String>(1)));
            named.filter(|name| !name.starts_with("schema_versions.")).collect()
        }
        None => {
            let mut found = BTreeSet::new();
            for file in ["becivic.db", "becivic-fleeting.db"] {
                let db = rusqlite::Connection::open(place.folder().join(file)).expect("the file opens");
                let sql = "SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'";
                let mut statement = db.prepare(sql).expect("a statement");
                let rows = statement.query_map([], |row| row.get::<_, String>(0)).expect("columns");
                found.extend(rows.map(|row| row.expect("a name")));
            }
            found
        }
    }
}

fn every_column_is_public_private_or_secret(place: &Place) {
    let classified: BTreeSet<String> = COLUMNS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(classified.len(), COLUMNS.len(), "a column is classified twice");
    let there = columns_of(place);
    let unclassified: Vec<&String> = there.difference(&classified).collect();
    let gone: Vec<&String> = classified.difference(&there).collect();
    assert!(
        unclassified.is_empty(),
        "say of these whether they are public, private or secret: {unclassified:?}"
    );
    assert!(gone.is_empty(), "these are no more: {gone:?}");
}

fn every_statement_has_its_index(place: &Place) {
    let db = place.db();
    for (name, sql) in STATEMENTS {
        let plan = db.write_now(move |tx| tx.explain(sql)).unwrap_or_else(|error| panic!("{name}: {error}"));
        // What one part of a statement has found already may be gone over by the next.
        let found: Vec<&str> =
            plan.lines().filter_map(|line| line.trim().strip_prefix("CO-ROUTINE ")).collect();
        let is_scan = |line: &&str| match line.trim().strip_prefix("SCAN ") {
            Some(what) => !found.contains(&what),
            None => line.contains("Seq Scan"),
        };
        let scans: Vec<&str> = plan.lines().filter(is_scan).collect();
        assert!(scans.is_empty(), "{name} reads a whole table:\n{plan}");
        let sorts = plan.contains("TEMP B-TREE FOR ORDER BY");
        assert!(!sorts, "{name} sorts what an index would give in order:\n{plan}");
    }
    db.close();
}

fn uids_have_no_gaps(place: &Place) {
    let db = place.db();
    let numbers: BTreeSet<i64> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..8)
            .map(|worker: i64| {
                let db = db.clone();
                scope.spawn(move || {
                    let mut taken = Vec::new();
                    for turn in 0..25_i64 {
                        // Every third transaction fails after it took a number; the number goes to somebody else.
                        let fails = (worker + turn) % 3 == 0;
                        let number = db.write_now(move |tx| {
                            let number = uids::next(tx, "tst")?;
                            if fails { Err(DbError::Taken) } else { Ok(number) }
                        });
                        taken.extend(number.ok());
                    }
                    taken
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("it ran")).collect()
    });
    let expected: BTreeSet<i64> = (1..=numbers.len() as i64).collect();
    assert_eq!(numbers, expected);
    assert!(numbers.len() > 100);
    db.close();
}

/// Many targets are one question: each gives its newest, up to the limit, before a number.
fn what_is_said_of_many_targets_is_found_at_once(place: &Place) {
    let db = place.db();
    let ids: Vec<String> = (0..20).map(|number| format!("skill-{number:02}")).collect();
    let (all, before) = (ids.clone(), 3 * ids.len() as i64);
    let found = db.write_now(move |tx| {
        for turn in 0..3 {
            for id in &all {
                let (target_type, target_id) = ("skill".to_owned(), id.clone());
                let body = format!("{id} {turn}");
                concerns::insert(tx, &Concern { target_type, target_id, body, ..Concern::default() })?;
            }
        }
        let targets: Vec<(&str, &str)> = all.iter().map(|id| ("skill", id.as_str())).collect();
        let newest = concerns::of_targets(tx, &targets, i64::MAX, Moment(0), 2)?;
        let older = concerns::of_targets(tx, targets.get(18..).unwrap_or_default(), before, Moment(0), 1)?;
        let nobody = concerns::of_targets(tx, &[("path", "skill-00")], i64::MAX, Moment(0), 9)?;
        Ok((newest, older, nobody))
    });
    let said = |found: Vec<Concern>| found.into_iter().map(|it| it.body).collect::<BTreeSet<String>>();
    let (newest, older, nobody) = found.expect("asked");
    let expected = ids.iter().flat_map(|id| [format!("{id} 1"), format!("{id} 2")]).collect();
    assert_eq!(said(newest), expected);
    assert_eq!(said(older), ["skill-18 2".to_owned(), "skill-19 1".to_owned()].into());
    assert_eq!(nobody, Vec::new());
    db.close();
}

/// A correction closes the row before, keeps its counts, and forgets who voted on it.
fn a_superseded_row_keeps_counts_and_forgets_people(place: &Place) {
    let db = place.db();
    let vote = |key: u8, verdict: Verdict| Vote {
        vote_key: [key; 32],
        target_type: "volatile_value",
        target_id: "val-00001".to_owned(),
        artefact: "volatile_value:val-00001".to_owned(),
        cohort: "val-00001.000001".to_owned(),
        cohort_anchor: None,
        ballot: Ballot { verdict, flag: false, probe: false, handoff: false },
        weight: 1,
        rationale: None,
        injection_reason: None,
        traversal: None,
        session_id: None,
        day: Moment(0),
    };
    // The first voter's second thought counts instead of the first.
    let votes = [
        (vote(1, Verdict::Confirm), [1; 32]),
        (vote(2, Verdict::Reject), [2; 32]),
        (vote(3, Verdict::Reject), [1; 32]),
    ];
    let counts = db.write_now(move |tx| {
        catalogue::mint(tx, Prefix::Value, "a-fee-eur", "{\"value\": 5}", Moment(0))?;
        for (vote, voter) in &votes {
            let place = land::place(tx, vote, &vote.cohort)?;
            let landing = Landing {
                vote,
                kind: Some(Kind::Value),
                fresh_salt: &[7; 32],
                policy: &Policy::default(),
                now: Moment(0),
            };
            land::land(tx, &landing, place, |salt| {
                assert_eq!(salt, [7; 32]);
                *voter
            })?;
        }
        contributors::insert(tx, &[9; 32], ("volatile_value", "val-00001"), (&[4; 32], &[5; 32]), None)?;
        let counts = standings::find(tx, "volatile_value", "val-00001")?.map(|it| it.tally);
        assert!(catalogue::supersede(tx, Prefix::Value, "val-00001", "alpha", "{\"value\": 6}", Moment(1))?);
        Ok(counts)
    });
    let counted = Tally {
        voters: 2,
        rejects: 2,
        rejecters: 2,
        confirm_records: 1,
        confirm_days: 1,
        confirm_day: Some(0),
        reject_records: 2,
        ..Tally::default()
    };
    assert_eq!(counts, Ok(Some(counted)));
    let left = db.write_now(|tx| {
        let hashes = tx.query("SELECT vote_key FROM validations WHERE voter_hash IS NOT NULL", &[])?;
        let salts = tx.query("SELECT target_id FROM vote_salts", &[])?;
        let frozen = tx.first("SELECT frozen FROM catalogue_rows WHERE row_key = 'val-00001.000001'", &[])?;
        let history = catalogue::history(tx, "val-00001")?;
        let pairs = contributors::of(tx, "volatile_value", "val-00001")?;
        Ok((
            hashes.len(),
            salts.len(),
            pairs.len(),
            history.len(),
            frozen.map(|row| row.text(0)).transpose()?,
        ))
    });
    let (hashes, salts, pairs, history, frozen) = left.expect("read");
    assert_eq!((hashes, salts, pairs, history), (0, 0, 0, 2));
    let frozen: serde_json::Value = serde_json::from_str(&frozen.expect("frozen")).expect("JSON");
    assert_eq!((&frozen["voters"], &frozen["rejects"]), (&2.into(), &2.into()));
    db.close();
}

/// A clock that was wrong and is put right does not keep jobs from running.
fn a_job_that_ended_in_the_future_is_due(place: &Place) {
    let db = place.db();
    let due = db.write_now(|tx| {
        let (now, later) = (Moment(1_000_000_000), Moment(2_000_000_000));
        assert!(jobs::take(tx, "test", "me", later, later)?);
        jobs::give_back(tx, "test", "me", later, "well")?;
        let every = 300_000;
        Ok((
            jobs::is_due(tx, "test", every, now)?,
            jobs::ended_ahead(tx, "test", now)?,
            jobs::is_due(tx, "test", every, later)?,
            jobs::ended_ahead(tx, "test", later)?,
            jobs::is_due(tx, "test", every, Moment(later.0 + every))?,
        ))
    });
    assert_eq!(due, Ok((true, true, false, false, true)));
    db.close();
}

fn work_that_panics_ends_alone(place: &Place) {
    let db = place.db();
    let ended: Result<(), DbError> = db.write_now(|tx| {
        uids::next(tx, "pan")?;
        panic!("a defect");
    });
    assert!(matches!(ended, Err(DbError::Defect(_))));
    let next = db.write_now(|tx| uids::next(tx, "pan"));
    assert_eq!(next, Ok(1), "what the failed work did is undone, and others go on");
    db.close();
}

/// One row of every table that must survive, as version 1 had it.
const SAMPLE_1: &str = include_str!("store/sample_1.sql");

/// Standings and verdicts that the fifth migration counts the days of.
const SAMPLE_4: &str = include_str!("store/sample_4.sql");

/// What happened before the sixth migration made a log.
const SAMPLE_5: &str = include_str!("store/sample_5.sql");

/// Rows that the third migration makes something of.
const SAMPLE_2: &str = include_str!("store/sample_2.sql");

fn counts(db: &Db) -> Vec<(&'static str, i64)> {
    let tables: BTreeSet<&'static str> =
        SAMPLE_1.lines().filter_map(|line| line.strip_prefix("INSERT INTO ")?.split(' ').next()).collect();
    tables
        .into_iter()
        .map(|table| {
            let sql: &'static str =
                Box::leak(format!("SELECT CAST(COUNT(*) AS BIGINT) FROM {table}").into_boxed_str());
            let count = db.write_now(move |tx| tx.first(sql, &[])?.ok_or(DbError::Taken)?.int(0));
            (table, count.expect("a count"))
        })
        .collect()
}

/// A database as an earlier version left it.
fn filled(engine: Engine, version: (usize, usize), sample: &str) -> (Place, Db) {
    let place = Place::new(engine);
    let db = Db::open_as(&place.url(), 2, version).expect("it opens as it was then");
    for line in sample.lines().filter(|line| line.starts_with("INSERT")) {
        let bytes = if place.cluster().is_some() { "AS BYTEA)" } else { "AS BLOB)" };
        let line: &'static str = Box::leak(line.replace("AS BYTES)", bytes).into_boxed_str());
        db.write_now(move |tx| tx.execute(line, &[])).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    (place, db)
}

/// Every later migration runs over the rows of version 1, and keeps them.
fn what_was_there_is_kept(engine: Engine) {
    let (place, db) = filled(engine, (1, 1), SAMPLE_1);
    let before = counts(&db);
    db.close();
    let again = place.db();
    assert_eq!(counts(&again), before);
    assert!(before.iter().all(|(_, count)| *count > 0), "{before:?}");
    again.close();
}

/// The days of people's confirms in the open cohort are counted, and as a recount would count them.
fn standings_get_their_days(engine: Engine) {
    let (place, db) = filled(engine, (4, 2), SAMPLE_4);
    db.close();
    let db = place.db();
    let expected = [("arrival-declaration", 2, Some(172_800_000)), ("quiet", 0, None)];
    for (id, days, last) in expected {
        let found = db.write_now(move |tx| {
            let standing = standings::find(tx, "skill", id)?.ok_or(DbError::Taken)?;
            let counted = votes::recount(tx, &standing.artefact(), &standing.cohort)?;
            Ok((standing.tally, counted))
        });
        let (kept, counted) = found.expect("read");
        assert_eq!((kept.confirm_days, kept.confirm_day), (days, last), "{id}");
        assert_eq!((counted.confirm_days, counted.confirm_day), (days, last), "{id}");
    }
    db.close();
}

/// Verdicts that were counted by looking at them are counted by their marks, and rows have a standing.
fn verdicts_get_their_marks(engine: Engine) {
    let (place, db) = filled(engine, (2, 1), SAMPLE_2);
    db.close();
    let db = place.db();
    let (skill, path, standing) = db
        .write_now(|tx| {
            let skill = votes::recount(tx, "skill:arrival-declaration", "0.1#1")?;
            let path = votes::recount(tx, "path:household-certificate", "0.1#1")?;
            Ok((skill, path, standings::find(tx, "volatile_value", "val-00007")?))
        })
        .expect("read");
    let expected = Tally {
        rejects: 2,
        voters: 2,
        rejecters: 2,
        flaggers: 1,
        confirm_records: 1,
        confirm_days: 1,
        confirm_day: Some(0),
        reject_records: 2,
        ..Tally::default()
    };
    assert_eq!(skill, expected);
    let one = Tally { confirms: 1, voters: 1, confirm_records: 1, ..Tally::default() };
    assert_eq!(path, Tally { confirm_days: 1, confirm_day: Some(0), ..one });
    let standing = standing.expect("the current row has one");
    assert_eq!((standing.cohort.as_str(), standing.status.as_str()), ("val-00007.000002", "alpha"));
    assert_eq!(standing.started_at, Moment(3 * 86_400_000 - 1), "a day counts from its end");
    db.close();
}

fn run(engine: Engine) {
    let cases: &[fn(&Place)] = &[
        every_column_is_public_private_or_secret,
        every_statement_has_its_index,
        uids_have_no_gaps,
        log::the_log_has_no_gaps,
        what_is_said_of_many_targets_is_found_at_once,
        a_superseded_row_keeps_counts_and_forgets_people,
        a_job_that_ended_in_the_future_is_due,
        work_that_panics_ends_alone,
    ];
    let place = Place::new(engine);
    cases.iter().for_each(|case| case(&place));
    what_was_there_is_kept(engine);
    verdicts_get_their_marks(engine);
    standings_get_their_days(engine);
    log::a_log_begins_beside_what_happened_before(engine);
    log::a_log_moves_as_it_is(engine);
    log::standings_find_their_entries_again(engine);
}

#[test]
fn the_store_on_sqlite() {
    run(Engine::Sqlite);
}

#[test]
fn the_store_on_postgres() {
    run(Engine::Postgres);
}

#[test]
fn a_database_of_a_newer_program_is_refused() {
    let place = Place::new(Engine::Sqlite);
    place.db().close();
    let file = rusqlite::Connection::open(place.folder().join("becivic.db")).expect("the file opens");
    file.execute_batch("PRAGMA user_version = 999").expect("set");
    drop(file);
    let refused = Db::open(&place.url(), 1).err().expect("refused").to_string();
    assert!(refused.contains("newer becivic"), "{refused}");
}

#[test]
fn lost_salts_and_counters_are_begun_anew() {
    let place = Place::new(Engine::Sqlite);
    let db = place.db();
    db.write_now(|tx| uids::next(tx, "tst")).expect("a number");
    db.close();
    std::fs::remove_file(place.folder().join("becivic-fleeting.db")).expect("it was there");
    let db = place.db();
    assert_eq!(db.write_now(|tx| uids::next(tx, "tst")), Ok(2));
    assert_eq!(db.write_now(|tx| becivic_server::db::salts::of_submission(tx, "x")), Ok(None));
    db.close();
}
