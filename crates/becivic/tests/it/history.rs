//! Rules that look at history: `--base` against real Git repositories.

use crate::becivic;
use crate::files::Files;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const RENEW: &str = "skills/renew-residence-card/canonical.md";
const INDEX: &str = "paths/index.json";
const AUTHOR: &str = "author@example.org";
const BOT: &str = "bot@becivic.be";

/// A repository with the test corpus committed in `corpus/`.
fn repository() -> TempDir {
    let dir = TempDir::new().expect("a folder");
    git(dir.path(), &["init", "--quiet", "--initial-branch", "main"]);
    Files::test_corpus().write(&dir.path().join("corpus"));
    commit(dir.path(), AUTHOR);
    dir
}

fn git(dir: &Path, arguments: &[&str]) {
    let status = Command::new("git").current_dir(dir).args(arguments).status().expect("git runs");
    assert!(status.success(), "git {arguments:?}");
}

fn commit(dir: &Path, email: &str) {
    git(dir, &["add", "--all"]);
    let user = format!("user.email={email}");
    git(dir, &["-c", "user.name=Somebody", "-c", &user, "commit", "--quiet", "--message", "A change"]);
}

fn edit(dir: &Path, path: &str, changes: &[(&str, &str)]) {
    let full = dir.join("corpus").join(path);
    let mut text = std::fs::read_to_string(&full).unwrap_or_default();
    for (from, to) in changes {
        assert!(text.contains(from), "{path} does not hold {from:?}");
        text = text.replacen(from, to, 1);
    }
    std::fs::write(full, text).expect("file");
}

fn add(dir: &Path, path: &str, text: &str) {
    let full = dir.join("corpus").join(path);
    std::fs::create_dir_all(full.parent().expect("a parent")).expect("folder");
    std::fs::write(full, text).expect("file");
}

/// `rule line` of each finding against the commit before.
fn found(dir: &Path) -> Vec<String> {
    found_since(dir, "main~1")
}

