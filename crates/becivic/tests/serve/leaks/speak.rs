//! Marks, and everything they are sent through.

use crate::harness::{Reply, Server, make, root};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// How every mark begins.
pub const MARK: &[u8] = b"zqxmarker";

/// Every mark is this long: letters only, so that no scrub rule takes it for a number.
pub const MARK_LENGTH: usize = MARK.len() + 4;

/// Addresses that come through the proxy.
pub const ADDRESSES: &[&str] = &[
    "203.0.113.77",
    "198.51.100.203",
    "192.0.2.189",
    "100.66.77.88",
    "2001:db8:7a7a:5b5b:1c1c:2d2d:3e3e:4f4f",
    "2001:db8:91c3:d7e5:8a6b:4c2d:9e1f:7b3a",
];

/// Every mark that was sent, by what became of it.
#[derive(Debug, Default)]
pub struct Marks {
    count: usize,
    /// Accepted, and there.
    pub kept: BTreeSet<String>,
    /// Accepted, then taken back or discarded.
    pub gone: BTreeSet<String>,
    /// Refused, rehearsed, or in a place that is not kept.
    pub never: BTreeSet<String>,
}

impl Marks {
    fn next(&mut self) -> String {
        self.count += 1;
        let letter = |place: u32| char::from(b'a' + (self.count / 26_usize.pow(place) % 26) as u8);
        String::from_utf8_lossy(MARK).into_owned() + &[3, 2, 1, 0].map(letter).iter().collect::<String>()
    }

    /// A mark in what will be kept.
    pub fn kept(&mut self) -> String {
        let mark = self.next();
        self.kept.insert(mark.clone());
        mark
    }

    /// A mark in what will be taken back.
    pub fn gone(&mut self) -> String {
        let mark = self.next();
        self.gone.insert(mark.clone());
        mark
    }

    /// A mark in what must not be kept.
    pub fn never(&mut self) -> String {
        let mark = self.next();
        self.never.insert(mark.clone());
        mark
    }

    /// One of the addresses.
    pub fn address(&self) -> &'static str {
        ADDRESSES[self.count % ADDRESSES.len()]
    }
}

/// Every type: where it is posted, and one with marks in each of its texts. `text` marks what is kept with it, `other`
/// what is not kept after it took effect.
fn submissions(
    mut text: impl FnMut() -> String,
    mut other: impl FnMut() -> String,
) -> Vec<(&'static str, Value)> {
    let mut concern = make::concern("arrival-declaration", &format!("The counter said {} twice.", text()));
    concern["submitting_agent"] = json!(format!("{}/1.0", text()));
    // A flag on a meta-skill puts nothing away, so that it can be said again.
    let mut verdict = make::validation("skill", "meta-no-skill-fallback", "reject");
    verdict["rationale"] = json!(format!("It was {} instead.", text()));
    verdict["injection_flag"] = json!(true);
    verdict["injection_reason"] = json!(format!("It says {} to the agent.", text()));
    verdict["submitting_agent"] = json!(format!("{}/1.0", other()));
    let mut feedback = make::feedback(&format!("The page about {} is hard to read.", text()));
    feedback["submitting_agent"] = json!(format!("{}/1.0", text()));
    let mut rating = make::rating("renew-residence-card", 2);
    rating["would_be_5_stars"] = json!(format!("More about {}.", text()));
    let mut event = make::analytics();
    event["submitting_agent"] = json!(format!("{}/1.0", other()));
    event["event_type"] = json!("step_transition");
    event["content"] = json!({"from_step": text(), "to_step": "the-end"});
    let mut amendment = make::value_amendment("val-00001", json!(format!("12 euros, with {} on it", text())));
    amendment["rationale"] = json!(format!("The counter asked for {}.", text()));
    let mut draft = fixture("drafts/valid/path/check-only-with-provenance.json");
    draft["draft_id"] = json!(make::id("drf_"));
    draft["submitted_at"] = json!(make::time(0));
    draft["commit_message"] = json!(format!("Propose a path about {}", text()));
    vec![
        ("/api/concerns", concern),
        ("/api/validations", verdict),
        ("/api/feedback-channel", feedback),
        ("/api/ratings", rating),
        ("/api/analytics", event),
        ("/api/amendments", amendment),
        ("/api/drafts", draft),
    ]
}

