//! What operators ask: only with a token that is valid, and gap-free uids whoever asks at the same time.

use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Reply, Server, Setup, make};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::{Command, Output};

on_both_engines!(
    Setup::fixtures().unlimited().with("CONSENSUS__QUARANTINE_FLAGS", "1000"),
    cases![
        the_first_token_is_written_for_its_owner_only,
        tokens_are_made_listed_and_revoked,
        nothing_internal_answers_without_a_token,
        entries_are_minted_without_gaps,
        an_entry_is_checked_before_it_is_minted,
        voters_are_counted_once,
        everything_is_counted_for_monitoring,
    ]
);

/// Runs `becivic token` on the database of a place.
fn token(place: &Place, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_becivic"));
    command.arg("token").args(arguments).args(["--database", &place.url()]);
    command.arg("--data").arg(place.data(0)).output().expect("becivic runs")
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stats(server: &Server, token: &str) -> Reply {
    let address = "/api/_internal/rating-stats";
    server.send("GET", address, &[("authorization", &format!("Bearer {token}"))], None)
}

fn the_first_token_is_written_for_its_owner_only(server: &Server, place: &Place) {
    use std::os::unix::fs::PermissionsExt;
    let file = place.data(0).join("operator.token");
    assert_eq!(file.metadata().expect("the file").permissions().mode() & 0o777, 0o600);
    assert_eq!(stats(server, &place.operator_token()).status, 200);
}

fn tokens_are_made_listed_and_revoked(server: &Server, place: &Place) {
    let made = printed(&token(place, &["create", "review-desk"]));
    let secret = made.trim();
    assert_eq!(stats(server, secret).status, 200);
    assert!(!token(place, &["create", "review-desk"]).status.success(), "a name is given once");
    let listed = printed(&token(place, &["list"]));
    assert!(listed.contains("review-desk") && listed.contains("first"), "{listed}");
    assert!(!listed.contains(secret), "a token is shown once");
    printed(&token(place, &["revoke", "review-desk"]));
    let refused = stats(server, secret);
    assert_eq!((refused.status, refused.error().as_str()), (401, "unauthorized"));
    assert!(printed(&token(place, &["list"])).contains("revoked"));
    assert!(!token(place, &["revoke", "review-desk"]).status.success());
    assert!(!token(place, &["revoke", "nobody"]).status.success());
    assert_eq!(stats(server, &place.operator_token()).status, 200);
}

fn nothing_internal_answers_without_a_token(server: &Server, place: &Place) {
    let concern = make::concern("arrival-declaration", "The counter asked for two photographs.");
    let staged = server.post("/api/concerns", &concern).json();
    let status = format!("/api/concerns/{}/status", concern["concern_id"].as_str().expect("an id"));
    let right = place.operator_token();
    let cancel = staged["cancel_token"].as_str().expect("a token");
    for (method, address) in [
        ("GET", "/api/_internal/artefact-stats?target_type=skill&target_id=arrival-declaration"),
        ("GET", "/api/_internal/artefact-stats?target_type=nothing"),
        ("GET", "/api/_internal/rating-stats"),
        ("POST", "/api/_internal/catalogue-entries"),
        ("PATCH", &status),
        ("PATCH", &format!("/api/concerns/{}/status", make::id("con_"))),
    ] {
        let wrong = [
            String::new(),
            "Bearer".to_owned(),
            "Bearer ".to_owned(),
            "Bearer wrong".to_owned(),
            format!("Bearer {cancel}"),
            format!("Bearer {right}x"),
            format!("Bearer {}", right.to_uppercase()),
            format!("Basic {right}"),
            right.clone(),
            format!("Bearer {}", "x".repeat(5_000)),
        ];
        for value in &wrong {
            let mut headers = vec![("content-type", "application/json")];
            if !value.is_empty() {
                headers.push(("authorization", value));
            }
            let body = if method == "GET" { None } else { Some(&b"{\"state\": \"discarded\"}"[..]) };
            let reply = server.send(method, address, &headers, body);
            assert_eq!(
                (reply.status, reply.refusal()),
                (401, json!({"error": "unauthorized"})),
                "{method} {address} {value}"
            );
            assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
        }
    }
    let state = server.get(status.trim_end_matches("/status")).json();
    assert_eq!(state["state"], "staged");
}

fn mint(server: &Server, token: &str, entry: &Value) -> Reply {
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    server.send("POST", "/api/_internal/catalogue-entries", &headers, Some(entry.to_string().as_bytes()))
}

/// Eight threads mint new names and one they all share: no number is left out or given twice.
fn entries_are_minted_without_gaps(server: &Server, place: &Place) {
    let token = place.operator_token();
    let first = mint(
        server,
        &token,
        &json!({"type": "val", "name": "before-all", "value": "1", "value_type": "string"}),
    );
    let number = |reply: &Reply| -> u32 {
        let uid = reply.json()["uid"].as_str().expect("a uid").to_owned();
        uid.strip_prefix("val-").expect("a value").parse().expect("a number")
    };
    let last_before = number(&first);
    let replies: Vec<(u16, u32)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|thread| {
                let (token, number) = (token.as_str(), &number);
                scope.spawn(move || {
                    let names = (0..12).map(|count| format!("of-thread-{thread}-{count}"));
                    let names = names.chain(std::iter::once("of-all-threads".to_owned()));
                    let entry =
                        |name| json!({"type": "val", "name": name, "value": "1", "value_type": "string"});
                    names
                        .map(|name| mint(server, token, &entry(name)))
                        .map(|it| (it.status, number(&it)))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread")).collect()
    });
    let minted: BTreeSet<u32> =
        replies.iter().filter(|(status, _)| *status == 201).map(|(_, number)| *number).collect();
    let expected: BTreeSet<u32> = (last_before + 1..=last_before + 8 * 12 + 1).collect();
    assert_eq!(minted, expected);
    assert_eq!(
        replies.iter().filter(|(status, _)| *status == 201).count(),
        expected.len(),
        "none is given twice"
    );
    assert_eq!(replies.iter().filter(|(status, _)| *status == 200).count(), 7, "the shared name is new once");
    let reference = mint(
        server,
        &token,
        &json!({
            "type": "ref", "name": "a-page", "title": "A page", "url": "https://dofi.ibz.be/en/a-page", "last_verified": "2026-11-01",
        }),
    );
    assert_eq!((reference.status, reference.json()), (201, json!({"uid": "ref-00003"})));
    let shown = server.get("/api/references/a-page").json();
    assert_eq!((&shown["status"], &shown["uid"]), (&json!("alpha"), &json!("ref-00003")));
}

fn an_entry_is_checked_before_it_is_minted(server: &Server, place: &Place) {
    let token = place.operator_token();
    for entry in [
        json!([]),
        json!({}),
        json!({"type": "con", "name": "x"}),
        json!({"type": "val", "name": "no-value"}),
        json!({"type": "val", "name": "Not Kebab", "value": "1", "value_type": "string"}),
        json!({"type": "val", "name": "wrong-type", "value": "1", "value_type": "integer"}),
        json!({"type": "val", "name": "more-fields", "value": "1", "value_type": "string", "rank": 1}),
        json!({"type": "ref", "name": "over-http", "title": "A page", "url": "http://dofi.ibz.be/", "last_verified": "2026-11-01"}),
        json!({"type": "ref", "name": "with-port", "title": "A page", "url": "https://dofi.ibz.be:8443/", "last_verified": "2026-11-01"}),
    ] {
        let reply = mint(server, &token, &entry);
        assert_eq!((reply.status, reply.error().as_str()), (400, "schema_fail"), "{entry}");
        if let Some(name) = entry["name"].as_str().filter(|name| !name.contains(' ')) {
            let folder = if entry["type"] == "ref" { "references" } else { "volatile-values" };
            assert_eq!(server.get(&format!("/api/{folder}/{name}")).status, 404, "{name}");
        }
    }
}

fn voters_are_counted_once(server: &Server, place: &Place) {
    let asked = |target_type: &str, target_id: &str| {
        let address =
            format!("/api/_internal/artefact-stats?target_type={target_type}&target_id={target_id}");
        let bearer = format!("Bearer {}", place.operator_token());
        server.send("GET", &address, &[("authorization", &bearer)], None)
    };
    let target = ("volatile_value", "val-00002");
    assert_eq!(
        asked(target.0, target.1).json(),
        json!({"distinct_ips": 0, "distinct_ips_with_injection_flag": 0})
    );
    for address in
        ["192.0.2.1", "192.0.2.1", "192.0.2.2", "2001:db8:1:1::1", "2001:db8:1:2::1", "2001:db8:2:1::1"]
    {
        let vote = make::validation(target.0, target.1, "confirm");
        assert_eq!(server.post_from(address, "/api/validations", &vote).status, 201);
    }
    let mut flag = make::validation(target.0, target.1, "reject");
    flag["injection_flag"] = json!(true);
    flag["injection_reason"] = json!("The text tells the agent what to do.");
    assert_eq!(server.post_from("192.0.2.2", "/api/validations", &flag).status, 201);
    // Two networks of one household are one voter (DECISIONS §6).
    assert_eq!(
        asked(target.0, target.1).json(),
        json!({"distinct_ips": 4, "distinct_ips_with_injection_flag": 1})
    );
    assert_eq!(asked("volatile_value", "val-99999").status, 404);
    assert_eq!(asked("skill", "nothing-of-that-name").status, 404);
    assert_eq!(asked("path_source", "household-certificate:commune-desk").status, 200);
}

fn everything_is_counted_for_monitoring(server: &Server, _: &Place) {
    let count = |name: &str| -> u64 {
        let text = server.get("/metrics").text;
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
        line.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
    };
    let accepted = "becivic_submissions_accepted_total{type=\"feedback\"}";
    let refused = "becivic_submissions_refused_total{type=\"feedback\",category=\"schema_fail\"}";
    let answered = "becivic_http_requests_total{route=\"/api/feedback-channel\",status=\"2xx\"}";
    let before = (count(accepted), count(refused), count(answered));
    assert_eq!(server.post("/api/feedback-channel", &make::feedback("The pages are clear.")).status, 201);
    assert_eq!(server.post("/api/feedback-channel", &json!({"body": "x"})).status, 400);
    assert_eq!(
        (count(accepted), count(refused), count(answered)),
        (before.0 + 1, before.1 + 1, before.2 + 1)
    );
    let media = server.get("/metrics").header("content-type").unwrap_or_default().to_owned();
    assert!(media.starts_with("application/openmetrics-text"), "{media}");
    assert!(server.get("/metrics").text.ends_with("# EOF\n"));
}
