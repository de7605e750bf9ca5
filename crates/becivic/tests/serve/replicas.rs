//! Two server processes on one PostgreSQL: one record for each id, one count for each limit, whoever is asked.

use crate::harness::{Engine, Place, Reply, Server, Setup, make};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Barrier;

/// Starts two servers at the same moment.
fn pair(place: &Place, setup: &Setup) -> [Server; 2] {
    let together = Barrier::new(2);
    std::thread::scope(|scope| {
        let starting = [0, 1].map(|index| {
            let (setup, together) = (setup.clone().number(index), &together);
            scope.spawn(move || {
                together.wait();
                Server::start(place, &setup)
            })
        });
        starting.map(|server| server.join().expect("a server that starts"))
    })
}

/// Does several things at the same moment and gives back what each answered.
fn at_once<T: Send>(jobs: Vec<Box<dyn FnOnce() -> T + Send + '_>>) -> Vec<T> {
    let together = Barrier::new(jobs.len());
    std::thread::scope(|scope| {
        let together = &together;
        let running: Vec<_> = jobs
            .into_iter()
            .map(|job| {
                scope.spawn(move || {
                    together.wait();
                    job()
                })
            })
            .collect();
        running.into_iter().map(|job| job.join().expect("an answer")).collect()
    })
}

fn statuses(replies: &[Reply]) -> BTreeMap<u16, usize> {
    replies.iter().fold(BTreeMap::new(), |mut counts, reply| {
        *counts.entry(reply.status).or_default() += 1;
        counts
    })
}

fn count(place: &Place, sql: &'static str) -> i64 {
    let db = place.db();
    let rows = db.write_now(move |tx| tx.query(sql, &[])).expect("rows");
    db.close();
    rows[0].int(0).expect("a number")
}

/// The token a server wrote for its operator, if it was the one to make it.
fn token(place: &Place, index: usize) -> Option<String> {
    std::fs::read_to_string(place.data(index).join("operator.token")).ok().map(|text| text.trim().to_owned())
}

#[test]
fn two_that_start_at_once_on_an_empty_database_make_it_once() {
    for _ in 0..3 {
        let place = Place::new(Engine::Postgres);
        let servers = pair(&place, &Setup::fixtures());
        assert_eq!(count(&place, "SELECT COUNT(*) FROM catalogue_rows"), 4);
        assert_eq!(count(&place, "SELECT COUNT(*) FROM operator_tokens"), 1);
        let tokens: Vec<String> = [0, 1].into_iter().filter_map(|index| token(&place, index)).collect();
        assert_eq!(tokens.len(), 1, "one token file, for the token there is");
        for (server, token) in servers.iter().zip(tokens.iter().cycle()) {
            let bearer = format!("Bearer {token}");
            let reply =
                server.send("GET", "/api/_internal/rating-stats", &[("authorization", &bearer)], None);
            assert_eq!(reply.status, 200, "{reply:?}");
        }
        // Both count an address under the same salts and the same pepper.
        let concern = make::concern("arrival-declaration", "The counter asked for two photographs, not one.");
        assert_eq!(servers[0].post_from("192.0.2.1", "/api/concerns", &concern).status, 201);
        assert_eq!(servers[1].post_from("192.0.2.1", "/api/concerns", &concern).status, 200);
        assert_eq!(servers[1].post_from("192.0.2.2", "/api/concerns", &concern).status, 409);
    }
}

/// Posts these bodies from these addresses, alternating between the servers, all at once.
fn race(servers: &[Server; 2], path: &str, posts: &[(&str, Value)]) -> Vec<Reply> {
    let jobs = posts.iter().enumerate().map(|(at, (address, value))| {
        let server = &servers[at % 2];
        Box::new(move || server.post_from(address, path, value)) as Box<dyn FnOnce() -> Reply + Send>
    });
    at_once(jobs.collect())
}

