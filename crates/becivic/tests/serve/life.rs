//! The life of a submission until it is committed: staged, sent again, taken back, rehearsed; and votes on one's own work.

use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Reply, Server, Setup, make, propose};
use becivic_server::address::Address;
use becivic_server::db::concerns::{self, Concern};
use becivic_server::db::contributors;
use becivic_server::moment::Moment;
use becivic_server::secrets::Purpose;
use serde_json::{Value, json};
use std::collections::BTreeSet;

on_both_engines!(
    Setup::fixtures().unlimited(),
    cases![
        a_staged_answer_has_these_fields,
        what_applies_at_once_says_so,
        sending_again_gives_the_record_and_a_fresh_token,
        sending_a_verdict_again_changes_nothing,
        an_id_belongs_to_its_sender,
        an_id_belongs_to_its_payload,
        what_was_sent_before_is_answered_for_whatever_else_is_wrong_with_it,
        only_the_right_token_takes_back,
        what_is_taken_back_is_gone,
        a_rehearsal_stores_nothing,
        nobody_votes_on_what_they_wrote,
        a_vote_on_ones_own_concern_weighs_nothing,
    ]
);

/// One of each type that waits: endpoint, id field, submission.
fn waiting() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        (
            "/api/concerns",
            "concern_id",
            make::concern("arrival-declaration", "The counter asked for two photographs."),
        ),
        ("/api/amendments", "amendment_id", make::value_amendment("val-00001", json!("€7"))),
        ("/api/drafts", "draft_id", propose::draft("bulky-waste-pickup")),
        ("/api/feedback-channel", "feedback_id", make::feedback("The pages are clear.")),
        ("/api/ratings", "rating_id", make::rating("arrival-declaration", 4)),
    ]
}

fn fields(value: &Value) -> BTreeSet<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("no {name} in {value}"))
}

fn milliseconds(value: &Value, name: &str) -> i64 {
    Moment::read(text(value, name)).expect("a time").0
}

fn now() -> i64 {
    Moment::read(&make::time(0)).expect("a time").0
}

fn a_staged_answer_has_these_fields(server: &Server, _: &Place) {
    for (endpoint, id_field, submission) in waiting() {
        let before = now();
        let reply = server.post(endpoint, &submission);
        let after = now();
        assert_eq!(reply.status, 201, "{reply:?}");
        let answer = reply.json();
        let expected = [id_field, "cancel_token", "commit_eta", "staging_window_hours"];
        assert_eq!(fields(&answer), BTreeSet::from(expected), "{endpoint}");
        assert_eq!(answer[id_field], submission[id_field]);
        assert_eq!(answer["staging_window_hours"], 24);
        let eta = milliseconds(&answer, "commit_eta") - 24 * 3_600_000;
        assert!((before..=after).contains(&eta), "{endpoint}: {answer}");
        // 32 random bytes in base64url.
        let token = text(&answer, "cancel_token");
        assert!(
            token.len() == 43 && token.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        );
    }
}

fn what_applies_at_once_says_so(server: &Server, _: &Place) {
    let vote = make::validation("skill", "arrival-declaration", "confirm");
    for (endpoint, id_field, submission) in [
        ("/api/validations", "validation_id", vote),
        ("/api/analytics", "analytics_event_id", make::analytics()),
    ] {
        let before = now();
        let reply = server.post(endpoint, &submission);
        assert_eq!(reply.status, 201, "{reply:?}");
        let answer = reply.json();
        assert_eq!(fields(&answer), BTreeSet::from([id_field, "applied_at"]));
        assert_eq!(answer[id_field], submission[id_field]);
        assert!((before..=now()).contains(&milliseconds(&answer, "applied_at")), "{answer}");
    }
}

