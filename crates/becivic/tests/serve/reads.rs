//! What is read: lists in pages, filters, entries by uid and by name, histories, and the skill graph.

use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, Setup};
use becivic_server::db::catalogue::{self, Prefix};
use becivic_server::db::concerns::{self, Concern};
use becivic_server::moment::Moment;
use serde_json::{Value, json};

on_both_engines!(
    Setup::fixtures(),
    cases![
        lists_are_walked_without_gaps,
        observations_are_filtered,
        observations_are_walked_without_gaps,
        filters_narrow,
        unknown_filter_values_are_refused,
        entries_answer_to_uid_and_name,
        a_corrected_value_keeps_its_history,
        a_skill_says_what_it_is,
        skills_have_a_history,
        the_graph_is_filtered_and_never_without_the_fallback,
    ]
);

/// Follows `next` to the end; gives back one field of every item.
fn walk(server: &Server, address: &str, field: &str, limit: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut after = String::new();
    for _ in 0..1_000 {
        let joint = if address.contains('?') { '&' } else { '?' };
        let cursor = if after.is_empty() { String::new() } else { format!("&after={after}") };
        let page = server.get(&format!("{address}{joint}limit={limit}{cursor}"));
        assert_eq!(page.status, 200, "{page:?}");
        let page = page.json();
        let items = page["items"].as_array().expect("items");
        assert!(items.len() <= limit, "{address}");
        found.extend(items.iter().map(|item| item[field].as_str().expect("a name").to_owned()));
        match page["next"].as_str() {
            Some(next) => after = next.to_owned(),
            None => return found,
        }
    }
    panic!("{address} never ends")
}

fn lists_are_walked_without_gaps(server: &Server, _: &Place) {
    let skills = [
        "arrival-declaration",
        "legalise-foreign-document",
        "meta-no-skill-fallback",
        "old-registration",
        "renew-residence-card",
        "school-enrolment",
    ];
    for (address, field, all) in [
        ("/api/skills", "id", &skills[..]),
        ("/api/paths", "id", &["household-certificate", "residence-certificate", "retired-portal-form"]),
        ("/api/volatile-values", "uid", &["val-00001", "val-00002"]),
        ("/api/references", "uid", &["ref-00001", "ref-00002"]),
    ] {
        for limit in [1, 2, 3, 200] {
            assert_eq!(walk(server, address, field, limit), all, "{address} by {limit}");
        }
    }
}

fn concern(target: (&str, &str), day: Moment) -> Concern {
    Concern {
        target_type: target.0.to_owned(),
        target_id: target.1.to_owned(),
        scope: Some("general".to_owned()),
        body: "The desk asked for two photographs.".to_owned(),
        evidence_month: "2026-10".to_owned(),
        day: day.0,
        ..Concern::default()
    }
}

/// Concerns on the skill and on what it cites, and pending amendments, more of each than a page holds.
fn observations_are_walked_without_gaps(server: &Server, place: &Place) {
    let inserted = place.write(|tx| {
        let day = Moment::read("2026-11-10T00:00:00Z").expect("a day");
        let mut uids = Vec::new();
        for target in [
            ("skill", "arrival-declaration"),
            ("volatile_value", "val-00002"),
            ("reference", "ref-00001"),
            ("skill", "arrival-declaration"),
            ("path", "household-certificate"),
            ("path_source", "household-certificate:commune-desk"),
            ("skill", "arrival-declaration"),
        ] {
            uids.push(concerns::insert(tx, &concern(target, day))?);
        }
        concerns::insert(tx, &concern(("skill", "renew-residence-card"), day))?;
        for number in 1_i64..=5 {
            const SQL: &str = "INSERT INTO amendments (uid, target_type, target_id, state, rationale, content, day) \
                 VALUES ($1, 'skill', 'arrival-declaration', $2, 'Two desks agree.', '{}', $3)";
            let uid = format!("amd-{number:05}");
            let state = if number == 5 { "merged" } else { "pending" };
            tx.execute(SQL, &[(&uid).into(), state.into(), day.0.into()])?;
            if number < 5 {
                uids.push(uid);
            }
        }
        uids.sort();
        Ok(uids)
    });
    for limit in [1, 2, 3, 4, 5, 11, 200] {
        for address in ["/api/skills/arrival-declaration/concerns", "/api/concerns?skill=arrival-declaration"]
        {
            let mut walked = walk(server, address, "uid", limit);
            walked.sort();
            assert_eq!(walked, inserted, "{address} by {limit}");
        }
    }
    let same = ["/api/skills/arrival-declaration/concerns", "/api/skills/arrival-declaration/observations"];
    assert_eq!(server.get(same[0]).text, server.get(same[1]).text);
}

