//! `becivic check` as people and programs use it.

use crate::becivic;
use crate::files::{Files, root};
use serde_json::Value;
use std::process::Output;
use tempfile::TempDir;

fn broken() -> TempDir {
    let mut files = Files::test_corpus();
    let path = "skills/renew-residence-card/canonical.md";
    let text = files.text(path).replacen("authority_id: dofi", "authority_id: nobody", 1);
    let text = text.replacen("version: 1.0.3", "version: 1.0.3\nversion_pin: true", 1);
    files.0.insert(path.to_owned(), text.into_bytes());
    let dir = TempDir::new().expect("a folder");
    files.write(dir.path());
    dir
}

fn run(dir: &TempDir, arguments: &[&str]) -> Output {
    becivic().current_dir(dir).arg("check").args(arguments).output().expect("runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_public_corpus_and_the_fixtures_are_clean() {
    for (arguments, says) in [
        (vec!["check", "corpus"], "nothing to report"),
        (vec!["check", "fixtures/corpus"], "nothing to report"),
        (vec!["check", "fixtures"], "nothing to report"),
        (vec!["check", "paths", "corpus"], "nothing to report"),
    ] {
        let output = becivic().current_dir(root()).args(&arguments).output().expect("runs");
        assert!(stdout(&output).contains(says), "{arguments:?}: {}", stdout(&output));
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn people_get_place_sentence_and_advice() {
    let dir = broken();
    let output = run(&dir, &[]);
    assert_eq!(output.status.code(), Some(1));
    let expected = "skills/renew-residence-card/canonical.md:7:1: warning[version_pinned]: the version is pinned: it does not follow the status
    Remove version_pin when the migration it was set for is over.
skills/renew-residence-card/canonical.md:14:15: error[authority_unknown]: there is no authority `nobody`
    Use an id of data/authorities.json, or add the authority there.
19 files checked: 1 error, 1 warning. `becivic check --explain RULE` tells more.
";
    assert_eq!(stdout(&output), expected);
}

#[test]
fn programs_get_json_sarif_and_annotations() {
    let dir = broken();
    let json: Value = serde_json::from_str(&stdout(&run(&dir, &["--format", "json"]))).expect("JSON");
    assert_eq!((&json["errors"], &json["warnings"]), (&Value::from(1), &Value::from(1)));
    assert_eq!(json["findings"][1]["rule"], "authority_unknown");
    assert_eq!(json["findings"][1]["line"], 14);
    let sarif: Value = serde_json::from_str(&stdout(&run(&dir, &["--format", "sarif"]))).expect("JSON");
    let driver = &sarif["runs"][0]["tool"]["driver"];
    assert_eq!(driver["rules"].as_array().map(Vec::len), Some(2));
    let result = &sarif["runs"][0]["results"][1];
    assert_eq!(result["ruleId"], "authority_unknown");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "skills/renew-residence-card/canonical.md");
    let github = stdout(&run(&dir, &["--format", "github"]));
    assert!(github.contains("::error file=skills/renew-residence-card/canonical.md,line=14,col=15,title=authority_unknown::there is no authority `nobody`."), "{github}");
}

#[test]
fn warnings_fail_only_when_asked() {
    let mut files = Files::test_corpus();
    let path = "skills/renew-residence-card/canonical.md";
    let text = files.text(path).replacen("version: 1.0.3", "version: 1.0.3\nversion_pin: true", 1);
    files.0.insert(path.to_owned(), text.into_bytes());
    let dir = TempDir::new().expect("a folder");
    files.write(dir.path());
    assert_eq!(run(&dir, &[]).status.code(), Some(0));
    assert_eq!(run(&dir, &["--deny-warnings"]).status.code(), Some(1));
}

#[test]
fn rules_explain_themselves() {
    let output = becivic().args(["check", "--explain", "inline_orphan"]).output().expect("runs");
    let page = stdout(&output);
    assert!(page.starts_with("inline_orphan (warning)\n\n"), "{page}");
    assert!(page.contains("Example of a violation:"), "{page}");
    let output = becivic().args(["check", "--explain", "inline"]).output().expect("runs");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean inline_orphan?"));
    let list = stdout(&becivic().args(["check", "--rules"]).output().expect("runs"));
    assert!(list.lines().count() > 70);
}

#[test]
fn categories_are_audited() {
    let dir = broken();
    let output = run(&dir, &["categories"]);
    assert!(stdout(&output).contains("no skill and no path uses the category"), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn usage_version_completions_and_man_page() {
    assert_eq!(becivic().arg("--nonsense").output().expect("runs").status.code(), Some(2));
    let version = stdout(&becivic().arg("--version").output().expect("runs"));
    assert_eq!(version, format!("becivic {}\n", env!("CARGO_PKG_VERSION")));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = becivic().args(["completions", shell]).output().expect("runs");
        assert!(stdout(&output).contains("becivic"), "{shell}");
    }
    assert!(stdout(&becivic().arg("man").output().expect("runs")).contains(".TH becivic"));
    let dir = TempDir::new().expect("a folder");
    let output = becivic().args(["man", "--out"]).arg(dir.path()).output().expect("runs");
    assert_eq!(output.status.code(), Some(0));
    assert!(dir.path().join("becivic-check.1").is_file());
}
