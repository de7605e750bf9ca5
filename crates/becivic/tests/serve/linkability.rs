//! Whether a copy of the database says which submissions came from one session or one address.
//!
//! 1. Sixty people, each with an address and a session of their own, send verdicts and events on one day, several at the
//!    same time; concerns of theirs are committed as the commit step will, in shuffled order.
//! 2. Every table and column is asked from the database itself. A submission has a value in each column of the rows that
//!    are its own. Two questions to each column: are values equal more often within one session than between sessions, and
//!    do they lie nearer to each other in their order? (`linkability/suspicion.rs`)
//! 3. The order in which the rows were made, which is known here and kept nowhere, is asked too: the questions must find it.
//!
//! SQLite hands rows out by their random keys. PostgreSQL puts a new row behind the one before and notes its transaction:
//! until a table is written anew, which a server does by itself every hour, whoever can read its files or its system columns
//! sees in which order verdicts and events came, and so who was sending at the same time. No column of ours ever says so.

mod suspicion;

use crate::dice::Dice;
use crate::harness::{Engine, Place, Server, Setup, make};
use crate::leaks::{every_row, renew, tables};
use becivic_server::db::concerns::{self, Concern};
use becivic_server::db::{Db, Value, ledger};
use becivic_server::erasure;
use becivic_server::moment::{DAY, Moment};
use becivic_server::secrets::{Pepper, random};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use suspicion::suspicious;

const PEOPLE: usize = 60;

/// How many sessions go on at the same time.
const AT_ONCE: usize = 6;

/// A submission that took effect, and whose it was.
struct Submission {
    person: usize,
    /// The value that stands in some column of each of its rows, and only there.
    keys: Vec<Value>,
}

/// The verdicts a person sends: three of these, each on something else, so that no cohort joins them.
const TARGETS: &[(&str, &str)] = &[
    ("skill", "arrival-declaration"),
    ("skill", "legalise-foreign-document"),
    ("skill", "renew-residence-card"),
    ("volatile_value", "val-00001"),
    ("volatile_value", "val-00002"),
    ("reference", "ref-00001"),
    ("reference", "ref-00002"),
    ("path", "household-certificate"),
];

fn keys(db: &Db, sql: &'static str) -> BTreeSet<Vec<u8>> {
    let rows = db.write_now(move |tx| tx.query(sql, &[])).expect("rows");
    rows.iter().map(|row| row.bytes(0).expect("a key")).collect()
}

/// Sends everything; gives back what was stored for whom, in the order it was sent.
fn a_day(place: &Place, server: &Server, dice: &mut Dice) -> Vec<Submission> {
    let db = place.db();
    let pepper = Pepper::load(&place.folder().join("pepper.key")).expect("the pepper");
    let sessions: Vec<String> = (0..PEOPLE).map(|_| make::id("ses_")).collect();
    let mut coming: Vec<(usize, Vec<usize>)> = (0..PEOPLE)
        .map(|person| {
            let mut targets: Vec<usize> = (0..TARGETS.len()).collect();
            dice.shuffle(&mut targets);
            (person, targets)
        })
        .collect();
    let mut left = vec![5_usize; PEOPLE];
    let (mut sent, mut votes, mut events) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    while !coming.is_empty() {
        let at = dice.below(coming.len().min(AT_ONCE));
        let (person, targets) = &coming[at];
        let (person, address) = (*person, format!("198.51.100.{person}"));
        left[person] -= 1;
        let (path, value) = if left[person] >= 2 {
            let (target_type, target_id) = TARGETS[targets[left[person]]];
            let verdict = if dice.below(3) == 0 { "reject" } else { "confirm" };
            let mut value = make::validation(target_type, target_id, verdict);
            value["session_id"] = json!(sessions[person]);
            ("/api/validations", value)
        } else {
            ("/api/analytics", make::analytics())
        };
        let reply = server.post_from(&address, path, &value);
        assert_eq!(reply.status, 201, "{reply:?}");
        // What is new in the tables is this submission's.
        let id = value.get("validation_id").or(value.get("analytics_event_id")).and_then(|id| id.as_str());
        let mut own = vec![Value::Bytes(pepper.id(id.expect("an id")).to_vec())];
        for (known, sql) in [
            (&mut votes, "SELECT vote_key FROM validations"),
            (&mut events, "SELECT event_key FROM analytics_events"),
        ] {
            let now = keys(&db, sql);
            own.extend(now.difference(known).map(|key| Value::Bytes(key.clone())));
            *known = now;
        }
        assert_eq!(own.len(), 2);
        sent.push(Submission { person, keys: own });
        if left[person] == 0 {
            coming.remove(at);
        }
    }
    sent.extend(commit_concerns(&db, &pepper, dice));
    db.close();
    sent
}

