//! Verdicts whose words wait: they count from their release on, or never; a flag counts at once.

use super::{HELD, NAMED, held, held_from, to};
use crate::desk::Desk;
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, Setup, make};
use serde_json::{Value, json};

on_both_engines!(
    Setup::fixtures().unlimited(),
    cases![
        a_verdict_counts_from_its_release_on,
        a_discarded_verdict_never_counts,
        the_latest_verdict_of_a_voter_counts,
        a_source_and_its_path_count_a_released_verdict,
        a_vote_on_a_concern_moves_its_score_when_released,
        a_flag_counts_at_once_and_its_words_wait,
        an_edit_changes_the_words_and_not_the_verdict,
        a_committed_vote_on_a_concern_leaves_its_score_while_held,
    ]
);

fn named(target_type: &str, target_id: &str, verdict: &str) -> Value {
    let mut value = make::validation(target_type, target_id, verdict);
    value["rationale"] = json!(NAMED);
    value
}

fn cohort(server: &Server, skill: &str, name: &str) -> Value {
    server.get(&format!("/api/skills/{skill}")).json()["cohort"][name].clone()
}

fn a_verdict_counts_from_its_release_on(server: &Server, place: &Place) {
    let confirms = || cohort(server, "legalise-foreign-document", "confirms");
    let vote = named("skill", "legalise-foreign-document", "confirm");
    let (path, _) = held(server, "/api/validations", &vote);
    assert_eq!(confirms(), 0);
    let again = server.post("/api/validations", &vote);
    assert_eq!((again.status, &again.json()["state"]), (202, &json!(HELD)), "{again:?}");
    assert_eq!(server.delete(&path, "any").status, 405);
    // It was given some days ago, and counts from today on.
    let id = path.rsplit('/').next().expect("an id").to_owned();
    place.write(move |tx| {
        tx.execute("UPDATE validations SET day = 0 WHERE state = 'held'", &[])?;
        tx.execute("UPDATE held SET day = 0 WHERE id = $1", &[(&id).into()])
    });
    to(server, &place.operator_token(), &path, "released");
    assert_eq!(confirms(), 1);
    assert_eq!(server.get(&path).json(), json!({"state": "released"}));
    let kept = place.write(|tx| {
        let sql = "SELECT rationale, day FROM validations WHERE target_id = 'legalise-foreign-document'";
        tx.query(sql, &[])?
            .iter()
            .map(|row| Ok((row.maybe_text(0)?, row.int(1)?)))
            .collect::<Result<Vec<_>, _>>()
    });
    assert!(kept.len() == 1 && kept[0].0.as_deref() == Some(NAMED) && kept[0].1 > 0, "{kept:?}");
    assert_eq!(server.post("/api/validations", &vote).status, 200, "its sender is still known");
    assert_eq!(confirms(), 1);
    // And it can be held again, as any.
    to(server, &place.operator_token(), &path, HELD);
    assert_eq!(confirms(), 0);
    to(server, &place.operator_token(), &path, "released");
    assert_eq!(confirms(), 1);
}

fn a_discarded_verdict_never_counts(server: &Server, place: &Place) {
    let rejects = || cohort(server, "renew-residence-card", "rejecting");
    let vote = named("skill", "renew-residence-card", "reject");
    let (path, _) = held(server, "/api/validations", &vote);
    to(server, &place.operator_token(), &path, "discarded");
    assert_eq!(rejects(), 0);
    assert_eq!(server.get(&path).json(), json!({"state": "discarded"}));
    let again = server.post("/api/validations", &vote);
    assert_eq!((again.status, &again.json()["state"]), (200, &json!("discarded")), "{again:?}");
    assert_eq!(server.post_from("192.0.2.77", "/api/validations", &vote).status, 409, "another sender");
    let rows = place.write(|tx| {
        let sql = "SELECT 1 FROM validations WHERE target_id = 'renew-residence-card' UNION ALL \
             SELECT 1 FROM held WHERE vote_key IS NOT NULL AND kind = 'validation' AND payload LIKE '%renew-residence-card%'";
        Ok(tx.query(sql, &[])?.len())
    });
    assert_eq!(rows, 0);
    // One that counted before it was held goes whole, too.
    let vote = make::validation("skill", "renew-residence-card", "reject");
    assert_eq!(server.post_from("192.0.2.9", "/api/validations", &vote).status, 201);
    let path = format!("/api/validations/{}", vote["validation_id"].as_str().expect("an id"));
    for state in [HELD, "discarded"] {
        to(server, &place.operator_token(), &path, state);
        assert_eq!(rejects(), 0);
    }
    let left = place.write(|tx| {
        Ok(tx.query("SELECT 1 FROM validations WHERE target_id = 'renew-residence-card'", &[])?.len())
    });
    assert_eq!(left, 0);
}

