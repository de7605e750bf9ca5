//! Several submissions in one envelope: each stands or falls alone, and what was sent can be asked for again.

use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Reply, Server, Setup, make, propose};
use serde_json::{Value, json};

on_both_engines!(
    Setup::fixtures().unlimited(),
    cases![
        every_type_finds_its_place,
        items_stand_or_fall_alone,
        capabilities_are_the_envelopes,
        a_bad_envelope_is_refused_whole,
        the_mode_decides_and_the_body_wins,
        an_empty_envelope_is_fine,
        an_item_twice_is_one_item,
        an_item_is_the_same_in_another_envelope,
        a_session_can_be_recovered,
    ]
);

const TEXT: &str = "The counter asked for two photographs.";

fn concern() -> Value {
    make::item("concern", make::concern("arrival-declaration", TEXT))
}

fn send(server: &Server, envelope: &Value) -> Vec<Value> {
    let reply = server.post("/api/feedback", envelope);
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.json()["session_id"], envelope["session_id"]);
    let results = reply.json()["results"].as_array().expect("results").clone();
    for (index, result) in results.iter().enumerate() {
        assert_eq!(result["idx"], index);
    }
    results
}

fn state(server: &Server, item: &Value) -> Reply {
    server.get(&format!("/api/concerns/{}", item["concern_id"].as_str().expect("an id")))
}

fn every_type_finds_its_place(server: &Server, _: &Place) {
    let items = vec![
        concern(),
        make::item("amendment", make::value_amendment("val-00001", json!("€7"))),
        make::item("draft", propose::draft("bulky-waste-pickup")),
        make::item("validation", make::validation("skill", "arrival-declaration", "confirm")),
        make::item("feedback", make::feedback("The pages are clear.")),
        make::item("rating", make::rating("arrival-declaration", 4)),
    ];
    let results = send(server, &make::envelope("stage", items.clone()));
    assert_eq!(results.len(), items.len());
    for (item, result) in items.iter().zip(&results) {
        let kind = item["type"].as_str().expect("a type");
        assert_eq!((&result["type"], &result["ok"]), (&item["type"], &json!(true)), "{result}");
        assert_eq!(result["id"], item[format!("{kind}_id")]);
        if kind == "validation" {
            assert_eq!(result["status"], "applied");
            assert!(result["applied_at"].is_string() && result.get("cancel_token").is_none());
        } else {
            assert_eq!(result["status"], "staged");
            assert!(result["cancel_token"].is_string() && result["commit_eta"].is_string());
        }
    }
    let token = results[0]["cancel_token"].as_str().expect("a token");
    let path = format!("/api/concerns/{}", items[0]["concern_id"].as_str().expect("an id"));
    assert_eq!(server.delete(&path, token).status, 200);
}

fn items_stand_or_fall_alone(server: &Server, _: &Place) {
    let with = |name: &str, value: Value| {
        let mut item = concern();
        item[name] = value;
        item
    };
    let content = |name: &str, value: Value| {
        let mut item = concern();
        item["content"][name] = value;
        item
    };
    let mut analytics = make::analytics();
    analytics["type"] = json!("analytics");
    let table = [
        (concern(), None),
        (with("type", json!("observation")), Some("schema_fail")),
        (with("type", json!(7)), Some("schema_fail")),
        (with("type", Value::Null), Some("schema_fail")),
        (analytics, Some("schema_fail")),
        (json!("a string"), Some("schema_fail")),
        (json!([]), Some("schema_fail")),
        (Value::Null, Some("schema_fail")),
        (with("user_email", json!("x")), Some("identity_field_banned")),
        (content("device_id", json!("x")), Some("identity_field_banned")),
        (content("body", json!("")), Some("schema_fail")),
        (content("body", json!("Call me on 0475 12 34 56 please.")), Some("regex_fail")),
        (with("target_id", json!("nothing-of-that-name")), Some("cross_ref_fail")),
        (with("submitted_at", json!(make::time(-8 * 86_400))), Some("timing_fail")),
        (concern(), None),
    ];
    let items: Vec<Value> = table.iter().map(|(item, _)| item.clone()).collect();
    let results = send(server, &make::envelope("stage", items));
    assert_eq!(results.len(), table.len());
    for ((item, refused), result) in table.iter().zip(&results) {
        match refused {
            None => {
                assert_eq!((&result["ok"], &result["status"]), (&json!(true), &json!("staged")), "{result}");
                assert_eq!(state(server, item).status, 200);
            }
            Some(category) => {
                assert_eq!(
                    (&result["ok"], &result["status"]),
                    (&json!(false), &json!("rejected")),
                    "{result}"
                );
                assert_eq!(result["error"], *category, "{item}");
                if item["concern_id"].is_string() {
                    assert_eq!(state(server, item).status, 404, "{item}");
                }
            }
        }
    }
}

