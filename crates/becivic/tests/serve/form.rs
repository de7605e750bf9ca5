//! The onboarding form as it is served, and as a person fills it in.

mod browser;
mod sheet;

use crate::consensus::{flag, voter};
use crate::harness::{Engine, Place, Server, Setup};
use serde_json::{Value, json};

const DOOR: &str = "/api/onboarding-form";

fn started() -> (Place, Server) {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::default());
    (place, server)
}

#[test]
fn programs_get_json_and_people_get_a_page() {
    let (_place, server) = started();
    let header = |reply: &crate::harness::Reply, name: &str| {
        reply.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let asked = format!("{DOOR}?skill_id=nationality-application&locale=nl&app=cowork");
    let reply = server.get(&asked);
    assert_eq!(
        (reply.status, header(&reply, "cache-control")),
        (200, "public, max-age=60, s-maxage=60".into())
    );
    let form: Value = reply.json();
    let schema = jsonschema::validator_for(&becivic_core::form::answer_schema()).expect("a schema");
    assert!(schema.is_valid(&form), "{form}");
    assert_eq!(
        (&form["locale"], &form["app"], &form["mode"]),
        (&json!("nl"), &json!("cowork"), &json!("first_contact"))
    );
    let html = [("accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8")];
    for page in [server.send("GET", &asked, &html, None), server.get(&format!("{asked}&format=html"))] {
        assert_eq!((page.status, header(&page, "content-type")), (200, "text/html; charset=utf-8".into()));
        let policy = header(&page, "content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; style-src 'sha256-") && page.text.contains("lang=\"nl\""),
            "{policy}"
        );
        assert!(page.text.len() < 150_000, "{} bytes", page.text.len());
        for outside in ["src=\"", "href=\"", "http://", "https://", "url("] {
            assert!(!page.text.replace("https://json-schema.org", "").contains(outside), "{outside}");
        }
    }
    let known = json!({"profile_schema_version": "1", "last_updated_at": "2026-11-01T00:00:00Z", "region": "Flanders"});
    let reply = server.post(DOOR, &json!({"mode": "returning", "profile_snapshot": known}));
    assert_eq!((reply.status, header(&reply, "cache-control")), (200, "no-store".into()));
    assert_eq!(reply.json()["sections"][1]["fields"][0]["value"], "Flanders");
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let (_place, server) = started();
    for (query, status, pointer) in [
        ("skill_id=no-such-skill", 404, Value::Null),
        ("skill_id=Not%20an%20id", 400, json!("/skill_id")),
        ("locale=it", 400, json!("/locale")),
        ("mode=often", 400, json!("/mode")),
        ("app=fax", 400, json!("/app")),
    ] {
        let reply = server.get(&format!("{DOOR}?{query}"));
        assert_eq!((reply.status, &reply.json()["schema_pointer"]), (status, &pointer), "{query}");
    }
    let wrong = json!({"profile_snapshot": {"profile_schema_version": "1", "last_updated_at": "2026-11-01T00:00:00Z", "region": "Mars"}});
    let reply = server.post(DOOR, &wrong);
    assert_eq!((reply.status, &reply.json()["schema_pointer"]), (400, &json!("/profile_snapshot/region")));
    assert!(!reply.text.contains("Mars"));
    assert_eq!(server.post(DOOR, &json!({"colour": "red"})).status, 400);
}

#[test]
fn a_skill_that_was_put_away_asks_nothing() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::fixtures());
    let asked = format!("{DOOR}?skill_id=arrival-declaration");
    assert_eq!(server.get(&asked).status, 200);
    assert_eq!(flag(&server, &voter(1), ("skill", "arrival-declaration")).status, 201);
    assert_eq!(server.get(&asked).status, 404);
}