fn the_latest_verdict_of_a_voter_counts(server: &Server, place: &Place) {
    let skill = "arrival-declaration";
    let counts = || (cohort(server, skill, "confirms"), cohort(server, skill, "rejecting"));
    let (path, _) = held_from(server, "192.0.2.31", "/api/validations", &named("skill", skill, "reject"));
    let later = make::validation("skill", skill, "confirm");
    assert_eq!(server.post_from("192.0.2.31", "/api/validations", &later).status, 201);
    assert_eq!(counts(), (json!(1), json!(0)));
    // The release decides about the time: it is the same voter's latest word now.
    to(server, &place.operator_token(), &path, "released");
    assert_eq!(counts(), (json!(0), json!(1)));
    let last = make::validation("skill", skill, "confirm");
    assert_eq!(server.post_from("192.0.2.31", "/api/validations", &last).status, 201);
    assert_eq!(counts(), (json!(1), json!(0)));
}

fn a_source_and_its_path_count_a_released_verdict(server: &Server, place: &Place) {
    let path = server.get("/api/paths/household-certificate").json();
    let source = &path["sources"][0];
    let target = format!("household-certificate:{}", source["id"].as_str().expect("a source"));
    let mut vote = named("path_source", &target, "confirm");
    vote["traversal_metadata"] =
        json!({"outcome": "success", "source_class": source["source_class"], "validates_post_handoff": true});
    let (path, _) = held(server, "/api/validations", &vote);
    let counted = || {
        place.write(|tx| {
            let sql = "SELECT confirms, handoffs FROM source_tallies WHERE path_id = 'household-certificate'";
            tx.query(sql, &[])?
                .iter()
                .map(|row| Ok((row.int(0)?, row.int(1)?)))
                .collect::<Result<Vec<_>, _>>()
        })
    };
    assert!(counted().iter().all(|it| *it == (0, 0)), "{:?}", counted());
    to(server, &place.operator_token(), &path, "released");
    assert_eq!(counted(), [(1, 1)]);
}

fn score(place: &Place, uid: &str) -> (i64, i64) {
    let uid = uid.to_owned();
    place.write(move |tx| {
        let row =
            tx.first("SELECT up, down FROM concerns WHERE uid = $1", &[(&uid).into()])?.expect("it is there");
        Ok((row.int(0)?, row.int(1)?))
    })
}

fn a_vote_on_a_concern_moves_its_score_when_released(server: &Server, place: &Place) {
    let (_, uid) = crate::states::committed(place);
    let (path, _) = held(server, "/api/validations", &named("observation", &uid, "confirm"));
    assert_eq!(score(place, &uid), (0, 0));
    to(server, &place.operator_token(), &path, "released");
    assert_eq!(score(place, &uid), (1, 0));
    let (path, _) =
        held_from(server, "192.0.2.40", "/api/validations", &named("observation", &uid, "reject"));
    to(server, &place.operator_token(), &path, "discarded");
    assert_eq!(score(place, &uid), (1, 0));
}

fn a_committed_vote_on_a_concern_leaves_its_score_while_held(server: &Server, place: &Place) {
    let (_, uid) = crate::states::committed(place);
    let vote = make::validation("observation", &uid, "reject");
    assert_eq!(server.post("/api/validations", &vote).status, 201);
    let path = format!("/api/validations/{}", vote["validation_id"].as_str().expect("an id"));
    for (state, down) in [(HELD, 0), ("released", 1), (HELD, 0), ("discarded", 0)] {
        to(server, &place.operator_token(), &path, state);
        assert_eq!(score(place, &uid), (0, down), "{state}");
    }
}

