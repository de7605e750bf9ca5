//! Text and addresses go where they belong and nowhere else.
//!
//! 1. Unmistakable marks are sent through every door, in every field, header, query and path; from unmistakable
//!    addresses; accepted, refused, rehearsed, taken back and discarded (`leaks/speak.rs`; `leaks/agents.rs` for MCP).
//! 2. Logs, metrics, answers and every file of the database are searched for them (`leaks/scan.rs`). What was accepted is
//!    found in its column; everything else is found nowhere.
//! 3. What was taken back has left every file after a stop, and after a crash and a restart.

mod agents;
mod scan;
mod speak;

use crate::dice::Dice;
use crate::harness::{Cluster, Engine, Place, Server, Setup, make};
use becivic_server::db::Value;
use becivic_server::erasure;
use becivic_server::moment::{DAY, Moment};
use scan::{Found, found_in_files, found_in_text, holding_columns};
pub use scan::{every_row, files_with, tables};
use speak::{Marks, speak};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Where accepted text may stand. Everything a staged item says waits in its payload.
const ITS_COLUMN: &[&str] = &[
    "staged.payload",
    "held.payload",
    "validations.rationale",
    "validations.injection_reason",
    "validations.traversal",
    "analytics_events.content",
    "catalogue_entries.name",
    "catalogue_rows.content",
];

fn start(place: &Place, format: &str) -> Server {
    Server::start(
        place,
        &Setup::fixtures()
            .unlimited()
            .with("SERVER__LOG", format)
            .with("SERVER__CONNECTIONS", "4")
            .with("CONSENSUS__QUARANTINE_FLAGS", "1000"),
    )
}

fn token(place: &Place) -> String {
    std::fs::read_to_string(place.data(0).join("operator.token")).expect("a token").trim().to_owned()
}

/// Speaks through every door, then looks at what the process says of itself and at every column.
fn spoken(place: &Place, server: &Server, marks: &mut Marks) {
    speak(server, &token(place), marks);
    assert!(
        marks.kept.len() >= 14 && marks.gone.len() >= 33 && marks.never.len() >= 1_000,
        "everything was sent"
    );
    for (what, text) in [("the log", server.log()), ("metrics", server.get("/metrics").text)] {
        let found = found_in_text(text.as_bytes());
        assert!(found.is_nothing(), "{what}: {found:?}");
        assert!(text.len() > 500, "{what} says something: {text}");
    }
    assert!(server.log().contains("answered"), "requests are logged");
    let columns = holding_columns(place);
    let unexpected: Vec<_> = columns.keys().filter(|column| !ITS_COLUMN.contains(&column.as_str())).collect();
    assert!(unexpected.is_empty(), "{unexpected:?}");
    let held: BTreeSet<String> = columns.into_values().flatten().collect();
    assert_eq!(held, marks.kept, "exactly what was accepted stands in the database");
}

/// Takes many back among many that stay, so that pages are split, merged and freed around them.
fn come_and_go(server: &Server, marks: &mut Marks) {
    let mut dice = Dice::seeded();
    let mut staged = Vec::new();
    for number in 0..160 {
        let stays = number % 3 == 0;
        let mark = if stays { marks.kept() } else { marks.gone() };
        let body = format!(
            "The counter asked for {mark} twice, {}",
            "and a longer story about the counter ".repeat(number % 9 + 1)
        );
        let concern = make::concern("arrival-declaration", body.trim());
        let reply = server.post_from("192.0.2.189", "/api/concerns", &concern);
        assert_eq!(reply.status, 201, "{reply:?}");
        if !stays {
            let path = format!("/api/concerns/{}", concern["concern_id"].as_str().expect("an id"));
            staged.push((path, reply.json()["cancel_token"].as_str().expect("a token").to_owned()));
        }
    }
    dice.shuffle(&mut staged);
    for (path, token) in staged {
        assert_eq!(server.delete(&path, &token).status, 200);
    }
}

