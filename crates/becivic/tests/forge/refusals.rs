//! What GitHub answers to changes that are refused, were made already, or take effect a little later.

use crate::recorded::{Asked, Recorded, Reply, says};
use crate::suite::{NOW, files, proposal};
use becivic_server::forge::{ForgeError, Proposed, Verdict};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const BASE: &str = "1111111111111111111111111111111111111111";
const HEAD: &str = "2222222222222222222222222222222222222222";
const SQUASHED: &str = "3333333333333333333333333333333333333333";
const OTHER: &str = "4444444444444444444444444444444444444444";

fn commit(sha: &str, parents: &[&str]) -> Value {
    let person = json!({"name": "Be Civic Bot", "email": "bot@becivic.be", "date": "2026-11-15T00:00:00Z"});
    let parents: Vec<Value> = parents.iter().map(|sha| json!({"sha": sha})).collect();
    json!({"sha": sha, "tree": {"sha": OTHER}, "parents": parents, "author": person, "committer": person, "message": "m"})
}

fn pull(state: &str) -> Value {
    json!({"number": 5, "state": state, "title": "t", "body": null, "head": {"ref": "becivic/7"}})
}

fn at(sha: &str) -> Value {
    json!({"object": {"sha": sha}})
}

/// What GitHub answers where everything is as it should be: a proposal on the branch `becivic/7`, made against `main`.
fn usual(asked: &Asked) -> Reply {
    let path = asked.path.split('?').next().unwrap_or_default();
    match (asked.method.as_str(), path) {
        ("GET", "/git/ref/heads/main") => says(200, &at(BASE)),
        ("GET", "/git/ref/heads/becivic/7") => says(200, &at(HEAD)),
        ("GET", "/git/commits/1111111111111111111111111111111111111111") => says(200, &commit(BASE, &[])),
        ("GET", "/git/commits/2222222222222222222222222222222222222222") => says(200, &commit(HEAD, &[BASE])),
        ("GET", "/git/commits/3333333333333333333333333333333333333333") => {
            says(200, &commit(SQUASHED, &[BASE]))
        }
        ("POST", "/git/trees") => says(201, &json!({"sha": OTHER})),
        ("POST", "/git/commits") => says(201, &json!({"sha": SQUASHED})),
        ("PATCH", path) if path.starts_with("/git/refs/") => says(200, &at(SQUASHED)),
        ("GET", "/pulls/5") => says(200, &pull("open")),
        ("PATCH", "/pulls/5") => says(200, &pull("closed")),
        ("GET", path) if path.starts_with("/compare/") => says(200, &json!({"status": "diverged"})),
        ("POST", "/issues/5/labels") => says(200, &json!([])),
        ("DELETE", _) => Reply::Says(204, Vec::new(), String::new()),
        other => panic!("nobody thought of {other:?}"),
    }
}

/// A server that is usual but for one kind of request.
fn but(
    is_it: impl Fn(&Asked) -> bool + Send + Sync + 'static,
    reply: impl Fn() -> Reply + Send + Sync + 'static,
) -> Recorded {
    Recorded::with_token(move |asked| if is_it(asked) { reply() } else { usual(asked) })
}

fn moves_main(asked: &Asked) -> bool {
    asked.method == "PATCH" && asked.path == "/git/refs/heads/main"
}

fn merge(server: &Recorded) -> Result<String, ForgeError> {
    server.client(|_| {}).merge(5, HEAD, "subject", "message")
}

#[test]
fn a_merge_moves_main_without_force_and_clears_up() {
    let server = but(|_| false, || Reply::Gone);
    assert_eq!(merge(&server).as_deref(), Ok(SQUASHED));
    let asked = server.asked();
    let moved = asked.iter().find(|asked| moves_main(asked)).expect("main is moved");
    assert_eq!(moved.body, json!({"sha": SQUASHED, "force": false}));
    let made =
        asked.iter().find(|asked| asked.method == "POST" && asked.path == "/git/commits").expect("a commit");
    assert_eq!(
        (&made.body["parents"], &made.body["message"]),
        (&json!([BASE]), &json!("subject\n\nmessage\n"))
    );
    assert_eq!(made.body["author"]["email"], "bot@becivic.be");
    assert!(asked.iter().any(|asked| asked.method == "DELETE" && asked.path == "/git/refs/heads/becivic/7"));
    assert!(asked.iter().any(|asked| asked.path == "/pulls/5" && asked.body == json!({"state": "closed"})));
}