fn found_since(dir: &Path, base: &str) -> Vec<String> {
    let output =
        becivic().current_dir(dir).args(["check", "corpus", "--base", base, "--format", "json"]).output();
    let output = output.expect("runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())
        .expect("JSON");
    let findings = report["findings"].as_array().expect("a list");
    findings.iter().map(|f| format!("{} {}", f["rule"].as_str().unwrap_or_default(), f["line"])).collect()
}

/// One change committed by somebody, and what the check says of it.
fn after(email: &str, change: impl FnOnce(&Path)) -> Vec<String> {
    let dir = repository();
    change(dir.path());
    commit(dir.path(), email);
    found(dir.path())
}

const NONE: [&str; 0] = [];

#[test]
fn a_content_edit_takes_the_next_patch() {
    let text = ("1. Check the end", "1. Look at the end");
    assert_eq!(after(AUTHOR, |dir| edit(dir, RENEW, &[text])), ["invalid_version_for_status 6"]);
    let next = ("version: 1.0.3", "version: 1.0.4");
    assert_eq!(after(AUTHOR, |dir| edit(dir, RENEW, &[text, next])), NONE);
    let back = ("version: 1.0.3", "version: 1.0.1");
    assert_eq!(after(AUTHOR, |dir| edit(dir, RENEW, &[text, back])), ["invalid_version_for_status 6"]);
    let alone = ("version: 1.0.3", "version: 1.0.4");
    assert_eq!(after(AUTHOR, |dir| edit(dir, RENEW, &[alone])), ["invalid_version_for_status 6"]);
    let pinned = ("version: 1.0.3", "version: 1.0.1\nversion_pin: true");
    assert_eq!(after(AUTHOR, |dir| edit(dir, RENEW, &[text, pinned])), ["version_pinned 7"]);
}

#[test]
fn a_new_status_starts_its_line() {
    let beta = ("status: stable", "status: beta");
    let kept = ("version: 1.0.3", "version: 0.2.4");
    assert_eq!(after(BOT, |dir| edit(dir, RENEW, &[beta, kept])), ["invalid_version_for_status 6"]);
    let reset = ("version: 1.0.3", "version: 0.2.0");
    assert_eq!(after(BOT, |dir| edit(dir, RENEW, &[beta, reset])), NONE);
}

#[test]
fn tag_form_alone_keeps_the_version() {
    let full = "<Ref name=\"dofi-arrival-page\" uid=\"ref-00002\" title=\"Immigration Office: declaring your arrival\" url=\"https://dofi.ibz.be/en\" last_verified=\"2026-05-12\">the Office</Ref>";
    let expand = ("card [dofi-arrival-page].\n- Proof", &*format!("card {full}.\n- Proof"));
    assert_eq!(after(AUTHOR, |dir| edit(dir, RENEW, &[expand])), NONE);
    let bump = ("version: 1.0.3", "version: 1.0.4");
    assert_eq!(after(AUTHOR, |dir| edit(dir, RENEW, &[expand, bump])), ["tag_only_bump 6"]);
    let value = ("€5</VV>", "€6</VV>");
    assert_eq!(
        after(AUTHOR, |dir| edit(dir, RENEW, &[value])),
        ["invalid_version_for_status 6"],
        "a value the catalogue does not have is content"
    );
}

#[test]
fn authors_never_fill_uids() {
    let tag = (
        "1. Check",
        "1. Wait <VV name=\"dofi-registration-delay-days\" uid=\"val-00002\">8 working days</VV>. Check",
    );
    let next = ("version: 1.0.3", "version: 1.0.4");
    assert_eq!(after(AUTHOR, |dir| edit(dir, RENEW, &[tag, next])), ["uid_by_author 51"]);
    assert_eq!(after(BOT, |dir| edit(dir, RENEW, &[tag, next])), NONE);
    let empty = ("1. Check", "1. Wait <VV name=\"dofi-registration-delay-days\">8 working days</VV>. Check");
    assert_eq!(after(AUTHOR, |dir| edit(dir, RENEW, &[empty, next])), NONE);
}

#[test]
fn what_is_not_committed_is_the_authors() {
    let dir = repository();
    add(dir.path(), "notes.md", "x\n");
    commit(dir.path(), BOT);
    let tag = (
        "1. Check",
        "1. Wait <VV name=\"dofi-registration-delay-days\" uid=\"val-00002\">8 working days</VV>. Check",
    );
    edit(dir.path(), RENEW, &[tag, ("version: 1.0.3", "version: 1.0.4")]);
    assert_eq!(found(dir.path()), ["uid_by_author 51"]);
}

#[test]
fn a_uid_the_bot_fills_later_is_fine() {
    let dir = repository();
    let next = ("version: 1.0.3", "version: 1.0.4");
    let tag =
        ("1. Check", "1. Wait <VV name=\"dofi-registration-delay-days\" uid=\"\">8 working days</VV>. Check");
    edit(dir.path(), RENEW, &[tag, next]);
    commit(dir.path(), AUTHOR);
    edit(dir.path(), RENEW, &[("days\" uid=\"\"", "days\" uid=\"val-00002\"")]);
    commit(dir.path(), BOT);
    assert_eq!(found_since(dir.path(), "main~2"), NONE);
    edit(dir.path(), RENEW, &[("1. Wait <VV", "1. First wait <VV")]);
    commit(dir.path(), AUTHOR);
    assert_eq!(found_since(dir.path(), "main~3"), NONE, "an author may edit the line afterwards");
}

#[test]
fn a_renamed_skill_keeps_its_citations() {
    let found = after(AUTHOR, |dir| {
        git(dir, &["mv", "corpus/skills/legalise-foreign-document", "corpus/skills/legalise-document"]);
        edit(
            dir,
            "skills/legalise-document/canonical.md",
            &[
                ("id: legalise-foreign-document", "id: legalise-document"),
                ("skill=\"legalise-foreign-document\"", "skill=\"legalise-document\""),
                ("version: 0.1.2", "version: 0.1.0"),
            ],
        );
        edit(
            dir,
            "skills/arrival-declaration/canonical.md",
            &[
                ("- id: legalise-foreign-document", "- id: legalise-document"),
                ("<Skill id=\"legalise-foreign-document\" />", "<Skill id=\"legalise-document\" />"),
                ("version: 0.1.0", "version: 0.1.1"),
            ],
        );
    });
    assert_eq!(found, NONE);
}

#[test]
fn a_repaired_file_is_not_written_by_hand() {
    let dir = TempDir::new().expect("a folder");
    git(dir.path(), &["init", "--quiet", "--initial-branch", "main"]);
    let mut files = Files::test_corpus();
    let windows = files.text(RENEW).replace('\n', "\r\n");
    files.0.insert(RENEW.to_owned(), windows.into_bytes());
    files.write(&dir.path().join("corpus"));
    git(dir.path(), &["config", "core.autocrlf", "false"]);
    commit(dir.path(), AUTHOR);
    Files::test_corpus().write(&dir.path().join("corpus"));
    commit(dir.path(), AUTHOR);
    assert_eq!(found(dir.path()), NONE);
}

#[test]
fn what_happened_on_the_base_since_is_not_this_change() {
    let dir = repository();
    git(dir.path(), &["checkout", "--quiet", "-b", "topic"]);
    add(dir.path(), "notes.md", "x\n");
    commit(dir.path(), AUTHOR);
    git(dir.path(), &["checkout", "--quiet", "main"]);
    edit(
        dir.path(),
        RENEW,
        &[("1. Check the end", "1. Look at the end"), ("version: 1.0.3", "version: 1.0.4")],
    );
    commit(dir.path(), AUTHOR);
    git(dir.path(), &["checkout", "--quiet", "topic"]);
    assert_eq!(found_since(dir.path(), "main"), NONE);
}

#[test]
fn a_path_keeps_its_uid_and_new_things_start_low() {
    let uid = ("\"uid\": \"pth-00001\"", "\"uid\": \"pth-00009\"");
    let next = (
        "\"schema_version\": 1,\n      \"version\": \"0.1.0\"",
        "\"schema_version\": 1,\n      \"version\": \"0.1.1\"",
    );
    assert_eq!(after(AUTHOR, |dir| edit(dir, INDEX, &[uid, next])), ["uid_by_author 8"]);
    let stable = Files::test_corpus().text(RENEW).replace("renew-residence-card", "renew-card");
    let stable = stable.replace("version: 1.0.3", "version: 1.0.0").replace(" uid=\"ref-00001\"", "");
    let stable = stable.replace(" uid=\"ref-00002\"", "").replace(" uid=\"val-00001\"", "");
    let found = after(AUTHOR, |dir| add(dir, "skills/renew-card/canonical.md", &stable));
    assert_eq!(found, ["first_status 7"]);
}

const SKELETON: &str = "---\nid: new-skill\ntitle: T\nschema_version: 4\nversion: 0.0.0\nstatus: draft\norigin: be-civic\ncategory: belgium-federal\nsubmission_contract_version: 2.1.0\n---\n";

#[test]
fn a_draft_submission_never_makes_a_skeleton() {
    let path = "skills/new-skill/canonical.md";
    assert_eq!(after(AUTHOR, |dir| add(dir, path, SKELETON)), NONE);
    assert_eq!(after(BOT, |dir| add(dir, path, SKELETON)), ["invalid_status_for_draft_submission 6"]);
    let late = SKELETON.replace("0.0.0", "0.0.3");
    assert_eq!(after(AUTHOR, |dir| add(dir, path, &late)), ["invalid_version_for_status 5"]);
}

#[test]
fn paths_are_versioned_entry_by_entry() {
    let title = ("\"en\": \"Household certificate\"", "\"en\": \"Household composition certificate\"");
    assert_eq!(after(AUTHOR, |dir| edit(dir, INDEX, &[title])), ["invalid_version_for_status 27"]);
    let next = (
        "\"schema_version\": 1,\n      \"version\": \"0.1.0\"",
        "\"schema_version\": 1,\n      \"version\": \"0.1.1\"",
    );
    assert_eq!(after(AUTHOR, |dir| edit(dir, INDEX, &[title, next])), NONE);
}

#[test]
fn a_quarantined_path_may_not_be_required() {
    let dir = repository();
    let retire = ("\"status\": \"deprecated\"", "\"status\": \"quarantined\"");
    edit(dir.path(), INDEX, &[retire]);
    let require = ("    timing: pre-filing\n", "    timing: pre-filing\n  - id: retired-portal-form\n");
    edit(
        dir.path(),
        RENEW,
        &[
            require,
            ("1. Check", "1. <Path id=\"retired-portal-form\" /> Check"),
            ("version: 1.0.3", "version: 1.0.4"),
        ],
    );
    commit(dir.path(), AUTHOR);
    assert_eq!(found(dir.path()), ["path_quarantined 20"]);
}

#[test]
fn a_wrong_base_is_said_so() {
    let dir = repository();
    let output =
        becivic().current_dir(dir.path()).args(["check", "corpus", "--base", "nope"]).output().expect("runs");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("`nope` names no revision"));
    let plain = TempDir::new().expect("a folder");
    Files::test_corpus().write(plain.path());
    let output =
        becivic().current_dir(plain.path()).args(["check", "--base", "main"]).output().expect("runs");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("not inside a Git repository"));
}