fn sending_again_gives_the_record_and_a_fresh_token(server: &Server, _: &Place) {
    for (endpoint, id_field, mut submission) in waiting() {
        let first = server.post(endpoint, &submission).json();
        // A retry may be stamped anew: it says the same.
        submission["submitted_at"] = make::time(5).into();
        let again = server.post(endpoint, &submission);
        assert_eq!(again.status, 200, "{again:?}");
        let again = again.json();
        assert_eq!(fields(&again), fields(&first));
        assert_eq!((&again["commit_eta"], &again[id_field]), (&first["commit_eta"], &first[id_field]));
        assert_ne!(again["cancel_token"], first["cancel_token"]);
        let path = format!("{endpoint}/{}", text(&submission, id_field));
        assert_eq!(
            server.delete(&path, text(&first, "cancel_token")).status,
            401,
            "the lost token is worth nothing"
        );
        assert_eq!(server.delete(&path, text(&again, "cancel_token")).status, 200);
    }
}

fn sending_a_verdict_again_changes_nothing(server: &Server, _: &Place) {
    let votes = |server: &Server| server.get("/api/skills/renew-residence-card").json()["cohort"].clone();
    let vote = make::validation("skill", "renew-residence-card", "confirm");
    assert_eq!(server.post("/api/validations", &vote).status, 201);
    let counted = votes(server);
    let again = server.post("/api/validations", &vote);
    assert_eq!((again.status, fields(&again.json())), (200, BTreeSet::from(["validation_id", "applied_at"])));
    assert_eq!(votes(server), counted);
    let event = make::analytics();
    assert_eq!(server.post("/api/analytics", &event).status, 201);
    assert_eq!(server.post("/api/analytics", &event).status, 200);
}

fn conflict(reply: &Reply, id_field: &str) {
    assert_eq!(
        (reply.status, reply.error().as_str()),
        (409, "duplicate_id_different_submitter"),
        "{reply:?}"
    );
    assert_eq!(reply.json()["schema_pointer"], format!("/{id_field}"));
    assert_eq!(reply.json().get("cancel_token"), None);
}

fn an_id_belongs_to_its_sender(server: &Server, _: &Place) {
    for (endpoint, id_field, submission) in waiting() {
        assert_eq!(server.post_from("192.0.2.10", endpoint, &submission).status, 201);
        conflict(&server.post_from("192.0.2.11", endpoint, &submission), id_field);
        assert_eq!(server.post_from("192.0.2.10", endpoint, &submission).status, 200);
    }
    let vote = make::validation("skill", "arrival-declaration", "confirm");
    assert_eq!(server.post_from("192.0.2.10", "/api/validations", &vote).status, 201);
    conflict(&server.post_from("192.0.2.11", "/api/validations", &vote), "validation_id");
}

fn an_id_belongs_to_its_payload(server: &Server, _: &Place) {
    let mut concern = make::concern("arrival-declaration", "The counter asked for two photographs.");
    assert_eq!(server.post("/api/concerns", &concern).status, 201);
    concern["content"]["body"] = json!("The counter asked for three photographs.");
    conflict(&server.post("/api/concerns", &concern), "concern_id");
    let mut vote = make::validation("skill", "arrival-declaration", "confirm");
    assert_eq!(server.post("/api/validations", &vote).status, 201);
    vote["target_id"] = json!("renew-residence-card");
    conflict(&server.post("/api/validations", &vote), "validation_id");
}

fn what_was_sent_before_is_answered_for_whatever_else_is_wrong_with_it(server: &Server, _: &Place) {
    let concern = || make::concern("arrival-declaration", "The counter asked for two photographs.");
    let sent = concern();
    assert_eq!(server.post("/api/concerns", &sent).status, 201);
    // What travels with a submission may differ when it is sent again; what it says may not.
    type Spoil = fn(&mut Value);
    let spoilt: [(&str, Spoil, u16); 4] = [
        ("capability_mismatch", |it| it["declared_capabilities"] = json!(["file_read"]), 200),
        ("timing_fail", |it| it["submitted_at"] = make::time(-8 * 86_400).into(), 200),
        ("regex_fail", |it| it["content"]["body"] = json!("Write to jan.peeters@telenet.be."), 409),
        ("cross_ref_fail", |it| it["target_id"] = json!("no-such-skill"), 409),
    ];
    for (category, spoil, status) in spoilt {
        let (mut new, mut again) = (concern(), sent.clone());
        spoil(&mut new);
        spoil(&mut again);
        for endpoint in ["/api/concerns", "/api/concerns?dry_run=1"] {
            assert_eq!(server.post(endpoint, &new).error(), category, "{endpoint}");
            let reply = server.post(endpoint, &again);
            assert_eq!(reply.status, status, "{category} {endpoint}: {reply:?}");
        }
        // The envelope says when and by whom for all of them.
        let in_envelope = make::envelope("stage", vec![make::item("concern", again)]);
        let results = server.post("/api/feedback", &in_envelope).json()["results"].clone();
        let error = if status == 200 { Value::Null } else { json!("duplicate_id_different_submitter") };
        assert_eq!((&results[0]["ok"], &results[0]["error"]), (&json!(status == 200), &error), "{category}");
    }
}