fn fixture(name: &str) -> Value {
    let text = std::fs::read_to_string(root().join("fixtures").join(name)).expect("a fixture");
    serde_json::from_str(&text).expect("JSON")
}

fn id_of(value: &Value) -> &str {
    let fields = value.as_object().expect("an object").iter();
    let mut ids = fields
        .filter(|(name, _)| name.ends_with("_id") && !matches!(name.as_str(), "target_id" | "proposed_id"));
    ids.next().and_then(|(_, id)| id.as_str()).expect("an id")
}

/// Posts from one of the addresses, with marks in headers that nobody asked for and in the query.
fn post(server: &Server, marks: &mut Marks, path: &str, body: &[u8]) -> Reply {
    let [agent, cookie, referer, query, trace] = [(); 5].map(|()| marks.never());
    let address = marks.address();
    let headers = [
        ("content-type", "application/json"),
        ("x-forwarded-for", address),
        ("x-real-ip", address),
        ("forwarded", &format!("for={address}")),
        ("user-agent", &agent),
        ("cookie", &format!("session={cookie}")),
        ("referer", &format!("https://example.org/{referer}")),
        ("x-request-id", &trace),
    ];
    let joint = if path.contains('?') { '&' } else { '?' };
    server.send("POST", &format!("{path}{joint}note={query}"), &headers, Some(body))
}

/// Posts what must be refused; the answer must not repeat any of it.
fn refused(server: &Server, marks: &mut Marks, path: &str, body: &[u8]) {
    let reply = post(server, marks, path, body);
    silent(&reply, path);
    assert!((400..500).contains(&reply.status), "{path} {reply:?} {}", String::from_utf8_lossy(body));
}

/// Nothing of what was sent is in an answer.
pub fn silent(reply: &Reply, what: &str) {
    let whole = format!("{} {:?}", reply.text, reply.headers);
    assert!(super::scan::marks_in(whole.as_bytes()).is_empty(), "{what} repeats what was sent: {reply:?}");
}

/// Sends marks through every door.
pub fn speak(server: &Server, operator: &str, marks: &mut Marks) {
    accepted(server, marks);
    taken_back(server, operator, marks);
    bad_bodies(server, marks);
    bad_fields(server, marks);
    elsewhere(server, operator, marks);
    super::agents::speak(server, marks);
    asked_before(server, marks);
}

/// What is known of a person, sent along for a form: it comes back in the answer, and stays nowhere. What is wrong with it is
/// said without it.
fn asked_before(server: &Server, marks: &mut Marks) {
    let profile = json!({"profile_schema_version": "1", "last_updated_at": make::time(0)});
    let door = "/api/onboarding-form";
    for (format, mode) in
        [("json", "returning"), ("html", "returning"), ("json", "continuing"), ("html", "first_contact")]
    {
        let (mut known, mark) = (profile.clone(), marks.never());
        known["conversation_language"] = json!(mark);
        let body = json!({"mode": mode, "profile_snapshot": known}).to_string();
        let reply = post(server, marks, &format!("{door}?format={format}"), body.as_bytes());
        assert_eq!(reply.status, 200, "{reply:?}");
        assert!(mode == "continuing" || reply.text.contains(&mark), "what is known is shown");
        assert!(reply.headers.contains(&("cache-control".to_owned(), "no-store".to_owned())), "{reply:?}");
    }
    for (field, value) in [
        ("conversation_language", json!(format!("{} 1", marks.never()))),
        ("region", json!(marks.never())),
        ("residency_history", json!([{"start": marks.never(), "end": "current"}])),
        ("consent", json!({marks.never(): {marks.never(): [marks.never()]}})),
        (marks.never().as_str(), json!(marks.never())),
    ] {
        let mut known = profile.clone();
        known[field] = value;
        refused(server, marks, door, json!({"profile_snapshot": known}).to_string().as_bytes());
    }
    for body in [
        json!({"skill_id": marks.never()}),
        json!({"app": marks.never(), "profile_snapshot": {"region": marks.never()}}),
        json!({marks.never(): marks.never()}),
    ] {
        refused(server, marks, door, body.to_string().as_bytes());
    }
    let mark = marks.never();
    let asked =
        format!("{door}?skill_id={mark}&app={mark}&locale={mark}&mode={mark}&profile_snapshot={mark}");
    let reply = server.get(&asked);
    assert_eq!(reply.status, 400, "{reply:?}");
    silent(&reply, door);
}

