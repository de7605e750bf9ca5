//! Every type at the door: held, rehearsed, sent again, taken back, released; and what is in no text.

use super::{HELD, NAMED, held, to};
use crate::commit::{quick, reaches};
use crate::desk::Desk;
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, make, propose};
use serde_json::{Value, json};

on_both_engines!(
    quick(),
    cases![
        every_type_is_held_at_the_door,
        a_rehearsal_says_where_and_nothing_else,
        an_envelope_mixes_what_is_held_and_what_is_not,
        what_is_held_is_known_and_can_be_taken_back,
        what_is_released_is_final,
        an_edit_takes_the_name_out,
        what_a_newer_model_finds_is_held_before_it_is_published,
        hosts_that_nobody_listed_are_held,
        what_is_held_and_decided_is_counted,
    ]
);

fn concern(text: &str) -> Value {
    make::concern("arrival-declaration", text)
}

/// One of each type, with a text.
fn each(server: &Server, text: &str) -> Vec<(&'static str, Value)> {
    let mut verdict = make::validation("skill", "legalise-foreign-document", "reject");
    verdict["rationale"] = json!(text);
    let mut rating = make::rating("renew-residence-card", 2);
    rating["would_be_5_stars"] = json!(text);
    let mut value = make::value_amendment("val-00001", json!("12 euros"));
    value["rationale"] = json!(text);
    let line = propose::line(server, "arrival-declaration", "- A passport", &format!("- {text}"));
    let mut draft = propose::draft("a-held-draft");
    draft["commit_message"] = json!(text);
    let mut notes = propose::path_draft("a-held-path");
    notes["provenance"] = json!({"kind": "discovery_session", "research_notes_markdown": text});
    vec![
        ("/api/concerns", concern(text)),
        ("/api/validations", verdict),
        ("/api/feedback-channel", make::feedback(text)),
        ("/api/ratings", rating),
        ("/api/amendments", value),
        ("/api/amendments", line),
        ("/api/drafts", draft),
        ("/api/drafts", notes),
    ]
}

fn every_type_is_held_at_the_door(server: &Server, place: &Place) {
    let token = place.operator_token();
    for (endpoint, submission) in each(server, NAMED) {
        let (path, reply) = held(server, endpoint, &submission);
        let taken_back = reply.json()["cancel_token"].is_string();
        assert_eq!(taken_back, endpoint != "/api/validations", "verdicts are not taken back: {reply:?}");
        let desk = Desk::open(server, place);
        let page = desk.get(&format!("/review/held/{}", path.rsplit('/').next().expect("an id"))).text;
        assert!(page.contains("somebody seems to be named in it"), "{page}");
        assert!(page.contains("% sure\">Fatiha El Amrani<sup>"), "{endpoint}: {page}");
        to(server, &token, &path, "discarded");
    }
    for (endpoint, submission) in each(server, "The counter asked for two photographs.") {
        let reply = server.post(&format!("{endpoint}?dry_run=1"), &submission);
        assert_eq!((reply.status, &reply.json()["would_hold"]), (200, &Value::Null), "{endpoint}: {reply:?}");
    }
}

