//! What a flag puts away in the catalogue is in no form of any skill that cites it: not in what the page shows, and not in the copy
//! that its author wrote between the tags.

use super::asked;
use crate::commit::{quick, until};
use crate::consensus::{flag, voter};
use crate::harness::{Engine, Place, Server, make};
use becivic_server::db::catalogue::{self, Prefix};
use becivic_server::moment::Moment;
use serde_json::json;

const SKILL: &str = "/skills/arrival-declaration";

/// Everything that shows the text of the skill or speaks of the entries, with what kind of answer is preferred.
fn forms(server: &Server) -> Vec<(String, &'static str)> {
    let history = server.get(&format!("/api{SKILL}/history")).json();
    let sha = history["items"][0]["commit"].as_str().expect("a commit").to_owned();
    let any = "*/*";
    let mut forms = vec![
        (SKILL.to_owned(), any),
        (format!("{SKILL}.md"), any),
        (format!("{SKILL}/source.md"), any),
        (SKILL.to_owned(), "application/json"),
        (format!("{SKILL}/history"), any),
        (format!("{SKILL}/history/{sha}"), any),
        (format!("{SKILL}/history/{sha}.md"), any),
        (format!("{SKILL}/at/{sha}"), any),
        (format!("{SKILL}/at/{sha}.md"), any),
        ("/skills/renew-residence-card/source.md".to_owned(), any),
        ("/llms.txt".to_owned(), any),
        ("/llms-full.txt".to_owned(), any),
        ("/search.json".to_owned(), any),
        ("/search?q=arrival".to_owned(), any),
        ("/skills/index.json".to_owned(), any),
    ];
    for (room, uid) in [("values", "val-00001"), ("values", "val-00002"), ("references", "ref-00002")] {
        forms.push((format!("/{room}/{uid}"), any));
        forms.push((format!("/{room}/{uid}.md"), any));
        forms.push((format!("/{room}/{uid}"), "application/json"));
    }
    forms
}

/// What the rows say that are put away below.
const SAID: [&str; 4] = ["€5", "8 working days", "https://dofi.ibz.be/en", "declaring your arrival"];

fn nowhere(server: &Server, forms: &[(String, &str)]) {
    for (form, accept) in forms {
        let reply = asked(server, form, &[("accept", accept)]);
        assert_eq!(reply.status, 200, "{form}");
        for said in SAID {
            let rest = reply.text.split(said).nth(1).map(|rest| rest.chars().take(60).collect::<String>());
            assert_eq!(rest, None, "{form} as {accept} still says {said}");
        }
    }
}

fn a_flagged_row_is_in_no_form_of_what_cites_it(engine: Engine) {
    let place = Place::new(engine);
    let server = Server::start(&place, &quick());
    let forms = forms(&server);
    // Everything is read once before, so that pages are kept.
    let before: Vec<String> =
        forms.iter().map(|(form, accept)| asked(&server, form, &[("accept", accept)]).text).collect();
    for said in SAID {
        assert!(
            before.iter().filter(|text| text.contains(said)).count() > 5,
            "the test knows where {said} is"
        );
    }
    let rows = [("volatile_value", "val-00001"), ("volatile_value", "val-00002"), ("reference", "ref-00002")];
    for (at, row) in rows.into_iter().enumerate() {
        assert_eq!(flag(&server, &voter(at), row).status, 201, "{row:?}");
    }
    nowhere(&server, &forms);
    for form in [format!("{SKILL}/source.md"), forms[6].0.clone(), forms[8].0.clone(), format!("{SKILL}.md")]
    {
        let text = server.get(&form).text;
        assert!(
            text.contains(">[unresolved]</VV>") && text.contains(">[unresolved]</Ref>"),
            "{form}: {text}"
        );
    }
    // A value that a maintainer puts in its place brings nothing of it back.
    place.write(|tx| {
        let content = json!({"value": "9 weeks", "value_type": "string"}).to_string();
        let now = Moment::read(&make::time(0)).expect("a time");
        catalogue::supersede(tx, Prefix::Value, "val-00002", "alpha", &content, now)
    });
    until("the new value shows", || {
        server.get(&format!("{SKILL}.md")).text.contains("9 weeks").then_some(())
    });
    nowhere(&server, &forms);
    assert!(server.stop().success());
}

#[test]
fn a_flagged_row_is_in_no_form_of_what_cites_it_on_sqlite() {
    a_flagged_row_is_in_no_form_of_what_cites_it(Engine::Sqlite);
}

#[test]
fn a_flagged_row_is_in_no_form_of_what_cites_it_on_postgres() {
    a_flagged_row_is_in_no_form_of_what_cites_it(Engine::Postgres);
}
