//! Skills and paths: up to stable, back from a change that is rejected, away by flags and back again. After every step the
//! commit, the standing, the list of changes and what is known of people are as they must be.

use super::{
    Known, Target, address, becomes, bogus_flags, changes, counts, flag, happened, items, known,
    orphaned_salts, reinstate, standing, steps, trailers, vote, votes,
};
use crate::commit::{file, reaches, repository, until};
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, propose};
use serde_json::{Value, json};

on_both_engines!(
    super::setup(),
    cases![
        a_skill_goes_up_back_away_and_is_reinstated,
        a_path_goes_up_back_away_and_is_reinstated,
        a_first_version_that_is_rejected_is_put_away,
        a_path_that_is_rejected_at_once_is_deprecated,
        a_flag_on_alpha_takes_effect_at_once,
        what_a_maintainer_brought_back_may_be_gone_back_to,
    ]
);

/// An artefact with a file, what is voted on for it, and a change of its content.
struct Thing {
    target: Target,
    on: &'static [Target],
    amend: fn(&Server, usize) -> Value,
    bogus: bool,
}

const SKILL: Thing = Thing {
    target: ("skill", "legalise-foreign-document"),
    on: &[("skill", "legalise-foreign-document")],
    // The second is above the first, so that both apply.
    amend: |server, number| {
        let after = if number == 1 { "## Process" } else { "## Required documents" };
        propose::line(server, "legalise-foreign-document", after, &format!("\nBring paper number {number}."))
    },
    bogus: false,
};

const PATH: Thing = Thing {
    target: ("path", "household-certificate"),
    on: &[
        ("path_source", "household-certificate:mon-dossier-online"),
        ("path_source", "household-certificate:commune-desk"),
    ],
    amend: |_, number| {
        let text = format!("Certificate number {number} of who lives at your address.");
        propose::field("path", "household-certificate", "description.en", json!(text))
    },
    bogus: true,
};

fn a_skill_goes_up_back_away_and_is_reinstated(server: &Server, place: &Place) {
    life(server, place, &SKILL);
}

fn a_path_goes_up_back_away_and_is_reinstated(server: &Server, place: &Place) {
    life(server, place, &PATH);
}

/// What the repository says of an artefact at the served commit.
fn content(server: &Server, place: &Place, (target_type, id): Target) -> Value {
    if target_type == "skill" {
        return file(server, place, &format!("skills/{id}/canonical.md")).expect("a skill").into();
    }
    let index = file(server, place, "paths/index.json").expect("an index");
    serde_json::from_str::<Value>(&index).expect("JSON")["paths"][id].clone()
}

/// Status and version, as the file says.
fn written(server: &Server, place: &Place, target: Target) -> (String, String) {
    match content(server, place, target) {
        Value::String(text) => {
            let of = |name: &str| {
                let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
                line.expect("a field").to_owned()
            };
            (of("status"), of("version"))
        }
        entry => {
            let of = |name: &str| entry[name].as_str().expect("a field").to_owned();
            (of("status"), of("version"))
        }
    }
}

/// Waits for a status and checks the commit that made it: one, with everything in it, and its pull request.
fn committed(
    server: &Server,
    place: &Place,
    target: Target,
    status: &str,
    version: &str,
    says: &[(&str, &str)],
) {
    becomes(server, target, status);
    let seen = until("the file says so", || {
        let seen = written(server, place, target);
        (seen.0 == status).then_some(seen)
    });
    assert_eq!(seen, (status.to_owned(), version.to_owned()), "{target:?}");
    let last = changes(place, target).pop().expect("a change");
    assert_eq!((last.to_status.as_str(), last.to_version.as_str()), (status, version));
    let head = repository(place).head().expect("a head").sha;
    let found = trailers(place, &head);
    let found: Vec<(&str, &str)> =
        found.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let policy = last.policy.clone();
    let expected: Vec<(&str, &str)> =
        says.iter().map(|(name, value)| (*name, if *name == "Policy" { &policy } else { *value })).collect();
    assert_eq!(found, expected, "{target:?}");
    let merged = head.clone();
    let pulls = place.write(move |tx| {
        let sql = "SELECT state, target_type, target_id FROM pulls WHERE merged = $1";
        tx.query(sql, &[(&merged).into()])?
            .iter()
            .map(|row| Ok((row.text(0)?, row.text(1)?, row.text(2)?)))
            .collect::<Result<Vec<_>, _>>()
    });
    assert_eq!(pulls, [("merged".to_owned(), target.0.to_owned(), target.1.to_owned())]);
    // What a flag has put away is written down when it takes effect, before there is a commit.
    if last.rule != "injection_flags" {
        assert_eq!(last.commit_sha.as_deref(), Some(head.as_str()));
    }
}