#[test]
fn main_that_moved_meanwhile_stays_where_it_is() {
    // Seen before: nothing is tried.
    let server = but(|asked| asked.path == "/git/ref/heads/main", || says(200, &at(OTHER)));
    assert_eq!(merge(&server), Err(ForgeError::Moved));
    assert!(!server.asked().iter().any(moves_main));
    // Seen by GitHub alone: it answers 422, and main is elsewhere when looked at again.
    let moved = std::sync::Arc::new(AtomicBool::new(false));
    let server = Recorded::with_token(move |asked| match asked.path.as_str() {
        "/git/refs/heads/main" => {
            moved.store(true, Ordering::SeqCst);
            says(422, &json!({"message": "Update is not a fast forward"}))
        }
        "/git/ref/heads/main" if moved.load(Ordering::SeqCst) => says(200, &at(OTHER)),
        _ => usual(asked),
    });
    assert_eq!(merge(&server), Err(ForgeError::Moved));
    let server = but(moves_main, || says(409, &json!({"message": "Conflict"})));
    assert_eq!(merge(&server), Err(ForgeError::Moved));
}

#[test]
fn a_protected_main_is_a_refusal_and_no_endless_try() {
    let refuse = || says(422, &json!({"message": "Changes must be made through a pull request."}));
    let server = but(moves_main, refuse);
    let answer = merge(&server);
    assert!(
        matches!(&answer, Err(ForgeError::Refused(why)) if why.contains("rule of the repository")),
        "{answer:?}"
    );
    let server = but(moves_main, || says(403, &json!({"message": "Resource not accessible by integration"})));
    assert!(matches!(merge(&server), Err(ForgeError::Refused(_))));
}

#[test]
fn an_answer_that_got_lost_is_made_good() {
    // main was moved, the answer never came: asked again, GitHub finds it there already.
    let times = AtomicUsize::new(0);
    let server = but(moves_main, move || match times.fetch_add(1, Ordering::SeqCst) {
        0 => Reply::Gone,
        _ => says(200, &at(SQUASHED)),
    });
    assert_eq!(merge(&server).as_deref(), Ok(SQUASHED));
    // A whole run later: main holds it and has gone on.
    let server = Recorded::with_token(|asked| match asked.path.split('?').next() {
        Some("/git/ref/heads/main") => says(200, &at(OTHER)),
        Some(path) if path.starts_with("/compare/") => says(200, &json!({"status": "ahead"})),
        _ => usual(asked),
    });
    assert_eq!(merge(&server).as_deref(), Ok(SQUASHED));
    assert!(!server.asked().iter().any(moves_main));
}

#[test]
fn a_pull_request_that_marks_itself_is_not_closed_by_us() {
    // The squashed commit is the branch's own, and GitHub notices at the second look.
    let looks = AtomicUsize::new(0);
    let server = Recorded::with_token(move |asked| match (asked.method.as_str(), asked.path.as_str()) {
        ("POST", "/git/commits") => says(201, &json!({"sha": HEAD})),
        ("PATCH", "/git/refs/heads/main") => says(200, &at(HEAD)),
        ("GET", "/pulls/5") if looks.fetch_add(1, Ordering::SeqCst) >= 2 => says(200, &pull("closed")),
        _ => usual(asked),
    });
    assert_eq!(merge(&server).as_deref(), Ok(HEAD));
    assert!(!server.asked().iter().any(|asked| asked.method == "PATCH" && asked.path == "/pulls/5"));
    assert!(!server.asked().iter().any(|asked| asked.path == "/issues/5/labels"));
}

#[test]
fn clearing_up_that_fails_for_good_does_not_undo_a_merge() {
    let closes = |asked: &Asked| asked.method == "PATCH" && asked.path == "/pulls/5";
    assert_eq!(merge(&but(closes, || says(403, &json!({})))).as_deref(), Ok(SQUASHED));
    let server = but(closes, || says(503, &json!({})));
    assert!(matches!(merge(&server), Err(ForgeError::Unavailable(_))), "it is tried again");
}