fn only_the_right_token_takes_back(server: &Server, _: &Place) {
    let concern = make::concern("arrival-declaration", "The counter asked for two photographs.");
    let other = make::concern("arrival-declaration", "The counter asked for two photographs, too.");
    let token = text(&server.post("/api/concerns", &concern).json(), "cancel_token").to_owned();
    let of_other = text(&server.post("/api/concerns", &other).json(), "cancel_token").to_owned();
    let id = text(&concern, "concern_id");
    let path = format!("/api/concerns/{id}");
    let unknown = format!("/api/concerns/{}", make::id("con_"));
    let of_another_type = format!("/api/ratings/{}", id.replace("con_", "rtg_"));
    for (path, token) in [
        (path.as_str(), "wrong"),
        (&path, &of_other),
        (&path, ""),
        (&path, &format!("{token}=")),
        (&unknown, &token),
        (&of_another_type, &token),
        ("/api/concerns/nothing", &token),
        (&format!("/api/ratings/{id}"), &token),
    ] {
        let reply = server.delete(path, token);
        // Whether the id exists is not said.
        assert_eq!(
            (reply.status, reply.refusal()),
            (401, json!({"error": "unauthorized"})),
            "{path} {token}"
        );
    }
    let bare = server.send("DELETE", &path, &[], None);
    assert_eq!((bare.status, bare.refusal()), (401, json!({"error": "unauthorized"})));
    assert_eq!(server.get(&path).json()["state"], "staged");
    assert_eq!(server.delete(&path, &token).json(), json!({"cancelled": true}));
}

fn what_is_taken_back_is_gone(server: &Server, _: &Place) {
    for (endpoint, id_field, submission) in waiting() {
        let token = text(&server.post(endpoint, &submission).json(), "cancel_token").to_owned();
        let path = format!("{endpoint}/{}", text(&submission, id_field));
        assert_eq!(server.delete(&path, &token).status, 200);
        assert_eq!(server.get(&path).status, 404);
        assert_eq!(server.delete(&path, &token).status, 401, "after it was taken back");
        conflict(&server.post(endpoint, &submission), id_field);
    }
}

fn a_rehearsal_stores_nothing(server: &Server, _: &Place) {
    let mut all = waiting();
    all.push((
        "/api/validations",
        "validation_id",
        make::validation("skill", "arrival-declaration", "confirm"),
    ));
    for (endpoint, id_field, submission) in all {
        for query in ["?dry_run=1", "?dry_run=true"] {
            let before = now();
            let reply = server.post(&format!("{endpoint}{query}"), &submission);
            assert_eq!(reply.status, 200, "{reply:?}");
            let answer = reply.json();
            assert_eq!(answer["status"], "validated");
            // A validation would not wait: it would count at once.
            if endpoint == "/api/validations" {
                assert_eq!(answer, json!({"status": "validated", "would_apply": true}));
            } else {
                assert_eq!(fields(&answer), BTreeSet::from(["status", "would_stage_for"]));
                assert!(
                    (before..=now()).contains(&(milliseconds(&answer, "would_stage_for") - 24 * 3_600_000)),
                    "{answer}"
                );
            }
            assert_eq!(server.get(&format!("{endpoint}/{}", text(&submission, id_field))).status, 404);
        }
        let mut wrong = submission.clone();
        wrong["submission_contract_version"] = json!("9.9.9");
        let refused = server.post(&format!("{endpoint}?dry_run=1"), &wrong);
        assert_eq!((refused.status, refused.error().as_str()), (422, "cross_ref_fail"));
        assert_eq!(server.post(endpoint, &submission).status, 201, "the id is still new");
    }
}