/// Sends a change of content and waits until it is on `main`.
fn amended(server: &Server, it: &Thing, from: &str, number: usize) {
    let before = propose::commit(server);
    let change = (it.amend)(server, number);
    let reply = server.post_from(from, "/api/amendments", &change);
    assert_eq!(reply.status, 201, "{reply:?}");
    let id = change["amendment_id"].as_str().expect("an id");
    reaches(server, &format!("/api/amendments/{id}"), "committed");
    until("it is served", || (propose::commit(server) != before).then_some(()));
}

fn knows(place: &Place, target: Target, salts: &[&str], voters: i64, writers: i64) {
    let salts = salts.iter().map(|it| (*it).to_owned()).collect();
    assert_eq!(known(place, target), Known { salts, voters, writers, their_salts: writers }, "{target:?}");
}

fn life(server: &Server, place: &Place, it: &Thing) {
    let target = it.target;
    let named = format!("{}:{}", target.0, target.1);
    let reset = ("Cohort", format!("reset {named}"));
    let reset = (reset.0, reset.1.as_str());

    // Somebody changes the text: a new cohort, and no vote of theirs on any part of it.
    amended(server, it, "203.0.113.1", 1);
    let begun = standing(place, target);
    assert_eq!((begun.status.as_str(), begun.cohort.as_str()), ("alpha", "0.1#2"), "{begun:?}");
    for on in it.on {
        let own = vote(server, "203.0.113.1", *on, "confirm");
        assert_eq!((own.status, own.error().as_str()), (403, "self_validation_blocked"), "{own:?}");
    }
    votes(server, 0..2, it.on, "confirm");
    knows(place, target, &["0.1", "0.1#2"], 2, 1);

    // Alpha, beta.
    votes(server, 2..3, it.on, "confirm");
    let promoted = [("Status", "alpha to beta"), ("Rule", "alpha_to_beta"), ("Policy", "")];
    committed(server, place, target, "beta", "0.2.0", &promoted);
    let beta = standing(place, target);
    assert_eq!(
        (beta.status.as_str(), beta.version.as_str(), beta.cohort.as_str()),
        ("beta", "0.2.0", "0.2#3")
    );
    assert_eq!((counts(&beta), beta.base), ((0, 0, 0, 0), (0, 0)), "the next cohort begins with nothing");
    assert!(beta.started_at >= begun.started_at);
    knows(place, target, &[], 0, 1);

    // Beta, stable.
    votes(server, 10..19, it.on, "confirm");
    knows(place, target, &["0.2#3"], 9, 1);
    votes(server, 19..20, it.on, "confirm");
    let promoted = [("Status", "beta to stable"), ("Rule", "beta_to_stable"), ("Policy", "")];
    committed(server, place, target, "stable", "1.0.0", &promoted);
    let stable = standing(place, target);
    assert_eq!((stable.cohort.as_str(), counts(&stable), stable.base), ("1.0#4", (0, 0, 0, 0), (10, 0)));
    knows(place, target, &[], 0, 0);
    let numbers: Value = serde_json::from_str(&changes(place, target)[1].numbers).expect("JSON");
    assert_eq!((&numbers["confirms"], &numbers["submitters"]), (&json!(10), &json!(10)), "{numbers}");
    let (sound, sound_at) = (content(server, place, target), propose::commit(server));

    // A change of the stable text is alpha again; two people reject it, and the stable text is back.
    amended(server, it, "203.0.113.2", 2);
    let changed = becomes(server, target, "alpha");
    assert_eq!(changed["version"], "0.1.0");
    assert_ne!(content(server, place, target), sound);
    if target.0 == "skill" {
        assert_eq!(changed["frontmatter"]["previous_stable_sha"], sound_at.as_str());
    }
    assert_eq!(standing(place, target).cohort, "0.1#5");
    votes(server, 30..31, it.on, "reject");
    knows(place, target, &["0.1#5"], 1, 1);
    votes(server, 31..32, it.on, "reject");
    let back = [("Status", "alpha to stable"), ("Rule", "rejected"), ("Policy", ""), reset];
    committed(server, place, target, "stable", "1.0.0", &back);
    assert_eq!(content(server, place, target), sound, "the stable text, to the letter");
    let restored = standing(place, target);
    assert_eq!(
        (restored.cohort.as_str(), counts(&restored), restored.base),
        ("1.0#6", (0, 0, 0, 0), (10, 0))
    );
    knows(place, target, &[], 0, 0);

    // One flag on a stable artefact is looked at; the second puts it away at once.
    let (flagged, bogus) = (it.on[0], bogus_flags(place));
    assert_eq!(flag(server, "203.0.113.50", flagged).status, 201);
    assert_eq!(server.get(&address(target)).json()["status"], "stable");
    assert_eq!(items(place, target), [("injection_flag".to_owned(), "open".to_owned())]);
    assert_eq!(flag(server, "203.0.113.51", *it.on.last().expect("one")).status, 201);
    let away = server.get(&address(target)).json();
    assert_eq!(away["status"], "quarantined", "the very next reader");
    assert_eq!(away["body"], Value::Null);
    let put_away = [("Status", "stable to quarantined"), ("Rule", "injection_flags"), ("Policy", "")];
    committed(server, place, target, "quarantined", "1.0.0", &put_away);
    let closed = vote(server, "203.0.113.52", it.on[0], "confirm");
    assert_eq!(
        (closed.status, closed.refusal()["schema_pointer"].clone()),
        (422, json!("/target_id")),
        "{closed:?}"
    );
    let held = standing(place, target);
    assert_eq!((held.cohort.as_str(), held.withheld, counts(&held)), ("1.0#6", false, (0, 2, 2, 2)));
    knows(place, target, &["1.0#6"], 2, 0);

    // A maintainer brings it back.
    reinstate(place, &named, it.bogus);
    committed(server, place, target, "stable", "1.0.0", &[reset]);
    assert_eq!(content(server, place, target), sound);
    let restored = standing(place, target);
    assert_eq!(
        (restored.cohort.as_str(), counts(&restored), restored.base),
        ("1.0#7", (0, 0, 0, 0), (10, 0))
    );
    knows(place, target, &[], 0, 0);
    assert_eq!(bogus_flags(place) - bogus, if it.bogus { 2 } else { 0 });
    let end = if it.bogus { "bogus" } else { "dismissed" };
    assert!(items(place, target).iter().all(|(_, state)| state == end), "{:?}", items(place, target));
    happened(
        place,
        target,
        &[
            ("alpha", "beta", "alpha_to_beta"),
            ("beta", "stable", "beta_to_stable"),
            ("stable", "alpha", "amendment"),
            ("alpha", "stable", "rejected"),
            ("stable", "quarantined", "injection_flags"),
            ("quarantined", "stable", "maintainer"),
        ],
    );
    assert_eq!(orphaned_salts(place), 0);
}

