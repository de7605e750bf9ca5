//! `becivic ner` as people and programs use it.

use crate::becivic;
use serde_json::Value;
use std::process::Output;

const NOTE: &str = "Le guichet est fermé à midi.\nMme Fatiha El Amrani au guichet 3 m'a dit de revenir.\n";

fn ner(arguments: &[&str], input: &[u8]) -> Output {
    becivic().arg("ner").args(arguments).write_stdin(input).output().expect("runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn spans<'t>(text: &'t str, answer: &Value) -> Vec<&'t str> {
    let at =
        |it: &Value, name: &str| it[name].as_u64().and_then(|at| usize::try_from(at).ok()).expect("a place");
    let persons = answer["persons"].as_array().expect("a list");
    persons.iter().map(|it| &text[at(it, "start")..at(it, "end")]).collect()
}

#[test]
fn programs_get_one_object_with_places_in_bytes() {
    let output = ner(&["--json"], NOTE.as_bytes());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let answer: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(spans(NOTE, &answer), ["Fatiha El Amrani"]);
    assert_eq!(answer["language"], "fr");
    let score = answer["persons"][0]["score"].as_f64().expect("a number");
    assert!((0.5..=1.0).contains(&score), "{score}");
    assert!(!stdout(&output).contains("Fatiha"));

    let nobody = ner(&["-", "--json"], b"The desk opens at 9.");
    assert_eq!(nobody.status.code(), Some(0));
    let answer: Value = serde_json::from_str(&stdout(&nobody)).expect("JSON");
    assert_eq!(answer["persons"], serde_json::json!([]));
}

#[test]
fn people_get_places_and_never_the_name() {
    let output = ner(&[], NOTE.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stdout(&output).starts_with("standard input:2:5: a name, up to column 20 ("),
        "{}",
        stdout(&output)
    );
    assert!(!stdout(&output).contains("Amrani") && !stderr(&output).contains("Amrani"));
    assert_eq!(stdout(&ner(&[], b"")), "Nobody is named.\n");
}

#[test]
fn lines_are_texts_of_their_own() {
    let output = ner(&["--lines", "--json"], NOTE.as_bytes());
    let answers: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[1]["persons"][0]["start"], 4);
    assert_eq!(output.status.code(), Some(1));
    let told = ner(&["--lines"], NOTE.as_bytes());
    assert!(stdout(&told).starts_with("standard input:2:5: "), "{}", stdout(&told));
}

#[test]
fn what_is_not_text_is_refused() {
    let invalid = ner(&[], b"caf\xE9");
    assert_eq!(invalid.status.code(), Some(3));
    assert!(stderr(&invalid).contains("standard input is not UTF-8: byte 3"), "{}", stderr(&invalid));
    assert!(stderr(&ner(&[], b"%PDF\0\x01")).contains("is not text: byte 4 is zero"));
    let missing = ner(&["no-such-file"], b"");
    assert!(missing.status.code() == Some(3) && stderr(&missing).contains("cannot open no-such-file"));
    assert_eq!(ner(&["--redact"], b"").status.code(), Some(2));
    for odd in
        ["a".repeat(50_000), "\u{301}".repeat(9_000), "Ж. ".repeat(9_000), "\u{202e}x\u{7}".repeat(900)]
    {
        assert!(ner(&["--json"], odd.as_bytes()).status.code().is_some_and(|code| code < 2));
    }
}
