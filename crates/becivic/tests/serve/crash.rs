//! The process is killed at a random moment of a write storm, again and again.
//!
//! 1. Writers post, wrap into envelopes and take back, each with its own address; whatever is answered is written down.
//! 2. After a random number of answers the process is killed, with requests of every writer on their way.
//! 3. It is started again on the same database. What was acknowledged is there; what was not is there whole or not at
//!    all, and sending it again settles it.
//! 4. At the end the database is read row by row: each submission once, its salt beside it, nothing left over.

use crate::dice::Dice;
use crate::harness::{Engine, Place, Server, Setup, make};
use becivic_server::db::{Db, Row, Tx};
use becivic_server::secrets::Pepper;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::mpsc;

const ROUNDS: usize = 200;
const WRITERS: usize = 4;

/// Kills come after this many answers at most.
const MOST_ANSWERS: usize = 12;

/// What is known of a submission.
#[derive(Clone, Debug)]
struct Sent {
    kind: &'static str,
    value: Value,
    address: String,
    fate: Fate,
}

#[derive(Clone, Debug, PartialEq)]
enum Fate {
    /// No answer came back.
    Unknown,
    /// Acknowledged; what waits has a token.
    Acknowledged { token: Option<String> },
    /// Its cancellation got no answer.
    PerhapsCancelled { token: String },
    /// Its cancellation was acknowledged.
    Cancelled,
}

/// Submissions by id.
type Book = BTreeMap<String, Sent>;

fn folder(kind: &str) -> &'static str {
    match kind {
        "concern" => "/api/concerns",
        "validation" => "/api/validations",
        "feedback" => "/api/feedback-channel",
        "rating" => "/api/ratings",
        "analytics" => "/api/analytics",
        other => panic!("no writer sends {other}"),
    }
}

fn id_of(kind: &str, value: &Value) -> String {
    let field = if kind == "analytics" { "analytics_event_id".to_owned() } else { format!("{kind}_id") };
    value[field].as_str().expect("an id").to_owned()
}

fn made(kind: &'static str, dice: &mut Dice) -> Value {
    match kind {
        "concern" => make::concern("arrival-declaration", "The counter asked for two photographs, not one."),
        "validation" => make::validation(
            "skill",
            "arrival-declaration",
            if dice.below(2) == 0 { "confirm" } else { "reject" },
        ),
        "feedback" => make::feedback("The list of documents is hard to find on a small screen."),
        "rating" => make::rating("renew-residence-card", 4),
        _ => make::analytics(),
    }
}

/// Posts one submission; `None` when no answer came.
fn post(server: &Server, sent: &Sent) -> Option<(u16, Value)> {
    let headers = [("content-type", "application/json"), ("x-forwarded-for", sent.address.as_str())];
    let body = sent.value.to_string();
    let reply = server.try_send("POST", folder(sent.kind), &headers, Some(body.as_bytes()))?;
    Some((reply.status, reply.json()))
}

fn acknowledged(answer: &Value) -> Fate {
    Fate::Acknowledged { token: answer["cancel_token"].as_str().map(str::to_owned) }
}

/// One writer: until the server is gone, it sends and takes back. Every answer is one message to the killer.
fn write(server: &Server, address: &str, mut dice: Dice, answered: &mpsc::Sender<()>) -> Book {
    let mut book = Book::new();
    loop {
        let went_on = match dice.below(8) {
            0 | 1 => one("concern", server, address, &mut dice, &mut book),
            2 | 3 => one("validation", server, address, &mut dice, &mut book),
            4 => one("analytics", server, address, &mut dice, &mut book),
            5 => one("feedback", server, address, &mut dice, &mut book),
            6 => envelope(server, address, &mut dice, &mut book),
            _ => cancel(server, &mut dice, &mut book),
        };
        if went_on.is_none() {
            return book;
        }
        // The killer stops listening once it has heard enough.
        let _heard = answered.send(());
    }
}

