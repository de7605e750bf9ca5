//! The states a maintainer moves a submission through, and what everybody else sees of them.

use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, Setup, make};
use becivic_server::db::concerns::{self, Concern};
use becivic_server::db::ledger;
use serde_json::{Value, json};

on_both_engines!(
    Setup::fixtures().unlimited(),
    cases![
        every_transition_is_allowed_or_refused,
        a_held_submission_is_known_and_can_be_taken_back,
        a_discarded_submission_stays_discarded,
        a_committed_concern_disappears_while_held,
        a_held_verdict_does_not_count,
        a_request_for_a_state_is_checked,
    ]
);

fn staged(server: &Server) -> (Value, String, String) {
    let concern = make::concern("arrival-declaration", "The counter asked for two photographs.");
    let reply = server.post("/api/concerns", &concern);
    assert_eq!(reply.status, 201, "{reply:?}");
    let path = format!("/api/concerns/{}", concern["concern_id"].as_str().expect("an id"));
    (concern, path, reply.json()["cancel_token"].as_str().expect("a token").to_owned())
}

fn every_transition_is_allowed_or_refused(server: &Server, place: &Place) {
    let token = place.operator_token();
    let held = "ner_held_for_review";
    let to =
        |path: &str, state: &str| server.patch(&format!("{path}/status"), &token, &json!({"state": state}));
    let wanted = [held, "held_for_review", "released", "released_after_edit", "discarded"];
    // How a submission gets into a state, and which of the wanted states it may leave it for.
    for (way, state, allowed) in [
        (&[][..], "staged", &[held, "held_for_review"][..]),
        (&[held], held, &["released", "released_after_edit", "discarded"]),
        (&["held_for_review"], held, &["released", "released_after_edit", "discarded"]),
        (&[held, "released"], "released", &[held, "held_for_review"]),
        (&[held, "released_after_edit"], "released_after_edit", &[held, "held_for_review"]),
        (&[held, "discarded"], "discarded", &[]),
    ] {
        for next in wanted {
            let (_, path, _) = staged(server);
            for step in way {
                assert_eq!(to(&path, step).status, 200, "{way:?}");
            }
            assert_eq!(server.get(&path).json()["state"], state, "{way:?}");
            let reply = to(&path, next);
            let named = if next == "held_for_review" { held } else { next };
            if allowed.contains(&next) {
                assert_eq!(
                    (reply.status, reply.json()),
                    (200, json!({"state": named, "previous": state})),
                    "{way:?} {next}"
                );
                assert_eq!(server.get(&path).json()["state"], named, "{way:?} {next}");
            } else {
                let refusal = (400, json!({"error": "invalid_transition"}));
                assert_eq!((reply.status, reply.refusal()), refusal, "{way:?} {next}");
                assert_eq!(server.get(&path).json()["state"], state, "{way:?} {next}");
            }
        }
        // States that exist, and that nobody sets.
        let (_, path, _) = staged(server);
        for step in way {
            assert_eq!(to(&path, step).status, 200);
        }
        for never in ["staged", "committed", "rejected", "quarantined"] {
            assert_eq!(
                (to(&path, never).status, to(&path, never).error().as_str()),
                (400, "invalid_transition"),
                "{never}"
            );
        }
    }
}

fn a_held_submission_is_known_and_can_be_taken_back(server: &Server, place: &Place) {
    let token = place.operator_token();
    let (concern, path, cancel) = staged(server);
    assert_eq!(
        server.patch(&format!("{path}/status"), &token, &json!({"state": "held_for_review"})).status,
        200
    );
    assert_eq!(server.get(&path).json(), json!({"state": "ner_held_for_review"}));
    let again = server.post("/api/concerns", &concern);
    let fresh = again.json()["cancel_token"].as_str().expect("a token").to_owned();
    let known =
        json!({"concern_id": concern["concern_id"], "state": "ner_held_for_review", "cancel_token": fresh});
    assert_eq!((again.status, again.json()), (202, known));
    let rehearsed = server.post("/api/concerns?dry_run=1", &concern);
    assert_eq!((rehearsed.status, &rehearsed.json()["cancel_token"]), (202, &Value::Null), "{rehearsed:?}");
    let envelope = make::envelope("stage", vec![make::item("concern", concern.clone())]);
    let result = server.post("/api/feedback", &envelope).json()["results"][0].clone();
    assert_eq!((&result["ok"], &result["status"]), (&json!(true), &json!("ner_held_for_review")), "{result}");
    let newest = result["cancel_token"].as_str().expect("a token").to_owned();
    assert_eq!(server.post_from("192.0.2.77", "/api/concerns", &concern).status, 409);
    // Each new one makes those before it worthless.
    for old in ["wrong", &cancel, &fresh] {
        assert_eq!(server.delete(&path, old).status, 401);
    }
    assert_eq!(server.delete(&path, &newest).json(), json!({"cancelled": true}));
    assert_eq!(server.get(&path).status, 404);
    let gone = server.patch(&format!("{path}/status"), &token, &json!({"state": "released"}));
    assert!(gone.status == 404 || gone.error() == "invalid_transition", "{gone:?}");
}

