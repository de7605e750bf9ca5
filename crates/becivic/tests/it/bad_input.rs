//! Hostile and broken input: a diagnostic or a limit, exit 1, no panic.

use crate::becivic;
use crate::files::{Files, root};
use becivic_core::finding::Finding;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Runs the check on a folder; it must find something and not crash. The rules it found.
fn rules(dir: &Path) -> Vec<String> {
    let output = becivic().arg("check").arg(dir).args(["--format", "json"]).output().expect("runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let findings = report["findings"].as_array().expect("a list");
    findings.iter().map(|f| f["rule"].as_str().expect("a rule").to_owned()).collect()
}

fn folder(change: impl FnOnce(&Path)) -> TempDir {
    let dir = TempDir::new().expect("a folder");
    Files::test_corpus().write(dir.path());
    change(dir.path());
    dir
}

const RENEW: &str = "skills/renew-residence-card/canonical.md";

#[test]
fn an_empty_folder_is_no_corpus() {
    let dir = TempDir::new().expect("a folder");
    assert_eq!(rules(dir.path()), ["empty_corpus"]);
}

#[test]
fn a_file_is_no_corpus() {
    assert!(rules(&root().join("LICENSE")).contains(&"not_a_file".to_owned()));
}

#[test]
fn a_missing_folder_cannot_be_checked() {
    let output = becivic().args(["check", "no-such-folder"]).output().expect("runs");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no-such-folder"));
}

#[test]
fn a_folder_that_was_never_served_has_nothing_to_probe() {
    let dir = TempDir::new().expect("a folder");
    let output = becivic().arg("probe").arg("--data").arg(dir.path()).output().expect("runs");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing was served"));
    assert_eq!(fs::read_dir(dir.path()).expect("a folder").count(), 0, "and makes nothing");
}

#[test]
fn a_file_where_a_folder_should_be() {
    let dir = TempDir::new().expect("a folder");
    fs::write(dir.path().join("skills"), "x").expect("file");
    assert_eq!(rules(dir.path()), ["empty_corpus", "misplaced_file"]);
    let dir = folder(|dir| fs::write(dir.join("skills/plain"), "x").expect("file"));
    assert_eq!(rules(dir.path()), ["misplaced_file"]);
}

#[test]
fn a_folder_or_a_link_where_a_file_should_be() {
    let dir = folder(|dir| {
        fs::remove_file(dir.join(RENEW)).expect("removed");
        fs::create_dir(dir.join(RENEW)).expect("folder");
    });
    assert_eq!(rules(dir.path()), ["not_a_file"]);
    #[cfg(unix)]
    {
        let dir = folder(|dir| {
            fs::remove_file(dir.join(RENEW)).expect("removed");
            std::os::unix::fs::symlink("/dev/zero", dir.join(RENEW)).expect("link");
        });
        assert_eq!(rules(dir.path()), ["not_a_file"]);
    }
}

#[test]
fn a_corpus_without_its_fallback() {
    let dir = folder(|dir| fs::remove_dir_all(dir.join("skills/meta-no-skill-fallback")).expect("removed"));
    assert_eq!(rules(dir.path()), ["fallback_missing"]);
}

#[test]
fn fifty_megabytes_are_not_read() {
    for path in [RENEW, "paths/index.json", "data/communes.json", "catalogue/references.jsonl"] {
        let dir = folder(|dir| fs::write(dir.join(path), vec![b'a'; 50_000_000]).expect("file"));
        let found = rules(dir.path());
        assert!(found.contains(&"file_too_large".to_owned()), "{path}: {found:?}");
    }
}

#[test]
fn a_million_elements_and_deep_nesting() {
    let million = format!("[{}1]\n", "1,".repeat(999_999));
    let dir = folder(|dir| fs::write(dir.join("paths/index.json"), &million).expect("file"));
    assert!(rules(dir.path()).contains(&"schema_fail".to_owned()));
    for deep in ["[".repeat(200_000), "{\"a\":".repeat(200_000)] {
        let dir = folder(|dir| fs::write(dir.join("paths/index.json"), deep + "\n").expect("file"));
        assert!(rules(dir.path()).contains(&"nested_too_deep".to_owned()));
    }
    for deep in ["a: ".repeat(5_000), "- ".repeat(20_000), "[".repeat(50_000), "{a: ".repeat(10_000)] {
        let text = format!("---\nid: {deep}\n---\n");
        let dir = folder(|dir| fs::write(dir.join(RENEW), text).expect("file"));
        assert!(!rules(dir.path()).is_empty());
    }
    for deep in ["> ".repeat(100_000), "- ".repeat(100_000), "<Risk>".repeat(50_000), "[".repeat(200_000)] {
        let text = Files::test_corpus().text(RENEW) + &deep + "<x>\n";
        let dir = folder(|dir| fs::write(dir.join(RENEW), text).expect("file"));
        assert!(!rules(dir.path()).is_empty());
    }
}

#[test]
fn more_mistakes_than_are_listed_end_the_reading() {
    let keys: Vec<String> = (0..100_000).map(|n| format!("\"k{n}\": {{}}")).collect();
    let index = Files::test_corpus().text("paths/index.json");
    let index = index.replacen("\"paths\": {", &format!("\"paths\": {{{},", keys.join(",\n")), 1);
    let cases = [
        ("paths/index.json", index),
        ("catalogue/volatile-values.jsonl", "{}\n".repeat(500_000)),
        ("data/communes.json", format!("[{}1]\n", "1,".repeat(999_999))),
    ];
    for (path, text) in cases {
        let dir = folder(|dir| fs::write(dir.join(path), text).expect("file"));
        let found = rules(dir.path());
        assert!((1..=1_010).contains(&found.len()), "{path}: {}", found.len());
    }
}

#[test]
fn a_long_cycle_is_one_finding() {
    let dir = folder(|dir| {
        for n in 0..2_000 {
            let next = (n + 1) % 2_000;
            let text = format!(
                "---\nid: s{n}\ntitle: T\nschema_version: 4\nversion: 0.0.0\nstatus: draft\norigin: be-civic\ncategory: belgium-federal\nrequires:\n  - id: s{next}\nsubmission_contract_version: 2.1.0\n---\n"
            );
            fs::create_dir(dir.join(format!("skills/s{n}"))).expect("folder");
            fs::write(dir.join(format!("skills/s{n}/canonical.md")), text).expect("file");
        }
    });
    assert_eq!(rules(dir.path()), ["graph_cycle"]);
}

#[test]
fn ten_thousand_findings_are_counted_not_drowned_in() {
    let title = "# Renew a residence card\n";
    let braces = format!("{title}\n{}", "{ x\n".repeat(10_000));
    let text = Files::test_corpus().text(RENEW).replacen(title, &braces, 1);
    let dir = folder(|dir| fs::write(dir.join(RENEW), text).expect("file"));
    let found = rules(dir.path());
    assert_eq!(found.len(), 1_001);
    assert!(found.contains(&"too_many_findings".to_owned()));
    let output = becivic().arg("check").arg(dir.path()).output().expect("runs");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("and 801 more"), "{shown}");
    assert!(shown.lines().count() < 500);
}

#[test]
fn an_unreadable_file_is_said_to_be_so() {
    let finding = becivic_core::corpus::read(becivic_core::corpus::Input {
        path: RENEW.to_owned(),
        content: becivic_core::corpus::Content::Unreadable("permission denied".to_owned()),
    });
    let rules: Vec<&Finding> = finding.1.iter().collect();
    assert_eq!(rules.first().map(|finding| finding.rule), Some("unreadable_file"));
}