/// A store of marks to give out while another is open.
fn several(count: usize, mut one: impl FnMut() -> String) -> std::vec::IntoIter<String> {
    (0..count).map(|_| one()).collect::<Vec<_>>().into_iter()
}

/// All types with `kept` marks for their texts; the marks of what is not kept are `never`.
fn marked(marks: &mut Marks, text: fn(&mut Marks) -> String) -> Vec<(&'static str, Value)> {
    let mut texts = several(11, || text(marks));
    let mut others = several(2, || marks.never());
    let made = submissions(|| texts.next().expect("a mark"), || others.next().expect("a mark"));
    assert!(texts.next().is_none() && others.next().is_none(), "every mark is sent");
    made
}

fn accepted(server: &Server, marks: &mut Marks) {
    for (path, value) in marked(marks, Marks::kept) {
        let reply = post(server, marks, path, value.to_string().as_bytes());
        assert_eq!(reply.status, 201, "{path} {reply:?}");
        silent(&reply, path);
        // Again: recognised. From elsewhere, or with other words: refused.
        let headers = [("content-type", "application/json"), ("x-forwarded-for", "198.18.0.9")];
        let other = server.send("POST", path, &headers, Some(value.to_string().as_bytes()));
        assert_eq!(other.status, 409, "{path} {other:?}");
        silent(&other, path);
    }
    let concern = make::concern("arrival-declaration", &format!("The counter said {}.", marks.kept()));
    let verdict = make::validation("skill", "legalise-foreign-document", "confirm");
    let items = vec![
        make::item("concern", concern),
        make::item("validation", verdict),
        json!({"type": marks.never(), "concern_id": make::id("con_")}),
        json!({"type": "concern", "concern_id": make::id("con_"), "content": {"body": marks.never()}}),
    ];
    let reply = post(server, marks, "/api/feedback", make::envelope("stage", items).to_string().as_bytes());
    assert_eq!(reply.status, 200);
    silent(&reply, "envelope");
    assert_eq!(reply.json()["results"][0]["status"], "staged", "{reply:?}");
    // Rehearsals keep nothing.
    for (path, value) in marked(marks, Marks::never) {
        let reply = post(server, marks, &format!("{path}?dry_run=1"), value.to_string().as_bytes());
        assert_eq!(reply.status, 200, "{path} {reply:?}");
        silent(&reply, path);
    }
    let items = vec![make::item("concern", make::concern("arrival-declaration", &marks.never()))];
    let reply =
        post(server, marks, "/api/feedback", make::envelope("validate", items).to_string().as_bytes());
    assert_eq!(reply.json()["results"][0]["status"], "validated", "{reply:?}");
}

