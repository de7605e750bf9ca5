//! Every route, and what all answers have in common: HEAD, OPTIONS, 404, 405, ETag, how long an answer may be kept, and
//! who may read it from another site.

use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Reply, Server, Setup, make, propose};
use serde_json::{Value, json};
use std::collections::BTreeSet;

on_both_engines!(
    Setup::fixtures().unlimited(),
    cases![
        every_route_is_asked,
        every_submission_can_be_followed,
        head_is_get_without_a_body,
        options_and_other_methods_say_what_is_allowed,
        what_is_not_there_is_not_found_in_json,
        an_unchanged_answer_is_not_sent_again,
        answers_are_kept_as_long_as_decided,
        other_sites_may_read_and_not_write,
    ]
);

const MINUTE: &str = "public, max-age=60, s-maxage=60";
const HALF_MINUTE: &str = "public, max-age=30, s-maxage=30";
const NEVER: &str = "no-store";
const FOREVER: &str = "public, max-age=31536000, immutable";

/// Routes that are read without a token: template, an address, how long the answer may be kept.
const READS: &[(&str, &str, &str)] = &[
    ("/api", "/api", MINUTE),
    ("/api/concerns", "/api/concerns?skill=arrival-declaration", HALF_MINUTE),
    (
        "/api/feedback/sessions/{session_id}",
        "/api/feedback/sessions/ses_019a813c-4124-72b9-bae5-6fad4e6e77df",
        NEVER,
    ),
    ("/api/find-skill", "/api/find-skill?query=move", MINUTE),
    ("/api/onboarding-form", "/api/onboarding-form?locale=nl", MINUTE),
    ("/api/paths", "/api/paths", MINUTE),
    ("/api/paths/{id}", "/api/paths/household-certificate", MINUTE),
    ("/api/references", "/api/references", MINUTE),
    ("/api/references/{uid}", "/api/references/ref-00001", MINUTE),
    ("/api/references/{uid}/history", "/api/references/ref-00001/history", MINUTE),
    ("/api/search", "/api/search?query=move", MINUTE),
    ("/api/skill-graph", "/api/skill-graph", MINUTE),
    ("/api/skills", "/api/skills", MINUTE),
    ("/api/skills/{id}", "/api/skills/arrival-declaration", MINUTE),
    ("/api/skills/{id}/concerns", "/api/skills/arrival-declaration/concerns", HALF_MINUTE),
    ("/api/skills/{id}/history", "/api/skills/arrival-declaration/history", MINUTE),
    ("/api/skills/{id}/observations", "/api/skills/arrival-declaration/observations", HALF_MINUTE),
    ("/api/skills/{id}/text", "/api/skills/arrival-declaration/text", MINUTE),
    ("/api/transitions", "/api/transitions", MINUTE),
    ("/api/volatile-values", "/api/volatile-values", MINUTE),
    ("/api/volatile-values/{uid}", "/api/volatile-values/val-00001", MINUTE),
    ("/api/volatile-values/{uid}/history", "/api/volatile-values/val-00001/history", MINUTE),
    ("/corpus-notices.json", "/corpus-notices.json", MINUTE),
    ("/corpus.git/info/refs", "/corpus.git/info/refs?service=git-upload-pack", NEVER),
    ("/healthz", "/healthz", NEVER),
    ("/metrics", "/metrics", NEVER),
    ("/openapi.json", "/openapi.json", MINUTE),
    ("/log/checkpoint", "/log/checkpoint", NEVER),
    ("/log/key", "/log/key", MINUTE),
    ("/log/tile/{kind}/{index}", "/log/tile/entries/000.p/1", FOREVER),
    ("/readyz", "/readyz", NEVER),
    ("/schemas/{file}", "/schemas/concern.schema.json", MINUTE),
    ("/scrub-rules.json", "/scrub-rules.json", MINUTE),
];

/// Reads for whoever holds an operator token.
const INTERNAL: &[(&str, &str)] = &[
    (
        "/api/_internal/artefact-stats",
        "/api/_internal/artefact-stats?target_type=skill&target_id=arrival-declaration",
    ),
    ("/api/_internal/rating-stats", "/api/_internal/rating-stats"),
];

/// Submissions: folder, id field, whether they can be taken back.
const FOLDERS: &[(&str, &str, bool)] = &[
    ("concerns", "concern_id", true),
    ("amendments", "amendment_id", true),
    ("drafts", "draft_id", true),
    ("validations", "validation_id", false),
    ("feedback-channel", "feedback_id", true),
    ("ratings", "rating_id", true),
];