#[test]
fn the_same_ids_from_both_sides_become_one_record_each() {
    let place = Place::new(Engine::Postgres);
    let servers = pair(&place, &Setup::fixtures().unlimited());
    type Making = fn() -> Value;
    let kinds: [(&str, Making); 3] = [
        ("/api/concerns", || {
            make::concern("arrival-declaration", "The counter asked for two photographs, not one.")
        }),
        ("/api/validations", || make::validation("skill", "arrival-declaration", "confirm")),
        ("/api/analytics", make::analytics),
    ];
    for (path, make) in kinds {
        for _ in 0..15 {
            // One sender, one payload: made once, and recognised every other time.
            let value = make();
            let replies = race(&servers, path, &[(); 4].map(|()| ("192.0.2.1", value.clone())));
            assert_eq!(statuses(&replies), BTreeMap::from([(200, 3), (201, 1)]), "{path} {replies:?}");
            assert_eq!(servers[1].post_from("192.0.2.1", path, &value).status, 200, "{path}");

            // Four senders: one of them has it, before and after.
            let value = make();
            let senders = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "2001:db8:4::1"];
            let replies = race(&servers, path, &senders.map(|sender| (sender, value.clone())));
            assert_eq!(statuses(&replies), BTreeMap::from([(201, 1), (409, 3)]), "{path} {replies:?}");
            for (sender, reply) in senders.iter().zip(&replies) {
                let again = servers[0].post_from(sender, path, &value);
                let expected = if reply.status == 201 { 200 } else { 409 };
                assert_eq!(again.status, expected, "{path} {sender} {reply:?} {again:?}");
            }

            // One sender, two payloads under one id.
            let (value, mut other) = (make(), make());
            let id = ["concern_id", "validation_id", "analytics_event_id"]
                .into_iter()
                .find(|id| value.get(id).is_some());
            other[id.expect("an id")] = value[id.expect("an id")].clone();
            match path {
                "/api/concerns" => other["content"]["body"] = json!("Something else."),
                "/api/validations" => other["target_id"] = json!("legalise-foreign-document"),
                _ => other = with_outcome(other),
            }
            let posts = [("192.0.2.1", value.clone()), ("192.0.2.1", other.clone())];
            let replies = race(&servers, path, &posts);
            assert_eq!(statuses(&replies), BTreeMap::from([(201, 1), (409, 1)]), "{path} {replies:?}");
        }
    }
    assert_eq!(count(&place, "SELECT COUNT(*) FROM staged"), 45);
    assert_eq!(count(&place, "SELECT COUNT(*) FROM validations"), 45);
    assert_eq!(count(&place, "SELECT COUNT(*) FROM analytics_events"), 45);
    assert_eq!(count(&place, "SELECT COUNT(*) FROM ledger"), 90);
    let lost = "SELECT COUNT(*) FROM staged s LEFT JOIN submission_salts t ON t.id = s.id WHERE t.id IS NULL";
    assert_eq!(count(&place, lost), 0);
    // What was stored once was counted once.
    assert_eq!(count(&place, "SELECT CAST(SUM(total) AS BIGINT) FROM rates"), 135);
}

fn with_outcome(mut event: Value) -> Value {
    event["event_type"] = json!("session_outcome");
    event["content"] = json!({"outcome": "success"});
    event
}

/// A cancellation on one side and the same submission again on the other: at the end it is staged or cancelled, not both.
#[test]
fn a_cancellation_and_a_second_post_do_not_pass_each_other() {
    let place = Place::new(Engine::Postgres);
    let servers = pair(&place, &Setup::fixtures().unlimited());
    let token = token(&place, 0).or_else(|| token(&place, 1)).expect("an operator token");
    for _ in 0..40 {
        let concern = make::concern("arrival-declaration", "The counter asked for two photographs, not one.");
        let path = format!("/api/concerns/{}", concern["concern_id"].as_str().expect("an id"));
        let staged = servers[0].post_from("192.0.2.1", "/api/concerns", &concern);
        let cancel = staged.json()["cancel_token"].as_str().expect("a token").to_owned();
        let held = json!({"state": "ner_held_for_review"});
        let replies = at_once::<Reply>(vec![
            Box::new(|| servers[0].delete(&path, &cancel)),
            Box::new(|| servers[1].patch(&format!("{path}/status"), &token, &held)),
            Box::new(|| servers[1].post_from("192.0.2.1", "/api/concerns", &concern)),
        ]);
        if replies[0].status == 200 {
            assert_eq!(servers[1].get(&path).status, 404, "{replies:?}");
        } else {
            assert_eq!(servers[1].get(&path).status, 200, "{replies:?}");
        }
    }
    let places = "SELECT COUNT(*) FROM staged s JOIN held h ON h.id = s.id";
    assert_eq!(count(&place, places), 0);
    let (staged, held) =
        (count(&place, "SELECT COUNT(*) FROM staged"), count(&place, "SELECT COUNT(*) FROM held"));
    let cancelled = count(&place, "SELECT COUNT(*) FROM ledger WHERE state = 'cancelled'");
    assert_eq!(staged + held + cancelled, 40, "{staged} staged, {held} held, {cancelled} cancelled");
    assert_eq!(count(&place, "SELECT COUNT(*) FROM submission_salts"), staged + held);
}

/// Sends the same kind from one address to both servers, thirty times, eight at once; gives back every answer.
fn flood(servers: &[Server; 2], path: &str, make: &(dyn Fn() -> Value + Sync)) -> Vec<Reply> {
    let jobs = (0..8).map(|worker: usize| {
        Box::new(move || {
            (0..4).map(|_| servers[worker % 2].post_from("192.0.2.9", path, &make())).collect::<Vec<Reply>>()
        }) as Box<dyn FnOnce() -> Vec<Reply> + Send>
    });
    at_once(jobs.collect()).into_iter().flatten().collect()
}

