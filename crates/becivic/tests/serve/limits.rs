//! How much may be sent: by one address in a day and in an hour, and by everybody together.

use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Reply, Server, Setup, make};
use becivic_server::address::Address;
use becivic_server::db::contributors;
use becivic_server::moment::{DAY, Moment};
use becivic_server::secrets::Purpose;
use serde_json::{Value, json};

fn small() -> Setup {
    Setup::fixtures()
        .with("LIMITS__PER_DAY", "6")
        .with("LIMITS__VALIDATIONS_PER_DAY", "3")
        .with("LIMITS__FLAGS_PER_DAY", "1")
        .with("LIMITS__BURST_PER_HOUR", "12")
        .with("LIMITS__GLOBAL_PER_HOUR", "1000000")
        // What is flagged again and again is not put away.
        .with("CONSENSUS__QUARANTINE_FLAGS", "1000")
}

on_both_engines!(
    small(),
    cases![
        a_day_holds_so_many,
        a_day_holds_fewer_verdicts_and_flags,
        an_hour_holds_so_many_good_or_bad,
        what_is_sent_again_counts_once_whatever_is_wrong_with_it,
        an_envelope_is_too_much_for_the_hour_as_a_whole,
        an_envelope_is_too_much_for_the_day_item_by_item,
        a_rehearsal_costs_nothing,
        a_network_is_one_sender,
        a_refused_vote_on_ones_own_work_is_counted,
        at_the_same_time_no_more_get_in,
    ]
);

fn concern() -> Value {
    make::concern("arrival-declaration", "The counter asked for two photographs.")
}

fn vote() -> Value {
    make::validation("skill", "arrival-declaration", "confirm")
}

fn flag() -> Value {
    let mut flag = make::validation("skill", "arrival-declaration", "reject");
    flag["injection_flag"] = json!(true);
    flag["injection_reason"] = json!("The text tells the agent what to do.");
    flag
}

fn seconds_to_midnight() -> i64 {
    let now = Moment::read(&make::time(0)).expect("a time");
    now.seconds_until(now.day().plus(DAY))
}

/// Checks that this was too much; gives back how many seconds to wait.
fn too_much(reply: &Reply) -> i64 {
    assert_eq!((reply.status, reply.error().as_str()), (429, "rate_limit_exceeded"), "{reply:?}");
    let seconds = reply.json()["retry_after"].as_i64().expect("when to come again");
    assert_eq!(reply.header("retry-after"), Some(seconds.to_string().as_str()));
    seconds
}

fn until_midnight(seconds: i64) {
    assert!((seconds - seconds_to_midnight()).abs() <= 2, "{seconds}");
}

fn refusals(server: &Server, kind: &str) -> u64 {
    let name =
        format!("becivic_submissions_refused_total{{type=\"{kind}\",category=\"rate_limit_exceeded\"}} ");
    let text = server.get("/metrics").text;
    text.lines().find_map(|line| line.strip_prefix(name.as_str())?.parse().ok()).unwrap_or(0)
}

fn a_day_holds_so_many(server: &Server, _: &Place) {
    let from = "192.0.2.1";
    let sent: Vec<Value> = (0..6).map(|_| concern()).collect();
    for concern in &sent {
        assert_eq!(server.post_from(from, "/api/concerns", concern).status, 201);
    }
    let before = refusals(server, "concern");
    let more = concern();
    until_midnight(too_much(&server.post_from(from, "/api/concerns", &more)));
    assert_eq!(refusals(server, "concern"), before + 1);
    let path = format!("/api/concerns/{}", more["concern_id"].as_str().expect("an id"));
    assert_eq!(server.get(&path).status, 404);
    until_midnight(too_much(&server.post_from(
        from,
        "/api/ratings",
        &make::rating("arrival-declaration", 4),
    )));
    until_midnight(too_much(&server.post_from(from, "/api/analytics", &make::analytics())));
    // What is there already can be asked for again, and others are not concerned.
    assert_eq!(server.post_from(from, "/api/concerns", &sent[0]).status, 200);
    assert_eq!(server.post_from("192.0.2.2", "/api/concerns", &more).status, 201);
}

