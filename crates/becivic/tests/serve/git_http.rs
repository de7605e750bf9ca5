//! `/corpus.git` with the real `git`: clone, fetch, shallow clones, refused pushes; and what no `git` would send.

use crate::harness::raw::status;
use crate::harness::{Engine, Place, Server, Setup};
use becivic_server::jobs::{Lease, commit};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs `git` in a folder, without anybody's configuration.
pub fn git(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("git");
    command.current_dir(folder).args([
        "-c",
        "user.name=Maintainer",
        "-c",
        "user.email=maintainer@example.org",
    ]);
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", folder).env("GIT_TERMINAL_PROMPT", "0");
    command.args(arguments).output().expect("git runs")
}

/// Runs `git` and gives back what it prints; it must succeed.
pub fn says(folder: &Path, arguments: &[&str]) -> String {
    let ran = git(folder, arguments);
    assert!(ran.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).trim().to_owned()
}

/// A server with the corpus of the fixtures, and a working copy of its repository, taken from the file system.
struct Desk {
    place: Place,
    server: Server,
    _job: Lease,
}

impl Desk {
    fn new() -> Self {
        let place = Place::new(Engine::Sqlite);
        let server = Server::start(&place, &Setup::fixtures());
        // Nobody takes in what is pushed here, nor adds to it: the commit job is somebody else's for the time being.
        let job = place.holds(commit::NAME);
        says(place.folder(), &["clone", "-q", &place.data(0).join("corpus.git").to_string_lossy(), "desk"]);
        Self { place, server, _job: job }
    }

    fn folder(&self, name: &str) -> PathBuf {
        self.place.folder().join(name)
    }

    fn address(&self) -> String {
        format!("{}/corpus.git", self.server.base())
    }

    /// Commits some edits of a skill, one commit each.
    fn commit(&self, count: usize) {
        let desk = self.folder("desk");
        let file = desk.join("skills/arrival-declaration/canonical.md");
        for number in 0..count {
            let text = std::fs::read_to_string(&file).expect("the skill");
            std::fs::write(&file, format!("{text}\nOne more line, number {number}.\n")).expect("written");
            says(&desk, &["commit", "-qam", &format!("edit {number}")]);
        }
    }

    /// Puts what the desk has under a name into the bare repository.
    fn publish(&self, what: &str, name: &str) {
        says(&self.folder("desk"), &["push", "-q", "-f", "origin", &format!("{what}:{name}")]);
    }

    /// Posts to `git-upload-pack`.
    fn upload(&self, headers: &[(&str, &str)], body: &[u8]) -> (u16, String) {
        let address = self.server.base().strip_prefix("http://").expect("an address");
        let mut request =
            format!("POST /corpus.git/git-upload-pack HTTP/1.1\r\nhost: {address}\r\n").into_bytes();
        for (name, value) in headers {
            request.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
        }
        request.extend_from_slice(
            format!("content-length: {}\r\nconnection: close\r\n\r\n", body.len()).as_bytes(),
        );
        request.extend_from_slice(body);
        let answer = self.server.raw(&request);
        (status(&answer), answer)
    }
}

const ASKS: (&str, &str) = ("content-type", "application/x-git-upload-pack-request");

fn lines(texts: &[&str]) -> Vec<u8> {
    let written = texts.iter().map(|text| match *text {
        "0000" | "0001" => (*text).to_owned(),
        text => format!("{:04x}{text}", text.len() + 4),
    });
    written.collect::<String>().into_bytes()
}

