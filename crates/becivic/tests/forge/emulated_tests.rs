//! The suite on the emulated GitHub, and what GitHub alone has: labels, check runs, other people's clicks, key files.

use crate::emulated::{Emulated, Setup};
use crate::suite::{CASES, Issues, Subject, content, files, proposal};
use becivic_server::forge::github::{forge_sha, local_sha};
use becivic_server::forge::{ForgeError, PullState, Verdict};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

#[test]
fn the_emulated_github_passes_the_suite() {
    let github = Emulated::start(Setup::default());
    for (name, run) in CASES {
        println!("{name}");
        run(&github);
    }
    // What was brought here is a sound repository, and has the hashes it has there.
    let fsck =
        Command::new("git").arg("-C").arg(github.place()).args(["fsck", "--strict"]).output().expect("git");
    assert!(fsck.status.success(), "{}", String::from_utf8_lossy(&fsck.stderr));
    let head = github.head().expect("main");
    assert_eq!(github.mirror().as_ref(), Ok(&head));
    assert_eq!(local_sha(&github.repository, &head).expect("read"), Some(head.clone()));
    assert_eq!(forge_sha(&github.repository, &head).expect("read"), head);
    // Whoever comes later gets the same.
    let late = github.another("late.git");
    assert_eq!(github.github.mirror(&late), Ok(head));
}

#[test]
fn a_corpus_comes_here_as_it_is_there() {
    let github = Emulated::start(Setup::default());
    let head = github.fill();
    let here = content(&github);
    let there: BTreeMap<String, Vec<u8>> = becivic_server::bundled::files().collect();
    assert!(here == there && there.len() > 50, "{} files here, {} there", here.len(), there.len());
    assert_eq!(github.repository.head().expect("main").sha, head);
}

#[test]
fn pull_requests_carry_what_maintainers_look_for() {
    let github = Emulated::start(Setup::default());
    let base = github.head().expect("main");
    let change = files(&[("skills/a/canonical.md", Some("a\n"))]);
    let pull = github.propose(&proposal(7, &base, &change)).expect("proposed");
    let shown = github.look(&format!("/pulls/{}", pull.forge_number));
    assert_eq!(shown["title"], "amd-00001 on skill residence");
    assert_eq!(shown["body"], "Changes one line.");
    assert_eq!((&shown["head"]["ref"], &shown["base"]["ref"]), (&json!("becivic/7"), &json!("main")));
    assert_eq!(labels(&github, pull.forge_number), ["amendment", "skill"].into());
    // Without the permission to write check runs, labels say it, and a comment where something is wrong.
    github.report(&pull, Verdict::Red, "rule-03: a link is dead").expect("reported");
    github.report(&pull, Verdict::Red, "rule-03: a link is dead").expect("reported again");
    assert!(labels(&github, pull.forge_number).contains("checks: red"));
    let comments = github.look(&format!("/issues/{}/comments", pull.forge_number));
    assert_eq!(comments.as_array().map(Vec::len), Some(1), "{comments}");
    github.report(&pull, Verdict::Green, "Every rule holds.").expect("reported");
    let now = labels(&github, pull.forge_number);
    assert!(now.contains("checks: green") && !now.contains("checks: red"), "{now:?}");
    github.merge(&pull, "x", "").expect("merged");
    assert!(labels(&github, pull.forge_number).contains("merged"));
    assert_eq!(branches(&github), ["main".to_owned()].into());
}

#[test]
fn check_runs_are_written_where_they_may_be() {
    let github = Emulated::start(Setup { checks: true });
    let base = github.head().expect("main");
    let change = files(&[("skills/a/canonical.md", Some("a\n"))]);
    let pull = github.propose(&proposal(7, &base, &change)).expect("proposed");
    github.report(&pull, Verdict::Red, "rule-03: a link is dead").expect("reported");
    let runs = github.look(&format!("/commits/{}/check-runs", pull.head));
    assert_eq!(runs["check_runs"][0]["conclusion"], "failure", "{runs}");
    assert_eq!(runs["check_runs"][0]["output"]["summary"], "rule-03: a link is dead");
    assert!(!labels(&github, pull.forge_number).contains("checks: red"));
}

