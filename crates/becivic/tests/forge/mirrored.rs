//! Bringing a real history here over REST: a repository made by `git`, told of as GitHub tells of it.

use crate::recorded::{Asked, Recorded, Reply, says};
use base64::Engine;
use becivic_server::forge::ForgeError;
use becivic_server::forge::github::{forge_sha, local_sha};
use becivic_server::moment::{Clock, Moment};
use becivic_server::repository::Repository;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;

/// A repository that `git` made, and the folder it is in.
struct Origin {
    folder: TempDir,
}

impl Origin {
    fn new() -> Self {
        let origin = Self { folder: tempfile::tempdir().expect("a folder") };
        origin.git(&["init", "--quiet", "--initial-branch=main"], "");
        origin
    }

    fn place(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    fn git(&self, arguments: &[&str], input: &str) -> String {
        git(self.folder.path(), arguments, input)
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.folder.path().join(path);
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        std::fs::write(file, text).expect("written");
    }

    /// Commits everything, at a time with an offset.
    fn commit(&self, message: &str, offset: &str) -> String {
        self.git(&["add", "--all"], "");
        let date = format!("1794740400 {offset}");
        git_at(&self.place(), &["commit", "--quiet", "-m", message], "", &date);
        self.git(&["rev-parse", "HEAD"], "")
    }
}

fn git(folder: &Path, arguments: &[&str], input: &str) -> String {
    let bytes = git_bytes(folder, arguments, input);
    String::from_utf8(bytes).expect("text").trim_end().to_owned()
}

fn git_bytes(folder: &Path, arguments: &[&str], input: &str) -> Vec<u8> {
    git_at(folder, arguments, input, "1794740400 +0000")
}

/// Runs `git` at some time, with an offset.
fn git_at(folder: &Path, arguments: &[&str], input: &str, date: &str) -> Vec<u8> {
    let mut child = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .envs([
            ("GIT_AUTHOR_NAME", "Ann Peeters"),
            ("GIT_AUTHOR_EMAIL", "ann@example.org"),
            ("GIT_COMMITTER_NAME", "Ann Peeters"),
            ("GIT_COMMITTER_EMAIL", "ann@example.org"),
            ("GIT_AUTHOR_DATE", date),
            ("GIT_COMMITTER_DATE", date),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("git starts");
    child.stdin.take().expect("its input").write_all(input.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("git ends");
    assert!(output.status.success(), "git {arguments:?}");
    output.stdout
}

/// A commit as GitHub tells of it: dates in UTC, the message without its last line end.
fn told(place: &Path, sha: &str) -> Value {
    let form = "%T%x00%P%x00%an%x00%ae%x00%at%x00%cn%x00%ce%x00%ct%x00%B";
    let line = git(place, &["show", "--no-patch", &format!("--format={form}"), sha], "");
    let mut fields = line.split('\0');
    let mut next = || fields.next().unwrap_or_default().to_owned();
    let (tree, parents) = (next(), next());
    let mut person = || {
        let (name, email, seconds) = (next(), next(), next());
        let seconds: i64 = seconds.parse().expect("a time");
        json!({"name": name, "email": email, "date": Moment(seconds * 1_000).text()})
    };
    let (author, committer) = (person(), person());
    let parents: Vec<Value> = parents.split_whitespace().map(|sha| json!({"sha": sha})).collect();
    let verification = json!({"verified": false, "reason": "unsigned", "signature": null, "payload": null});
    json!({"sha": sha, "parents": parents, "commit": {
        "tree": {"sha": tree}, "author": author, "committer": committer, "message": next().trim_end(),
        "verification": verification,
    }})
}

/// Answers from a repository as GitHub would.
fn answer(place: &Path, asked: &Asked) -> Reply {
    let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
    if path == "/git/ref/heads/main" {
        return says(200, &json!({"object": {"sha": git(place, &["rev-parse", "main"], "")}}));
    }
    if path == "/commits" {
        let sha = query.split('&').find_map(|pair| pair.strip_prefix("sha=")).expect("a commit");
        // Pages of two, to have several.
        let listed = git(place, &["rev-list", "--max-count=2", sha], "");
        return says(200, &listed.lines().map(|sha| told(place, sha)).collect());
    }
    if let Some(sha) = path.strip_prefix("/git/trees/") {
        let mut arguments = vec!["ls-tree", "-z", "-t"];
        arguments.extend(query.contains("recursive").then_some("-r"));
        arguments.push(sha);
        let listed = git(place, &arguments, "");
        let entry = |line: &str| {
            let (about, path) = line.split_once('\t').expect("an entry");
            let words: Vec<&str> = about.split(' ').collect();
            json!({"path": path, "mode": words[0], "type": words[1], "sha": words[2]})
        };
        let entries: Vec<Value> = listed.split('\0').filter(|line| !line.is_empty()).map(entry).collect();
        return says(200, &json!({"sha": sha, "tree": entries, "truncated": false}));
    }
    if let Some(sha) = path.strip_prefix("/git/blobs/") {
        let bytes = git_bytes(place, &["cat-file", "blob", sha], "");
        // Wrapped like GitHub wraps it.
        let packed = base64::engine::general_purpose::STANDARD.encode(bytes);
        let lines: Vec<&str> =
            packed.as_bytes().chunks(60).filter_map(|it| std::str::from_utf8(it).ok()).collect();
        return says(200, &json!({"sha": sha, "content": lines.join("\n") + "\n", "encoding": "base64"}));
    }
    panic!("nobody thought of {} {}", asked.method, asked.path);
}

fn serve(origin: &Origin) -> Recorded {
    let place = origin.place();
    Recorded::with_token(move |asked| answer(&place, asked))
}

fn local() -> (TempDir, Repository) {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [("README.md".to_owned(), b"starter\n".to_vec())].into_iter();
    let made =
        Repository::open_or_create(&folder.path().join("corpus.git"), files, Moment(0)).expect("made").0;
    (folder, made)
}

fn fsck(folder: &TempDir) {
    git(&folder.path().join("corpus.git"), &["fsck", "--strict", "--no-dangling"], "");
}

fn blobs(server: &Recorded) -> usize {
    server.asked().iter().filter(|asked| asked.path.starts_with("/git/blobs/")).count()
}

#[test]
fn a_history_comes_whole_with_its_own_hashes() {
    let origin = Origin::new();
    for (step, offset) in ["+0000", "+0100", "+0200", "-0330", "+0545"].iter().enumerate() {
        origin.write(&format!("skills/s{step}/canonical.md"), &format!("{step}\n"));
        origin.write("index.md", &format!("{step} and more\n"));
        origin.commit(&format!("Step {step}\n\nWith a body."), offset);
    }
    // A branch that was merged, a link, and a program.
    origin.git(&["checkout", "--quiet", "-b", "side", "HEAD~2"], "");
    origin.write("side.md", "side\n");
    origin.commit("Side", "+0100");
    origin.git(&["checkout", "--quiet", "main"], "");
    origin.git(&["merge", "--quiet", "--no-ff", "-m", "Merge side", "side"], "");
    std::os::unix::fs::symlink("index.md", origin.place().join("link.md")).expect("a link");
    origin.write("run.sh", "#!/bin/sh\n");
    origin.git(&["add", "--all"], "");
    origin.git(&["update-index", "--chmod=+x", "run.sh"], "");
    origin.commit("More", "+0100");
    let head = origin.git(&["rev-parse", "main"], "");
    let server = serve(&origin);
    let (folder, repository) = local();
    assert_eq!(server.client(|_| {}).mirror(&repository).as_ref(), Ok(&head));
    assert_eq!(repository.head().expect("main").sha, head);
    fsck(&folder);
    let bare = folder.path().join("corpus.git");
    assert_eq!(
        git(&bare, &["rev-list", "--count", "main"], ""),
        origin.git(&["rev-list", "--count", "main"], "")
    );
    assert_eq!(git(&bare, &["ls-tree", "-r", "main"], ""), origin.git(&["ls-tree", "-r", "main"], ""));

    // Again: nothing but the head is asked for.
    let before = server.asked().len();
    assert_eq!(server.client(|_| {}).mirror(&repository).as_ref(), Ok(&head));
    assert_eq!(server.asked().len(), before + 1);

    // One file changes: one file is fetched, and the two folders above it.
    let (before, trees) = (blobs(&server), |server: &Recorded| {
        server.asked().iter().filter(|asked| asked.path.starts_with("/git/trees/")).count()
    });
    let trees_before = trees(&server);
    origin.write("skills/s1/canonical.md", "changed\n");
    let next = origin.commit("Change", "+0100");
    assert_eq!(server.client(|_| {}).mirror(&repository).as_ref(), Ok(&next));
    assert_eq!((blobs(&server) - before, trees(&server) - trees_before), (1, 3));
    fsck(&folder);
}

#[test]
fn what_was_fetched_before_a_limit_is_not_fetched_again() {
    let origin = Origin::new();
    for n in 0..6 {
        origin.write(&format!("f{n}.md"), &format!("{n}\n"));
    }
    let head = origin.commit("Six", "+0100");
    let place = origin.place();
    let left = Arc::new(Mutex::new(4_usize));
    let server = Recorded::with_token(move |asked| {
        if asked.path.starts_with("/git/blobs/") {
            let mut left = left.lock().unwrap();
            if *left == 0 {
                *left = 100;
                return Reply::Says(429, vec![("retry-after", "60".to_owned())], "{}".to_owned());
            }
            *left -= 1;
        }
        answer(&place, asked)
    });
    let (folder, repository) = local();
    let now = Arc::new(AtomicI64::new(1_794_700_000_000));
    let clock = Clock::Set(Arc::clone(&now));
    let client = server.client(move |settings| settings.clock = clock);
    let before = repository.head().expect("main");
    assert!(matches!(client.mirror(&repository), Err(ForgeError::Wait(_))));
    // Until the time is over, nothing is asked.
    now.fetch_add(59_000, Ordering::SeqCst);
    let asked = server.asked().len();
    assert_eq!(client.mirror(&repository), Err(ForgeError::Wait(Duration::from_secs(1))));
    assert_eq!(server.asked().len(), asked);
    now.fetch_add(1_000, Ordering::SeqCst);
    assert_eq!(repository.head().expect("main"), before, "nothing half is served");
    assert_eq!(client.mirror(&repository).as_ref(), Ok(&head));
    assert_eq!(blobs(&server), 7, "six files and one refusal");
    fsck(&folder);
}

#[test]
fn a_commit_that_cannot_be_rebuilt_is_stood_for() {
    let origin = Origin::new();
    origin.write("index.md", "one\n");
    let first = origin.commit("One", "+0100");
    // A line in its head that GitHub does not tell of.
    let tree = origin.git(&["rev-parse", "HEAD^{tree}"], "");
    let who = "Ann Peeters <ann@example.org> 1794740400 +0100";
    let odd = format!("tree {tree}\nparent {first}\nauthor {who}\ncommitter {who}\nencoding UTF-8\n\nOdd\n");
    let odd = origin.git(&["hash-object", "-t", "commit", "-w", "--stdin"], &odd);
    origin.git(&["reset", "--quiet", "--hard", &odd], "");
    origin.write("index.md", "two\n");
    let last = origin.commit("Two", "+0100");
    let server = serve(&origin);
    let (folder, repository) = local();
    let ours = server.client(|_| {}).mirror(&repository).expect("brought");
    assert_ne!(ours, last);
    assert_eq!(
        local_sha(&repository, &first).expect("read"),
        Some(first.clone()),
        "what came before keeps its name"
    );
    let odd_here = local_sha(&repository, &odd).expect("read").expect("it is here");
    assert_eq!(local_sha(&repository, &last).expect("read"), Some(ours.clone()));
    assert_eq!(forge_sha(&repository, &ours).expect("read"), last);
    assert_eq!(forge_sha(&repository, &odd_here).expect("read"), odd);
    assert_eq!(forge_sha(&repository, &first).expect("read"), first);
    let bare = folder.path().join("corpus.git");
    assert_eq!(git(&bare, &["rev-parse", "main~1"], ""), odd_here);
    assert_eq!(git(&bare, &["show", "--format=%s", "--no-patch", "main~1"], ""), "Odd");
    assert_eq!(git(&bare, &["rev-parse", "main^{tree}"], ""), origin.git(&["rev-parse", "main^{tree}"], ""));
    // Again, it is known.
    assert_eq!(server.client(|_| {}).mirror(&repository), Ok(ours));
    fsck(&folder);
}

#[test]
fn a_main_that_was_rewritten_is_not_followed() {
    let origin = Origin::new();
    origin.write("index.md", "one\n");
    origin.commit("One", "+0100");
    origin.write("index.md", "two\n");
    let head = origin.commit("Two", "+0100");
    let server = serve(&origin);
    let (_folder, repository) = local();
    assert_eq!(server.client(|_| {}).mirror(&repository).as_ref(), Ok(&head));
    origin.git(&["reset", "--quiet", "--hard", "HEAD~1"], "");
    origin.write("index.md", "another two\n");
    origin.commit("Another two", "+0100");
    let answer = server.client(|_| {}).mirror(&repository);
    assert!(matches!(&answer, Err(ForgeError::Defect(why)) if why.contains("rewritten")), "{answer:?}");
    // Back to an older commit is rewritten too.
    origin.git(&["reset", "--quiet", "--hard", "HEAD~1"], "");
    assert!(matches!(server.client(|_| {}).mirror(&repository), Err(ForgeError::Defect(_))));
    assert_eq!(repository.head().expect("main").sha, head);
}

#[test]
fn a_corpus_with_commits_of_its_own_is_not_replaced() {
    let origin = Origin::new();
    origin.write("index.md", "one\n");
    origin.commit("One", "+0100");
    let server = serve(&origin);
    let (folder, repository) = local();
    let bare = folder.path().join("corpus.git");
    let tree = git(&bare, &["rev-parse", "main^{tree}"], "");
    let mine = git(&bare, &["commit-tree", "-p", "main", "-m", "Mine", &tree], "");
    git(&bare, &["update-ref", "refs/heads/main", &mine], "");
    let answer = server.client(|_| {}).mirror(&repository);
    assert!(
        matches!(&answer, Err(ForgeError::Defect(why)) if why.contains("commits of its own")),
        "{answer:?}"
    );
    assert_eq!(repository.head().expect("main").sha, mine);
}

#[test]
fn what_is_sent_has_to_be_what_was_asked_for() {
    let origin = Origin::new();
    origin.write("index.md", "one\n");
    origin.write("folder/inner.md", "two\n");
    origin.commit("One", "+0100");
    let lies: [fn(&Asked) -> Option<Reply>; 5] = [
        |asked| {
            asked
                .path
                .starts_with("/git/blobs/")
                .then(|| says(200, &json!({"content": "aGE=", "encoding": "base64"})))
        },
        |asked| {
            asked
                .path
                .starts_with("/git/blobs/")
                .then(|| says(200, &json!({"content": "%%", "encoding": "base64"})))
        },
        |asked| {
            asked
                .path
                .starts_with("/git/trees/")
                .then(|| says(200, &json!({"sha": asked.path[11..51], "tree": [], "truncated": false})))
        },
        |asked| {
            asked
                .path
                .starts_with("/git/trees/")
                .then(|| says(200, &json!({"sha": asked.path[11..51], "tree": [], "truncated": true})))
        },
        |asked| {
            asked.path.starts_with("/commits").then(|| {
                let sha = "1".repeat(40);
                let person = json!({"name": "x", "email": "x", "date": "2026-11-15T00:00:00Z"});
                let commit =
                    json!({"tree": {"sha": sha}, "author": person, "committer": person, "message": "m"});
                let asked = asked.path.split("sha=").nth(1).unwrap_or_default();
                // Its own ancestor.
                says(200, &json!([{"sha": asked, "parents": [{"sha": asked}], "commit": commit}]))
            })
        },
    ];
    for (number, lie) in lies.into_iter().enumerate() {
        let place = origin.place();
        let server = Recorded::with_token(move |asked| lie(asked).unwrap_or_else(|| answer(&place, asked)));
        let (folder, repository) = local();
        let before = repository.head().expect("main");
        let answer = server.client(|_| {}).mirror(&repository);
        assert!(
            matches!(answer, Err(ForgeError::Unavailable(_) | ForgeError::Defect(_))),
            "{number}: {answer:?}"
        );
        assert_eq!(repository.head().expect("main"), before, "{number}");
        fsck(&folder);
    }
}

#[test]
fn a_clone_that_was_there_before_is_gone_on_from() {
    let origin = Origin::new();
    origin.write("index.md", "one\n");
    origin.commit("One", "+0100");
    let folder = tempfile::tempdir().expect("a folder");
    let bare = folder.path().join("corpus.git");
    let (from, to) = (origin.place().display().to_string(), bare.display().to_string());
    origin.git(&["clone", "--quiet", "--bare", &from, &to], "");
    origin.write("index.md", "two\n");
    let head = origin.commit("Two", "+0100");
    let repository = Repository::open_or_create(&bare, std::iter::empty(), Moment(0)).expect("opened").0;
    let server = serve(&origin);
    assert_eq!(server.client(|_| {}).mirror(&repository), Ok(head));
    assert_eq!(blobs(&server), 1);
    fsck(&folder);
}