fn flag(skill: &str) -> Value {
    let mut vote = named("skill", skill, "reject");
    vote["injection_flag"] = json!(true);
    vote["injection_reason"] = json!(NAMED);
    vote
}

fn words(place: &Place, skill: &'static str) -> Vec<(Option<String>, String)> {
    place.write(move |tx| {
        let sql =
            "SELECT injection_reason, state FROM validations WHERE target_id = $1 AND injection_flag = 1";
        tx.query(sql, &[skill.into()])?.iter().map(|row| Ok((row.maybe_text(0)?, row.text(1)?))).collect()
    })
}

fn a_flag_counts_at_once_and_its_words_wait(server: &Server, place: &Place) {
    // Outside the state machine a flag puts nothing away, so that it can be said again.
    let skill = "meta-no-skill-fallback";
    let vote = flag(skill);
    let (path, _) = held(server, "/api/validations", &vote);
    assert_eq!(words(place, skill), [(None, "applied".to_owned())], "the flag is there, its words are not");
    let items = place.write(move |tx| {
        let sql = "SELECT 1 FROM review_items WHERE target_id = $1 AND state = 'open'";
        Ok(tx.query(sql, &[skill.into()])?.len())
    });
    assert_eq!(items, 1, "somebody looks at what was flagged");
    let page = Desk::open(server, place).get(&format!("/review/artefacts/skill/{skill}")).text;
    assert!(!page.contains("Amrani") && page.contains("Its words are held"), "{page}");
    assert!(!page.contains("No reason given"), "{page}");
    assert_eq!(server.post("/api/validations", &vote).status, 202);
    to(server, &place.operator_token(), &path, "released");
    assert_eq!(words(place, skill), [(Some(NAMED.to_owned()), "applied".to_owned())]);
    // Discarded, the flag stays and says nothing.
    let (path, _) = held_from(server, "192.0.2.50", "/api/validations", &flag(skill));
    to(server, &place.operator_token(), &path, "discarded");
    let mut all = words(place, skill);
    all.sort();
    assert_eq!(all, [(None, "applied".to_owned()), (Some(NAMED.to_owned()), "applied".to_owned())]);
    let page = Desk::open(server, place).get(&format!("/review/artefacts/skill/{skill}")).text;
    assert!(page.contains("Its words were discarded") && page.contains("Fatiha El Amrani"), "{page}");
    assert_eq!(server.get(&path).json(), json!({"state": "discarded"}));
}

fn an_edit_changes_the_words_and_not_the_verdict(server: &Server, place: &Place) {
    let desk = Desk::open(server, place);
    let vote = named("path", "residence-certificate", "reject");
    let (path, _) = held(server, "/api/validations", &vote);
    let address = format!("/review/held/{}", path.rsplit('/').next().expect("an id"));
    let send = |edited: &Value| {
        let edited = edited.to_string();
        desk.post(
            &address,
            &[("action", "edit-and-release"), ("why", "a name taken out"), ("edited", &edited)],
        )
    };
    let mut other = vote.clone();
    other["verdict"] = json!("confirm");
    let refused = send(&other);
    assert!(refused.status == 422 && refused.text.contains("`verdict`"), "{refused:?}");
    let mut edited = vote.clone();
    edited["rationale"] = json!("On m'a dit au guichet 3 de revenir.");
    let reply = send(&edited);
    assert_eq!(reply.status, 303, "{reply:?}");
    assert_eq!(server.get(&path).json(), json!({"state": "released_after_edit"}));
    let kept = place.write(|tx| {
        let sql = "SELECT rationale FROM validations WHERE target_id = 'residence-certificate'";
        tx.query(sql, &[])?.iter().map(|row| row.maybe_text(0)).collect::<Result<Vec<_>, _>>()
    });
    assert_eq!(kept, [Some("On m'a dit au guichet 3 de revenir.".to_owned())]);
}