fn submission(folder: &str) -> Value {
    match folder {
        "concerns" => make::concern("arrival-declaration", "The counter asked for two photographs."),
        "amendments" => make::value_amendment("val-00001", json!("€7")),
        "drafts" => propose::draft("bulky-waste-pickup"),
        "validations" => make::validation("skill", "arrival-declaration", "confirm"),
        "feedback-channel" => make::feedback("The pages are clear."),
        "ratings" => make::rating("arrival-declaration", 4),
        other => panic!("{other} takes no submissions"),
    }
}

fn every_route_is_asked(server: &Server, place: &Place) {
    let token = place.operator_token();
    let bearer = format!("Bearer {token}");
    let document = server.get("/openapi.json").json();
    let mut asked: BTreeSet<(String, String)> = BTreeSet::new();
    let mut note = |method: &str, path: &str, reply: &Reply, wanted: u16| {
        assert_eq!(reply.status, wanted, "{method} {path}: {reply:?}");
        let documented = &document["paths"][path][method]["responses"][wanted.to_string()];
        assert!(documented["description"].is_string(), "{method} {path} does not document {wanted}");
        asked.insert((method.to_owned(), path.to_owned()));
    };
    for (path, address, _) in READS {
        note("get", path, &server.get(address), 200);
    }
    for (path, address) in INTERNAL {
        note("get", path, &server.send("GET", address, &[("authorization", &bearer)], None), 200);
    }
    let entry = json!({"type": "val", "name": "asked-once", "value": "3", "value_type": "string"});
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let path = "/api/_internal/catalogue-entries";
    note("post", path, &server.send("POST", path, &headers, Some(entry.to_string().as_bytes())), 201);
    // Its corpus does not live on GitHub, so nobody has anything to tell it.
    let path = "/api/_forge/webhook";
    note("post", path, &server.post(path, &json!({"ref": "refs/heads/main"})), 404);
    let headers = [("content-type", "application/x-git-upload-pack-request")];
    let path = "/corpus.git/git-upload-pack";
    note("post", path, &server.send("POST", path, &headers, Some(b"0000")), 200);
    note("post", "/api/analytics", &server.post("/api/analytics", &make::analytics()), 201);
    let path = "/api/onboarding-form";
    note("post", path, &server.post(path, &json!({"locale": "de"})), 200);
    note("post", "/api/feedback", &server.post("/api/feedback", &make::envelope("stage", vec![])), 200);
    for (folder, id_field, cancels) in FOLDERS {
        let path = format!("/api/{folder}");
        let submission = submission(folder);
        let accepted = server.post(&path, &submission);
        note("post", &path, &accepted, 201);
        let one = format!("{path}/{}", submission[*id_field].as_str().expect("an id"));
        let template = format!("{path}/{{id}}");
        note("get", &template, &server.get(&one), 200);
        let held = server.patch(&format!("{one}/status"), &token, &json!({"state": "ner_held_for_review"}));
        note("patch", &format!("{template}/status"), &held, 200);
        if *cancels {
            let cancel = accepted.json()["cancel_token"].as_str().expect("a token").to_owned();
            note("delete", &template, &server.delete(&one, &cancel), 200);
        }
    }
    let listed: BTreeSet<(String, String)> = document["paths"]
        .as_object()
        .expect("paths")
        .iter()
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().expect("methods");
            methods.keys().map(|method| (method.clone(), path.clone())).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(asked, listed);
}

fn every_submission_can_be_followed(server: &Server, _: &Place) {
    for (folder, id_field, cancels) in FOLDERS {
        let submission = submission(folder);
        let accepted = server.post(&format!("/api/{folder}"), &submission);
        let state =
            server.get(&format!("/api/{folder}/{}", submission[*id_field].as_str().expect("an id"))).json();
        if *cancels {
            assert_eq!(
                state,
                json!({"state": "staged", "commit_eta": accepted.json()["commit_eta"]}),
                "{folder}"
            );
        } else {
            let midnight = format!("{}T00:00:00Z", &make::time(0)[..10]);
            assert_eq!(state, json!({"state": "committed", "committed_at": midnight}), "{folder}");
        }
        // An id of one type is none of another.
        let elsewhere = if *folder == "concerns" { "ratings" } else { "concerns" };
        let path = format!("/api/{elsewhere}/{}", submission[*id_field].as_str().expect("an id"));
        assert_eq!(server.get(&path).status, 404, "{path}");
    }
}