fn cloned_and_kept_up_to_date(version: &str) {
    let desk = Desk::new();
    let protocol = format!("protocol.version={version}");
    let root = desk.place.folder();
    says(root, &["-c", &protocol, "clone", "-q", &desk.address(), "clone"]);
    let clone = desk.folder("clone");
    says(&clone, &["fsck", "--strict"]);
    assert_eq!(says(&clone, &["symbolic-ref", "HEAD"]), "refs/heads/main");
    let here = says(&desk.folder("desk"), &["rev-parse", "HEAD"]);
    assert_eq!(says(&clone, &["rev-parse", "HEAD"]), here);
    assert!(says(&clone, &["show", "HEAD:skills/arrival-declaration/canonical.md"]).starts_with("---"));

    desk.commit(12);
    desk.publish("HEAD", "refs/heads/main");
    desk.publish("HEAD~2", "refs/pull/7/head");
    desk.publish("HEAD~1", "refs/heads/private");
    says(&clone, &["-c", &protocol, "pull", "-q", "--no-rebase"]);
    says(&clone, &["fsck", "--strict"]);
    assert_eq!(says(&clone, &["rev-list", "--count", "HEAD"]), "13");
    assert_eq!(
        says(&clone, &["rev-parse", "HEAD^{tree}"]),
        says(&desk.folder("desk"), &["rev-parse", "HEAD^{tree}"])
    );
    let listed = says(&clone, &["-c", &protocol, "ls-remote", "origin"]);
    let names: Vec<&str> = listed.lines().filter_map(|line| line.split('\t').nth(1)).collect();
    assert_eq!(names, ["HEAD", "refs/heads/main", "refs/pull/7/head"]);
    says(&clone, &["-c", &protocol, "fetch", "-q", "origin", "refs/pull/7/head"]);
    assert_eq!(
        says(&clone, &["rev-parse", "FETCH_HEAD"]),
        says(&desk.folder("desk"), &["rev-parse", "HEAD~2"])
    );
    // A whole clone again, of a history with differences in it, which lies in a pack now.
    says(&desk.place.data(0).join("corpus.git"), &["gc", "-q"]);
    says(root, &["-c", &protocol, "clone", "-q", "--mirror", &desk.address(), "mirror"]);
    says(&desk.folder("mirror"), &["fsck", "--strict"]);

    says(root, &["-c", &protocol, "clone", "-q", "--depth", "2", &desk.address(), "shallow"]);
    let shallow = desk.folder("shallow");
    assert_eq!(says(&shallow, &["rev-list", "--count", "HEAD"]), "2");
    desk.commit(1);
    desk.publish("HEAD", "refs/heads/main");
    says(&shallow, &["-c", &protocol, "pull", "-q", "--no-rebase"]);
    assert_eq!(says(&shallow, &["rev-list", "--count", "HEAD"]), "3");
    says(&shallow, &["-c", &protocol, "fetch", "-q", "--depth", "5"]);
    assert_eq!(says(&shallow, &["rev-list", "--count", "HEAD"]), "5");
    says(&shallow, &["-c", &protocol, "fetch", "-q", "--unshallow"]);
    assert_eq!(says(&shallow, &["rev-list", "--count", "HEAD"]), "14");
    says(&shallow, &["fsck", "--strict"]);
}

#[test]
fn git_clones_and_pulls_in_the_first_version() {
    cloned_and_kept_up_to_date("0");
}

#[test]
fn git_clones_and_pulls_in_the_newest_version() {
    cloned_and_kept_up_to_date("2");
}

/// Pulling one commit brings that commit and what it changed, not the corpus.
#[test]
fn a_pull_is_small() {
    for version in ["protocol.version=0", "protocol.version=2"] {
        let desk = Desk::new();
        says(desk.place.folder(), &["-c", version, "clone", "-q", "--bare", &desk.address(), "clone"]);
        let clone = desk.folder("clone");
        desk.commit(1);
        desk.publish("HEAD", "refs/heads/main");
        let loose = || -> usize {
            let counted = says(&clone, &["count-objects"]);
            counted.split(' ').next().and_then(|count| count.parse().ok()).expect("a count")
        };
        let before = loose();
        says(
            &clone,
            &["-c", version, "-c", "fetch.unpackLimit=100000", "fetch", "-q", "origin", "main:main"],
        );
        // The commit, three folders and the file.
        assert_eq!(loose() - before, 5, "{version}");
        says(&clone, &["fsck", "--strict"]);
    }
}

