//! Two server processes on one PostgreSQL tick at once while hundreds of verdicts come in at both: every change happens once, in
//! the database and in Git, and every tally is what its verdicts add up to.

use super::{Target, ballot, setup, voter};
use crate::commit::{repository, until};
use crate::dice::Dice;
use crate::harness::{Engine, Place, Server, Setup, root};
use becivic_server::db::standings;
use becivic_server::db::transitions::{self, Transition};
use becivic_server::db::votes;
use becivic_server::moment::Moment;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Copies of one skill, and entries of the catalogue.
const SKILLS: usize = 6;
const VALUES: usize = 30;

/// Verdicts, and the people who give them.
const VERDICTS: usize = 700;
const PEOPLE: usize = 24;

/// Those who send at the same time.
const AT_ONCE: usize = 6;

/// The corpus that the fixtures speak of, and more of everything.
fn corpus(folder: &Path) {
    for (path, bytes) in
        becivic_server::bundled::files_of(&root().join("fixtures/corpus")).expect("the fixtures")
    {
        write(folder, &path, &bytes);
    }
    let path = "skills/legalise-foreign-document/canonical.md";
    let text = std::fs::read_to_string(folder.join(path)).expect("a skill");
    for number in 0..SKILLS {
        let text = text.replace("legalise-foreign-document", &format!("legalise-{number}"));
        write(folder, &format!("skills/legalise-{number}/canonical.md"), text.as_bytes());
    }
    let path = "catalogue/volatile-values.jsonl";
    let mut rows = std::fs::read_to_string(folder.join(path)).expect("values");
    for number in 0..VALUES {
        let row = json!({
            "uid": format!("val-{:05}", 100 + number), "name": format!("fee-{number}-eur"), "value": format!("€{number}"),
            "value_type": "string", "status": "alpha", "committed_at": "2026-05-12T08:00:00Z",
        });
        rows.push_str(&format!("{row}\n"));
    }
    write(folder, path, rows.as_bytes());
}

fn write(folder: &Path, path: &str, bytes: &[u8]) {
    let file = folder.join(path);
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    std::fs::write(file, bytes).expect("written");
}

fn targets() -> Vec<(String, String)> {
    let known: [Target; 5] = [
        ("skill", "arrival-declaration"),
        ("skill", "renew-residence-card"),
        ("path_source", "household-certificate:commune-desk"),
        ("path_source", "residence-certificate:irisbox-quicklink"),
        ("reference", "ref-00001"),
    ];
    let known = known.into_iter().map(|(target_type, id)| (target_type.to_owned(), id.to_owned()));
    let skills = (0..SKILLS).map(|number| ("skill".to_owned(), format!("legalise-{number}")));
    let values = (0..VALUES).map(|number| ("volatile_value".to_owned(), format!("val-{:05}", 100 + number)));
    known.chain(skills).chain(values).collect()
}

/// Sends its share of the verdicts, to both servers in turn; whatever is put away in the meantime refuses them.
fn send(servers: &[Server; 2], targets: &[(String, String)], number: usize) -> usize {
    let mut dice = Dice::new(number as u64);
    let mut taken = 0;
    for at in 0..VERDICTS / AT_ONCE {
        let (target_type, id) = &targets[dice.below(targets.len())];
        // A few are disliked by everybody, the others by few.
        let disliked = id.ends_with('3');
        let rejects = dice.below(100) < if disliked { 80 } else { 4 };
        let value = ballot((target_type, id), if rejects { "reject" } else { "confirm" });
        let from = voter(dice.below(PEOPLE));
        let reply = servers[(at + number) % 2].post_from(&from, "/api/validations", &value);
        match (reply.status, reply.error().as_str()) {
            (201, _) => taken += 1,
            (422, "cross_ref_fail") => {}
            _ => panic!("{target_type} {id}: {reply:?}"),
        }
    }
    taken
}