fn observations_are_filtered(server: &Server, place: &Place) {
    let uid = place.write(|tx| {
        let day = Moment::read("2026-11-13T00:00:00Z").expect("a day");
        concerns::insert(tx, &concern(("skill", "legalise-foreign-document"), day))
    });
    let list = |query: &str| {
        let reply = server.get(&format!("/api/skills/legalise-foreign-document/concerns{query}"));
        assert_eq!(reply.status, 200, "{query}: {reply:?}");
        reply.json()["items"].as_array().expect("items").clone()
    };
    for (query, count) in [
        ("", 1),
        ("?status=committed", 1),
        ("?status=pending", 0),
        ("?since=2026-11-13", 1),
        ("?since=2026-11-13T18:00:00Z", 1),
        ("?since=2026-11-14", 0),
    ] {
        assert_eq!(list(query).len(), count, "{query}");
    }
    // What is published of a concern, and nothing else (DECISIONS §8).
    let expected = json!({
        "uid": uid, "type": "concern", "status": "committed", "target_type": "skill",
        "target_id": "legalise-foreign-document", "scope": "general", "specifier": null,
        "text": "The desk asked for two photographs.", "observed_value": null, "evidence_month": "2026-10",
        "up": 0, "down": 0, "net_score": 0, "hidden": false, "committed_at": "2026-11-13T00:00:00Z",
    });
    assert_eq!(list(""), [expected]);
    place.write(move |tx| concerns::set_visible(tx, &uid, false));
    assert_eq!(list("").len(), 0);
}

fn filters_narrow(server: &Server, _: &Place) {
    for (address, field, expected) in [
        ("/api/skills?status=stable", "id", &["meta-no-skill-fallback", "renew-residence-card"][..]),
        ("/api/skills?status=draft", "id", &["school-enrolment"]),
        ("/api/skills?category=meta", "id", &["meta-no-skill-fallback"]),
        ("/api/skills?category=belgium-federal&status=alpha", "id", &["arrival-declaration"]),
        ("/api/paths?status=deprecated", "id", &["retired-portal-form"]),
        ("/api/paths?theme=family", "id", &["household-certificate"]),
        ("/api/paths?theme=family&status=deprecated", "id", &[]),
        ("/api/volatile-values?status=alpha", "uid", &["val-00001", "val-00002"]),
        ("/api/volatile-values?status=stable", "uid", &[]),
        ("/api/references?status=alpha", "uid", &["ref-00001", "ref-00002"]),
    ] {
        assert_eq!(walk(server, address, field, 1), expected, "{address}");
        assert_eq!(walk(server, address, field, 200), expected, "{address}");
    }
}

