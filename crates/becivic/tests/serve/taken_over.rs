//! Two servers on one PostgreSQL, each with a repository of its own: the one that commits dies in the middle of it, and the
//! other goes on by itself.

use crate::commit::{quick, reaches, until};
use crate::harness::{Engine, Place, Server, Setup, propose};
use crate::pushes::git;
use becivic_server::moment::Moment;
use becivic_server::repository::Repository;
use std::os::unix::process::ExitStatusExt;
use std::time::{Duration, Instant};

/// Where the first server dies, and the skill that it is committing then.
const DEATHS: &[(&str, &str)] = &[
    ("branched", "renew-residence-card"),
    ("written", "arrival-declaration"),
    ("stored", "legalise-foreign-document"),
    ("moved", "renew-residence-card"),
];

/// A lease lasts six seconds, and whoever waits looks every second; the rest is for busy machines.
const SECONDS: Duration = Duration::from_secs(30);

/// The first server runs the job all the time, so that it is the one that has the lease; the second when nobody did for a
/// while.
fn setup(index: usize, cut_off_at: Option<&'static str>) -> Setup {
    let every = if index == 0 { "100ms" } else { "5s" };
    Setup { cut_off_at, ..quick().with("JOBS__COMMIT_EVERY", every).number(index) }
}

fn repository(place: &Place, index: usize) -> Repository {
    let folder = place.data(index).join("corpus.git");
    Repository::open_or_create(&folder, std::iter::empty(), Moment(0)).expect("it opens").0
}

#[test]
fn whoever_dies_while_committing_is_followed_within_seconds() {
    let place = Place::new(Engine::Postgres);
    // Both begin with the same corpus; the first of them makes the tables.
    let mut first = Server::start(&place, &setup(0, None));
    let second = Server::start(&place, &setup(1, None));
    for (number, (step, skill)) in DEATHS.iter().enumerate() {
        assert!(first.stop().success());
        first = Server::start(&place, &setup(0, Some(step)));
        let line = format!("\nBring paper number {number}.");
        let change = propose::line(&second, skill, "## Process", &line);
        let reply = second.post_from(&format!("192.0.2.{number}"), "/api/amendments", &change);
        assert_eq!(reply.status, 201, "{reply:?}");
        let address = format!("/api/amendments/{}", change["amendment_id"].as_str().expect("an id"));
        let ended = until(&format!("the first server dies at {step}"), || first.ended());
        assert_eq!(ended.signal(), Some(6), "{step}");
        let died = Instant::now();
        reaches(&second, &address, "committed");
        assert!(died.elapsed() < SECONDS, "{step}: {:?}", died.elapsed());
        until("the second serves it", || {
            let body = second.get(&format!("/api/skills/{skill}")).json()["body"].to_string();
            body.contains(line.trim()).then_some(())
        });

        // The first comes back and has what it lacks from the database.
        first = Server::start(&place, &setup(0, None));
        let commit = propose::commit(&second);
        until("both serve the same", || (propose::commit(&first) == commit).then_some(()));
        for index in [0, 1] {
            let repository = repository(&place, index);
            until("its repository is there too", || {
                (repository.head().expect("a head").sha == commit).then_some(())
            });
            git(&place.data(index).join("corpus.git"), &["fsck", "--strict"]);
        }
        let commits = place.write(|tx| Ok(tx.query("SELECT sha FROM corpus_commits", &[])?.len()));
        assert_eq!(commits, number + 2, "{step}: the beginning, and each of them once");
    }
    assert!(first.stop().success() && second.stop().success());
}