/// What lies in files: marks that were kept, in the durable database only.
fn assert_clean(found: &Found, marks: &Marks, durable: &str) {
    assert!(found.addresses.is_empty(), "{:?}", found.addresses);
    for (file, held) in &found.marks {
        assert!(file.ends_with(durable), "{file} holds {held:?}");
        let more: Vec<_> = held.difference(&marks.kept).collect();
        assert!(
            more.is_empty(),
            "{file} holds {more:?} of {} that are gone and {} refused",
            marks.gone.len(),
            marks.never.len()
        );
    }
    let all: BTreeSet<String> = found.marks.values().flatten().cloned().collect();
    assert_eq!(all, marks.kept, "the search finds what is there");
}

fn on_sqlite(format: &str) {
    let place = Place::new(Engine::Sqlite);
    let mut marks = Marks::default();
    let server = start(&place, format);
    spoken(&place, &server, &mut marks);
    come_and_go(&server, &mut marks);
    assert!(server.stop().success());
    assert_clean(&found_in_files(&place), &marks, "becivic.db");

    // Killed right after the last cancellation was acknowledged.
    let server = start(&place, format);
    come_and_go(&server, &mut marks);
    server.kill();
    let crashed = found_in_files(&place);
    assert!(crashed.addresses.is_empty(), "{:?}", crashed.addresses);
    let server = start(&place, format);
    let deadline = Instant::now() + Duration::from_secs(30);
    let erased = || found_in_files(&place).marks.values().flatten().all(|mark| marks.kept.contains(mark));
    while !erased() {
        assert!(
            Instant::now() < deadline,
            "what was taken back still lies in a file: {:?}",
            found_in_files(&place).marks.keys()
        );
        std::thread::yield_now();
    }
    assert!(server.stop().success());
    assert_clean(&found_in_files(&place), &marks, "becivic.db");
}

#[test]
fn nothing_strays_on_sqlite_with_lines_for_people() {
    on_sqlite("human");
}

#[test]
fn nothing_strays_on_sqlite_with_json_lines() {
    on_sqlite("json");
}

/// PostgreSQL keeps deleted rows in its pages until they are overwritten, and in its log until the segments are gone. What
/// was never accepted is nowhere all the same, and what was taken back can be driven out: by `VACUUM FULL` from the
/// tables (which a server does by itself every hour; `VACUUM` alone only frees their place), and from the log by
/// `wal_recycle = off` and a checkpoint.
#[test]
fn nothing_strays_on_postgres() {
    let place = Place::new(Engine::Postgres);
    let cluster = place.cluster().expect("a cluster");
    let mut marks = Marks::default();
    let mut client = postgres::Client::connect(&cluster.url(), postgres::NoTls).expect("PostgreSQL");
    let no_recycling = "ALTER SYSTEM SET wal_recycle = off";
    client.batch_execute(no_recycling).expect("another setting");
    restart(cluster);
    let server = start(&place, "json");
    let mut client = postgres::Client::connect(&cluster.url(), postgres::NoTls).expect("PostgreSQL");
    // Long texts would be compressed, and not be found where they are.
    for table in ["staged", "held"] {
        let plain = format!("ALTER TABLE {table} ALTER COLUMN payload SET STORAGE EXTERNAL");
        client.batch_execute(&plain).expect("another storage");
    }
    spoken(&place, &server, &mut marks);
    come_and_go(&server, &mut marks);
    assert!(server.stop().success());
    let mut after = |steps: &[&str]| {
        steps.iter().for_each(|step| client.batch_execute(step).expect(step));
        let found = found_in_files(&place);
        assert!(found.addresses.is_empty(), "{:?}", found.addresses);
        let of_postgres = |file: &String| file.contains("/base/") || file.contains("/pg_wal/");
        assert!(found.marks.keys().all(of_postgres), "{:?}", found.marks.keys());
        let all: BTreeSet<String> = found.marks.values().flatten().cloned().collect();
        assert!(marks.never.is_disjoint(&all), "{:?}", marks.never.intersection(&all));
        assert!(marks.kept.is_subset(&all), "the search finds what is there");
        let holding = found.marks.iter().filter(|(_, held)| !held.is_disjoint(&marks.gone));
        holding.map(|(file, _)| file.clone()).collect::<Vec<String>>()
    };
    println!("after a checkpoint: {:?}", after(&["CHECKPOINT"]));
    println!("after VACUUM: {:?}", after(&["VACUUM", "CHECKPOINT"]));
    renew(&place);
    let rest = after(&["CHECKPOINT"]);
    assert!(rest.iter().all(|file| file.contains("/pg_wal/")), "{rest:?}");
    let rest = after(&["SELECT pg_switch_wal()", "CHECKPOINT", "SELECT pg_switch_wal()", "CHECKPOINT"]);
    assert!(rest.is_empty(), "{rest:?}");
}