fn a_rehearsal_says_where_and_nothing_else(server: &Server, _: &Place) {
    let text = format!("À midi : {NAMED}");
    let reply = server.post("/api/concerns?dry_run=1", &concern(&text));
    let answer = reply.json();
    assert_eq!(
        (reply.status, &answer["status"], &answer["would_hold"]),
        (200, &json!("validated"), &json!(true))
    );
    let doubt = &answer["doubts"][0];
    assert_eq!(
        (&doubt["schema_pointer"], &doubt["reason"]),
        (&json!("/content/body"), &json!("name")),
        "{answer}"
    );
    let at = |name: &str| doubt[name].as_u64().and_then(|at| usize::try_from(at).ok()).expect("a place");
    assert_eq!(&text[at("start")..at("end")], "Fatiha El Amrani");
    assert!(!reply.text.contains("Amrani"), "{}", reply.text);
    let envelope = make::envelope("validate", vec![make::item("concern", concern(&text))]);
    let result = server.post("/api/feedback", &envelope).json()["results"][0].clone();
    assert_eq!((&result["status"], &result["would_hold"]), (&json!("validated"), &json!(true)), "{result}");
    assert_eq!(&result["doubts"][0], doubt);
    assert!(
        result["would_stage_for"].is_null() && answer["would_stage_for"].is_null(),
        "one story: {answer}"
    );
    // A verdict that would be held does not count at once; a flag does, and only its words wait.
    let mut verdict = make::validation("skill", "legalise-foreign-document", "reject");
    verdict["rationale"] = json!(text);
    let held = server.post("/api/validations?dry_run=1", &verdict).json();
    assert_eq!((&held["would_hold"], &held["would_apply"]), (&json!(true), &Value::Null), "{held}");
    verdict["injection_flag"] = json!(true);
    verdict["injection_reason"] = json!(text);
    let flag = server.post("/api/validations?dry_run=1", &verdict).json();
    assert_eq!((&flag["would_hold"], &flag["would_apply"]), (&json!(true), &json!(true)), "{flag}");
}

fn an_envelope_mixes_what_is_held_and_what_is_not(server: &Server, place: &Place) {
    let (named, plain) = (concern(NAMED), concern("The counter asked for two photographs."));
    let mut verdict = make::validation("skill", "renew-residence-card", "confirm");
    verdict["rationale"] = json!(NAMED);
    let items = vec![
        make::item("concern", named.clone()),
        make::item("concern", plain),
        make::item("validation", verdict),
    ];
    let envelope = make::envelope("stage", items);
    let reply = server.post("/api/feedback", &envelope);
    let results = reply.json()["results"].clone();
    let told: Vec<(bool, &str)> = (0..3)
        .map(|at| (results[at]["ok"] == true, results[at]["status"].as_str().unwrap_or_default()))
        .collect();
    assert_eq!(told, [(true, HELD), (true, "staged"), (true, HELD)], "{results}");
    assert!(results[0]["cancel_token"].is_string() && results[2]["cancel_token"].is_null(), "{results}");
    assert!(!reply.text.contains("Amrani"));
    // Whoever lost the answers finds what is held by the session.
    let session = envelope["session_id"].as_str().expect("a session");
    let recovered = server.get(&format!("/api/feedback/sessions/{session}")).json();
    let waiting = recovered["items"].as_array().expect("a list").iter().filter(|it| it["state"] == HELD);
    assert_eq!(waiting.count(), 2, "{recovered}");
    for (kind, id) in [("concerns", &results[0]["id"]), ("validations", &results[2]["id"])] {
        let path = format!("/api/{kind}/{}", id.as_str().expect("an id"));
        to(server, &place.operator_token(), &path, "discarded");
    }
}

fn what_is_held_is_known_and_can_be_taken_back(server: &Server, _: &Place) {
    let named = concern(NAMED);
    let (path, reply) = held(server, "/api/concerns", &named);
    let again = server.post("/api/concerns", &named);
    assert_eq!((again.status, &again.json()["state"]), (202, &json!(HELD)), "{again:?}");
    assert_eq!(server.post_from("192.0.2.77", "/api/concerns", &named).status, 409, "another sender");
    let mut other = named.clone();
    other["content"]["body"] = json!("The counter asked for two photographs.");
    assert_eq!(server.post("/api/concerns", &other).status, 409, "another text");
    let [lost, token] =
        [&reply, &again].map(|it| it.json()["cancel_token"].as_str().expect("a token").to_owned());
    for wrong in ["wrong", &lost] {
        assert_eq!(server.delete(&path, wrong).status, 401);
    }
    assert_eq!(server.delete(&path, &token).json(), json!({"cancelled": true}));
    assert_eq!(server.get(&path).status, 404);
}