/// What an agent can do is declared once for all items, and each item asks for its own.
fn capabilities_are_the_envelopes(server: &Server, _: &Place) {
    let vote = make::item("validation", make::validation("skill", "arrival-declaration", "confirm"));
    let mut item = concern();
    item["declared_capabilities"] = json!(["multi_turn"]);
    let mut envelope = make::envelope("stage", vec![item, vote]);
    envelope["declared_capabilities"] = json!(["multi_turn", "structured_output"]);
    let results = send(server, &envelope);
    assert_eq!((&results[0]["ok"], &results[1]["ok"]), (&json!(true), &json!(false)), "{results:?}");
    assert_eq!(results[1]["error"], "capability_mismatch");
}

fn a_bad_envelope_is_refused_whole(server: &Server, _: &Place) {
    let good = || make::envelope("stage", vec![concern()]);
    let with = |name: &str, value: Value| {
        let mut envelope = good();
        envelope[name] = value;
        envelope
    };
    let without = |name: &str| {
        let mut envelope = good();
        envelope.as_object_mut().expect("an object").shift_remove(name);
        envelope
    };
    let items = |count: usize| with("items", (0..count).map(|_| concern()).collect());
    for (envelope, category, pointer) in [
        (items(51), "schema_fail", "/items"),
        (items(1_000), "schema_fail", "/items"),
        (with("items", json!({})), "schema_fail", "/items"),
        (with("mode", json!("commit")), "schema_fail", "/mode"),
        (with("session_id", json!("ses_1")), "schema_fail", "/session_id"),
        (with("session_id", json!(make::id("ses_").to_uppercase())), "schema_fail", "/session_id"),
        (with("schema_version", json!(2)), "schema_fail", "/schema_version"),
        (with("user_name", json!("x")), "identity_field_banned", "/user_name"),
        (with("more", json!(1)), "schema_fail", ""),
        (without("mode"), "schema_fail", ""),
        (without("items"), "schema_fail", ""),
        (without("session_id"), "schema_fail", ""),
        (without("submitted_at"), "schema_fail", ""),
        (json!([]), "schema_fail", ""),
    ] {
        let reply = server.post("/api/feedback", &envelope);
        assert_eq!((reply.status, reply.error().as_str()), (400, category), "{}", reply.text);
        assert_eq!(reply.json()["schema_pointer"], pointer, "{}", reply.text);
        for item in envelope["items"].as_array().into_iter().flatten().take(3) {
            assert_eq!(state(server, item).status, 404);
        }
    }
    assert!(send(server, &items(50)).iter().all(|result| result["ok"] == true));
}

fn the_mode_decides_and_the_body_wins(server: &Server, _: &Place) {
    for (mode, query, stored) in [
        (Some("validate"), "", false),
        (Some("validate"), "?dry_run=0", false),
        (Some("stage"), "", true),
        (Some("stage"), "?dry_run=1", true),
        (None, "?dry_run=1", false),
    ] {
        let item = concern();
        let mut envelope = make::envelope(mode.unwrap_or("stage"), vec![item.clone()]);
        if mode.is_none() {
            envelope.as_object_mut().expect("an object").shift_remove("mode");
        }
        let reply = server.post(&format!("/api/feedback{query}"), &envelope);
        assert_eq!(reply.status, 200, "{mode:?} {query}: {reply:?}");
        let result = reply.json()["results"][0].clone();
        if stored {
            assert_eq!(result["status"], "staged", "{mode:?} {query}");
        } else {
            assert_eq!(
                (&result["ok"], &result["status"]),
                (&json!(true), &json!("validated")),
                "{mode:?} {query}"
            );
            assert!(result["would_stage_for"].is_string() && result.get("cancel_token").is_none());
        }
        assert_eq!(state(server, &item).status, if stored { 200 } else { 404 }, "{mode:?} {query}");
        let recovered = server
            .get(&format!("/api/feedback/sessions/{}", envelope["session_id"].as_str().expect("an id")));
        assert_eq!(recovered.json()["items"].as_array().map(Vec::len), Some(usize::from(stored)));
    }
}

fn an_empty_envelope_is_fine(server: &Server, _: &Place) {
    for mode in ["stage", "validate"] {
        assert!(send(server, &make::envelope(mode, vec![])).is_empty());
    }
}