fn one(kind: &'static str, server: &Server, address: &str, dice: &mut Dice, book: &mut Book) -> Option<()> {
    let value = made(kind, dice);
    let mut sent = Sent { kind, value, address: address.to_owned(), fate: Fate::Unknown };
    let answer = post(server, &sent);
    if let Some((status, body)) = &answer {
        assert_eq!(*status, 201, "{body}");
        sent.fate = acknowledged(body);
    }
    book.insert(id_of(kind, &sent.value), sent);
    answer.map(drop)
}

fn envelope(server: &Server, address: &str, dice: &mut Dice, book: &mut Book) -> Option<()> {
    let kinds = ["concern", "validation", "rating"];
    let values: Vec<Value> = kinds.iter().map(|kind| made(kind, dice)).collect();
    let items = kinds.iter().zip(&values).map(|(kind, value)| make::item(kind, value.clone())).collect();
    let headers = [("content-type", "application/json"), ("x-forwarded-for", address)];
    let body = make::envelope("stage", items).to_string();
    let reply = server.try_send("POST", "/api/feedback", &headers, Some(body.as_bytes()));
    let results = reply.as_ref().map(|reply| reply.json()["results"].clone());
    for (at, (kind, value)) in kinds.into_iter().zip(values).enumerate() {
        let fate = results.as_ref().map_or(Fate::Unknown, |results| {
            assert_eq!(results[at]["ok"], true, "{results}");
            acknowledged(&results[at])
        });
        book.insert(id_of(kind, &value), Sent { kind, value, address: address.to_owned(), fate });
    }
    reply.map(drop)
}

/// Takes back something of this round that waits.
fn cancel(server: &Server, dice: &mut Dice, book: &mut Book) -> Option<()> {
    let waiting: Vec<(String, String)> = book
        .iter()
        .filter_map(|(id, sent)| match &sent.fate {
            Fate::Acknowledged { token: Some(token) } => Some((id.clone(), token.clone())),
            _ => None,
        })
        .collect();
    if waiting.is_empty() {
        return Some(());
    }
    let (id, token) = waiting[dice.below(waiting.len())].clone();
    let sent = book.get_mut(&id).expect("it was sent");
    let reply = take_back(server, sent.kind, &id, &token);
    sent.fate = match &reply {
        Some(status) => {
            assert_eq!(*status, 200, "cancelling {id}");
            Fate::Cancelled
        }
        None => Fate::PerhapsCancelled { token },
    };
    reply.map(drop)
}

fn take_back(server: &Server, kind: &str, id: &str, token: &str) -> Option<u16> {
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", bearer.as_str())];
    let reply = server.try_send("DELETE", &format!("{}/{id}", folder(kind)), &headers, None)?;
    Some(reply.status)
}

/// One storm, ended by a kill.
fn storm(server: Server, round: usize, dice: &mut Dice) -> Book {
    let (answered, answers) = mpsc::channel();
    let enough = dice.below(MOST_ANSWERS + 1);
    let moment = dice.below(200_000);
    let seeds: Vec<u64> = (0..WRITERS).map(|_| dice.next()).collect();
    let book = std::thread::scope(|scope| {
        let writers: Vec<_> = seeds
            .into_iter()
            .enumerate()
            .map(|(writer, seed)| {
                let (server, answered) = (&server, answered.clone());
                let address = format!("198.51.{}.{writer}", round % 250);
                scope.spawn(move || write(server, &address, Dice::new(seed), &answered))
            })
            .collect();
        drop(answered);
        for _ in 0..enough {
            answers.recv().expect("a writer that still writes");
        }
        // Not right after an answer: anywhere in the work on the next ones.
        for _ in 0..moment {
            std::hint::spin_loop();
        }
        let killed = Command::new("kill").args(["-KILL", &server.pid().to_string()]).status();
        assert!(killed.expect("kill runs").success());
        writers.into_iter().flat_map(|writer| writer.join().expect("a writer")).collect()
    });
    server.kill();
    book
}