fn what_is_released_is_final(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    let (path, _) = held(server, "/api/concerns", &concern(NAMED));
    let id = path.rsplit('/').next().expect("an id");
    assert!(!server.get("/api/skills/arrival-declaration/concerns").text.contains("Amrani"));
    desk.does(&format!("/review/held/{id}"), &[("action", "release"), ("why", "invented for a test")]);
    crate::commit::until("it is published", || {
        server.get("/api/skills/arrival-declaration/concerns").text.contains("Amrani").then_some(())
    });
    // An amendment goes on to its branch, and is not held there again.
    let line = propose::line(server, "arrival-declaration", "- A passport", &format!("- {NAMED}"));
    let (path, _) = held(server, "/api/amendments", &line);
    to(server, &place.operator_token(), &path, "released");
    crate::commit::until("it is merged", || {
        let state = server.get(&path).json()["state"].clone();
        assert!(["released", "committed"].iter().any(|it| state == *it), "{state} {}", server.log());
        let skill = server.get("/api/skills/arrival-declaration").json();
        (state == "committed" && skill["body"].as_str()?.contains("Amrani")).then_some(())
    });
    let deeds = crate::desk::log(place, 5);
    assert!(deeds.iter().any(|(_, action, ..)| action == "release"), "{deeds:?}");
    assert!(!format!("{deeds:?}").contains("Amrani"), "no text stands in the log");
}

fn an_edit_takes_the_name_out(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    let named = concern(NAMED);
    let (path, _) = held(server, "/api/concerns", &named);
    let mut edited = named.clone();
    edited["content"]["body"] = json!("On m'a dit au guichet 3 de revenir.");
    let address = format!("/review/held/{}", path.rsplit('/').next().expect("an id"));
    let fields =
        [("action", "edit-and-release"), ("why", "a name taken out"), ("edited", &edited.to_string())];
    desk.does(&address, &fields);
    crate::commit::until("the edited text is published", || {
        server
            .get("/api/skills/arrival-declaration/concerns")
            .text
            .contains("On m'a dit au guichet 3")
            .then_some(())
    });
}

/// What was accepted by an older model, as far as this one can tell.
fn what_a_newer_model_finds_is_held_before_it_is_published(server: &Server, place: &Place) {
    let text = "The counter asked for two photographs, and then for a third.";
    let line = propose::line(server, "arrival-declaration", "- A passport", &format!("- {text}"));
    for (endpoint, submission) in [("/api/concerns", concern(text)), ("/api/amendments", line)] {
        let (path, _) = crate::commit::sent(server, endpoint, &submission);
        let id = path.rsplit('/').next().expect("an id").to_owned();
        place.write(move |tx| {
            let sql = "UPDATE staged SET payload = REPLACE(payload, $1, $2) WHERE id = $3";
            tx.execute(sql, &[text.into(), NAMED.into(), (&id).into()])
        });
        reaches(server, &path, HELD);
        to(server, &place.operator_token(), &path, "discarded");
    }
}