fn taken_back(server: &Server, operator: &str, marks: &mut Marks) {
    for round in ["cancelled", "held and cancelled", "discarded"] {
        for (path, value) in marked(marks, Marks::gone) {
            if matches!(path, "/api/validations" | "/api/analytics") {
                // These take effect at once and cannot be taken back: their marks were not sent.
                continue;
            }
            let reply = post(server, marks, path, value.to_string().as_bytes());
            assert_eq!(reply.status, 201, "{path} {reply:?}");
            let token = reply.json()["cancel_token"].as_str().expect("a token").to_owned();
            let place = format!("{path}/{}", id_of(&value));
            let wrong = server.delete(&place, &marks.never());
            assert_eq!(wrong.status, 401, "{place} {wrong:?}");
            let status = format!("{place}/status");
            if round != "cancelled" {
                assert_eq!(server.patch(&status, operator, &json!({"state": "held_for_review"})).status, 200);
            }
            if round == "discarded" {
                assert_eq!(server.patch(&status, operator, &json!({"state": "discarded"})).status, 200);
            } else {
                assert_eq!(server.delete(&place, &token).status, 200);
            }
        }
    }
}

/// Bodies nobody can read.
fn bad_bodies(server: &Server, marks: &mut Marks) {
    let doors = [
        "concerns",
        "amendments",
        "drafts",
        "validations",
        "feedback-channel",
        "ratings",
        "analytics",
        "feedback",
        "onboarding-form",
    ];
    for door in doors {
        let path = format!("/api/{door}");
        let mark = marks.never();
        for body in [
            format!("{{\"{mark}\": "),
            format!("\"{mark}\""),
            format!("[\"{mark}\"]"),
            format!("{{\"a\": \"{mark}\", \"a\": 1}}"),
            format!("{{\"{mark}\": \"{mark}\"}}"),
            mark.clone(),
            format!("{{\"a\": \"{mark}\\ud800\"}}"),
            format!("{{\"items\": [\"{mark}\"], \"mode\": \"{mark}\"}}"),
            format!("{{\"ip_address\": \"203.0.113.77\", \"user_name\": \"{mark}\"}}"),
            format!("{}{mark}{}", "[".repeat(5_000), "]".repeat(5_000)),
        ] {
            refused(server, marks, &path, body.as_bytes());
        }
        refused(server, marks, &path, &[mark.as_bytes(), &[0xff, 0xfe]].concat());
        // The server may close while this is still being sent: then there is no answer to look at.
        let large = format!("{{\"a\": \"{mark} {}\"}}", "x".repeat(2 << 20));
        let headers = [
            ("content-type", "application/json"),
            ("x-forwarded-for", "203.0.113.77"),
            ("connection", "close"),
        ];
        if let Some(reply) = server.try_send("POST", &path, &headers, Some(large.as_bytes())) {
            assert_eq!(reply.status, 413, "{reply:?}");
            silent(&reply, &path);
        }
        let media = format!("text/{}", marks.never());
        // Refused unread: the connection is not used again.
        let headers = [
            ("connection", "close"),
            ("content-type", media.as_str()),
            ("x-forwarded-for", "203.0.113.77, 2001:db8:7a7a:zz"),
        ];
        let reply = server.send("POST", &path, &headers, Some(mark.as_bytes()));
        assert_eq!(reply.status, 415, "{reply:?}");
        silent(&reply, &path);
    }
}