fn unknown_filter_values_are_refused(server: &Server, place: &Place) {
    let long = "a".repeat(201);
    let mut addresses: Vec<(String, &str)> = [
        ("/api/skills?status=published", "/status"),
        ("/api/skills?status=", "/status"),
        ("/api/paths?status=Alpha", "/status"),
        ("/api/paths?theme=gardening", "/theme"),
        ("/api/volatile-values?status=%27%20OR%201%3D1--", "/status"),
        ("/api/references?status=new", "/status"),
        ("/api/skills/arrival-declaration/concerns?status=staged", "/status"),
        ("/api/skills/arrival-declaration/concerns?since=yesterday", "/since"),
        ("/api/skills/arrival-declaration/concerns?after=nothing", "/after"),
        ("/api/skill-graph?status=quarantined", "/status"),
        ("/api/skill-graph?status=stable,nothing", "/status"),
        ("/api/skill-graph?applies_to=gardening", "/applies_to"),
        ("/api/skill-graph?customer_locale=XX", "/customer_locale"),
        ("/api/concerns", ""),
    ]
    .map(|(address, pointer)| (address.to_owned(), pointer))
    .to_vec();
    for list in [
        "/api/skills",
        "/api/paths",
        "/api/volatile-values",
        "/api/references",
        "/api/skills/arrival-declaration/concerns",
    ] {
        for limit in ["0", "-1", "201", "x", "", "1e2", "99999999999999999999"] {
            addresses.push((format!("{list}?limit={limit}"), "/limit"));
        }
        addresses.push((format!("{list}?after={long}"), "/after"));
    }
    for (address, pointer) in addresses {
        let reply = server.get(&address);
        assert_eq!((reply.status, reply.error().as_str()), (400, "schema_fail"), "{address}");
        assert_eq!(reply.json()["schema_pointer"], pointer, "{address}");
    }
    let bearer = format!("Bearer {}", place.operator_token());
    for query in [
        "artefact-stats?target_type=nothing&target_id=x",
        "artefact-stats?target_type=session&target_id=x",
        "artefact-stats?target_type=skill",
        "artefact-stats",
        "rating-stats?target_type=path",
    ] {
        let reply =
            server.send("GET", &format!("/api/_internal/{query}"), &[("authorization", &bearer)], None);
        assert_eq!((reply.status, reply.error().as_str()), (400, "schema_fail"), "{query}");
    }
}

fn entries_answer_to_uid_and_name(server: &Server, _: &Place) {
    let value = json!({
        "uid": "val-00002", "name": "dofi-registration-delay-days", "value": "8 working days", "value_type": "string",
        "status": "alpha", "committed_at": "2026-05-12T00:00:00Z",
    });
    for asked in ["val-00002", "dofi-registration-delay-days"] {
        let mut row = server.get(&format!("/api/volatile-values/{asked}")).json();
        let fields = row.as_object_mut().expect("an object");
        assert!(fields.remove("cohort").is_some_and(|cohort| cohort["n"] == 0));
        assert_eq!(fields.remove("flagged"), Some(json!(false)));
        assert!(fields.remove("log").is_some_and(|log| log["proof"].is_array()));
        assert_eq!(row, value);
        let history = server.get(&format!("/api/volatile-values/{asked}/history")).json();
        assert_eq!(history, json!({"items": [value], "next": null}));
    }
    let by_uid = server.get("/api/references/ref-00001");
    assert_eq!(by_uid.json()["url"], "https://www.ejustice.just.fgov.be/eli/loi/1991/07/19");
    assert_eq!(server.get("/api/references/law-population-registers-1991").text, by_uid.text);
}