#[test]
fn two_servers_that_tick_at_once_do_everything_once() {
    let place = Place::new(Engine::Postgres);
    let folder = place.folder().join("corpus");
    corpus(&folder);
    let setup = |index: usize| {
        let setup = setup().with("JOBS__TICK_EVERY", "20ms").with("CONSENSUS__STABLE_CONFIRMS", "6");
        let setup = setup.with("CONSENSUS__STABLE_DISTINCT", "6").with("CONSENSUS__BETA_CONFIRMS", "2");
        Setup { corpus: Some(folder.clone()), ..setup.with("CONSENSUS__BETA_DISTINCT", "2").number(index) }
    };
    let servers = [Server::start(&place, &setup(0)), Server::start(&place, &setup(1))];
    let targets = targets();
    let taken: usize = std::thread::scope(|scope| {
        let senders = (0..AT_ONCE).map(|number| {
            let (servers, targets) = (&servers, &targets);
            scope.spawn(move || send(servers, targets, number))
        });
        let senders: Vec<_> = senders.collect();
        senders.into_iter().map(|sender| sender.join().expect("it sent them")).sum()
    });
    assert!(taken > VERDICTS / 2, "{taken}");
    until("everything was looked at", || {
        let due = place.write(|tx| {
            let now = Moment::read(&crate::harness::make::time(0)).expect("a time");
            Ok(standings::due(tx, now, 1)?.len())
        });
        (due == 0).then_some(())
    });
    let [first, second] = servers;
    assert!(first.stop().success() && second.stop().success());

    let kept = place.write(|tx| super::number(tx, "SELECT COUNT(*) FROM validations", &[]));
    assert_eq!(kept, taken as i64, "every verdict that was taken is kept, once");
    let mut changes = place.write(|tx| transitions::list(tx, i64::MAX, 10_000));
    changes.reverse();
    assert!(changes.len() > 40, "a good deal happens: {}", changes.len());
    each_follows_the_one_before(&place, &changes);
    git_says_the_same(&place, &changes);
    tallies_are_what_verdicts_add_up_to(&place);
}

/// Of each artefact, one change begins where the one before ended, and ends where it stands now.
fn each_follows_the_one_before(place: &Place, changes: &[Transition]) {
    let mut last: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for it in changes {
        let status = last.entry((&it.target_type, &it.target_id)).or_insert(&it.from_status);
        assert_eq!(*status, it.from_status, "{it:?}");
        let key = (&it.target_type, &it.target_id, &it.cohort, &it.rule, &it.to_status);
        assert!(seen.insert(key), "it happened twice: {it:?}");
        *status = &it.to_status;
    }
    let standings = place.write(|tx| standings::page(tx, ("", ""), 1_000));
    for it in &standings {
        if let Some(status) = last.get(&(it.target_type.as_str(), it.target_id.as_str())) {
            assert_eq!(*status, it.status, "{it:?}");
        }
    }
}

/// Every commit of ours that changes a status is one change of the list, and the other way round.
fn git_says_the_same(place: &Place, changes: &[Transition]) {
    let repository = repository(place);
    let newest = place.write(|tx| becivic_server::db::corpus_commits::newest(tx)).expect("a line").1;
    let commits = repository.first_parents(&newest).expect("a history");
    let mut said = Vec::new();
    for sha in &commits {
        let message = repository.message(sha).expect("a message");
        if message.lines().any(|line| line.starts_with("Status: ")) {
            said.push(sha.clone());
        }
    }
    let listed: Vec<String> = changes.iter().filter_map(|it| it.commit_sha.clone()).collect();
    assert_eq!(said, listed, "in the same order, each once");
    let pulls = place.write(|tx| super::number(tx, "SELECT COUNT(*) FROM pulls WHERE state = 'merged'", &[]));
    assert_eq!(pulls, said.len() as i64);
    let open = place.write(|tx| super::number(tx, "SELECT COUNT(*) FROM pulls WHERE state = 'open'", &[]));
    assert_eq!(open, 0);
}

fn tallies_are_what_verdicts_add_up_to(place: &Place) {
    let wrong = place.write(|tx| {
        let mut wrong = Vec::new();
        for it in standings::page(tx, ("", ""), 1_000)? {
            let counted = votes::recount(tx, &it.artefact(), &it.cohort)?;
            if counted != it.tally {
                wrong.push((it.clone(), counted));
            }
            // Voters are distinct, and each has one latest verdict; at stable those of a row were forgotten.
            let sql = "SELECT COUNT(DISTINCT voter_hash), COUNT(*) - COUNT(voter_hash) FROM validations \
                 WHERE artefact = $1 AND cohort = $2";
            let row = tx.first(sql, &[(&it.artefact()).into(), (&it.cohort).into()])?.expect("a row");
            let (distinct, forgotten) = (row.int(0)?, row.int(1)?);
            let voted = it.tally.confirms + it.tally.rejects;
            if forgotten == 0 && (distinct != it.tally.voters || distinct != voted) {
                wrong.push((it.clone(), counted));
            }
        }
        Ok(wrong)
    });
    assert!(wrong.is_empty(), "{wrong:?}");
}