fn a_first_version_that_is_rejected_is_put_away(server: &Server, place: &Place) {
    let target = ("skill", "arrival-declaration");
    votes(server, 0..2, &[target], "reject");
    let away = [("Status", "alpha to quarantined"), ("Rule", "rejected"), ("Policy", "")];
    committed(server, place, target, "quarantined", "0.1.0", &away);
    assert_eq!(items(place, target), [("first_version_rejected".to_owned(), "open".to_owned())]);
    knows(place, target, &["0.1#1"], 2, 0);
    reinstate(place, "skill:arrival-declaration", false);
    committed(server, place, target, "alpha", "0.1.0", &[("Cohort", "reset skill:arrival-declaration")]);
    knows(place, target, &[], 0, 0);
    happened(place, target, &[("alpha", "quarantined", "rejected"), ("quarantined", "alpha", "maintainer")]);
    let rejected = changes(place, target)[0].digest.clone();
    assert!(rejected.is_some(), "what was rejected is remembered");
}

fn a_path_that_is_rejected_at_once_is_deprecated(server: &Server, place: &Place) {
    let target = ("path", "residence-certificate");
    let on = [
        ("path_source", "residence-certificate:irisbox-quicklink"),
        ("path_source", "residence-certificate:commune-desk"),
    ];
    votes(server, 0..2, &on, "reject");
    let away = [
        ("Status", "alpha to deprecated"),
        ("Rule", "rejected"),
        ("Policy", ""),
        ("Cohort", "reset path:residence-certificate"),
    ];
    committed(server, place, target, "deprecated", "0.1.1", &away);
    knows(place, target, &[], 0, 0);
    happened(place, target, &[("alpha", "deprecated", "rejected")]);
    let closed = vote(server, "198.51.100.9", on[0], "confirm");
    assert_eq!((closed.status, closed.error().as_str()), (422, "cross_ref_fail"), "{closed:?}");
}