fn a_discarded_submission_stays_discarded(server: &Server, place: &Place) {
    let token = place.operator_token();
    let (concern, path, cancel) = staged(server);
    for state in ["ner_held_for_review", "discarded"] {
        assert_eq!(server.patch(&format!("{path}/status"), &token, &json!({"state": state})).status, 200);
    }
    assert_eq!(server.get(&path).json(), json!({"state": "discarded"}));
    assert_eq!(server.delete(&path, &cancel).status, 401);
    let again = server.post("/api/concerns", &concern);
    let known = json!({"concern_id": concern["concern_id"], "state": "discarded"});
    assert_eq!((again.status, again.json()), (200, known), "its sender learns what became of it");
    assert_eq!(server.post_from("192.0.2.77", "/api/concerns", &concern).status, 409);
}

/// A committed concern, as the commit job leaves it.
pub fn committed(place: &Place) -> (String, String) {
    let id = make::id("con_");
    let digest = place.pepper().id(&id);
    let uid = place.write(move |tx| {
        let concern = Concern {
            target_type: "skill".to_owned(),
            target_id: "arrival-declaration".to_owned(),
            body: "The desk asked for two photographs.".to_owned(),
            evidence_month: "2026-10".to_owned(),
            ..Concern::default()
        };
        let uid = concerns::insert(tx, &concern)?;
        let entry = ledger::Entry {
            kind: "concern".to_owned(),
            state: "committed".to_owned(),
            uid: Some(uid.clone()),
            ..ledger::Entry::default()
        };
        ledger::insert(tx, &digest, &entry)?;
        Ok(uid)
    });
    (format!("/api/concerns/{id}"), uid)
}

fn a_committed_concern_disappears_while_held(server: &Server, place: &Place) {
    let token = place.operator_token();
    let shown = |uid: &str| {
        let listed = server.get("/api/skills/arrival-declaration/concerns").text.contains(uid);
        let in_skill = server.get("/api/skills/arrival-declaration").text.contains(uid);
        assert_eq!(listed, in_skill);
        listed
    };
    let votable = |uid: &str| {
        let vote = make::validation("observation", uid, "confirm");
        server.post("/api/validations?dry_run=1", &vote).status == 200
    };
    let (path, uid) = committed(place);
    assert!(shown(&uid) && votable(&uid));
    for (state, previous, visible) in [
        ("ner_held_for_review", "committed", false),
        ("released", "ner_held_for_review", true),
        ("ner_held_for_review", "released", false),
        ("released_after_edit", "ner_held_for_review", true),
        ("ner_held_for_review", "released_after_edit", false),
        ("discarded", "ner_held_for_review", false),
    ] {
        let reply = server.patch(&format!("{path}/status"), &token, &json!({"state": state}));
        assert_eq!((reply.status, reply.json()), (200, json!({"state": state, "previous": previous})));
        assert_eq!((shown(&uid), votable(&uid)), (visible, visible), "{state}");
        assert_eq!(server.get(&path).json(), json!({"state": state}));
    }
    // After the commit nobody takes it back (DECISIONS §7).
    let (path, uid) = committed(place);
    assert_eq!(server.delete(&path, "any").status, 401);
    for refused in ["released", "released_after_edit", "discarded"] {
        let reply = server.patch(&format!("{path}/status"), &token, &json!({"state": refused}));
        assert_eq!((reply.status, reply.error().as_str()), (400, "invalid_transition"), "{refused}");
    }
    assert!(shown(&uid));
}

fn a_held_verdict_does_not_count(server: &Server, place: &Place) {
    let token = place.operator_token();
    let confirms =
        || server.get("/api/skills/legalise-foreign-document").json()["cohort"]["confirms"].clone();
    let vote = make::validation("skill", "legalise-foreign-document", "confirm");
    assert_eq!(server.post("/api/validations", &vote).status, 201);
    assert_eq!(confirms(), 1);
    let path = format!("/api/validations/{}/status", vote["validation_id"].as_str().expect("an id"));
    for (state, count) in [("held_for_review", 0), ("released", 1)] {
        assert_eq!(server.patch(&path, &token, &json!({"state": state})).status, 200);
        assert_eq!(confirms(), count, "{state}");
    }
}

fn a_request_for_a_state_is_checked(server: &Server, place: &Place) {
    let token = place.operator_token();
    let (_, path, _) = staged(server);
    let status = format!("{path}/status");
    for body in [
        json!({}),
        json!([]),
        json!("released"),
        json!({"state": 1}),
        json!({"state": null}),
        json!({"state": "Released"}),
        json!({"state": "gone"}),
        json!({"state": "ner_held_for_review", "reason": "a name"}),
    ] {
        let reply = server.patch(&status, &token, &body);
        assert_eq!((reply.status, reply.error().as_str()), (400, "schema_fail"), "{body}");
        assert_eq!(reply.json()["schema_pointer"], "/state", "{body}");
    }
    let headers = [("authorization", format!("Bearer {token}"))];
    let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let untyped = server.send("PATCH", &status, &headers, Some(b"{\"state\": \"released\"}"));
    assert_eq!((untyped.status, untyped.error().as_str()), (415, "unsupported_media_type"));
    let mut typed = headers.clone();
    typed.push(("content-type", "application/json"));
    let broken = server.send("PATCH", &status, &typed, Some(b"{\"state\""));
    assert_eq!((broken.status, broken.error().as_str()), (400, "malformed_json"));
    assert_eq!(server.get(&path).json()["state"], "staged");
    for unknown in [make::id("con_"), "nothing".to_owned(), make::id("rtg_")] {
        let reply =
            server.patch(&format!("/api/concerns/{unknown}/status"), &token, &json!({"state": "released"}));
        assert_eq!((reply.status, reply.refusal()), (404, json!({"error": "not_found"})), "{unknown}");
    }
}