/// Notes that an address wrote an artefact, as the commit job does.
fn wrote(place: &Place, address: &str, target_type: &'static str, target_id: String) {
    let parsed = Address::from(address.parse::<std::net::IpAddr>().expect("an address"));
    let salt = [7; 32];
    let hash = place.pepper().address(Purpose::Submission, &salt, parsed);
    let mut key = [0; 32];
    key[..8].copy_from_slice(&u64::try_from(now()).expect("after 1970").to_be_bytes());
    key[8..24].copy_from_slice(make::id("").as_bytes().get(20..36).expect("an id"));
    place.write(move |tx| contributors::insert(tx, &key, (target_type, &target_id), (&salt, &hash), None));
}

fn nobody_votes_on_what_they_wrote(server: &Server, place: &Place) {
    let author = "198.51.100.7";
    for (target_type, artefact, voted) in [
        ("skill", "legalise-foreign-document", "legalise-foreign-document"),
        ("path", "household-certificate", "household-certificate"),
        ("volatile_value", "val-00002", "val-00002"),
    ] {
        wrote(place, author, target_type, artefact.to_owned());
        for verdict in ["confirm", "reject"] {
            let vote = make::validation(target_type, voted, verdict);
            let refused = server.post_from(author, "/api/validations", &vote);
            assert_eq!(
                (refused.status, refused.refusal()),
                (403, json!({"error": "self_validation_blocked"}))
            );
            let path = format!("/api/validations/{}", text(&vote, "validation_id"));
            assert_eq!(server.get(&path).status, 404);
            // A rehearsal does not tell who wrote something.
            assert_eq!(server.post_from(author, "/api/validations?dry_run=1", &vote).status, 200);
            assert_eq!(server.post_from("198.51.100.8", "/api/validations", &vote).status, 201);
        }
    }
    // Whoever voted before writing something has voted.
    let vote = make::validation("skill", "arrival-declaration", "confirm");
    assert_eq!(server.post_from(author, "/api/validations", &vote).status, 201);
    wrote(place, author, "skill", "arrival-declaration".to_owned());
    assert_eq!(server.post_from(author, "/api/validations", &vote).status, 200);
    let mut of_source = make::validation("path_source", "household-certificate:commune-desk", "confirm");
    of_source["traversal_metadata"] = json!({"outcome": "success", "source_class": "offline"});
    let refused = server.post_from(author, "/api/validations", &of_source);
    assert_eq!((refused.status, refused.error().as_str()), (403, "self_validation_blocked"), "{refused:?}");
    assert_eq!(server.post_from("198.51.100.8", "/api/validations", &of_source).status, 201);
}

fn a_vote_on_ones_own_concern_weighs_nothing(server: &Server, place: &Place) {
    let uid = place.write(|tx| {
        let concern = Concern {
            target_type: "skill".to_owned(),
            target_id: "renew-residence-card".to_owned(),
            body: "The desk asked for two photographs.".to_owned(),
            evidence_month: "2026-10".to_owned(),
            ..Concern::default()
        };
        concerns::insert(tx, &concern)
    });
    wrote(place, "198.51.100.20", "observation", uid.clone());
    let score = || {
        let listed = server.get("/api/skills/renew-residence-card/concerns").json();
        let item =
            listed["items"].as_array().expect("items").iter().find(|it| it["uid"] == uid.as_str()).cloned();
        let item = item.expect("it is shown");
        (item["up"].as_i64(), item["down"].as_i64(), item["net_score"].as_i64())
    };
    let vote = |address: &str, verdict: &str| {
        let reply =
            server.post_from(address, "/api/validations", &make::validation("observation", &uid, verdict));
        assert_eq!(
            (reply.status, fields(&reply.json())),
            (201, BTreeSet::from(["validation_id", "applied_at"]))
        );
    };
    vote("198.51.100.20", "confirm");
    assert_eq!(score(), (Some(0), Some(0), Some(0)));
    vote("198.51.100.21", "confirm");
    vote("198.51.100.22", "confirm");
    vote("198.51.100.23", "reject");
    assert_eq!(score(), (Some(2), Some(1), Some(1)));
}