#[test]
fn what_is_there_already_is_found_again() {
    // Neither the branch nor the pull request is seen at first; both turn out to be there when they are made.
    let made = std::sync::Arc::new(AtomicBool::new(false));
    let server = Recorded::with_token(move |asked| {
        let path = asked.path.split('?').next().unwrap_or_default();
        match (asked.method.as_str(), path) {
            ("GET", "/git/ref/heads/becivic/7") if !made.load(Ordering::SeqCst) => says(404, &json!({})),
            ("POST", "/git/refs") => {
                made.store(true, Ordering::SeqCst);
                says(422, &json!({"message": "Reference already exists"}))
            }
            ("GET", "/pulls") if asked.path.contains("head=be-civic:becivic%2F7") => {
                let there = if made.load(Ordering::SeqCst) { json!([pull("open")]) } else { json!([]) };
                says(200, &there)
            }
            ("POST", "/pulls") => says(422, &json!({"message": "A pull request already exists"})),
            _ => usual(asked),
        }
    });
    let change = files(&[("a.md", Some("a\n"))]);
    let mut proposed = proposal(7, BASE, &change);
    proposed.message = "m";
    let found = server.client(|_| {}).propose(&proposed, NOW);
    assert_eq!(found, Ok(Proposed { forge_number: 5, head: HEAD.to_owned() }));
}

#[test]
fn an_issue_nobody_heard_of_is_not_opened_twice() {
    for reply in
        [|| Reply::Gone, || says(502, &json!({})), || Reply::Says(201, Vec::new(), "<html>".to_owned())]
    {
        let server = Recorded::with_token(move |asked| match asked.method.as_str() {
            "GET" => says(200, &json!([])),
            _ => reply(),
        });
        let answer = server.client(|_| {}).open_issue("Review con-00007", "", &[]);
        assert!(matches!(answer, Err(ForgeError::Unavailable(_))), "{answer:?}");
        assert_eq!(server.asked().iter().filter(|asked| asked.method == "POST").count(), 1);
    }
}

#[test]
fn check_runs_that_may_not_be_written_are_tried_once() {
    let server = Recorded::with_token(|asked| match asked.path.as_str() {
        "/check-runs" => says(403, &json!({"message": "Resource not accessible by integration"})),
        _ => usual(asked),
    });
    let client = server.client(|_| {});
    for _ in 0..2 {
        client.report(5, HEAD, Verdict::Green, "fine").expect("reported");
    }
    let asked = server.asked();
    assert_eq!(asked.iter().filter(|asked| asked.path == "/check-runs").count(), 1);
    let labels = asked.iter().filter(|asked| asked.path == "/issues/5/labels");
    assert!(labels.map(|asked| &asked.body).all(|body| *body == json!({"labels": ["checks: green"]})));
    assert!(asked.iter().any(|asked| asked.path == "/issues/5/labels/checks%3A%20red"));
    // A limit is no missing permission.
    let server =
        Recorded::with_token(|_| Reply::Says(403, vec![("retry-after", "3".to_owned())], "{}".to_owned()));
    assert!(matches!(
        server.client(|_| {}).report(5, HEAD, Verdict::Green, "fine"),
        Err(ForgeError::Wait(_))
    ));
}

#[test]
fn labels_that_are_not_there_are_made() {
    let made = std::sync::Arc::new(AtomicUsize::new(0));
    let count = std::sync::Arc::clone(&made);
    let server = Recorded::with_token(move |asked| match asked.path.as_str() {
        "/check-runs" => says(403, &json!({})),
        "/issues/5/labels" if count.load(Ordering::SeqCst) == 0 => says(422, &json!({})),
        "/labels" => {
            count.fetch_add(1, Ordering::SeqCst);
            says(201, &json!({"name": "checks: green"}))
        }
        _ => usual(asked),
    });
    server.client(|_| {}).report(5, HEAD, Verdict::Green, "fine").expect("reported");
    assert_eq!(made.load(Ordering::SeqCst), 1);
    // One that cannot be made is said so, and not tried for ever.
    let server = Recorded::with_token(|asked| match asked.path.as_str() {
        "/check-runs" => says(403, &json!({})),
        _ => says(404, &json!({})),
    });
    let answer = server.client(|_| {}).report(5, HEAD, Verdict::Green, "fine");
    assert!(matches!(answer, Err(ForgeError::Refused(_))), "{answer:?}");
}