fn an_item_twice_is_one_item(server: &Server, _: &Place) {
    let (item, other) = (concern(), concern());
    let mut changed = item.clone();
    changed["content"]["body"] = json!("The counter asked for three photographs.");
    let results =
        send(server, &make::envelope("stage", vec![item.clone(), other, item.clone(), changed.clone()]));
    let statuses: Vec<&str> = results.iter().filter_map(|it| it["status"].as_str()).collect();
    assert_eq!(statuses, ["staged", "staged", "duplicate", "rejected"]);
    assert_eq!(results[3]["error"], "duplicate_id_different_submitter");
    // The token of the repetition is the one that counts.
    let path = format!("/api/concerns/{}", item["concern_id"].as_str().expect("an id"));
    assert_eq!(server.delete(&path, results[0]["cancel_token"].as_str().expect("a token")).status, 401);
    assert_eq!(server.delete(&path, results[2]["cancel_token"].as_str().expect("a token")).status, 200);
    let item = concern();
    let results = send(server, &make::envelope("validate", vec![item.clone(), item.clone()]));
    let statuses: Vec<&str> = results.iter().filter_map(|it| it["status"].as_str()).collect();
    assert_eq!(statuses, ["validated", "duplicate"]);
    let vote = make::item("validation", make::validation("skill", "arrival-declaration", "confirm"));
    let results = send(server, &make::envelope("stage", vec![vote.clone(), vote]));
    let statuses: Vec<&str> = results.iter().filter_map(|it| it["status"].as_str()).collect();
    assert_eq!(statuses, ["applied", "duplicate"]);
}

fn an_item_is_the_same_in_another_envelope(server: &Server, _: &Place) {
    let item = concern();
    assert_eq!(send(server, &make::envelope("stage", vec![item.clone()]))[0]["status"], "staged");
    let again = send(server, &make::envelope("stage", vec![item.clone()]));
    assert_eq!((&again[0]["ok"], &again[0]["status"]), (&json!(true), &json!("duplicate")));
    let other = server.post_from("192.0.2.88", "/api/feedback", &make::envelope("stage", vec![item]));
    assert_eq!(other.json()["results"][0]["error"], "duplicate_id_different_submitter");
}

fn a_session_can_be_recovered(server: &Server, _: &Place) {
    let (first, second) = (concern(), make::item("rating", make::rating("arrival-declaration", 3)));
    let envelope = make::envelope("stage", vec![first.clone(), second.clone(), json!({"type": "concern"})]);
    let session = envelope["session_id"].as_str().expect("an id").to_owned();
    let results = send(server, &envelope);
    let mut vote = make::validation("skill", "arrival-declaration", "reject");
    vote["session_id"] = json!(session);
    assert_eq!(server.post("/api/validations", &vote).status, 201);
    let address = format!("/api/feedback/sessions/{session}");
    let recovered = server.get(&address).json();
    let items = recovered["items"].as_array().expect("items");
    let find = |kind: &str| items.iter().find(|item| item["type"] == kind).cloned().expect("it is listed");
    assert_eq!((items.len(), &recovered["next"]), (3, &Value::Null), "{recovered}");
    let concern = find("concern");
    assert_eq!((&concern["id"], &concern["state"]), (&first["concern_id"], &json!("staged")));
    assert_eq!(concern["commit_eta"], results[0]["commit_eta"]);
    assert_eq!(find("rating")["id"], second["rating_id"]);
    let verdict = find("validation");
    assert_eq!(
        (&verdict["target_id"], &verdict["verdict"]),
        (&json!("arrival-declaration"), &json!("reject"))
    );
    // No token and no text comes back, and nobody's time of day.
    for secret in [results[0]["cancel_token"].as_str().expect("a token"), TEXT, "another document"] {
        assert!(!recovered.to_string().contains(secret), "{secret}");
    }
    assert_eq!(verdict["committed_at"].as_str().map(|at| at.ends_with("T00:00:00Z")), Some(true));
    let path = format!("/api/concerns/{}", first["concern_id"].as_str().expect("an id"));
    assert_eq!(server.delete(&path, results[0]["cancel_token"].as_str().expect("a token")).status, 200);
    assert_eq!(server.get(&address).json()["items"].as_array().map(Vec::len), Some(2));
    let nobody = server.get(&format!("/api/feedback/sessions/{}", make::id("ses_")));
    assert_eq!((nobody.status, nobody.json()["items"].clone()), (200, json!([])));
}
