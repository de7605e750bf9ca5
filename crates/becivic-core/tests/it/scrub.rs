//! The bundled rules against everything written about them: vectors, benign and personal lines, tricks, and
//! JavaScript's own engine.

mod node;
mod patterns;
mod tricks;

use crate::{fixture_dir, read_json, read_text};
use becivic_core::scrub::Scrubber;
use serde::Deserialize;
use std::collections::BTreeMap;

const LANGUAGES: [&str; 4] = ["fr", "nl", "de", "en"];

fn bundled() -> &'static Scrubber {
    Scrubber::bundled().expect("sound rules")
}

fn rule(name: &str) -> usize {
    let found = bundled().rules().iter().position(|rule| rule.name == name);
    found.ok_or_else(|| format!("no rule {name}")).expect("a rule of this name")
}

/// What a rule finds in a text.
fn found(rule: usize, text: &str) -> Vec<&str> {
    bundled().scan_with(text, |asked| asked == rule).into_iter().map(|hit| &text[hit.span]).collect()
}

/// The names of all rules that find something in a text.
fn names(text: &str) -> Vec<&'static str> {
    let name = |rule: usize| bundled().rules()[rule].name.as_str();
    bundled().scan(text).into_iter().map(|hit| name(hit.rule)).collect()
}

/// Texts that must be clean, by language.
fn benign() -> Vec<String> {
    let dir = fixture_dir().join("scrub");
    let texts = LANGUAGES.map(|language| read_text(&dir.join(format!("benign.{language}.txt"))));
    texts.iter().flat_map(|text| text.lines()).map(str::to_owned).collect()
}

/// Texts with something personal, and the rule that must say so.
fn personal() -> Vec<(String, String)> {
    let dir = fixture_dir().join("scrub");
    let texts = LANGUAGES.map(|language| read_text(&dir.join(format!("personal.{language}.tsv"))));
    let split = |line: &str| line.split_once('\t').map(|(rule, text)| (rule.to_owned(), text.to_owned()));
    texts.iter().flat_map(|text| text.lines()).map(|line| split(line).expect("rule, tab, text")).collect()
}

#[derive(Deserialize)]
struct Vector {
    kind: String,
    value: String,
    valid: bool,
}

/// Vectors that come out otherwise than listed, and why. The rules say the same in their descriptions.
const EXCEPTIONS: [(&str, &str, &str); 3] = [
    (
        "nrn",
        "83023097675",
        "30 February with right check digits: who mistypes a day still gives a number away",
    ),
    ("nrn", "60071497639", "born 2060: the answer must not depend on a clock"),
    (
        "iban_be",
        "GB29NWBK60161331926819",
        "not Belgian, and an account number all the same: one rule for all",
    ),
];

#[test]
fn the_vectors_come_out_as_listed() {
    let vectors = Vec::<Vector>::deserialize(read_json(&fixture_dir().join("scrub/vectors.json")));
    let vectors = vectors.expect("a list of vectors");
    assert_eq!(vectors.len(), 201);
    let mut wrong = Vec::new();
    for Vector { kind, value, valid } in vectors {
        let rules: &[&str] = match kind.as_str() {
            "niss" => &["nrn", "bis"],
            "enterprise" => &["enterprise_number"],
            "iban_be" => &["iban"],
            "ogm_vcs" => &["structured_communication"],
            "residence_card_doc" => &["residence_card"],
            other => &[other],
        };
        let found: Vec<&str> = rules.iter().flat_map(|name| found(rule(name), &value)).collect();
        let excepted = EXCEPTIONS.iter().any(|(k, v, _)| (*k, *v) == (kind.as_str(), value.as_str()));
        let right = if valid != excepted { found == [value.as_str()] } else { found.is_empty() };
        if !right {
            wrong.push(format!("{kind} {value:?} valid={valid}: found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn benign_lines_are_left_alone() {
    let lines = benign();
    assert!(lines.len() >= 300, "only {} lines", lines.len());
    let flagged: Vec<String> = lines
        .iter()
        .map(|line| (names(line), line))
        .filter(|(names, _)| !names.is_empty())
        .map(|(names, line)| format!("{names:?} {line}"))
        .collect();
    assert!(
        flagged.len() * 100 <= lines.len(),
        "{} of {}:\n{}",
        flagged.len(),
        lines.len(),
        flagged.join("\n")
    );
}

#[test]
fn personal_lines_are_never_missed() {
    let lines = personal();
    assert!(lines.len() >= 300, "only {} lines", lines.len());
    let missed: Vec<String> = lines
        .iter()
        .filter(|(name, text)| found(rule(name), text).is_empty())
        .map(|(name, text)| format!("{name} {text} (others: {:?})", names(text)))
        .collect();
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn every_rule_has_examples_and_lines() {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for (rule, _) in personal() {
        *lines.entry(rule).or_default() += 1;
    }
    for rule in bundled().rules() {
        let examples = rule.examples.as_ref().expect("examples");
        let enough = examples.matching.len() >= 3 && examples.not_matching.len() >= 3;
        assert!(enough, "{} has too few examples", rule.name);
        assert!(lines.get(&rule.name).is_some_and(|count| *count >= 3), "{} has too few lines", rule.name);
    }
}

#[test]
fn a_redacted_text_is_clean_and_as_long() {
    for (_, text) in personal() {
        let redacted = bundled().redact(&text);
        assert_eq!(bundled().scan(&redacted), [], "{redacted}");
        assert_eq!(redacted.chars().count(), text.chars().count());
    }
}