#[test]
fn what_a_maintainer_clicks_is_taken_as_it_is() {
    let github = Emulated::start(Setup::default());
    let base = github.head().expect("main");
    // Merged by hand.
    let change = files(&[("skills/a/canonical.md", Some("a\n"))]);
    let pull = github.propose(&proposal(1, &base, &change)).expect("proposed");
    let merge = format!("/pulls/{}/merge", pull.forge_number);
    let merged = github.by_hand("PUT", &merge, &json!({"merge_method": "squash"}));
    let sha = merged["sha"].as_str().expect("a commit").to_owned();
    assert_eq!(github.state(&pull), Ok(PullState::Merged(sha.clone())));
    assert_eq!(github.merge(&pull, "x", ""), Ok(sha.clone()));
    assert_eq!(github.propose(&proposal(1, &base, &change)).map(|it| it.head), Ok(sha.clone()));
    assert!(content(&github).contains_key("skills/a/canonical.md"));
    // Closed by hand: it is not opened again.
    let pull = github.propose(&proposal(2, &sha, &change)).expect("proposed");
    github.by_hand("PATCH", &format!("/pulls/{}", pull.forge_number), &json!({"state": "closed"}));
    assert_eq!(github.propose(&proposal(2, &sha, &change)), Err(ForgeError::Closed));
    assert_eq!(github.state(&pull), Ok(PullState::Closed));
    // Pushed to the branch by hand: what was not looked at is not merged.
    let pull = github.propose(&proposal(3, &sha, &change)).expect("proposed");
    let tree = github.look(&format!("/git/commits/{sha}"))["tree"]["sha"].clone();
    let body = json!({"message": "mine", "tree": tree, "parents": [pull.head]});
    let mine = github.by_hand("POST", "/git/commits", &body);
    github.by_hand("PATCH", "/git/refs/heads/becivic/3", &json!({"sha": mine["sha"]}));
    assert_eq!(github.merge(&pull, "x", ""), Err(ForgeError::Moved));
}

#[test]
fn a_crash_between_any_two_steps_of_a_proposal_is_made_good() {
    let github = Emulated::start(Setup::default());
    let base = github.head().expect("main");
    let change = files(&[("skills/a/canonical.md", Some("a\n"))]);
    // The branch was made, the pull request was not.
    let tree = github.look(&format!("/git/commits/{base}"))["tree"]["sha"].clone();
    let body = json!({"message": "half", "tree": tree, "parents": [base]});
    let half = github.by_hand("POST", "/git/commits", &body)["sha"].clone();
    github.by_hand("POST", "/git/refs", &json!({"ref": "refs/heads/becivic/5", "sha": half}));
    let pull = github.propose(&proposal(5, &base, &change)).expect("proposed");
    // The pull request was made, the labels were not.
    github.by_hand("DELETE", &format!("/issues/{}/labels", pull.forge_number), &Value::Null);
    assert_eq!(github.propose(&proposal(5, &base, &change)).as_ref(), Ok(&pull));
    assert_eq!(labels(&github, pull.forge_number), ["amendment", "skill"].into());
    // main was moved, and nobody heard of it: the branch and the pull request are still there.
    let sha = github.merge(&pull, "x", "").expect("merged");
    github.by_hand("PATCH", &format!("/pulls/{}", pull.forge_number), &json!({"state": "open"}));
    github.by_hand("POST", "/git/refs", &json!({"ref": "refs/heads/becivic/5", "sha": pull.head}));
    assert_eq!(github.merge(&pull, "x", ""), Ok(sha.clone()));
    assert_eq!(github.head(), Ok(sha));
    assert_eq!(branches(&github), ["main".to_owned()].into());
    assert_eq!(github.state(&pull), Ok(PullState::Closed));
}

#[test]
fn wrong_keys_and_names_are_refused_in_words() {
    let github = Emulated::start(Setup::default());
    let refused = |client: &becivic_server::forge::github::GitHub| match client.head() {
        Err(ForgeError::Refused(why)) => why,
        other => panic!("{other:?}"),
    };
    let another_app = github.client(|settings| settings.app_id = "999".to_owned());
    assert!(refused(&another_app).contains("app_id"));
    let another_installation = github.client(|settings| settings.installation_id = "999".to_owned());
    assert!(refused(&another_installation).contains("installation_id"));
    let another_repository = github.client(|settings| settings.repository = "nothing".to_owned());
    assert!(refused(&another_repository).contains("not installed"));
    let empty = github.client(|settings| settings.repository = "empty".to_owned());
    assert_eq!(empty.head(), Err(ForgeError::Missing("branch main")));
}

#[test]
fn issues_are_found_on_any_page() {
    let github = Emulated::start(Setup::default());
    let first = github.open_issue("Review con-00000", "x", &[]).expect("opened");
    for n in 1..105 {
        let body = json!({"title": format!("Review con-{n:05}"), "labels": ["becivic"]});
        github.by_hand("POST", "/issues", &body);
    }
    // A stranger's issue of the same title without our label, and a pull request, are not it.
    github.by_hand("POST", "/issues", &json!({"title": "Review con-77777"}));
    assert_eq!(github.open_issue("Review con-00000", "x", &[]), Ok(first));
    let mine = github.open_issue("Review con-77777", "x", &[]).expect("opened");
    assert_eq!(github.open_issue("Review con-77777", "x", &[]), Ok(mine));
}

fn labels(github: &Emulated, number: i64) -> BTreeSet<&'static str> {
    let known = ["amendment", "skill", "checks: red", "checks: green", "merged"];
    let shown = github.look(&format!("/issues/{number}/labels"));
    let names: Vec<&str> =
        shown.as_array().into_iter().flatten().filter_map(|it| it["name"].as_str()).collect();
    known.into_iter().filter(|name| names.contains(name)).collect()
}

fn branches(github: &Emulated) -> BTreeSet<String> {
    let shown = github.look("/branches");
    shown.as_array().into_iter().flatten().filter_map(|it| it["name"].as_str().map(str::to_owned)).collect()
}