fn a_flag_on_alpha_takes_effect_at_once(server: &Server, place: &Place) {
    let target = ("skill", "arrival-declaration");
    assert_eq!(standing(place, target).status, "alpha", "the case before brought it back");
    let before = steps_so_far(place, target);
    assert_eq!(flag(server, "203.0.113.60", target).status, 201);
    let away = server.get(&address(target)).json();
    assert_eq!(
        (&away["status"], &away["body"]),
        (&json!("quarantined"), &Value::Null),
        "the very next reader"
    );
    let put_away = [("Status", "alpha to quarantined"), ("Rule", "injection_flags"), ("Policy", "")];
    committed(server, place, target, "quarantined", "0.1.0", &put_away);
    let bogus = bogus_flags(place);
    reinstate(place, "skill:arrival-declaration", true);
    committed(server, place, target, "alpha", "0.1.0", &[("Cohort", "reset skill:arrival-declaration")]);
    assert_eq!(bogus_flags(place), bogus + 1);
    knows(place, target, &[], 0, 0);
    assert_eq!(steps_so_far(place, target), before + 2);
}

fn steps_so_far(place: &Place, target: Target) -> usize {
    changes(place, target).len()
}

/// It was rejected once and put away once; since a maintainer looked, it is content like any other.
fn what_a_maintainer_brought_back_may_be_gone_back_to(server: &Server, place: &Place) {
    let target = ("skill", "arrival-declaration");
    let before = file(server, place, "skills/arrival-declaration/canonical.md").expect("a skill");
    let change = propose::line(server, "arrival-declaration", "## Process", "\nBring a pen.");
    let reply = server.post_from("203.0.113.4", "/api/amendments", &change);
    assert_eq!(reply.status, 201, "{reply:?}");
    until("it is changed", || (standing(place, target).version == "0.1.1").then_some(()));
    votes(server, 0..2, &[target], "reject");
    let back = [
        ("Status", "alpha to alpha"),
        ("Rule", "rejected"),
        ("Policy", ""),
        ("Cohort", "reset skill:arrival-declaration"),
    ];
    until("it is back", || (standing(place, target).version == "0.1.2").then_some(()));
    let head = repository(place).head().expect("a head").sha;
    let found: Vec<String> = trailers(place, &head).into_iter().map(|(name, _)| name).collect();
    assert_eq!(found, back.map(|(name, _)| name));
    let after = until("it is served", || {
        file(server, place, "skills/arrival-declaration/canonical.md").filter(|it| it.contains("0.1.2"))
    });
    assert_eq!(after.replace("version: 0.1.2", "version: 0.1.0"), before);
    // Rejected again, it does not go to what was rejected before it: there is nothing left.
    votes(server, 0..2, &[target], "reject");
    becomes(server, target, "quarantined");
    let last: Vec<_> = steps(place, target).into_iter().rev().take(2).collect();
    let step = |from: &str, to: &str| (from.to_owned(), to.to_owned(), "rejected".to_owned());
    assert_eq!(last, [step("alpha", "quarantined"), step("alpha", "alpha")]);
}