/// A long list of what a client has is compressed by `git`; two histories that grew apart are brought together.
#[test]
fn a_history_that_grew_apart_is_fetched() {
    for version in ["protocol.version=0", "protocol.version=2"] {
        let desk = Desk::new();
        says(desk.place.folder(), &["-c", version, "clone", "-q", &desk.address(), "clone"]);
        let clone = desk.folder("clone");
        for number in 0..300 {
            says(&clone, &["commit", "-q", "--allow-empty", "-m", &format!("mine {number}")]);
        }
        desk.commit(2);
        desk.publish("HEAD", "refs/heads/main");
        let traced = Command::new("git")
            .current_dir(&clone)
            .env("GIT_TRACE_CURL", "1")
            .env("GIT_TRACE_CURL_NO_DATA", "1")
            .args(["-c", version, "fetch", "origin"])
            .output()
            .expect("git runs");
        let trace = String::from_utf8_lossy(&traced.stderr);
        assert!(traced.status.success(), "{trace}");
        assert!(trace.contains("Content-Encoding: gzip"), "{version}: nothing was compressed");
        assert_eq!(says(&clone, &["rev-list", "--count", "HEAD..origin/main"]), "2");
        says(&clone, &["fsck", "--strict"]);
    }
}

#[test]
fn nothing_is_pushed() {
    let desk = Desk::new();
    says(desk.place.folder(), &["clone", "-q", &desk.address(), "clone"]);
    let clone = desk.folder("clone");
    says(&clone, &["commit", "-q", "--allow-empty", "-m", "mine"]);
    let before = desk.server.get("/corpus.git/info/refs?service=git-upload-pack").text;
    let pushed = git(&clone, &["push", "origin", "HEAD:main"]);
    let words = String::from_utf8_lossy(&pushed.stderr);
    assert!(
        !pushed.status.success() && words.contains("Nothing can be pushed here") && words.contains("403"),
        "{words}"
    );
    assert_eq!(desk.server.get("/corpus.git/info/refs?service=git-upload-pack").text, before);
    let posted = desk.server.send("POST", "/corpus.git/git-receive-pack", &[], Some(b"0000"));
    assert_eq!(posted.status, 405);
}

/// What is in the repository but under no name that is listed cannot be had, whoever knows its hash.
#[test]
fn what_is_not_listed_is_not_given() {
    let desk = Desk::new();
    desk.commit(2);
    desk.publish("HEAD", "refs/heads/main");
    desk.commit(1);
    desk.publish("HEAD", "refs/pull/3/head");
    desk.publish("HEAD", "refs/heads/private");
    let proposed = says(&desk.folder("desk"), &["rev-parse", "HEAD"]);
    let older = says(&desk.folder("desk"), &["rev-parse", "HEAD~2"]);
    let file = says(&desk.folder("desk"), &["rev-parse", "HEAD:skills/arrival-declaration/canonical.md"]);
    let want = |id: &str| {
        let ask = lines(&[&format!("want {id} side-band-64k\n"), "0000", "done\n"]);
        desk.upload(&[ASKS], &ask).1
    };
    assert!(want(&proposed).contains("PACK") && want(&older).contains("PACK"));
    // Taken back: the name goes, the objects are still there.
    says(&desk.folder("desk"), &["push", "-q", "origin", ":refs/pull/3/head"]);
    let bare = desk.place.data(0).join("corpus.git");
    assert_eq!(says(&bare, &["cat-file", "-t", &proposed]), "commit");
    for id in [proposed.as_str(), &file, &"1".repeat(40)] {
        let answer = want(id);
        assert!(answer.contains(&format!("ERR upload-pack: not our ref {id}")), "{answer}");
        assert!(!answer.contains("PACK"), "{id} was given");
        let arguments = lines(&["command=fetch", "0001", &format!("want {id}\n"), "done\n", "0000"]);
        let answer = desk.upload(&[ASKS, ("git-protocol", "version=2")], &arguments).1;
        assert!(answer.contains("not our ref") && !answer.contains("PACK"), "{answer}");
    }
    assert!(want(&older).contains("PACK"), "what main holds is still there");
}