#[test]
fn limits_hold_for_both_together() {
    let concern = || make::concern("arrival-declaration", "The counter asked for two photographs, not one.");
    let verdict = || make::validation("skill", "arrival-declaration", "reject");
    let flag = || {
        let mut value = verdict();
        value["injection_flag"] = json!(true);
        value["injection_reason"] = json!("It tells the agent to ignore its instructions.");
        value
    };
    // What is flagged again and again is not put away.
    let unlimited = Setup::fixtures().unlimited().with("CONSENSUS__QUARANTINE_FLAGS", "1000");
    let cases: [(&str, usize, &str, &(dyn Fn() -> Value + Sync)); 5] = [
        ("LIMITS__PER_DAY", 11, "/api/concerns", &concern),
        ("LIMITS__VALIDATIONS_PER_DAY", 7, "/api/validations", &verdict),
        ("LIMITS__FLAGS_PER_DAY", 2, "/api/validations", &flag),
        ("LIMITS__BURST_PER_HOUR", 13, "/api/concerns", &concern),
        ("LIMITS__GLOBAL_PER_HOUR", 17, "/api/concerns", &concern),
    ];
    for (name, limit, path, make) in cases {
        let place = Place::new(Engine::Postgres);
        let servers = pair(&place, &unlimited.clone().with(name, &limit.to_string()));
        let replies = flood(&servers, path, make);
        assert_eq!(statuses(&replies), BTreeMap::from([(201, limit), (429, 32 - limit)]), "{name}");
        for refused in replies.iter().filter(|reply| reply.status == 429) {
            assert_eq!(refused.error(), "rate_limit_exceeded");
            assert!(refused.header("retry-after").is_some(), "{refused:?}");
        }
        let stored =
            count(&place, "SELECT (SELECT COUNT(*) FROM staged) + (SELECT COUNT(*) FROM validations)");
        assert_eq!(stored, limit as i64, "{name}");
    }
}

#[test]
fn envelopes_share_the_hour_with_both_sides() {
    let place = Place::new(Engine::Postgres);
    let servers = pair(&place, &Setup::fixtures().unlimited().with("LIMITS__BURST_PER_HOUR", "10"));
    let replies = flood(&servers, "/api/feedback", &|| {
        let items = (0..3).map(|_| {
            make::item(
                "concern",
                make::concern("arrival-declaration", "The counter asked for two photographs."),
            )
        });
        make::envelope("stage", items.collect())
    });
    // Three of three fit into ten; a fourth would be too much, whole.
    assert_eq!(statuses(&replies), BTreeMap::from([(200, 3), (429, 29)]));
    assert_eq!(count(&place, "SELECT COUNT(*) FROM staged"), 9);
}

#[test]
fn uids_minted_on_both_sides_have_no_gaps() {
    let place = Place::new(Engine::Postgres);
    let servers = pair(&place, &Setup::fixtures());
    let token = token(&place, 0).or_else(|| token(&place, 1)).expect("an operator token");
    let bearer = format!("Bearer {token}");
    let mint = |server: &Server, name: &str| {
        let entry = json!({"type": "val", "name": name, "value": "12 euros", "value_type": "string"});
        let headers = [("content-type", "application/json"), ("authorization", bearer.as_str())];
        server.send("POST", "/api/_internal/catalogue-entries", &headers, Some(entry.to_string().as_bytes()))
    };
    // Every name is asked for four times at once, by two workers on each side.
    let jobs = (0..4).map(|worker: usize| {
        let (server, mint) = (&servers[worker % 2], &mint);
        Box::new(move || {
            let names = (0..25).map(|number| format!("fee-number-{number}-eur"));
            names.map(|name| (name.clone(), mint(server, &name))).collect::<Vec<_>>()
        }) as Box<dyn FnOnce() -> Vec<(String, Reply)> + Send>
    });
    let mut uids: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut made = 0;
    for (name, reply) in at_once(jobs.collect()).into_iter().flatten() {
        assert!(matches!(reply.status, 200 | 201), "{name} {reply:?}");
        made += usize::from(reply.status == 201);
        uids.entry(name).or_default().insert(reply.json()["uid"].as_str().expect("a uid").to_owned());
    }
    assert_eq!((made, uids.len()), (25, 25));
    let all: BTreeSet<String> = uids.into_values().flatten().collect();
    let expected: BTreeSet<String> = (3..28).map(|number| format!("val-{number:05}")).collect();
    assert_eq!(all, expected);
}

#[test]
fn what_one_side_holds_leaves_the_other_within_its_second() {
    let place = Place::new(Engine::Postgres);
    let servers = pair(&place, &Setup::fixtures().unlimited());
    let operator = token(&place, 0).or_else(|| token(&place, 1)).expect("one of them made it");
    let (path, uid) = crate::states::committed(&place);
    let addresses = ["/skills/arrival-declaration", "/llms-full.txt"];
    let shown = |server: &Server| addresses.map(|address| server.get(address).text.contains(&uid));
    for server in &servers {
        assert_eq!(shown(server), [true; 2]);
    }
    let held = servers[0].patch(&format!("{path}/status"), &operator, &json!({"state": "held_for_review"}));
    assert_eq!(held.status, 200, "{held:?}");
    assert_eq!(shown(&servers[0]), [false; 2], "from the answer on");
    let began = std::time::Instant::now();
    crate::commit::until("the other side has followed", || (shown(&servers[1]) == [false; 2]).then_some(()));
    // By itself it would look at such a file again after half a minute.
    assert!(began.elapsed().as_secs() < 15, "{:?}", began.elapsed());
}
