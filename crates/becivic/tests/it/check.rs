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
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean inline_orphan?"));
    let list = stdout(&becivic().args(["check", "--rules"]).output().expect("runs"));
    assert!(list.lines().count() > 70);
}

#[test]
fn categories_are_audited() {
    let dir = broken();
    let output = run(&dir, &["categories"]);
    let unused = "warning[category_unused]: no skill and no path uses the category";
    assert!(stdout(&output).contains(unused), "{}", stdout(&output));
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

#[test]
fn a_corpus_without_paths_has_no_paths_to_check() {
    let dir = TempDir::new().expect("a folder");
    let output = run(&dir, &["paths"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("paths/index.json:1:1: error[data_missing]"), "{}", stdout(&output));
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::ffi::OsStr;
    use std::fs::{self, File, Permissions};
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;
    use std::process::{Command, Stdio};

    /// Runs with this standard output; the exit code and what was said on standard error.
    fn into(dir: &TempDir, arguments: &[&str], out: impl Into<Stdio>) -> (Option<i32>, String) {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("becivic"));
        let output = command.current_dir(dir).args(arguments).stdout(out).output().expect("runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    #[test]
    fn a_reader_that_stops_changes_nothing() {
        let dir = broken();
        for (arguments, code) in [
            (vec!["check"], 1),
            (vec!["check", "--format", "json"], 1),
            (vec!["check", "--format", "sarif"], 1),
            (vec!["check", "--rules"], 0),
            (vec!["check", "--explain", "inline_orphan"], 0),
            (vec!["graph", "--format", "svg"], 0),
            (vec!["index"], 0),
            (vec!["completions", "bash"], 0),
            (vec!["man"], 0),
        ] {
            let (reader, writer) = std::io::pipe().expect("a pipe");
            drop(reader);
            assert_eq!(into(&dir, &arguments, writer), (Some(code), String::new()), "{arguments:?}");
        }
        assert!(dir.path().join("paths/rollup.json").is_file(), "the work was done");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_said_to_be_so() {
        let dir = broken();
        for arguments in [&["check"][..], &["check", "--rules"], &["graph", "--format", "svg"], &["index"]] {
            let full = File::options().write(true).open("/dev/full").expect("there");
            let (code, said) = into(&dir, arguments, full);
            assert_eq!(code, Some(3), "{arguments:?} {said}");
            assert!(said.starts_with("becivic: cannot write to standard output: "), "{said}");
        }
    }

    #[test]
    fn odd_names_are_findings_and_harmless_to_show() {
        let dir = TempDir::new().expect("a folder");
        Files::test_corpus().write(dir.path());
        fs::write(dir.path().join("skills/a\u{1b}[31m\nb é"), "x").expect("file");
        let shown = stdout(&run(&dir, &[]));
        assert!(shown.contains("skills/a\u{fffd}[31m\u{fffd}b é:1:1: error[misplaced_file]"), "{shown}");
        assert!(!shown.contains('\u{1b}'));
        let sarif: Value = serde_json::from_str(&stdout(&run(&dir, &["--format", "sarif"]))).expect("JSON");
        let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "skills/a%1B%5B31m%0Ab%20%C3%A9");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn names_that_are_not_text_are_findings() {
        let dir = TempDir::new().expect("a folder");
        Files::test_corpus().write(dir.path());
        let skills = dir.path().join("skills");
        fs::create_dir(skills.join(OsStr::from_bytes(b"folder\xff"))).expect("folder");
        fs::write(skills.join(OsStr::from_bytes(b"file\xff")), "x").expect("file");
        let output = run(&dir, &[]);
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        for name in ["file", "folder"] {
            let finding = format!("skills/{name}\u{fffd}:1:1: error[unreadable_file]: ");
            assert!(stdout(&output).contains(&finding), "{}", stdout(&output));
        }
    }

    #[test]
    fn a_folder_that_cannot_be_listed_is_a_finding() {
        let dir = TempDir::new().expect("a folder");
        Files::test_corpus().write(dir.path());
        let closed = dir.path().join("skills/closed");
        fs::create_dir(&closed).expect("folder");
        fs::set_permissions(&closed, Permissions::from_mode(0o000)).expect("closed");
        let readable_anyway = fs::read_dir(&closed).is_ok();
        let output = run(&dir, &[]);
        fs::set_permissions(&closed, Permissions::from_mode(0o755)).expect("open");
        if readable_anyway {
            return;
        }
        assert_eq!(output.status.code(), Some(1));
        assert!(stdout(&output).contains("skills/closed:1:1: error[unreadable_file]"), "{}", stdout(&output));
    }
}