fn head_is_get_without_a_body(server: &Server, _: &Place) {
    let missing = [("", "/api/skills/nothing-of-that-name", NEVER), ("", "/nothing", NEVER)];
    for (_, address, _) in READS.iter().chain(&missing) {
        let (get, head) = (server.get(address), server.send("HEAD", address, &[], None));
        assert_eq!((head.status, head.text.as_str()), (get.status, ""), "{address}");
        // What differs between two answers of any kind, and a length that HEAD may leave out but not get wrong.
        let kept = |reply: &Reply, named: &str| reply.header(named).map(str::to_owned);
        // What changes from one look to the next, and what is no text.
        let measurable = *address != "/metrics" && !address.starts_with("/log/tile/");
        if let Some(length) = kept(&head, "content-length").filter(|_| measurable) {
            assert_eq!(length, get.text.len().to_string(), "{address}");
        }
        let others = |reply: &Reply| -> BTreeSet<(String, String)> {
            let kept = reply.headers.iter().filter(|(name, _)| name != "date" && name != "content-length");
            kept.cloned().collect()
        };
        assert_eq!(others(&head), others(&get), "{address}");
    }
}

/// Every path of the document with its methods, in capitals, HEAD and OPTIONS included.
fn methods_by_path(server: &Server) -> Vec<(String, BTreeSet<String>)> {
    let document = server.get("/openapi.json").json();
    let paths = document["paths"].as_object().expect("paths").clone();
    let methods = |value: &Value| {
        let mut methods: BTreeSet<String> =
            value.as_object().expect("methods").keys().map(|it| it.to_uppercase()).collect();
        if methods.contains("GET") {
            methods.insert("HEAD".to_owned());
        }
        methods.insert("OPTIONS".to_owned());
        methods
    };
    paths.iter().map(|(path, value)| (path.clone(), methods(value))).collect()
}

fn allowed(reply: &Reply) -> BTreeSet<String> {
    let allow = reply.header("allow").unwrap_or_else(|| panic!("no Allow in {reply:?}"));
    allow.split(',').map(|it| it.trim().to_owned()).collect()
}

fn options_and_other_methods_say_what_is_allowed(server: &Server, _: &Place) {
    for (path, methods) in methods_by_path(server) {
        let address = path
            .replace("{id}", "x")
            .replace("{uid}", "x")
            .replace("{session_id}", "x")
            .replace("{file}", "x");
        let options = server.send("OPTIONS", &address, &[], None);
        assert_eq!(
            (options.status, allowed(&options), options.text.as_str()),
            (204, methods.clone(), ""),
            "{address}"
        );
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            if !methods.contains(method) {
                let body = ["POST", "PUT", "PATCH"].contains(&method).then_some(&b"{}"[..]);
                let refused = server.send(method, &address, &[("content-type", "application/json")], body);
                assert_eq!(
                    (refused.status, refused.error().as_str()),
                    (405, "method_not_allowed"),
                    "{method} {address}"
                );
                assert_eq!(allowed(&refused), methods, "{method} {address}");
            }
        }
    }
    // Verdicts and events have taken effect: nobody takes them back (DECISIONS §7).
    for folder in ["validations", "analytics"] {
        let refused = server.delete(&format!("/api/{folder}/{}", make::id("val_")), "token");
        assert_eq!((refused.status, refused.error().as_str()), (405, "method_not_allowed"), "{folder}");
        assert!(!allowed(&refused).contains("DELETE"));
    }
}

fn what_is_not_there_is_not_found_in_json(server: &Server, _: &Place) {
    for address in [
        "/api/nothing",
        "/api/",
        "/api/skills/",
        "/api/skills/nothing-of-that-name",
        "/api/skills/nothing-of-that-name/history",
        "/api/skills/nothing-of-that-name/concerns",
        "/api/skills/nothing-of-that-name/observations",
        "/api/concerns?skill=nothing-of-that-name",
        "/api/skills/../../etc/passwd",
        "/api/skills/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/api/skills/%00",
        "/api/paths/nothing-of-that-name",
        "/api/volatile-values/val-99999",
        "/api/volatile-values/ref-00001",
        "/api/volatile-values/val-1",
        "/api/volatile-values/no-such-name",
        "/api/volatile-values/val-99999/history",
        "/api/references/ref-99999",
        "/api/references/val-00001",
        "/api/references/no-such-name/history",
        "/api/feedback/sessions/nobody",
        "/api/feedback/sessions/ses_%27%20OR%201=1--",
        "/api/concerns/con_019a813c-72a2-711e-931a-9cb0e3f05b6b",
        "/api/concerns/nothing",
        "/schemas/nothing.schema.json",
        "/schemas/..%2fcategories.json",
    ] {
        let reply = server.get(address);
        assert_eq!((reply.status, reply.refusal()), (404, json!({"error": "not_found"})), "{address}");
        assert_eq!(reply.header("content-type"), Some("application/json"), "{address}");
    }
}

