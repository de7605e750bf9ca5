//! `becivic scrub`, `check pii` and `check nrn` as people and programs use them.

use crate::becivic;
use crate::files::root;
use serde_json::{Value, json};
use std::process::Output;
use tempfile::TempDir;

const NOTE: &str = "Call 0470 00 00 01.\nÀ Liège: 79.10.05-977.20\n";

fn scrub(arguments: &[&str], input: &[u8]) -> Output {
    becivic().arg("scrub").args(arguments).write_stdin(input).output().expect("runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn programs_get_one_object_with_places_in_bytes() {
    let output = scrub(&["--json"], NOTE.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let answer: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(answer["status"], "flagged");
    let hits = answer["hits"].as_array().expect("a list");
    let nrn = hits.iter().find(|hit| hit["rule"] == "nrn").expect("found");
    let text = |hit: &Value| {
        let at = |name: &str| hit[name].as_u64().and_then(|at| usize::try_from(at).ok()).expect("a place");
        &NOTE[at("start")..at("end")]
    };
    assert_eq!((text(nrn), &nrn["category"]), ("79.10.05-977.20", &json!("direct_identifier")));
    assert!(hits.iter().any(|hit| hit["rule"] == "phone_be" && text(hit) == "0470 00 00 01"));

    let output = scrub(&["-", "--json"], b"The desk opens at 9.");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output), "{\"status\":\"clean\",\"hits\":[]}\n");
}

#[test]
fn people_get_places_and_never_the_text() {
    let output = scrub(&[], NOTE.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("standard input:2:10: nrn (direct_identifier)"), "{}", stdout(&output));
    assert!(stdout(&output).ends_with("Take them out before the text leaves this machine.\n"));
    let explained = scrub(&["--explain"], NOTE.as_bytes());
    assert!(stdout(&explained).contains("Its check digits hold (modulo_97_belgian_nrn)."));
    for shown in [stdout(&output), stdout(&explained), stderr(&output)] {
        assert!(!shown.contains("977") && !shown.contains("0470"), "{shown}");
    }
    assert_eq!(stdout(&scrub(&[], b"")), "Nothing personal found.\n");
}

#[test]
fn redacting_keeps_the_rest() {
    let output = scrub(&["--redact"], NOTE.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert!(text.ends_with(&format!(".\nÀ Liège: {}\n", "█".repeat(15))), "{text}");
    assert_eq!(scrub(&[], text.as_bytes()).status.code(), Some(0));
}

#[test]
fn lines_are_texts_of_their_own() {
    let output = scrub(&["--lines", "--json"], NOTE.as_bytes());
    let answers: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[1]["hits"][0]["start"], 11);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_is_not_text_is_refused() {
    let invalid = scrub(&[], b"caf\xE9 79.10.05-977.20");
    assert_eq!(invalid.status.code(), Some(3));
    assert!(stderr(&invalid).contains("standard input is not UTF-8: byte 3"), "{}", stderr(&invalid));
    let binary = scrub(&[], b"%PDF\0\x01");
    assert!(stderr(&binary).contains("is not text: byte 4 is zero"), "{}", stderr(&binary));
    let missing = scrub(&["no-such-file"], b"");
    assert_eq!(missing.status.code(), Some(3));
    assert!(stderr(&missing).contains("cannot open no-such-file"), "{}", stderr(&missing));
    assert_eq!(scrub(&["--json", "--redact"], b"").status.code(), Some(2));
    let word = scrub(&["--json"], "a".repeat(50_000).as_bytes());
    assert_eq!(word.status.code(), Some(0));
}

#[test]
fn a_foreign_rules_file_is_used_or_refused() {
    let dir = TempDir::new().expect("a folder");
    let path = dir.path().join("rules.json");
    let run = |rule: Value| {
        let mut whole = json!({"name": "own", "description": "Mine.", "pattern": "x", "flags": "",
            "checksum": null, "applies_to_fields": "all_strings", "category": "metadata"});
        whole.as_object_mut().expect("an object").extend(rule.as_object().expect("an object").clone());
        let file = json!({"schema_version": 2, "rules": [whole]});
        std::fs::write(&path, file.to_string()).expect("written");
        scrub(&["--rules", &path.to_string_lossy(), "--json"], b"room a12")
    };
    let good = run(json!({"pattern": "a\\d+"}));
    assert_eq!(
        stdout(&good),
        "{\"status\":\"flagged\",\"hits\":[{\"rule\":\"own\",\"category\":\"metadata\",\"start\":5,\"end\":8}]}\n"
    );
    let unknown = run(json!({"pattern": "a\\d{1,4}", "checksum": "of-another"}));
    assert_eq!(unknown.status.code(), Some(1));
    assert!(stderr(&unknown).contains("every match counts"), "{}", stderr(&unknown));
    for (rule, says) in [
        (json!({"pattern": "^(a+)+$"}), "unbounded time"),
        (json!({"pattern": ""}), "/rules/0/pattern"),
        (json!({"pattern": "a*"}), "matches the empty text"),
        (json!({"pattern": "(a"}), "does not compile"),
        (json!({"pattern": "(a)\\1"}), "refers back"),
        (json!({"pattern": "(?:a{900}){900}"}), "too large"),
        (json!({"pattern": "a", "flags": "y"}), "/rules/0/flags"),
        (json!({"pattern": "b".repeat(9_000)}), "/rules/0/pattern"),
        (json!({"applies_to_fields": ["content.nowhere"]}), "no submission has a field"),
    ] {
        let output = run(rule.clone());
        assert_eq!(output.status.code(), Some(3), "{rule}: {}", stdout(&output));
        assert!(stderr(&output).contains(says), "{rule}: {}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
    let piped = scrub(&["--rules", "-"], b"{}");
    assert_eq!(piped.status.code(), Some(3));
    assert!(stderr(&piped).contains("--rules takes a file"), "{}", stderr(&piped));
}

#[test]
fn samples_and_check_digits_are_as_expected() {
    for part in ["pii", "nrn"] {
        let output = becivic().current_dir(root()).args(["check", part]).output().expect("runs");
        assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    }
    let dir = TempDir::new().expect("a folder");
    let samples = dir.path().join("pii-samples");
    std::fs::create_dir(&samples).expect("made");
    std::fs::write(samples.join("one.txt"), "Call 0470 00 00 01.").expect("written");
    let check = |arguments: &[&str]| {
        becivic().args(["check", "pii"]).arg(dir.path()).args(arguments).output().expect("runs")
    };
    assert!(stdout(&check(&[])).contains("nothing to compare the sample with"));
    assert_eq!(check(&["--update"]).status.code(), Some(0));
    assert_eq!(check(&[]).status.code(), Some(0));
    std::fs::write(samples.join("one.txt"), "Call nobody.").expect("written");
    let changed = check(&[]);
    assert_eq!(changed.status.code(), Some(1));
    assert!(stdout(&changed).contains("the rule `phone_be` no longer finds this"), "{}", stdout(&changed));
}