/// Two concerns of each person, committed in one run as the commit step will: shuffled, with the day and nothing finer.
fn commit_concerns(db: &Db, pepper: &Pepper, dice: &mut Dice) -> Vec<Submission> {
    let today = Moment::read(&make::time(0)).expect("a time").day();
    let mut order: Vec<usize> = (0..2 * PEOPLE).map(|number| number / 2).collect();
    dice.shuffle(&mut order);
    let committed = order.into_iter().map(|person| {
        let digest = pepper.id(&make::id("con_"));
        let (payload, hash) = (random().expect("bytes"), random().expect("bytes"));
        let uid = db.write_now(move |tx| {
            let concern = Concern {
                target_type: "skill".to_owned(),
                target_id: "arrival-declaration".to_owned(),
                body: "The counter asked for two photographs, not one.".to_owned(),
                evidence_month: "2026-10".to_owned(),
                day: today.0,
                ..Concern::default()
            };
            let uid = concerns::insert(tx, &concern)?;
            let entry = ledger::Entry {
                kind: "concern".to_owned(),
                state: "committed".to_owned(),
                day: today.0,
                payload_digest: Some(payload.to_vec()),
                submitter_hash: Some(hash.to_vec()),
                uid: Some(uid.clone()),
                forget_at: Some(today.0 + ledger::REMEMBERED),
                ..ledger::Entry::default()
            };
            ledger::insert(tx, &digest, &entry)?;
            Ok(uid)
        });
        Submission { person, keys: vec![Value::Bytes(digest.to_vec()), Value::Text(uid.expect("a uid"))] }
    });
    committed.collect()
}

/// The columns of a copy of the database that join submissions of one session.
fn joining(place: &Place, sent: &[Submission], dice: &mut Dice) -> BTreeSet<String> {
    let db = place.db();
    let mut joining = BTreeSet::new();
    let mut asked = 0;
    for (table, columns) in tables(place) {
        let rows = every_row(&db, &table, &columns);
        // A row is a submission's when one of its keys stands in it; in the order in which the database hands rows out.
        let owner = |row: &Vec<Value>| sent.iter().find(|it| it.keys.iter().any(|key| row.contains(key)));
        let owned: Vec<(usize, &Vec<Value>)> =
            rows.iter().filter_map(|row| owner(row).map(|it| (it.person, row))).collect();
        for (at, column) in columns.iter().enumerate() {
            let values: Vec<(usize, Value)> =
                owned.iter().map(|(person, row)| (*person, row[at].clone())).collect();
            asked += usize::from(!values.is_empty());
            if suspicious(&values, dice) {
                joining.insert(format!("{table}.{column}"));
            }
        }
        let placed = owned.iter().enumerate();
        let placed: Vec<(usize, Value)> =
            placed.map(|(at, (person, _))| (*person, Value::Int(at as i64))).collect();
        if place.cluster().is_none() && suspicious(&placed, dice) {
            joining.insert(format!("{table} in the order of its rows"));
        }
    }
    assert!(asked > 40, "{asked} columns hold something of a submission");
    db.close();
    joining
}