/// Compares what a restarted server says with what was answered before, and settles what was not.
fn settle(server: &Server, book: &mut Book) {
    for (id, sent) in book.iter_mut() {
        let there = (sent.kind != "analytics").then(|| {
            let reply = server.get(&format!("{}/{id}", folder(sent.kind)));
            (reply.status, reply.json()["state"].as_str().unwrap_or_default().to_owned())
        });
        let state = if sent.kind == "validation" { "committed" } else { "staged" };
        let found = there.as_ref().map(|there| *there == (200, state.to_owned()));
        let absent = there.as_ref().map(|(status, _)| *status == 404);
        let whole = format!("{id} {:?} {there:?}", sent.fate);
        match sent.fate.clone() {
            Fate::Acknowledged { .. } => {
                assert_ne!(found, Some(false), "{whole}");
                if sent.kind == "analytics" {
                    assert_eq!(post(server, sent).expect("an answer").0, 200, "{whole}");
                }
            }
            Fate::Cancelled => assert_eq!(absent, Some(true), "{whole}"),
            Fate::Unknown => {
                assert!(found.is_none() || found == Some(true) || absent == Some(true), "{whole}");
                let (status, body) = post(server, sent).expect("an answer");
                // PostgreSQL may still be reading the commit of a process that is gone: absent a moment ago is no promise.
                match found {
                    Some(true) => assert_eq!(status, 200, "{whole} {body}"),
                    Some(false) | None => assert!(matches!(status, 200 | 201), "{whole} {body}"),
                }
                sent.fate = acknowledged(&body);
            }
            Fate::PerhapsCancelled { token } => {
                assert!(found == Some(true) || absent == Some(true), "{whole}");
                let again = take_back(server, sent.kind, id, &token).expect("an answer");
                assert_eq!(again, if absent == Some(true) { 401 } else { 200 }, "{whole}");
                sent.fate = Fate::Cancelled;
            }
        }
    }
}

fn rows(db: &Db, sql: &'static str) -> Vec<Row> {
    db.write_now(move |tx: &mut dyn Tx| tx.query(sql, &[])).expect("rows")
}

fn count(db: &Db, sql: &'static str) -> i64 {
    rows(db, sql)[0].int(0).expect("a number")
}