fn a_corrected_value_keeps_its_history(server: &Server, place: &Place) {
    let day = |text: &str| Moment::read(text).expect("a time");
    let times = (day("2026-11-01T10:00:00Z"), day("2026-11-02T10:00:00Z"), day("2026-11-03T10:00:00Z"));
    place.write(move |tx| {
        let content = |value: &str| json!({"value": value, "value_type": "string"}).to_string();
        let (uid, new) = catalogue::mint(tx, Prefix::Value, "kept-value", &content("one"), times.0)?;
        assert!(new);
        catalogue::supersede(tx, Prefix::Value, &uid, "stable", &content("two"), times.1)?;
        catalogue::supersede(tx, Prefix::Value, &uid, "alpha", &content("three"), times.2)
    });
    let history = server.get("/api/volatile-values/kept-value/history").json();
    let shown: Vec<(Value, Value, Value)> = history["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|it| (it["value"].clone(), it["status"].clone(), it["superseded_at"].clone()))
        .collect();
    let row = |value: &str, status: &str, until: Value| (json!(value), json!(status), until);
    assert_eq!(
        shown,
        [
            row("three", "alpha", Value::Null),
            row("two", "stable", json!("2026-11-03T00:00:00Z")),
            row("one", "alpha", json!("2026-11-02T00:00:00Z")),
        ]
    );
    // While the correction is pending, the stable value is there for readers.
    let current = server.get("/api/volatile-values/kept-value").json();
    assert_eq!((&current["value"], &current["previous_stable"]["value"]), (&json!("three"), &json!("two")));
}

fn a_skill_says_what_it_is(server: &Server, _: &Place) {
    let skill = server.get("/api/skills/renew-residence-card").json();
    for (name, value) in [
        ("id", "renew-residence-card"),
        ("title", "Renew a residence card"),
        ("status", "stable"),
        ("version", "1.0.3"),
        ("origin", "be-civic"),
        ("category", "belgium-federal"),
        ("history_url", "/api/skills/renew-residence-card/history"),
    ] {
        assert_eq!(skill[name], value, "{name}");
    }
    assert_eq!(skill["commit"].as_str().map(str::len), Some(40));
    assert_eq!(skill["frontmatter"]["authority_id"], "dofi");
    assert!(skill["body"].as_str().is_some_and(|body| body.contains("# Renew a residence card")));
    for name in ["observations_block", "cohort", "log"] {
        assert!(skill.get(name).is_some(), "{name}");
    }
}

fn skills_have_a_history(server: &Server, _: &Place) {
    let history = server.get("/api/skills/arrival-declaration/history").json();
    let items = history["items"].as_array().expect("items");
    assert_eq!(items.len(), 1);
    assert_eq!(items[0]["commit"], server.get("/readyz").json()["commit"]);
    assert!(items[0]["committed_at"].as_str().is_some_and(|at| at.ends_with("T00:00:00Z")));
}

fn the_graph_is_filtered_and_never_without_the_fallback(server: &Server, _: &Place) {
    let fallback = "meta-no-skill-fallback";
    for (query, expected) in [
        ("", &[fallback, "renew-residence-card"][..]),
        ("?status=alpha", &["arrival-declaration", "legalise-foreign-document", fallback]),
        (
            "?status=alpha,draft",
            &["arrival-declaration", "legalise-foreign-document", fallback, "school-enrolment"],
        ),
        ("?applies_to=residency", &[fallback, "renew-residence-card"]),
        (
            "?applies_to=residency,education&status=draft,stable",
            &[fallback, "renew-residence-card", "school-enrolment"],
        ),
        ("?applies_to=taxation", &[fallback]),
        ("?customer_locale=FR", &[fallback, "renew-residence-card"]),
        ("?profile_match=evaluate", &[fallback, "renew-residence-card"]),
    ] {
        let reply = server.get(&format!("/api/skill-graph{query}"));
        assert_eq!(reply.status, 200, "{query}: {reply:?}");
        let graph = reply.json();
        let mut nodes: Vec<&str> =
            graph["nodes"].as_array().expect("nodes").iter().filter_map(|node| node["id"].as_str()).collect();
        nodes.sort_unstable();
        assert_eq!(nodes, expected, "{query}");
        assert!(graph["edges"].is_array() && graph["generated_at"].is_string());
    }
    let filters =
        server.get("/api/skill-graph?applies_to=residency&customer_locale=NL").json()["filters_applied"]
            .clone();
    assert_eq!(
        filters,
        json!({"applies_to": ["residency"], "status": ["stable", "beta"], "customer_locale": "NL"})
    );
    // A profile that is sent all the same comes back nowhere.
    let marker = "zonnebloemstraat";
    let reply = server.get(&format!("/api/skill-graph?profile_match={marker}"));
    assert!(!reply.text.contains(marker), "{reply:?}");
}