/// Joins that PostgreSQL's own bookkeeping allows: where a row lies, and in which transaction it was written.
fn physical(place: &Place, sent: &[Submission], dice: &mut Dice) -> BTreeSet<String> {
    let Some(cluster) = place.cluster() else { return BTreeSet::new() };
    let mut client = postgres::Client::connect(&cluster.url(), postgres::NoTls).expect("PostgreSQL");
    let mut joining = BTreeSet::new();
    for (table, key) in [("validations", "vote_key"), ("analytics_events", "event_key"), ("ledger", "digest")]
    {
        let sql = format!("SELECT {key}, CAST(CAST(xmin AS TEXT) AS BIGINT) FROM {table} ORDER BY ctid");
        let rows = client.query(&sql, &[]).expect("rows");
        let (mut places, mut transactions) = (Vec::new(), Vec::new());
        for (at, row) in rows.iter().enumerate() {
            let key = Value::Bytes(row.get(0));
            let Some(owner) = sent.iter().find(|it| it.keys.contains(&key)) else { continue };
            places.push((owner.person, Value::Int(at as i64)));
            transactions.push((owner.person, Value::Int(row.get(1))));
        }
        for (what, values) in [("ctid", places), ("xmin", transactions)] {
            if suspicious(&values, dice) {
                joining.insert(format!("{table}.{what}"));
            }
        }
    }
    joining
}

/// A hash of a voter is the same only within one cohort.
fn voters_are_known_within_a_cohort_only(place: &Place) {
    let db = place.db();
    let sql = "SELECT voter_hash, target_type || ' ' || target_id || ' ' || cohort FROM validations";
    let rows = db.write_now(move |tx| tx.query(sql, &[])).expect("rows");
    let mut cohorts: BTreeMap<Vec<u8>, BTreeSet<String>> = BTreeMap::new();
    for row in &rows {
        cohorts.entry(row.bytes(0).expect("a hash")).or_default().insert(row.text(1).expect("a cohort"));
    }
    assert_eq!(rows.len(), 3 * PEOPLE);
    assert!(cohorts.values().all(|of| of.len() == 1));
    db.close();
}

fn nobody_is_joined(engine: Engine) {
    let mut dice = Dice::seeded();
    let place = Place::new(engine);
    // Nothing is rolled back meanwhile: everybody's verdict on everything must be taken.
    let setup = Setup::fixtures().unlimited().with("CONSENSUS__ROLLBACK_MARGIN", "1000000");
    let server = Server::start(&place, &setup);
    let sent = a_day(&place, &server, &mut dice);
    assert!(server.stop().success());

    let made = sent.iter().take(5 * PEOPLE).enumerate();
    let made: Vec<(usize, Value)> = made.map(|(at, it)| (it.person, Value::Int(at as i64))).collect();
    assert!(suspicious(&made, &mut dice), "the questions find a session by the order in which it sent");

    voters_are_known_within_a_cohort_only(&place);
    // DECISIONS §7: a verdict carries its session for thirty days.
    let allowed = BTreeSet::from(["validations.session_id".to_owned()]);
    assert_eq!(joining(&place, &sent, &mut dice), allowed);
    println!("by PostgreSQL's own bookkeeping, on the day: {:?}", physical(&place, &sent, &mut dice));

    let db = place.db();
    let later = Moment::read(&make::time(0)).expect("a time").plus(31 * DAY);
    db.write_now(move |tx| erasure::forget(tx, later)).expect("it is forgotten");
    db.close();
    assert_eq!(joining(&place, &sent, &mut dice), BTreeSet::new());
    println!("by PostgreSQL's own bookkeeping: {:?}", physical(&place, &sent, &mut dice));
    renew(&place);
    assert_eq!(physical(&place, &sent, &mut dice), BTreeSet::new());
}

#[test]
fn nobody_is_joined_on_sqlite() {
    nobody_is_joined(Engine::Sqlite);
}

#[test]
fn nobody_is_joined_on_postgres() {
    nobody_is_joined(Engine::Postgres);
}