/// Reads every row: each submission is where it belongs, once and whole, and nothing else is there.
fn audit(place: &Place, book: &Book, lost: i64) {
    let db = place.db();
    let pepper = Pepper::load(&place.folder().join("pepper.key")).expect("the pepper");
    let mut staged: BTreeMap<String, (String, String)> = BTreeMap::new();
    for row in rows(&db, "SELECT id, kind, payload FROM staged") {
        let [id, kind, payload] = [0, 1, 2].map(|at| row.text(at).expect("a text"));
        assert!(staged.insert(id, (kind, payload)).is_none());
    }
    let salts = rows(&db, "SELECT id FROM submission_salts");
    let salts: BTreeSet<String> = salts.iter().map(|row| row.text(0).expect("an id")).collect();
    let mut ledger: BTreeMap<Vec<u8>, (String, Option<String>)> = BTreeMap::new();
    for row in rows(&db, "SELECT digest, state, uid FROM ledger") {
        let entry = (row.text(1).expect("a state"), row.maybe_text(2).expect("a uid"));
        ledger.insert(row.bytes(0).expect("a digest"), entry);
    }
    let votes = rows(&db, "SELECT vote_key FROM validations");
    let votes: BTreeSet<String> = votes
        .iter()
        .map(|row| row.bytes(0).expect("a key").iter().map(|byte| format!("{byte:02x}")).collect())
        .collect();
    let (mut waiting, mut verdicts, mut events, mut cancelled) = (0, 0, 0, 0);
    for (id, sent) in book {
        let entry = ledger.get(pepper.id(id).as_slice());
        let state = entry.map(|(state, _)| state.as_str());
        match (&sent.fate, sent.kind) {
            (Fate::Cancelled, _) => {
                cancelled += 1;
                assert_eq!(
                    (staged.get(id), salts.contains(id), state),
                    (None, false, Some("cancelled")),
                    "{id}"
                );
            }
            (_, "validation") => {
                verdicts += 1;
                let key = entry.and_then(|(_, uid)| uid.clone()).unwrap_or_default();
                assert!(state == Some("committed") && votes.contains(&key), "{id} {entry:?}");
            }
            (_, "analytics") => {
                events += 1;
                assert_eq!(state, Some("committed"), "{id}");
            }
            (_, kind) => {
                waiting += 1;
                let (kept_kind, payload) = staged.get(id).unwrap_or_else(|| panic!("{id} is not staged"));
                let payload: Value = serde_json::from_str(payload).expect("a whole payload");
                assert_eq!((kept_kind.as_str(), id_of(kind, &payload)), (kind, id.clone()));
                assert_eq!(payload["content"], sent.value["content"], "{id}");
                assert!(salts.contains(id) && state.is_none(), "{id} {state:?}");
            }
        }
    }
    println!(
        "{waiting} staged, {verdicts} verdicts, {events} events, {cancelled} cancelled, {lost} without an answer"
    );
    assert_eq!((staged.len(), salts.len()), (waiting, waiting));
    assert_eq!((votes.len(), ledger.len()), (verdicts, verdicts + events + cancelled));
    assert_eq!(count(&db, "SELECT COUNT(*) FROM analytics_events"), events as i64);
    assert_eq!(count(&db, "SELECT COUNT(*) FROM ledger_salts"), (verdicts + events) as i64);
    assert_eq!(count(&db, "SELECT COUNT(*) FROM held"), 0);
    let newest = "SELECT COUNT(*) FROM (SELECT voter_hash FROM validations WHERE (marks & 1) = 1 GROUP BY voter_hash HAVING COUNT(*) > 1) AS twice";
    assert_eq!(count(&db, newest), 0);
    let voters = count(&db, "SELECT COUNT(DISTINCT voter_hash) FROM validations");
    assert_eq!(count(&db, "SELECT COUNT(*) FROM validations WHERE (marks & 1) = 1"), voters);
    // Counters are never behind what they count. On SQLite they lie in a file that commits first, so a kill between the
    // two may count what was not stored, in the sender's disfavour and for that day only.
    let counted = count(&db, "SELECT CAST(SUM(total) AS BIGINT) FROM rates");
    let stored = (waiting + verdicts + events + cancelled) as i64;
    let most = if place.cluster().is_some() { stored } else { stored + lost };
    assert!(
        (stored..=most).contains(&counted),
        "{stored} stored, {counted} counted, {lost} without an answer"
    );
    db.close();
}

fn survives(engine: Engine) {
    let mut dice = Dice::seeded();
    let place = Place::new(engine);
    // Verdicts come as the dice fall; what they are about is not rolled back for it, and goes on taking them.
    let setup = Setup::fixtures()
        .unlimited()
        .with("SERVER__CONNECTIONS", "4")
        .with("CONSENSUS__ROLLBACK_DISTINCT", "1000000");
    let (mut whole, mut last, mut lost) = (Book::new(), Book::new(), 0);
    for round in 0..=ROUNDS {
        let server = Server::start(&place, &setup);
        lost += last.values().filter(|sent| sent.fate == Fate::Unknown).count() as i64;
        settle(&server, &mut last);
        whole.append(&mut last);
        if round == ROUNDS {
            assert!(server.stop().success());
        } else {
            last = storm(server, round, &mut dice);
        }
    }
    audit(&place, &whole, lost);
}

#[test]
fn two_hundred_kills_lose_nothing_on_sqlite() {
    survives(Engine::Sqlite);
}

#[test]
fn two_hundred_kills_lose_nothing_on_postgres() {
    survives(Engine::Postgres);
}