/// Submissions in which one thing is wrong.
fn bad_fields(server: &Server, marks: &mut Marks) {
    for (path, whole) in marked(marks, Marks::never) {
        let mut wrong: Vec<Value> = Vec::new();
        let mut change = |edit: &mut dyn FnMut(&mut Value)| {
            let mut value = whole.clone();
            let field =
                whole.as_object().expect("an object").keys().find(|name| whole[*name] == id_of(&whole));
            value[field.expect("an id").clone()] = json!(make::id(&id_of(&whole)[..4]));
            edit(&mut value);
            wrong.push(value);
        };
        let mark = marks.never();
        change(&mut |value| value[&mark] = json!("unknown"));
        change(&mut |value| value["note"] = json!(mark));
        change(&mut |value| value["user_email"] = json!(mark));
        change(&mut |value| value["content"] = json!({"deep": {"device_id": mark}}));
        change(&mut |value| value["submitted_at"] = json!(mark));
        change(&mut |value| value["submitted_at"] = json!(make::time(-9 * 86_400)));
        change(&mut |value| value["submitting_agent"] = json!(format!("{mark} {mark}")));
        change(&mut |value| value["submission_contract_version"] = json!(mark));
        change(&mut |value| value["declared_capabilities"] = json!([mark]));
        change(&mut |value| value["schema_version"] = json!(mark));
        change(&mut |value| value["target_type"] = json!(mark));
        for text in ["rationale", "body", "would_be_5_stars", "commit_message"] {
            if whole.get(text).is_some() {
                change(&mut |value| value[text] = json!(format!("Write to {mark}@example.com today.")));
                change(&mut |value| value[text] = json!(mark.repeat(2_000)));
                change(&mut |value| value[text] = json!(format!("{mark}\u{202e}\u{0}")));
            }
        }
        if whole.get("target_id").is_some() {
            change(&mut |value| value["target_id"] = json!(mark));
            change(&mut |value| value["target_id"] = json!(["'; DROP TABLE staged; --", mark.as_str()]));
        }
        for value in wrong {
            refused(server, marks, path, value.to_string().as_bytes());
        }
    }
}

/// Every other door: paths, queries, tokens, methods, the operator's own.
fn elsewhere(server: &Server, operator: &str, marks: &mut Marks) {
    let folders = [
        "concerns",
        "amendments",
        "drafts",
        "validations",
        "feedback-channel",
        "ratings",
        "skills",
        "paths",
        "volatile-values",
        "references",
        "feedback/sessions",
        "skill-graph",
        "_internal",
    ];
    for folder in folders {
        let mark = marks.never();
        for path in [
            format!("/api/{folder}/{mark}"),
            format!("/api/{folder}/{mark}%00%ff"),
            format!("/api/{folder}/{mark}%00"),
            format!("/api/{folder}/{mark}/history"),
            format!("/api/{folder}/{mark}/concerns?since={mark}&after={mark}"),
            format!(
                "/api/{folder}?status={mark}&after={mark}&limit={mark}&skill={mark}&applies_to={mark}&profile_match={mark}"
            ),
            format!("/{mark}/{folder}"),
        ] {
            let headers = [
                ("x-forwarded-for", marks.address()),
                ("user-agent", mark.as_str()),
                ("if-none-match", &mark),
            ];
            for method in ["GET", "HEAD", "DELETE", "PATCH", "PUT", "POST", "OPTIONS", mark.as_str()] {
                let bearer = format!("Bearer {mark}");
                let headers = [&headers[..], &[("authorization", bearer.as_str())]].concat();
                let Some(reply) = server.try_send(method, &path, &headers, None) else { continue };
                silent(&reply, &path);
                assert!(reply.status < 500, "{method} {path} {reply:?}");
            }
        }
    }
    for stats in ["artefact-stats", "rating-stats"] {
        let mark = marks.never();
        let path = format!("/api/_internal/{stats}?target_type={mark}&target_id={mark}");
        let reply = server.send("GET", &path, &[("authorization", &format!("Bearer {operator}"))], None);
        assert_eq!(reply.status, 400, "{reply:?}");
        silent(&reply, &path);
    }
    let mint = |entry: &Value| {
        let bearer = format!("Bearer {operator}");
        let headers = [("content-type", "application/json"), ("authorization", bearer.as_str())];
        server.send("POST", "/api/_internal/catalogue-entries", &headers, Some(entry.to_string().as_bytes()))
    };
    let good = json!({"type": "val", "name": marks.kept(), "value": marks.kept(), "value_type": "string"});
    assert_eq!(mint(&good).status, 201);
    let bad =
        json!({"type": "val", "name": marks.never(), "value": marks.never(), "value_type": marks.never()});
    let reply = mint(&bad);
    assert_eq!(reply.status, 400);
    silent(&reply, "mint");
}
