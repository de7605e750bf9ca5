//! Pages follow the database: a value that is corrected shows on every page that cites it and changes no other; what is flagged is
//! on no page the moment after.

use super::{SKILL, asked};
use crate::commit::{committed, quick, until};
use crate::consensus::{flag, voter};
use crate::harness::{Engine, Place, Server, make};
use becivic_server::db::{DbError, Tx};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Every page of the corpus that is no list of what happened.
const PAGES: &[&str] = &[
    "/docs/submission-contract-v2",
    "/skills/",
    "/skills/arrival-declaration",
    "/skills/school-enrolment",
    "/skills/renew-residence-card",
    "/skills/meta-no-skill-fallback",
];

fn tags(server: &Server) -> BTreeMap<&'static str, String> {
    let tag = |path: &&'static str| (*path, server.get(path).header("etag").unwrap_or_default().to_owned());
    PAGES.iter().map(tag).collect()
}

fn a_corrected_value_shows_where_it_is_cited_and_nowhere_else(engine: Engine) {
    let place = Place::new(engine);
    let server = Server::start(&place, &quick());
    let before = tags(&server);
    let citing: Vec<&str> = PAGES
        .iter()
        .filter(|path| server.get(&format!("{path}/source.md")).text.contains("val-00001"))
        .copied()
        .collect();
    assert!(!citing.is_empty() && citing.len() < PAGES.len(), "{citing:?}");
    committed(&server, "/api/amendments", &make::value_amendment("val-00001", json!("€4321")));
    let began = Instant::now();
    for path in &citing {
        for form in ["text/html", "text/markdown"] {
            until("it shows", || {
                let since = began.elapsed();
                let shows = asked(&server, path, &[("accept", form)]).text.contains("€4321");
                assert!(shows || since < Duration::from_secs(1), "{path} is old after {since:?}");
                shows.then_some(())
            });
        }
    }
    for (path, tag) in tags(&server) {
        assert_eq!(before[path] != tag, citing.contains(&path), "{path}");
    }
    assert!(server.stop().success());
}

#[test]
fn a_corrected_value_shows_where_it_is_cited_and_nowhere_else_on_sqlite() {
    a_corrected_value_shows_where_it_is_cited_and_nowhere_else(Engine::Sqlite);
}

#[test]
fn a_corrected_value_shows_where_it_is_cited_and_nowhere_else_on_postgres() {
    a_corrected_value_shows_where_it_is_cited_and_nowhere_else(Engine::Postgres);
}

/// A skill that was promoted once and is not in the corpus any more.
pub fn taken_down(tx: &mut dyn Tx, id: &str) -> Result<(), DbError> {
    let sql = "INSERT INTO transitions (number, target_type, target_id, from_status, to_status, from_version, to_version, \
         cohort, rule, numbers, policy, day) \
         VALUES (900000, 'skill', $1, 'alpha', 'beta', '0.1.0', '0.2.0', '', 'alpha_to_beta', '{}', '1', 0)";
    tx.execute(sql, &[id.into()]).map(drop)
}

/// What was there once is not merely missing.
#[test]
fn what_was_taken_out_of_the_corpus_is_gone() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &quick());
    place.write(|tx| taken_down(tx, "stray-dogs"));
    let gone = server.get("/skills/stray-dogs");
    assert_eq!((gone.status, server.get("/skills/stray-cats").status), (410, 404));
    assert!(gone.text.contains("noindex"), "{}", gone.text);
    let markdown = asked(&server, "/skills/stray-dogs", &[("accept", "text/markdown")]);
    assert_eq!(markdown.status, 410);
    assert!(server.stop().success());
}

#[test]
fn what_is_flagged_is_in_no_form_the_moment_after() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &quick());
    let forms = [
        "/skills/arrival-declaration",
        "/skills/arrival-declaration.md",
        "/skills/arrival-declaration/source.md",
    ];
    let secret = "## Process";
    for form in &forms[1..] {
        assert!(server.get(form).text.contains(secret), "{form}");
    }
    let found = server.get("/search?q=arrival+declaration").text;
    assert!(found.contains("href=\"/skills/arrival-declaration\""), "it can be found: {found}");
    assert_eq!(flag(&server, &voter(1), ("skill", "arrival-declaration")).status, 201);
    for form in forms {
        let reply = server.get(form);
        assert!(
            !reply.text.contains(secret) && !reply.text.contains("id=\"process\""),
            "{form}: {}",
            reply.text
        );
    }
    assert_eq!(server.get("/skills/arrival-declaration/source.md").status, 404);
    let found = server.get("/search?q=arrival+declaration").text;
    assert!(!found.contains("href=\"/skills/arrival-declaration\""), "it cannot be found: {found}");
    let page = server.get("/skills/arrival-declaration");
    assert_eq!(page.status, 200, "that it was put away is said on its page");
    assert!(page.text.contains("noindex") && server.get(SKILL).status == 200);
    assert!(server.stop().success());
}