fn hosts_that_nobody_listed_are_held(server: &Server, place: &Place) {
    let listed = concern("The form is at https://www.ibz.be/ now.");
    let reply = server.post("/api/concerns?dry_run=1", &listed);
    assert_eq!((reply.status, &reply.json()["would_hold"]), (200, &Value::Null), "{reply:?}");
    let mut refused = 0;
    for address in [
        "https://elsewhere.example/form",
        "www.elsewhere.example",
        "https://xn--ibz-5cd.be/",
        "https://www.ibz.be@elsewhere.example/",
        "https://127.0.0.1/",
        "https://www.ibz.be:8443/",
        "https:\\\\www.ibz.be",
        "https://www.ibz．be/",
        "https://www.іbz.be/",
        "http://www.ibz.be/",
        "my-minfin.be/login",
        "evil-example.com:8080/x",
        "//elsewhere.example/x",
        "elsewhere．com",
        "https://www.ibz.be/?next=https://elsewhere.example",
    ] {
        let reason = if address.starts_with("http:") { "not_https" } else { "unlisted_host" };
        let note = concern(&format!("The form is at {address} now."));
        let reply = server.post("/api/concerns?dry_run=1", &note);
        // Some of them look like somebody's address to the scrub rules already.
        if (reply.status, reply.error().as_str()) == (422, "regex_fail") {
            refused += 1;
            continue;
        }
        assert_eq!(reply.json()["doubts"][0]["reason"], reason, "{address}: {reply:?}");
        assert_eq!(reply.json()["would_stage_for"], Value::Null, "{address}: one of two");
        let (path, _) = held(server, "/api/concerns", &note);
        let id = path.rsplit('/').next().expect("an id");
        let page = Desk::open(server, place).get(&format!("/review/held/{id}")).text;
        let marks =
            ["odd address", "unlisted host", "not https"].map(|mark| format!("<mark title=\"{mark}\">"));
        assert!(marks.iter().any(|mark| page.contains(mark)), "{address}: {page}");
        assert!(!page.contains(&format!("href=\"{address}")), "{page}");
        to(server, &place.operator_token(), &path, "discarded");
    }
    assert!(refused <= 2, "{refused}");
    // Nor does prose lead anywhere, or the site itself.
    for text in [
        "Art. 5.be, form.pdf, 12.30 h and version 1.4.0: nothing that leads anywhere, e.g. ibz.be or www.ibz.be.",
        "See https://becivic.be/skills/arrival-declaration.",
    ] {
        let reply = server.post("/api/feedback-channel?dry_run=1", &make::feedback(text));
        assert_eq!((reply.status, &reply.json()["doubts"][0]["reason"]), (200, &Value::Null), "{reply:?}");
    }
    let mut pointing = make::feedback("The page is clear.");
    for (pointer, held) in [
        ("https://elsewhere.example/x", true),
        ("https://becivic.be/agents", false),
        ("https://www.ibz.be/", false),
        ("arrival-declaration", false),
    ] {
        pointing["pointer"] = json!(pointer);
        let answer = server.post("/api/feedback-channel?dry_run=1", &pointing).json();
        assert_eq!(answer["would_hold"] == true, held, "{answer}");
    }
    // Released, it is text like any other, and leads nowhere.
    let (path, _) =
        held(server, "/api/concerns", &concern("It moved to https://elsewhere.example/form last week."));
    to(server, &place.operator_token(), &path, "released");
    let shown = |address: &str| server.get(address).text.contains("elsewhere.example/form");
    crate::commit::until("it is published", || {
        shown("/api/skills/arrival-declaration/concerns").then_some(())
    });
    for address in [
        "/skills/arrival-declaration",
        "/skills/arrival-declaration.md",
        "/skills/arrival-declaration/source.md",
    ] {
        let page = server.get(address).text;
        for linked in ["href=\"https://elsewhere", "](https://elsewhere", "<https://elsewhere"] {
            assert!(!page.contains(linked), "{address}");
        }
    }
}

fn what_is_held_and_decided_is_counted(server: &Server, place: &Place) {
    let counted = |name: &str, reason: &str| {
        let line = format!("becivic_submissions_{name}_total{{type=\"feedback\",reason=\"{reason}\"}} ");
        let text = server.get("/metrics").text;
        let found =
            text.lines().find_map(|it| it.strip_prefix(&line).and_then(|count| count.parse::<u64>().ok()));
        found.unwrap_or(0)
    };
    let before = ["held", "released", "discarded"].map(|name| counted(name, "name"));
    let (path, _) = held(server, "/api/feedback-channel", &make::feedback(NAMED));
    let age = server.get("/metrics").text.lines().find_map(|it| {
        it.strip_prefix("becivic_held_oldest_age_seconds ").and_then(|age| age.parse::<i64>().ok())
    });
    assert!(age.is_some_and(|age| (0..=86_400).contains(&age)), "{age:?}");
    to(server, &place.operator_token(), &path, "discarded");
    let (path, _) = held(server, "/api/feedback-channel", &make::feedback(NAMED));
    to(server, &place.operator_token(), &path, "released");
    let after = ["held", "released", "discarded"].map(|name| counted(name, "name"));
    assert_eq!([after[0] - before[0], after[1] - before[1], after[2] - before[2]], [2, 1, 1]);
    assert_eq!(counted("held", "unlisted_host"), 0);
}