fn an_unchanged_answer_is_not_sent_again(server: &Server, _: &Place) {
    for (_, address, kept) in READS.iter().filter(|(_, _, kept)| *kept != NEVER) {
        let first = server.get(address);
        let etag = first.header("etag").unwrap_or_else(|| panic!("{address} has no ETag")).to_owned();
        assert!(etag.len() > 2 && etag.starts_with('"') && etag.ends_with('"'), "{etag}");
        for asked in [etag.clone(), format!("W/{etag}"), format!("\"other\", {etag}"), "*".to_owned()] {
            for method in ["GET", "HEAD"] {
                let again = server.send(method, address, &[("if-none-match", &asked)], None);
                assert_eq!((again.status, again.text.as_str()), (304, ""), "{method} {address} {asked}");
                assert_eq!(again.header("etag"), Some(etag.as_str()), "{address}");
                assert_eq!(again.header("cache-control"), Some(*kept), "{address}");
            }
        }
        let other = server.send("GET", address, &[("if-none-match", "\"other\"")], None);
        assert_eq!((other.status, other.text), (200, first.text), "{address}");
    }
    let missing = server.send("GET", "/api/skills/nothing-of-that-name", &[("if-none-match", "*")], None);
    assert_eq!(missing.status, 404);
}

fn answers_are_kept_as_long_as_decided(server: &Server, place: &Place) {
    for (_, address, kept) in READS {
        assert_eq!(server.get(address).header("cache-control"), Some(*kept), "{address}");
        assert_eq!(server.get(address).header("x-content-type-options"), Some("nosniff"), "{address}");
    }
    let never = |reply: &Reply| assert_eq!(reply.header("cache-control"), Some(NEVER), "{reply:?}");
    for (folder, id_field, _) in FOLDERS {
        let submission = submission(folder);
        let path = format!("/api/{folder}");
        never(&server.post(&path, &submission));
        let one = format!("{path}/{}", submission[*id_field].as_str().expect("an id"));
        never(&server.get(&one));
        never(&server.get(&format!("{path}/nothing")));
        never(&server.patch(
            &format!("{one}/status"),
            &place.operator_token(),
            &json!({"state": "held_for_review"}),
        ));
        never(&server.patch(&format!("{one}/status"), "wrong", &json!({"state": "held_for_review"})));
        never(&server.delete(&one, "wrong"));
        never(&server.post(&path, &json!({})));
    }
    never(&server.post("/api/feedback", &make::envelope("validate", vec![])));
    never(&server.post("/api/analytics", &make::analytics()));
}

fn other_sites_may_read_and_not_write(server: &Server, place: &Place) {
    let origin = ("origin", "https://elsewhere.example");
    let shared = |reply: &Reply| reply.header("access-control-allow-origin").map(str::to_owned);
    let missing = [("", "/api/skills/nothing-of-that-name", NEVER), ("", "/api/skills?limit=0", NEVER)];
    for (_, address, _) in READS.iter().chain(&missing).filter(|(_, address, _)| address.starts_with("/api/"))
    {
        let reply = server.send("GET", address, &[origin], None);
        assert_eq!(shared(&reply).as_deref(), Some("*"), "{address}");
        assert_eq!(reply.header("access-control-allow-credentials"), None, "{address}");
    }
    let preflight = [
        origin,
        ("access-control-request-method", "GET"),
        ("access-control-request-headers", "if-none-match"),
    ];
    let reply = server.send("OPTIONS", "/api/skills", &preflight, None);
    assert_eq!((reply.status, shared(&reply).as_deref()), (204, Some("*")));
    let methods = reply.header("access-control-allow-methods").unwrap_or_default().to_owned();
    assert!(methods.contains("GET") && !methods.contains("POST") && !methods.contains("DELETE"), "{methods}");
    let written = server.post("/api/concerns", &submission("concerns"));
    assert_eq!((written.status, shared(&written)), (201, None));
    let bearer = format!("Bearer {}", place.operator_token());
    for (_, address) in INTERNAL {
        let reply = server.send("GET", address, &[origin, ("authorization", &bearer)], None);
        assert_eq!((reply.status, shared(&reply)), (200, None), "{address}");
    }
}