/// Writes the tables anew, as a server does by itself every hour.
pub fn renew(place: &Place) {
    let db = place.db();
    db.renew().expect("tables written anew");
    db.close();
}

/// Stops and starts PostgreSQL: only then does it write out the pages of tables that are not in its log.
fn restart(cluster: &Cluster) {
    cluster.run("pg_ctl", &["--pgdata", "data", "--mode", "fast", "--wait", "--log", "log.txt", "restart"]);
}

/// Salts that were erased, of cancelled submissions and of days long past: without them no hash says anything.
fn erased_salts_leave_the_files(engine: Engine) {
    let place = Place::new(engine);
    let server = start(&place, "human");
    let mut cancelling = Vec::new();
    for number in 0..60 {
        let address = format!("198.51.100.{number}");
        let verdict = make::validation("skill", "arrival-declaration", "confirm");
        assert_eq!(server.post_from(&address, "/api/validations", &verdict).status, 201);
        let concern = make::concern("arrival-declaration", "The counter asked for two photographs, not one.");
        let staged = server.post_from(&address, "/api/concerns", &concern).json();
        let path = format!("/api/concerns/{}", concern["concern_id"].as_str().expect("an id"));
        cancelling.push((path, staged["cancel_token"].as_str().expect("a token").to_owned()));
    }
    let db = place.db();
    let salts: Vec<Vec<u8>> = ["day_salts", "ledger_salts", "submission_salts"]
        .into_iter()
        .flat_map(|table| every_row(&db, table, &["salt".to_owned()]))
        .flatten()
        .map(|salt| match salt {
            Value::Bytes(bytes) => bytes,
            other => panic!("{other:?} is no salt"),
        })
        .collect();
    assert_eq!(salts.len(), 1 + 60 + 60);
    for (path, token) in cancelling {
        assert_eq!(server.delete(&path, &token).status, 200);
    }
    assert!(server.stop().success());
    db.close();
    place.cluster().into_iter().for_each(restart);
    assert!(!files_with(&place, &salts).is_empty(), "the search finds those that are not erased");
    let db = place.db();
    let later = Moment::read(&make::time(0)).expect("a time").plus(31 * DAY);
    db.write_now(move |tx| erasure::forget(tx, later)).expect("it is forgotten");
    db.close();
    if let Some(cluster) = place.cluster() {
        let client = postgres::Client::connect(&cluster.url(), postgres::NoTls).expect("PostgreSQL");
        // The tables are UNLOGGED: no salt was ever in the log. Their pages keep dead rows until they are rewritten.
        let holding = files_with(&place, &salts);
        assert!(holding.iter().all(|file| file.contains("/base/")), "{holding:?}");
        renew(&place);
        drop(client);
        restart(cluster);
    }
    assert_eq!(files_with(&place, &salts), BTreeSet::new());
}

#[test]
fn erased_salts_leave_the_files_of_sqlite() {
    erased_salts_leave_the_files(Engine::Sqlite);
}

#[test]
fn erased_salts_leave_the_files_of_postgres() {
    erased_salts_leave_the_files(Engine::Postgres);
}
