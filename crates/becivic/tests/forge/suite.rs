//! What any forge does, whatever it is: the suite is written against [`Subject`] and knows no forge.
//!
//! Each case begins with whatever the cases before it left on `main`, and uses numbers and paths of its own.

use becivic_core::corpus::Content;
use becivic_server::forge::{Files, ForgeError, Proposal, Proposed, PullState, Verdict};
use becivic_server::moment::Moment;
use becivic_server::repository::Repository;
use std::collections::BTreeMap;

/// When all of it happens: a quarter to three in the afternoon.
pub const NOW: Moment = Moment(1_794_753_900_000);

/// A forge as the suite sees it.
pub trait Subject {
    fn head(&self) -> Result<String, ForgeError>;
    fn propose(&self, proposal: &Proposal<'_>) -> Result<Proposed, ForgeError>;
    fn report(&self, pull: &Proposed, verdict: Verdict, summary: &str) -> Result<(), ForgeError>;
    fn merge(&self, pull: &Proposed, subject: &str, message: &str) -> Result<String, ForgeError>;
    fn state(&self, pull: &Proposed) -> Result<PullState, ForgeError>;
    fn close(&self, pull: &Proposed, branch: &str) -> Result<(), ForgeError>;
    fn commit(&self, base: &str, files: &Files, message: &str) -> Result<String, ForgeError>;
    /// Where a forge has issues. The local one has none: the review desk is where one looks.
    fn issues(&self) -> Option<&dyn Issues>;
    /// Brings `main` into the local repository, where it is not there anyway.
    fn mirror(&self) -> Result<String, ForgeError>;
    fn repository(&self) -> &Repository;
}

/// The issues of a forge.
pub trait Issues {
    fn open_issue(&self, title: &str, body: &str, labels: &[&str]) -> Result<i64, ForgeError>;
    fn close_issue(&self, number: i64) -> Result<(), ForgeError>;
}

/// One thing a forge does.
pub type Case = (&'static str, fn(&dyn Subject));

/// The suite.
pub const CASES: &[Case] = &[
    ("a proposal is merged as one commit by the bot", merged),
    ("proposing twice is proposing once", proposed_twice),
    ("merging twice is merging once", merged_twice),
    ("a proposal changes nothing on main", not_merged),
    ("a proposal whose base moved is not merged, and renewed without force", moved_base),
    ("a proposal that was renewed twice is one commit", renewed_twice),
    ("what was pushed past a proposal stays", nothing_is_lost),
    ("a closed proposal stays closed", closed),
    ("a commit goes on main, and only forward", committed),
    ("files are removed, moved into folders, and hold any bytes", any_files),
    ("an issue is opened once and closed as often as one likes", issues),
    ("a file has its history", history),
    ("what is not there is missing", missing),
];

/// Files from pairs; an absent content removes.
pub fn files(pairs: &[(&str, Option<&str>)]) -> Files {
    pairs.iter().map(|(path, text)| ((*path).to_owned(), text.map(|text| text.as_bytes().to_vec()))).collect()
}

/// A proposal of one number.
pub fn proposal<'a>(number: i64, base: &'a str, files: &'a Files) -> Proposal<'a> {
    Proposal {
        number,
        base,
        title: "amd-00001 on skill residence",
        body: "Changes one line.",
        labels: &["amendment", "skill"],
        message: "Amend skill residence\n\nSubmission: amd-00001",
        files,
    }
}

const SUBJECT: &str = "Amend skill residence";
const REST: &str = "Submission: amd-00001";

/// What `main` holds.
pub fn content(forge: &dyn Subject) -> BTreeMap<String, Vec<u8>> {
    let sha = forge.mirror().expect("main is brought here");
    let inputs = forge.repository().files(&sha).expect("files");
    let files = inputs.into_iter().filter_map(|input| match input.content {
        Content::Bytes(bytes) => Some((input.path, bytes)),
        _ => None,
    });
    files.collect()
}

fn text(forge: &dyn Subject, path: &str) -> Option<String> {
    content(forge).remove(path).map(|bytes| String::from_utf8(bytes).expect("text"))
}

/// A commit as Git writes it.
pub fn raw(forge: &dyn Subject, sha: &str) -> String {
    String::from_utf8(forge.repository().read_raw(sha).expect("a commit")).expect("text")
}

fn parents(commit: &str) -> Vec<&str> {
    commit
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("parent "))
        .collect()
}

fn merged(forge: &dyn Subject) {
    let base = forge.head().expect("main");
    let change = files(&[("skills/a/canonical.md", Some("one\n"))]);
    let pull = forge.propose(&proposal(101, &base, &change)).expect("proposed");
    assert_eq!(forge.state(&pull), Ok(PullState::Open));
    forge.report(&pull, Verdict::Green, "Every rule holds.").expect("reported");
    let sha = forge.merge(&pull, SUBJECT, REST).expect("merged");
    assert_eq!(forge.head().as_ref(), Ok(&sha));
    assert_eq!(text(forge, "skills/a/canonical.md").as_deref(), Some("one\n"));
    let commit = raw(forge, &sha);
    assert_eq!(parents(&commit), [base.as_str()]);
    assert!(commit.trim_end().ends_with(&format!("\n\n{SUBJECT}\n\n{REST}")), "{commit}");
    for who in ["author", "committer"] {
        let line = commit.lines().find(|line| line.starts_with(who)).expect("a person");
        let date = line.strip_prefix(&format!("{who} Be Civic Bot <bot@becivic.be> ")).expect("the bot");
        let seconds: i64 = date.split(' ').next().and_then(|it| it.parse().ok()).expect("a time");
        assert_eq!(
            (seconds % 86_400, date.ends_with(" +0000")),
            (0, true),
            "a day and nothing finer: {date}"
        );
    }
}

fn proposed_twice(forge: &dyn Subject) {
    let base = forge.head().expect("main");
    let change = files(&[("skills/b/canonical.md", Some("b\n"))]);
    let first = forge.propose(&proposal(102, &base, &change)).expect("proposed");
    let again = forge.propose(&proposal(102, &base, &change)).expect("proposed again");
    assert_eq!(first, again);
    let other = forge.propose(&proposal(103, &base, &change)).expect("another");
    assert_ne!(first.forge_number, other.forge_number);
    for (pull, branch) in [(&first, "becivic/102"), (&other, "becivic/103")] {
        forge.close(pull, branch).expect("closed");
    }
}

fn merged_twice(forge: &dyn Subject) {
    let base = forge.head().expect("main");
    let change = files(&[("skills/c/canonical.md", Some("c\n"))]);
    let pull = forge.propose(&proposal(104, &base, &change)).expect("proposed");
    let sha = forge.merge(&pull, SUBJECT, REST).expect("merged");
    assert_eq!(forge.merge(&pull, SUBJECT, REST).as_ref(), Ok(&sha));
    // Also when main has gone on since.
    forge.commit(&sha, &files(&[("x.md", Some("x\n"))]), "Go on").expect("committed");
    let head = forge.head().expect("main");
    assert_eq!(forge.merge(&pull, SUBJECT, REST).as_ref(), Ok(&sha));
    assert_eq!(forge.head(), Ok(head));
    assert_ne!(forge.state(&pull), Ok(PullState::Open));
}

fn not_merged(forge: &dyn Subject) {
    let base = forge.head().expect("main");
    let before = content(forge);
    let change = files(&[("skills/d/canonical.md", Some("d\n")), ("README.md", Some("changed\n"))]);
    let pull = forge.propose(&proposal(105, &base, &change)).expect("proposed");
    forge.report(&pull, Verdict::Red, "A rule is broken.").expect("reported");
    forge.report(&pull, Verdict::Red, "A rule is broken.").expect("reported again");
    assert_eq!(forge.head(), Ok(base));
    assert_eq!(content(forge), before);
    forge.close(&pull, "becivic/105").expect("closed");
}

fn moved_base(forge: &dyn Subject) {
    let base = forge.head().expect("main");
    let change = files(&[("skills/e/canonical.md", Some("e\n"))]);
    let pull = forge.propose(&proposal(106, &base, &change)).expect("proposed");
    let moved = forge.commit(&base, &files(&[("pushed.md", Some("by hand\n"))]), "Push").expect("committed");
    assert_eq!(forge.merge(&pull, SUBJECT, REST), Err(ForgeError::Moved));
    assert_eq!(forge.head().as_ref(), Ok(&moved));
    let renewed = forge.propose(&proposal(106, &moved, &change)).expect("renewed");
    assert_eq!(renewed.forge_number, pull.forge_number);
    assert_ne!(renewed.head, pull.head);
    let stale = Proposed { head: pull.head.clone(), ..renewed.clone() };
    assert_eq!(forge.merge(&stale, SUBJECT, REST), Err(ForgeError::Moved), "what was not looked at");
    let sha = forge.merge(&renewed, SUBJECT, REST).expect("merged");
    assert_eq!(forge.merge(&renewed, SUBJECT, REST).as_ref(), Ok(&sha));
    assert_eq!(text(forge, "skills/e/canonical.md").as_deref(), Some("e\n"));
    assert_eq!(text(forge, "pushed.md").as_deref(), Some("by hand\n"));
    assert_eq!(parents(&raw(forge, &sha)), [moved.as_str()]);
}

fn renewed_twice(forge: &dyn Subject) {
    let mut base = forge.head().expect("main");
    let change = files(&[("skills/f/canonical.md", Some("f\n"))]);
    let mut pull = forge.propose(&proposal(107, &base, &change)).expect("proposed");
    for step in ["1\n", "2\n"] {
        base = forge.commit(&base, &files(&[("step.md", Some(step))]), "Step").expect("committed");
        pull = forge.propose(&proposal(107, &base, &change)).expect("renewed");
    }
    let again = forge.propose(&proposal(107, &base, &change)).expect("renewed");
    assert_eq!(again, pull);
    let sha = forge.merge(&pull, SUBJECT, REST).expect("merged");
    content(forge);
    assert_eq!(parents(&raw(forge, &sha)), [base.as_str()]);
}

fn nothing_is_lost(forge: &dyn Subject) {
    // Two proposals from one base; the second is made again, and both are there in the end.
    let base = forge.head().expect("main");
    let one = files(&[("skills/g/canonical.md", Some("g\n"))]);
    let two = files(&[("skills/h/canonical.md", Some("h\n"))]);
    let first = forge.propose(&proposal(108, &base, &one)).expect("proposed");
    let second = forge.propose(&proposal(109, &base, &two)).expect("proposed");
    let sha = forge.merge(&first, SUBJECT, REST).expect("merged");
    assert_eq!(forge.merge(&second, SUBJECT, REST), Err(ForgeError::Moved));
    let second = forge.propose(&proposal(109, &sha, &two)).expect("renewed");
    forge.merge(&second, SUBJECT, REST).expect("merged");
    let content = content(forge);
    assert!(content.contains_key("skills/g/canonical.md") && content.contains_key("skills/h/canonical.md"));
}

fn closed(forge: &dyn Subject) {
    let base = forge.head().expect("main");
    let change = files(&[("skills/i/canonical.md", Some("i\n"))]);
    let pull = forge.propose(&proposal(110, &base, &change)).expect("proposed");
    forge.close(&pull, "becivic/110").expect("closed");
    forge.close(&pull, "becivic/110").expect("closed again");
    assert_eq!(forge.state(&pull), Ok(PullState::Closed));
    assert_eq!(forge.merge(&pull, SUBJECT, REST), Err(ForgeError::Closed));
    assert_eq!(forge.propose(&proposal(110, &base, &change)), Err(ForgeError::Closed));
    assert_eq!(forge.head(), Ok(base));
}

fn committed(forge: &dyn Subject) {
    let base = forge.head().expect("main");
    let change = files(&[("data/rollup.json", Some("{}\n"))]);
    let sha = forge.commit(&base, &change, "version-bump: roll up").expect("committed");
    assert_eq!(forge.head().as_ref(), Ok(&sha));
    let other = files(&[("data/rollup.json", Some("[]\n"))]);
    assert_eq!(forge.commit(&base, &other, "version-bump: late"), Err(ForgeError::Moved));
    assert_eq!(text(forge, "data/rollup.json").as_deref(), Some("{}\n"));
    assert_eq!(parents(&raw(forge, &sha)), [base.as_str()]);
}

fn any_files(forge: &dyn Subject) {
    let base = forge.head().expect("main");
    let odd: Vec<u8> = (0..=255).collect();
    let mut change =
        files(&[("any/a.md", Some("a\n")), ("any/deep/er/b.md", Some("é\r\n")), ("any/empty", Some(""))]);
    change.insert("any/odd.bin".to_owned(), Some(odd.clone()));
    let base = forge.commit(&base, &change, "Add").expect("committed");
    let now = content(forge);
    assert_eq!(now.get("any/odd.bin"), Some(&odd));
    assert_eq!(now.get("any/deep/er/b.md").map(Vec::as_slice), Some("é\r\n".as_bytes()));
    assert_eq!(now.get("any/empty").map(Vec::len), Some(0));
    let change = files(&[("any/a.md", None), ("any/deep/er/b.md", None), ("any/moved/b.md", Some("é\r\n"))]);
    forge.commit(&base, &change, "Move").expect("committed");
    let now = content(forge);
    assert!(!now.keys().any(|path| path.starts_with("any/deep") || path == "any/a.md"), "{:?}", now.keys());
    assert!(now.contains_key("any/moved/b.md"));
}

fn issues(forge: &dyn Subject) {
    let Some(forge) = forge.issues() else { return };
    let open = || forge.open_issue("Review con-00007", "An item waits.", &["review"]);
    let number = open().expect("opened");
    assert_eq!(open(), Ok(number));
    assert_ne!(forge.open_issue("Review con-00008", "An item waits.", &["review"]), Ok(number));
    forge.close_issue(number).expect("closed");
    forge.close_issue(number).expect("closed again");
    assert_ne!(open(), Ok(number), "another item, another issue");
    assert!(matches!(forge.close_issue(99_999), Err(ForgeError::Missing(_))));
}

fn history(forge: &dyn Subject) {
    let mut shas = Vec::new();
    for step in ["1\n", "2\n", "3\n"] {
        let base = forge.head().expect("main");
        shas.push(
            forge.commit(&base, &files(&[("history.md", Some(step))]), step.trim()).expect("committed"),
        );
    }
    content(forge);
    let found = forge.repository().history("history.md").expect("history");
    let subjects: Vec<(&str, &str)> = found.iter().map(|it| (it.sha.as_str(), it.subject.as_str())).collect();
    let expected: Vec<(&str, &str)> = shas.iter().map(String::as_str).zip(["1", "2", "3"]).rev().collect();
    assert_eq!(subjects, expected);
}

fn missing(forge: &dyn Subject) {
    let nobody = Proposed { forge_number: 99_999, head: "0".repeat(40) };
    assert!(matches!(forge.merge(&nobody, SUBJECT, REST), Err(ForgeError::Missing(_))));
    assert!(matches!(forge.state(&nobody), Err(ForgeError::Missing(_))));
    let change = files(&[("x", Some("x"))]);
    assert!(matches!(forge.commit(&nobody.head, &change, "x"), Err(ForgeError::Missing(_))));
}