fn a_day_holds_fewer_verdicts_and_flags(server: &Server, _: &Place) {
    let from = "192.0.2.3";
    assert_eq!(server.post_from(from, "/api/validations", &flag()).status, 201);
    until_midnight(too_much(&server.post_from(from, "/api/validations", &flag())));
    assert_eq!(server.post_from(from, "/api/validations", &vote()).status, 201);
    assert_eq!(server.post_from(from, "/api/validations", &vote()).status, 201);
    until_midnight(too_much(&server.post_from(from, "/api/validations", &vote())));
    assert_eq!(server.post_from(from, "/api/concerns", &concern()).status, 201, "the day itself is not full");
}

fn an_hour_holds_so_many_good_or_bad(server: &Server, _: &Place) {
    let from = "192.0.2.4";
    let headers = [("content-type", "application/json"), ("x-forwarded-for", from)];
    for count in 0..12 {
        let reply = match count % 3 {
            0 => server.send("POST", "/api/concerns", &headers, Some(b"{")),
            1 => server.post_from(from, "/api/concerns", &json!({})),
            _ => server.post_from(from, "/api/feedback", &json!({})),
        };
        assert_eq!(reply.status, 400, "{count}");
    }
    for (endpoint, body) in [
        ("/api/concerns", concern()),
        ("/api/concerns", json!({})),
        ("/api/feedback", make::envelope("stage", vec![])),
        ("/api/analytics", make::analytics()),
    ] {
        let seconds = too_much(&server.post_from(from, endpoint, &body));
        assert!((1..=61 * 60).contains(&seconds), "{seconds}");
    }
    assert_eq!(server.get("/api/skills").status, 200, "reading is not limited");
}

fn items(count: usize) -> Vec<Value> {
    (0..count).map(|_| make::item("concern", concern())).collect()
}

fn what_is_sent_again_counts_once_whatever_is_wrong_with_it(server: &Server, _: &Place) {
    let from = "192.0.2.44";
    let sent = concern();
    assert_eq!(server.post_from(from, "/api/concerns", &sent).status, 201);
    let (mut late, mut other) = (sent.clone(), sent.clone());
    late["submitted_at"] = make::time(-8 * 86_400).into();
    other["target_id"] = json!("no-such-skill");
    for (again, status, times) in [(&sent, 200, 3), (&late, 200, 4), (&other, 409, 4)] {
        for _ in 0..times {
            assert_eq!(server.post_from(from, "/api/concerns", again).status, status);
        }
    }
    // That were twelve.
    too_much(&server.post_from(from, "/api/concerns", &sent));
}

fn an_envelope_is_too_much_for_the_hour_as_a_whole(server: &Server, _: &Place) {
    let from = "192.0.2.5";
    let many = items(13);
    let seconds = too_much(&server.post_from(from, "/api/feedback", &make::envelope("stage", many.clone())));
    assert!((1..=61 * 60).contains(&seconds), "{seconds}");
    for item in &many {
        let path = format!("/api/concerns/{}", item["concern_id"].as_str().expect("an id"));
        assert_eq!(server.get(&path).status, 404);
    }
    // Nothing of the hour was taken by what was refused.
    let fine = server.post_from(from, "/api/feedback", &make::envelope("stage", items(6)));
    assert_eq!(fine.status, 200, "{fine:?}");
    let results = fine.json()["results"].as_array().expect("results").clone();
    assert!(results.len() == 6 && results.iter().all(|result| result["ok"] == true), "{results:?}");
}

fn an_envelope_is_too_much_for_the_day_item_by_item(server: &Server, _: &Place) {
    let from = "192.0.2.6";
    let mut sent = items(7);
    sent.push(make::item("rating", make::rating("arrival-declaration", 4)));
    let reply = server.post_from(from, "/api/feedback", &make::envelope("stage", sent));
    assert_eq!(reply.status, 200, "{reply:?}");
    let results = reply.json()["results"].as_array().expect("results").clone();
    let ok: Vec<bool> = results.iter().map(|result| result["ok"] == true).collect();
    assert_eq!(ok, [true, true, true, true, true, true, false, false]);
    for result in &results[6..] {
        assert_eq!(
            (&result["status"], &result["error"]),
            (&json!("rejected"), &json!("rate_limit_exceeded"))
        );
        until_midnight(result["retry_after"].as_i64().expect("when to come again"));
    }
}

