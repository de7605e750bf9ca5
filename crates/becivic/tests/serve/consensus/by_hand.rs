//! What somebody did by hand, and what happens at a bad moment: tallies that were edited, standings that are gone, artefacts that
//! went and came back, two ticks at once, a corpus that moved while a command began.

use super::{
    Target, ballot, becivic, becomes, changes, command, counts, happened, looked_at, setup, standing, steps,
    vote, voter, votes,
};
use crate::commit::until;
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Engine, Place, Server, Setup};
use crate::pushes::{clone, edit, git, push};
use becivic_core::submission::envelope::Mode;
use becivic_server::app::{App, Role};
use becivic_server::config::Config;
use becivic_server::db::source_tallies;
use becivic_server::moment::Clock;
use becivic_server::pipeline::{self, Burst, Incoming};
use becivic_server::review;
use serde_json::Value;
use std::sync::Arc;

on_both_engines!(
    super::setup(),
    cases![
        a_tally_that_was_edited_is_counted_again_and_promotes_nothing,
        a_source_that_was_edited_rolls_nothing_back,
        a_verdict_for_the_line_before_counts_for_nothing,
    ]
);

fn a_tally_that_was_edited_is_counted_again_and_promotes_nothing(server: &Server, place: &Place) {
    let targets: [Target; 3] = [
        ("skill", "arrival-declaration"),
        ("path", "residence-certificate"),
        ("volatile_value", "val-00001"),
    ];
    for (target_type, id) in targets {
        votes(server, 1..3, &[(target_type, id)], "confirm");
        looked_at(place, (target_type, id));
        place.write(move |tx| {
            let sql = "UPDATE standings SET confirms = 50, voters = 50, rejects = -3, look_at = 0 \
                 WHERE target_type = $1 AND target_id = $2";
            tx.execute(sql, &[target_type.into(), id.into()]).map(drop)
        });
        let healed = looked_at(place, (target_type, id));
        assert_eq!((healed.status.as_str(), counts(&healed)), ("alpha", (2, 0, 2, 0)), "{id}");
        assert_eq!(steps(place, (target_type, id)), []);
    }
    // Whoever counts everything finds what no tick has looked at, and says so.
    place.write(|tx| {
        let sql = "UPDATE standings SET flaggers = 7 WHERE target_id IN ('arrival-declaration', 'val-00001')";
        tx.execute(sql, &[]).map(drop)
    });
    let (code, said) = becivic(place, &["tick", "--recount"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("2 tallies were wrong"), "{said}");
    assert_eq!(counts(&standing(place, targets[0])), (2, 0, 2, 0));
    assert_eq!(becomes(server, targets[2], "alpha")["status"], "alpha");
}

fn a_source_that_was_edited_rolls_nothing_back(server: &Server, place: &Place) {
    let target = ("path", "household-certificate");
    let on = [
        ("path_source", "household-certificate:commune-desk"),
        ("path_source", "household-certificate:mon-dossier-online"),
    ];
    votes(server, 1..3, &on, "confirm");
    looked_at(place, target);
    place.write(|tx| {
        let sql =
            "UPDATE source_tallies SET rejects = 50, confirms = 0 WHERE path_id = 'household-certificate'";
        tx.execute(sql, &[])?;
        tx.execute("UPDATE standings SET look_at = 0 WHERE target_id = 'household-certificate'", &[])
            .map(drop)
    });
    assert_eq!(looked_at(place, target).status, "alpha");
    assert_eq!(steps(place, target), []);
    let sources = place.write(|tx| source_tallies::of_path(tx, "household-certificate"));
    assert!(sources.iter().all(|it| (it.tally.confirms, it.tally.rejects) == (1, 0)), "{sources:?}");
}

/// The program as a library, beside the server: what it serves is what there was when it was opened.
pub fn beside(place: &Place) -> Arc<App> {
    let mut config = Config::load(None, std::iter::empty()).expect("the defaults");
    config.server.data = place.data(0).display().to_string();
    config.server.database = place.url();
    config.server.pepper_file = place.folder().join("pepper.key").display().to_string();
    App::open(config, crate::names::bundled().expect("sound weights"), Clock::System, Role::Chore)
        .expect("it opens")
        .0
}

/// Hands in a verdict there.
fn handed_in(app: &App, from: &str, value: Value) {
    let taken = review::now(async {
        let now = app.clock.now();
        let address: std::net::IpAddr = from.parse().expect("an address");
        let sender = app.sender(address.into(), now).await.expect("a sender");
        let kind = becivic_core::submission::Kind::Validation;
        let incoming = Incoming { kind, value, session: None, burst: Burst::Untaken(now) };
        pipeline::run(app, &sender, incoming, Mode::Stage, now).await
    });
    let taken = taken.expect("it runs");
    assert!(taken.is_ok(), "{taken:?}");
}

fn a_verdict_for_the_line_before_counts_for_nothing(server: &Server, place: &Place) {
    let target = ("skill", "legalise-foreign-document");
    let work = clone(place);
    let behind = beside(place);
    // The status changes while a verdict is on its way to somebody who has not heard of it.
    edit(&work, "skills/legalise-foreign-document/canonical.md", |text| {
        text.replacen("status: alpha", "status: beta", 1)
    });
    push(&work, "It is good");
    becomes(server, target, "beta");
    handed_in(&behind, &voter(1), ballot(target, "confirm"));
    let seen = looked_at(place, target);
    assert_eq!((seen.cohort.as_str(), counts(&seen)), ("0.2#2", (0, 0, 0, 0)));
    let kept = place.write(|tx| {
        let sql =
            "SELECT marks, voter_hash FROM validations WHERE artefact = 'skill:legalise-foreign-document'";
        tx.query(sql, &[])?
            .iter()
            .map(|row| Ok((row.int(0)?, row.maybe_bytes(1)?)))
            .collect::<Result<Vec<_>, _>>()
    });
    assert_eq!(kept, [(0, None)], "it is kept, and counts for nothing");
    // Nor do the standings follow somebody who is behind: `App::open` of a process that read `main` before it moved.
    let live = behind.live.load_full();
    becivic_server::consensus::begin::complete(&behind.db, &behind.repository, &live, behind.clock.now())
        .expect("it looks");
    assert_eq!(standing(place, target).status, "beta");
    happened(place, target, &[("alpha", "beta", "pushed")]);
    behind.db.close();
}

/// A server that is started and does nothing by itself after its first look.
fn slow() -> Setup {
    setup().with("JOBS__TICK_EVERY", "1h")
}

fn standings_that_are_gone_are_found_again(engine: Engine) {
    let place = Place::new(engine);
    let server = Server::start(&place, &setup());
    let targets: [Target; 4] = [
        ("skill", "arrival-declaration"),
        ("path", "household-certificate"),
        ("volatile_value", "val-00001"),
        ("reference", "ref-00001"),
    ];
    let others: Target = ("skill", "legalise-foreign-document");
    for target in targets {
        votes(&server, 1..3, &[target], "confirm");
    }
    // One whose earlier cohorts hold enough for anything.
    votes(&server, 1..4, &[others], "confirm");
    becomes(&server, others, "beta");
    let work = clone(&place);
    edit(&work, "skills/legalise-foreign-document/canonical.md", |text| {
        text.replacen("status: beta", "status: alpha", 1)
    });
    push(&work, "Too early");
    becomes(&server, others, "alpha");
    let before = targets.map(|target| looked_at(&place, target));
    assert!(server.stop().success());
    place.write(|tx| tx.execute("DELETE FROM standings WHERE target_type <> 'observation'", &[]).map(drop));

    let server = Server::start(&place, &setup());
    for (target, before) in targets.into_iter().zip(before) {
        let after = looked_at(&place, target);
        assert_eq!(
            (after.status, after.version, after.cohort, after.tally),
            (before.status, before.version, before.cohort, before.tally),
            "{target:?}"
        );
        assert!(after.started_at >= before.started_at, "nothing is older than it is");
        // The same voters are the same still, and the third is the third.
        votes(&server, 1..3, &[target], "confirm");
        assert_eq!(counts(&looked_at(&place, target)), (2, 0, 2, 0), "{target:?}");
        votes(&server, 3..4, &[target], "confirm");
        becomes(&server, target, "beta");
    }
    let after = looked_at(&place, others);
    assert_eq!(
        (after.status.as_str(), counts(&after)),
        ("alpha", (0, 0, 0, 0)),
        "what ended stays ended: {after:?}"
    );
    let (code, said) = becivic(&place, &["tick", "--recount"]);
    assert!(code == 0 && !said.contains("wrong"), "{said}");
    assert_eq!(looked_at(&place, others).status, "alpha");

    // An artefact goes and comes back: what was said of the one that went is not said of this one.
    git(&work, &["pull", "--quiet", "--rebase"]);
    let text = std::fs::read_to_string(work.join("skills/old-registration/canonical.md")).expect("a skill");
    let skill = "skills/night-registration/canonical.md";
    std::fs::create_dir_all(work.join("skills/night-registration")).expect("a folder");
    let text = text.replacen("id: old-registration", "id: night-registration", 1);
    let text = text.replacen("superseded_by: arrival-declaration\n", "", 1).replace("\"ref-00001\"", "\"\"");
    let text =
        text.replace("status: deprecated", "status: alpha").replace("version: 0.2.4", "version: 0.1.0");
    let text = text.replace(
        "<Observations skill=\"old-registration\" />",
        "<Observations skill=\"night-registration\" />",
    );
    std::fs::write(work.join(skill), &text).expect("written");
    push(&work, "Add it");
    let target = ("skill", "night-registration");
    becomes(&server, target, "alpha");
    votes(&server, 1..3, &[target], "confirm");
    looked_at(&place, target);
    git(&work, &["pull", "--quiet", "--rebase"]);
    git(&work, &["rm", "--quiet", "-r", "skills/night-registration"]);
    push(&work, "Take it away");
    until("it is gone", || (server.get("/api/skills/night-registration").status == 404).then_some(()));
    let left = place.write(|tx| {
        let sql = "SELECT COUNT(*) FROM validations WHERE artefact = 'skill:night-registration' AND voter_hash IS NOT NULL";
        super::number(tx, sql, &[])
    });
    assert_eq!(left, 0, "and nobody knows who voted on it");
    git(&work, &["pull", "--quiet", "--rebase"]);
    std::fs::create_dir_all(work.join("skills/night-registration")).expect("a folder");
    std::fs::write(work.join(skill), &text).expect("written");
    push(&work, "Bring it back");
    becomes(&server, target, "alpha");
    votes(&server, 3..5, &[target], "confirm");
    let seen = looked_at(&place, target);
    assert_eq!((seen.status.as_str(), counts(&seen)), ("alpha", (2, 0, 2, 0)), "{seen:?}");
    assert!(server.stop().success());
}

#[test]
fn standings_that_are_gone_are_found_again_on_sqlite() {
    standings_that_are_gone_are_found_again(Engine::Sqlite);
}

#[test]
fn standings_that_are_gone_are_found_again_on_postgres() {
    standings_that_are_gone_are_found_again(Engine::Postgres);
}

/// Two commands at once, beside a server that does nothing now.
fn two_ticks_at_once_do_everything_once(engine: Engine) {
    let place = Place::new(engine);
    let server = Server::start(&place, &slow());
    let targets: [Target; 6] = [
        ("skill", "arrival-declaration"),
        ("skill", "legalise-foreign-document"),
        ("path", "household-certificate"),
        ("path", "residence-certificate"),
        ("volatile_value", "val-00001"),
        ("reference", "ref-00002"),
    ];
    // Its first look is over.
    looked_at(&place, targets[2]);
    for target in targets {
        votes(&server, 1..4, &[target], "confirm");
    }
    assert_eq!(vote(&server, &voter(4), targets[0], "confirm").status, 201);
    let (code, said) = becivic(&place, &["tick", "--dry-run"]);
    assert!(code == 0 && said.contains("6 promoted"), "{said}");
    assert!(
        targets.into_iter().all(|target| standing(&place, target).status == "alpha"),
        "it changes nothing"
    );
    let running = [0, 1].map(|_| {
        let mut command = command(&place, &["tick"]);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        command.spawn().expect("becivic starts")
    });
    for child in running {
        let ended = child.wait_with_output().expect("it ends");
        assert!(ended.status.success(), "one waits for the other: {ended:?}");
    }
    for target in targets {
        becomes(&server, target, "beta");
        happened(&place, target, &[("alpha", "beta", "alpha_to_beta")]);
    }
    let numbers: Value = serde_json::from_str(&changes(&place, targets[0])[0].numbers).expect("JSON");
    assert_eq!(numbers["confirms"], 4);
    let (code, said) = becivic(&place, &["tick", "--explain", "skill:arrival-declaration"]);
    assert!(
        code == 0 && said.contains("is beta 0.2.0") && said.contains("alpha to beta, by alpha_to_beta"),
        "{said}"
    );
    let (code, said) = becivic(&place, &["tick"]);
    assert!(code == 0 && said.contains("0 promoted"), "{said}");
    assert!(server.stop().success());
}

#[test]
fn two_ticks_at_once_do_everything_once_on_sqlite() {
    two_ticks_at_once_do_everything_once(Engine::Sqlite);
}

#[test]
fn two_ticks_at_once_do_everything_once_on_postgres() {
    two_ticks_at_once_do_everything_once(Engine::Postgres);
}

/// A server that is cut off in the middle of a promotion: the next one finds it done, or does it.
fn whoever_dies_while_promoting_does_it_once(engine: Engine) {
    let place = Place::new(engine);
    let deaths: [(&str, Target); 3] = [
        ("written", ("skill", "arrival-declaration")),
        ("stored", ("path", "household-certificate")),
        ("moved", ("skill", "legalise-foreign-document")),
    ];
    for (step, target) in deaths {
        let mut server = Server::start(&place, &Setup { cut_off_at: Some(step), ..setup() });
        votes(&server, 1..4, &[target], "confirm");
        let ended = until(&format!("the server dies at {step}"), || server.ended());
        assert!(!ended.success(), "{step}");
        let server = Server::start(&place, &setup());
        becomes(&server, target, "beta");
        looked_at(&place, target);
        happened(&place, target, &[("alpha", "beta", "alpha_to_beta")]);
        assert!(server.stop().success());
    }
    let repository = crate::commit::repository(&place);
    let head = repository.head().expect("a head").sha;
    let commits = repository.first_parents(&head).expect("a history");
    assert_eq!(commits.len(), 1 + deaths.len(), "the beginning, and each promotion once");
    git(&place.data(0).join("corpus.git"), &["fsck", "--strict"]);
    let open = place.write(|tx| super::number(tx, "SELECT COUNT(*) FROM pulls WHERE state = 'open'", &[]));
    assert_eq!(open, 0, "what was cut off leaves no pull request");
}

#[test]
fn whoever_dies_while_promoting_does_it_once_on_sqlite() {
    whoever_dies_while_promoting_does_it_once(Engine::Sqlite);
}

#[test]
fn whoever_dies_while_promoting_does_it_once_on_postgres() {
    whoever_dies_while_promoting_does_it_once(Engine::Postgres);
}