/// Whatever is sent, there is an answer that says what is wrong, and the server goes on.
#[test]
fn what_no_git_sends_is_refused() {
    let desk = Desk::new();
    let head = says(&desk.folder("desk"), &["rev-parse", "HEAD"]);
    let want = format!("want {head}\n");
    let fetch = |more: &[&str]| lines(&[&["command=fetch", "0001", want.as_str()], more, &["0000"]].concat());
    let two = ("git-protocol", "version=2");
    let gzip = ("content-encoding", "gzip");
    let squeezed = |bytes: &[u8]| {
        let mut to = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        to.write_all(bytes).expect("memory");
        to.finish().expect("memory")
    };
    let bomb = squeezed(&vec![b'0'; 64 << 20]);
    assert!(bomb.len() < 1 << 20);
    type Case<'a> = (u16, Vec<(&'a str, &'a str)>, Vec<u8>);
    let cases: Vec<Case<'_>> = vec![
        (200, vec![ASKS], Vec::new()),
        (200, vec![ASKS], b"0000".to_vec()),
        (200, vec![ASKS, gzip], squeezed(&lines(&[&want, "0000", "done\n"]))),
        (200, vec![ASKS, two], lines(&["command=ls-refs", "0000"])),
        (400, vec![ASKS], b"PACK".to_vec()),
        (400, vec![ASKS], b"zzzzwant".to_vec()),
        (400, vec![ASKS], b"ffffwant".to_vec()),
        (400, vec![ASKS], lines(&["want 12\n", "0000"])),
        (400, vec![ASKS], lines(&[&want])),
        (400, vec![ASKS], lines(&[&want, "deepen -1\n", "0000", "done\n"])),
        (400, vec![ASKS], lines(&[&want, "filter blob:none\n", "0000", "done\n"])),
        (400, vec![ASKS], lines(&[&want, "0000", "have everything\n"])),
        (400, vec![ASKS, two], lines(&["command=push", "0001", "0000"])),
        (400, vec![ASKS, two], lines(&["command=fetch", "0000"])),
        (400, vec![ASKS, two], fetch(&["deepen-since 3\n"])),
        (400, vec![ASKS, two], fetch(&["0001"])),
        (400, vec![ASKS, gzip], b"not compressed".to_vec()),
        (413, vec![ASKS, gzip], bomb),
        (413, vec![ASKS], vec![b'0'; 2 << 20]),
        (415, vec![ASKS, ("content-encoding", "br")], b"0000".to_vec()),
        (415, vec![("content-type", "application/json")], b"{}".to_vec()),
        (415, vec![], b"0000".to_vec()),
    ];
    for (expected, headers, body) in cases {
        let (status, answer) = desk.upload(&headers, &body);
        let shown = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
        assert_eq!(status, expected, "{headers:?} {shown}: {}", &answer[..answer.len().min(400)]);
        if status != 200 {
            let words = answer.split("\r\n\r\n").nth(1).unwrap_or_default().trim();
            assert!(words.len() > 20 && words.contains(' '), "{shown}: {words}");
        }
    }
    for (address, expected) in [
        ("/corpus.git/info/refs", 404),
        ("/corpus.git/info/refs?service=git-upload-archive", 404),
        ("/corpus.git/info/refs?service=git-receive-pack", 403),
        ("/corpus.git/HEAD", 404),
        ("/corpus.git/objects/info/packs", 404),
        ("/corpus.git/config", 404),
        ("/corpus.git/../becivic.db", 404),
    ] {
        assert_eq!(desk.server.get(address).status, expected, "{address}");
    }
    assert!(desk.server.get("/metrics").text.contains("becivic_panics_total 0\n"));
    says(desk.place.folder(), &["clone", "-q", &desk.address(), "clone"]);
}

/// Many clones at once share one pack, and each is whole.
#[test]
fn sixteen_clones_at_once_are_whole() {
    let desk = Desk::new();
    desk.commit(5);
    desk.publish("HEAD", "refs/heads/main");
    std::thread::scope(|scope| {
        for number in 0..16 {
            let desk = &desk;
            scope.spawn(move || {
                let name = format!("clone-{number}");
                says(desk.place.folder(), &["clone", "-q", "--bare", &desk.address(), &name]);
                says(&desk.folder(&name), &["fsck", "--strict"]);
            });
        }
    });
    // Nothing of it lies in the data folder under a name.
    let left: Vec<String> = std::fs::read_dir(desk.place.data(0))
        .expect("the data folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with(".tmp") || name.ends_with(".pack"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
