//! `becivic review` beside a running server.

use super::{held, log, state};
use crate::commit::{file, repository, until};
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, Setup, propose};
use becivic_server::db::{others, tokens};
use becivic_server::moment::Moment;
use serde_json::Value;
use std::process::{Command, Output, Stdio};

on_both_engines!(
    Setup::fixtures().unlimited(),
    cases![
        the_desk_is_listed_shown_and_worked_at,
        an_edit_comes_from_a_file_or_a_pipe,
        what_is_wrong_is_said,
        a_name_of_the_catalogue_is_changed_wherever_it_stands,
    ]
);

fn becivic(place: &Place, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_becivic"));
    command.args(arguments).arg("--data").arg(place.data(0)).args(["--database", &place.url()]);
    command.env("BECIVIC_SERVER__PEPPER_FILE", place.folder().join("pepper.key"));
    command
}

fn run(place: &Place, arguments: &[&str]) -> (i32, String, String) {
    ended(becivic(place, arguments).output().expect("becivic runs"))
}

fn ended(output: Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

fn does(place: &Place, arguments: &[&str]) -> String {
    let (code, out, err) = run(place, arguments);
    assert_eq!(code, 0, "{arguments:?}: {out}{err}");
    out
}

fn the_desk_is_listed_shown_and_worked_at(server: &Server, place: &Place) {
    assert_eq!(does(place, &["review", "list"]), "Nothing to review.\n");
    assert_eq!(does(place, &["review", "log"]), "Nothing was done yet.\n");
    let (first, first_path) = held(server, place, "The counter asked for two photographs.");
    let (second, second_path) = held(server, place, "The counter asked for three photographs.");
    place.write(|tx| others::insert_message(tx, &[0xcd; 32], None, None, "A page is blank.", Moment(0)));
    let message = "cd".repeat(8);
    let list = does(place, &["review", "list"]);
    for name in [&first, &second, &message] {
        assert!(list.contains(name.as_str()), "{list}");
    }
    let json: Value = serde_json::from_str(&does(place, &["review", "list", "--json"])).expect("JSON");
    assert_eq!(json["held"].as_array().map(Vec::len), Some(2), "{json}");
    assert_eq!(json["feedback"][0]["handle"], message.as_str());
    assert!(does(place, &["review", "show", &first]).contains("two photographs"));
    assert!(does(place, &["review", "show", &message]).contains("A page is blank."));
    assert!(does(place, &["review", "show", "skill:arrival-declaration"]).contains("The starter corpus"));
    does(place, &["review", "release", &first, "--why", "nothing personal"]);
    assert_eq!(state(server, &first_path), "released");
    place.write(|tx| tokens::insert(tx, "night-shift", &[5; 32], Moment(0)));
    does(place, &["review", "discard", &second, "--why", "not about this", "--as", "night-shift"]);
    assert_eq!(state(server, &second_path), "discarded");
    does(place, &["review", "triage", &message, "spam"]);
    let lines = log(place, 3);
    assert_eq!(lines.iter().map(|it| it.1.as_str()).collect::<Vec<_>>(), ["triage", "discard", "release"]);
    assert_eq!((lines[1].0.as_str(), lines[2].0.as_str()), ("night-shift", "first"));
    assert!(does(place, &["review", "log"]).contains("night-shift"));
    assert_eq!(does(place, &["review", "list"]), "Nothing to review.\n");
}

fn an_edit_comes_from_a_file_or_a_pipe(server: &Server, place: &Place) {
    let edited = |id: &str| {
        let shown: Value =
            serde_json::from_str(&does(place, &["review", "show", id, "--json"])).expect("JSON");
        shown["json"].as_str().expect("the submission").replace("Somebody", "The counter")
    };
    let (id, path) = held(server, place, "Somebody asked for two photographs.");
    let file = place.folder().join("edited.json");
    std::fs::write(&file, edited(&id)).expect("a file");
    let name = file.to_str().expect("a name");
    does(place, &["review", "edit-and-release", &id, "--file", name, "--why", "a person less"]);
    assert_eq!(state(server, &path), "released_after_edit");
    let (id, path) = held(server, place, "Somebody asked for three photographs.");
    let arguments = ["review", "edit-and-release", &id, "--file", "-", "--why", "a person less"];
    let text = edited(&id);
    let mut child = becivic(place, &arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("becivic starts");
    std::io::Write::write_all(&mut child.stdin.take().expect("its input"), text.as_bytes())
        .expect("it reads");
    let (code, out, err) = ended(child.wait_with_output().expect("it ends"));
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(state(server, &path), "released_after_edit");
}

fn what_is_wrong_is_said(server: &Server, place: &Place) {
    let (id, path) = held(server, place, "The counter asked for five photographs.");
    for (arguments, code, said) in [
        (&["review", "release", &id][..], 2, "--why"),
        (&["review", "release", &id, "--why", ""], 2, "Say why"),
        (&["review", "release", &id, "--why", "x", "--as", "nobody"], 2, "becivic token list"),
        (&["review", "release", "con_nothing", "--why", "x"], 2, "Nothing is held under"),
        (&["review", "merge", "77", "--why", "x"], 2, "no pull request 77"),
        (&["review", "merge", "seven", "--why", "x"], 2, "seven"),
        (&["review", "show", "77"], 2, "no pull request 77"),
        (&["review", "quarantine", "arrival-declaration", "--why", "x"], 2, "skill:ID"),
        (&["review", "quarantine", "rev-99999", "--why", "x"], 2, "no review item"),
        (&["review", "deprecate", "ref-00001", "--why", "x"], 2, "amendment"),
        (&["review", "quarantine", "ref-99999", "--why", "x"], 2, "no reference:ref-99999"),
        (&["review", "triage", "00", "seen"], 2, "no message"),
        (&["review", "triage", "00", "burnt"], 2, "new, seen, done or spam"),
        (&["review", "reinstate", "skill:arrival-declaration", "--why", "x"], 3, "nothing to reinstate"),
        (&["catalogue", "rename", "ref-1", "x", "--why", "x"], 2, "val-NNNNN"),
        (&["catalogue", "rename", "ref-00002", "Not Kebab", "--why", "x"], 2, "small letters"),
        (&["catalogue", "rename", "ref-99999", "x", "--why", "x"], 2, "no entry"),
        (
            &["catalogue", "rename", "ref-00002", "law-population-registers-1991", "--why", "x"],
            3,
            "has that name",
        ),
    ] {
        let (ended, out, err) = run(place, arguments);
        assert!(ended == code && err.contains(said), "{arguments:?}: {ended} {out}{err}");
    }
    assert_eq!(state(server, &path), "ner_held_for_review");
    let mut command = Command::new(env!("CARGO_BIN_EXE_becivic"));
    let nowhere = command.args(["review", "list", "--data"]).arg(place.folder().join("nowhere")).output();
    let (code, _, err) = ended(nowhere.expect("becivic runs"));
    assert!(code != 0 && err.contains("becivic serve --data"), "{err}");
}

fn a_name_of_the_catalogue_is_changed_wherever_it_stands(server: &Server, place: &Place) {
    let rename = ["catalogue", "rename", "ref-00002", "ibz-arrival-page"];
    let out = does(place, &[&rename[..], &["--dry-run"]].concat());
    for part in ["dofi-arrival-page", "skills/arrival-declaration/canonical.md", "catalogue/references.jsonl"]
    {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(!out.contains("volatile-values"), "{out}");
    assert_eq!(server.get("/api/references/ref-00002").json()["name"], "dofi-arrival-page");
    let out = does(place, &[&rename[..], &["--why", "the office has another name"]].concat());
    assert!(out.contains("ibz-arrival-page"), "{out}");
    assert_eq!(server.get("/api/references/ref-00002").json()["name"], "ibz-arrival-page");
    let text = until("the server follows", || {
        let text = file(server, place, "skills/arrival-declaration/canonical.md").expect("a skill");
        text.contains("ibz-arrival-page").then_some(text)
    });
    assert!(
        text.contains("[ibz-arrival-page]")
            && text.contains("<Ref name=\"ibz-arrival-page\" uid=\"ref-00002\"")
    );
    for input in repository(place).files(&propose::commit(server)).expect("files") {
        if let becivic_core::corpus::Content::Bytes(bytes) = input.content {
            assert!(!String::from_utf8_lossy(&bytes).contains("dofi-arrival-page"), "{}", input.path);
        }
    }
    assert_eq!(log(place, 1)[0].1, "rename");
    let history = repository(place).history("skills/renew-residence-card/canonical.md").expect("a history");
    assert_eq!(history[0].subject, "Call ref-00002 ibz-arrival-page");
}