fn a_rehearsal_costs_nothing(server: &Server, _: &Place) {
    let from = "192.0.2.7";
    for _ in 0..15 {
        assert_eq!(server.post_from(from, "/api/concerns?dry_run=1", &concern()).status, 200);
    }
    let envelope = make::envelope("validate", items(15));
    assert_eq!(server.post_from(from, "/api/feedback", &envelope).status, 200);
    for _ in 0..6 {
        assert_eq!(server.post_from(from, "/api/concerns", &concern()).status, 201);
    }
}

fn a_network_is_one_sender(server: &Server, _: &Place) {
    for host in 1..=6 {
        assert_eq!(
            server.post_from(&format!("2001:db8:5:5::{host}"), "/api/concerns", &concern()).status,
            201
        );
    }
    until_midnight(too_much(&server.post_from("2001:db8:5:5:ffff::1", "/api/concerns", &concern())));
    assert_eq!(server.post_from("2001:db8:5:6::1", "/api/concerns", &concern()).status, 201);
}

fn a_refused_vote_on_ones_own_work_is_counted(server: &Server, place: &Place) {
    let from = "192.0.2.8";
    let address = Address::from(from.parse::<std::net::IpAddr>().expect("an address"));
    let hash = place.pepper().address(Purpose::Submission, &[9; 32], address);
    place.write(move |tx| {
        contributors::insert(tx, &[9; 32], ("skill", "arrival-declaration"), (&[9; 32], &hash), None)
    });
    for _ in 0..3 {
        assert_eq!(server.post_from(from, "/api/validations", &vote()).error(), "self_validation_blocked");
    }
    until_midnight(too_much(&server.post_from(from, "/api/validations", &vote())));
}

fn at_the_same_time_no_more_get_in(server: &Server, _: &Place) {
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let send = || server.post_from("192.0.2.9", "/api/concerns", &concern()).status;
        let threads: Vec<_> = (0..11).map(|_| scope.spawn(send)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread")).collect()
    });
    let count = |wanted: u16| statuses.iter().filter(|status| **status == wanted).count();
    assert_eq!((count(201), count(429)), (6, 5), "{statuses:?}");
}

/// Everybody together.
mod together {
    use super::*;

    on_both_engines!(
        Setup::fixtures().unlimited().with("LIMITS__GLOBAL_PER_HOUR", "5"),
        cases![an_hour_holds_so_many_of_everybody]
    );

    fn an_hour_holds_so_many_of_everybody(server: &Server, _: &Place) {
        let reached = || {
            let text = server.get("/metrics").text;
            let number = text
                .lines()
                .find_map(|line| line.strip_prefix("becivic_global_limit_reached_total ")?.parse().ok());
            number.unwrap_or(0_u64)
        };
        let whole = server.post_from("192.0.2.99", "/api/feedback", &make::envelope("stage", items(6)));
        assert!((1..=61 * 60).contains(&too_much(&whole)));
        assert_eq!(reached(), 1, "the alarm");
        for host in 1..=5 {
            assert_eq!(
                server.post_from(&format!("192.0.2.{host}"), "/api/concerns", &concern()).status,
                201,
                "{host}"
            );
        }
        let more = concern();
        let seconds = too_much(&server.post_from("192.0.2.6", "/api/concerns", &more));
        assert!((1..=61 * 60).contains(&seconds), "{seconds}");
        assert_eq!(reached(), 2);
        let path = format!("/api/concerns/{}", more["concern_id"].as_str().expect("an id"));
        assert_eq!(server.get(&path).status, 404);
        too_much(&server.post_from("192.0.2.7", "/api/validations", &vote()));
        assert_eq!(server.get("/api/skills").status, 200);
    }
}
