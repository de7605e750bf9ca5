//! `becivic retract` with the real binary: what is taken out is in no object, name, row or byte afterwards; and whatever is
//! not confirmed changes nothing.

use crate::git_http::{git, says};
use crate::harness::{Engine, Place, Server, Setup};
use becivic_server::db::concerns::{self, Concern};
use becivic_server::db::{Param, corpus_commits, pulls};
use becivic_server::moment::Moment;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What must go. In the corpus it is wrapped over two lines once.
const PLANTED: &str = "Odalys \"Vink\" Zwartewater";

const SKILL: &str = "skills/arrival-declaration/canonical.md";
const SIDECAR: &str = "skills/legalise-foreign-document/research-report.md";

/// A data folder that nobody serves, and a working copy of its repository.
struct Desk {
    place: Place,
}

impl Desk {
    fn new(engine: Engine) -> Self {
        let place = Place::new(engine);
        assert!(Server::start(&place, &Setup::fixtures()).stop().success());
        let bare = place.data(0).join("corpus.git");
        says(place.folder(), &["clone", "-q", &bare.to_string_lossy(), "desk"]);
        Self { place }
    }

    fn bare(&self) -> PathBuf {
        self.place.data(0).join("corpus.git")
    }

    fn desk(&self) -> PathBuf {
        self.place.folder().join("desk")
    }

    /// Adds a line to a file and commits it.
    fn commit(&self, file: &str, line: &str, message: &str) -> String {
        let path = self.desk().join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        std::fs::write(&path, format!("{text}\n{line}\n")).expect("written");
        says(&self.desk(), &["add", "-A"]);
        says(&self.desk(), &["commit", "-q", "-m", message]);
        says(&self.desk(), &["rev-parse", "HEAD"])
    }

    fn push(&self, what: &str) {
        says(&self.desk(), &["push", "-q", "-f", "origin", what]);
    }

    fn command(&self, arguments: &[&str], typed: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_becivic"));
        command.arg("retract").arg("--data").arg(self.place.data(0)).args(["--database", &self.place.url()]);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("becivic runs");
        let mut stdin = child.stdin.take().expect("its input");
        let _refused_early = stdin.write_all(typed.as_bytes());
        drop(stdin);
        let ended = child.wait_with_output().expect("it ends");
        for said in [&ended.stdout, &ended.stderr] {
            let said = String::from_utf8_lossy(said);
            assert!(!said.contains("Odalys") && !said.contains("Zwartewater"), "it is shown: {said}");
        }
        ended
    }

    /// Writes the text into a file beside everything else.
    fn text(&self) -> String {
        let file = self.place.folder().join("planted.txt");
        std::fs::write(&file, format!("{PLANTED}\n")).expect("written");
        file.to_string_lossy().into_owned()
    }

    /// Every name and the commit it stands for.
    fn names(&self) -> String {
        says(&self.bare(), &["for-each-ref"])
    }

    fn count(&self, sql: &'static str) -> i64 {
        self.place.write(move |tx| {
            let row = tx.first(sql, &[])?;
            row.map_or(Ok(0), |row| row.int(0))
        })
    }

    /// The text in the history, on a pull request, under no name any more, and in rows of every kind.
    fn plant(&self) {
        self.commit(SKILL, "Said at the counter by Odalys \"Vink\"\nZwartewater herself.", "Plant it");
        let base = says(&self.desk(), &["rev-parse", "HEAD"]);
        self.commit(SIDECAR, &format!("Noted by {PLANTED}, see {base}."), "A sidecar");
        self.commit(SKILL, "Nothing of note.", &format!("Thanks to {PLANTED}\n\nCohort: reset skill:x"));
        self.push("HEAD:refs/heads/main");
        self.commit(SKILL, &format!("Again {PLANTED}."), "A proposal");
        self.push("HEAD:refs/pull/3/head");
        self.commit(SKILL, &format!("Once more {PLANTED}."), "A proposal that is taken back");
        self.push("HEAD:refs/pull/4/head");
        self.push(":refs/pull/4/head");
        says(&self.desk(), &["reset", "-q", "--hard", "origin/main"]);
        let head = says(&self.desk(), &["rev-parse", "HEAD"]);
        let first = says(&self.desk(), &["rev-list", "--max-parents=0", "HEAD"]);
        let payload = serde_json::json!({"body": format!("by {PLANTED}")}).to_string();
        self.place.write(move |tx| {
            let concern = Concern {
                target_type: "skill".to_owned(),
                target_id: "arrival-declaration".to_owned(),
                evidence_month: "2026-10".to_owned(),
                ..Concern::default()
            };
            concerns::insert(tx, &Concern { body: format!("I met {PLANTED}."), ..concern.clone() })?;
            concerns::insert(tx, &Concern { body: "Nothing of note.".to_owned(), ..concern })?;
            let bytes: &[u8] = &[7; 32];
            let (planted, payload) = (PLANTED, payload.as_str());
            let rows: [(&'static str, Vec<Param<'_>>); 6] = [
                (
                    "INSERT INTO staged (id, kind, payload_digest, submitter_hash, cancel_hash, received_at, commit_eta, \
                     payload) VALUES ('con_x', 'concern', $1, $1, $1, 0, 0, $2)",
                    vec![bytes.into(), payload.into()],
                ),
                (
                    "INSERT INTO amendments (uid, target_type, target_id, state, rationale, content, day) \
                     VALUES ('amd-00001', 'skill', 'x', 'pending', $1, '', 0)",
                    vec![planted.into()],
                ),
                (
                    "INSERT INTO validations (vote_key, target_type, target_id, cohort, verdict, injection_flag, latest, \
                     weight, submitter_type, rationale, state, day) \
                     VALUES ($1, 'skill', 'x', 'x', 'confirm', 0, 1, 1, 'person', $2, 'applied', 0)",
                    vec![bytes.into(), planted.into()],
                ),
                (
                    "INSERT INTO ratings (rating_key, target_type, target_id, stars, would_be_5_stars, day) \
                     VALUES ($1, 'skill', 'x', 4, $2, 0)",
                    vec![bytes.into(), planted.into()],
                ),
                (
                    "INSERT INTO feedback_channel (message_key, body, state, day) VALUES ($1, $2, 'new', 0)",
                    vec![bytes.into(), planted.into()],
                ),
                (
                    "INSERT INTO catalogue_rows (row_key, uid, prefix, status, content, committed_at, superseded_at) \
                     VALUES ('val-99999.000001', 'val-99999', 'val', 'alpha', $1, 0, 1)",
                    vec![payload.into()],
                ),
            ];
            for (sql, params) in rows {
                tx.execute(sql, &params)?;
            }
            corpus_commits::begin(tx, &first)?;
            let (mut below, numbers) = (first.clone(), pulls::open(tx, "draft", None, ("skill", "x"), "t", Moment(0))?);
            for sha in [head.as_str()] {
                assert!(corpus_commits::append(tx, &below, sha, None)?);
                below = sha.to_owned();
            }
            pulls::proposed(tx, numbers, &head, &head, 1)
        });
    }
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(here) = waiting.pop() {
        for entry in std::fs::read_dir(here).expect("a folder") {
            let entry = entry.expect("an entry");
            match entry.file_type().expect("a type").is_dir() {
                true => waiting.push(entry.path()),
                false => found.push(entry.path()),
            }
        }
    }
    found
}

fn holds(bytes: &[u8]) -> bool {
    [b"Odalys".as_slice(), b"Zwartewater"].iter().any(|part| bytes.windows(part.len()).any(|it| it == *part))
}

/// Files that hold the text, as they are or inflated.
fn holders(folder: &Path) -> Vec<PathBuf> {
    let held = |file: &PathBuf| {
        let bytes = std::fs::read(file).expect("a file");
        let mut inflated = Vec::new();
        let _not_compressed = flate2::read::ZlibDecoder::new(bytes.as_slice()).read_to_end(&mut inflated);
        holds(&bytes) || holds(&inflated)
    };
    files(folder).into_iter().filter(held).collect()
}

fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    files(folder).into_iter().map(|file| (file.clone(), std::fs::read(file).expect("a file"))).collect()
}

fn said(ended: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr))
}

fn confirmed(rehearsed: &str) -> String {
    let at = rehearsed.find("confirm with: ").expect("the words that confirm") + "confirm with: ".len();
    rehearsed[at..].lines().next().expect("a line").to_owned()
}

const ROWS: &str = "SELECT CAST(COUNT(*) AS BIGINT) FROM concerns";

fn a_text_is_taken_out(engine: Engine) {
    let desk = Desk::new(engine);
    desk.plant();
    let text = desk.text();
    let log = "log --format=%an|%ae|%ad|%cd|%s main";
    let log: Vec<&str> = log.split(' ').collect();
    let before = (contents(&desk.bare()), desk.names(), says(&desk.bare(), &log));
    assert!(holders(&desk.bare()).len() > 5, "it was not planted");

    // A rehearsal changes nothing, and says what it found in counts and names.
    let rehearsed = desk.command(&["--text", &text, "--github-plan"], "");
    let words = said(&rehearsed);
    assert!(rehearsed.status.success(), "{words}");
    for part in [
        "files: 2 in",
        SKILL,
        SIDECAR,
        "messages of commits: 1",
        "refs/heads/main",
        "refs/pull/3/head",
        "objects without a name: 1",
        "rows: 7",
        "concerns: 1",
        "catalogue_rows: 1",
        "Nothing was changed",
        "On GitHub",
    ] {
        assert!(words.contains(part), "{part}: {words}");
    }
    assert_eq!(contents(&desk.bare()), before.0);
    assert_eq!(desk.count(ROWS), 2);

    // Nor does what is not confirmed.
    for typed in ["", "yes\n", "retract 2001-01-01-01\n"] {
        let refused = desk.command(&["--text", &text, "--apply", "--who", "anna"], typed);
        assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
        assert!(said(&refused).contains("nothing was changed"), "{}", said(&refused));
    }
    let nobody = desk.command(&["--text", &text, "--apply"], "");
    assert_eq!(nobody.status.code(), Some(2), "{}", said(&nobody));
    assert_eq!(contents(&desk.bare()), before.0);
    assert_eq!(desk.count(ROWS), 2);

    let typed = format!("{}\n", confirmed(&words));
    let done = desk.command(&["--text", &text, "--apply", "--who", "anna"], &typed);
    assert!(done.status.success(), "{}", said(&done));

    // No object, name, message or byte holds it.
    let objects = git(&desk.bare(), &["cat-file", "--batch-all-objects", "--batch"]);
    assert!(objects.status.success() && !holds(&objects.stdout), "an object holds it");
    assert_eq!(holders(&desk.place.data(0)), Vec::<PathBuf>::new());
    says(&desk.bare(), &["fsck", "--strict"]);
    if engine == Engine::Sqlite {
        for file in ["becivic.db", "becivic.db-wal", "becivic-fleeting.db", "becivic-fleeting.db-wal"] {
            let bytes = std::fs::read(desk.place.folder().join(file)).unwrap_or_default();
            assert!(!holds(&bytes), "{file} holds it");
        }
    }
    // Authors, times and other messages are as before; one commit more, with the note.
    let (note, after) =
        says(&desk.bare(), &log).split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert!(note.contains("Be Civic Bot|bot@becivic.be") && note.contains("Incident"), "{note}");
    assert_eq!(after, before.2.replace(PLANTED, "(retracted)"));
    assert_eq!(desk.names().lines().count(), before.1.lines().count());
    assert_ne!(desk.names(), before.1);
    // A file that named a commit names what it is called now.
    let report = says(&desk.bare(), &["show", &format!("main:{SIDECAR}")]);
    let named = report.rsplit("see ").next().unwrap().trim_end_matches('.').to_owned();
    assert_eq!(named, says(&desk.bare(), &["rev-parse", "main~3"]));

    for (sql, left) in [
        (ROWS, 1),
        ("SELECT CAST(COUNT(*) AS BIGINT) FROM staged", 0),
        ("SELECT CAST(COUNT(*) AS BIGINT) FROM amendments", 0),
        ("SELECT CAST(COUNT(*) AS BIGINT) FROM feedback_channel", 0),
        ("SELECT CAST(COUNT(*) AS BIGINT) FROM validations WHERE rationale IS NULL", 1),
        ("SELECT CAST(COUNT(*) AS BIGINT) FROM ratings WHERE would_be_5_stars IS NULL AND stars = 4", 1),
        ("SELECT CAST(COUNT(*) AS BIGINT) FROM catalogue_rows WHERE content LIKE '%(retracted)%'", 1),
        ("SELECT CAST(COUNT(*) AS BIGINT) FROM audit WHERE who = 'anna' AND action = 'retract'", 1),
    ] {
        assert_eq!(desk.count(sql), left, "{sql}");
    }
    let (line, pull) = desk.place.write(|tx| Ok((corpus_commits::after(tx, 0, 10)?, pulls::find(tx, 1)?)));
    let shas: Vec<&str> = line.iter().map(|commit| commit.sha.as_str()).collect();
    let expected = ["main~4", "main~1", "main"].map(|name| says(&desk.bare(), &["rev-parse", name]));
    assert_eq!(shas, expected);
    assert_eq!(line[2].parent, expected[1]);
    assert_eq!(pull.and_then(|pull| pull.head), Some(expected[1].clone()));

    // It is served again, consumers are told, and the corpus is as sound as before.
    let server = Server::start(&desk.place, &Setup::fixtures());
    let notices = server.get("/corpus-notices.json").json();
    assert_eq!(notices["items"].as_array().map(Vec::len), Some(1), "{notices}");
    assert_eq!(
        (&notices["items"][0]["action"], &notices["items"][0]["reason"], &notices["next"]),
        (&"refresh".into(), &"retraction".into(), &serde_json::Value::Null)
    );
    let id = notices["items"][0]["id"].as_str().expect("an id").to_owned();
    let clone = desk.place.folder().join("fresh");
    says(desk.place.folder(), &["clone", "-q", &format!("{}/corpus.git", server.base()), "fresh"]);
    assert_eq!(holders(&clone), Vec::<PathBuf>::new());
    let note = std::fs::read_to_string(clone.join(format!("docs/incidents/{id}.md"))).expect("the note");
    let old_head = before.1.lines().find(|line| line.ends_with("refs/heads/main")).unwrap()[..40].to_owned();
    assert!(note.contains(&format!("| `{old_head}` | `{}` |", expected[1])), "{note}");
    let checked =
        Command::new(env!("CARGO_BIN_EXE_becivic")).arg("check").arg(&clone).output().expect("it runs");
    assert!(checked.status.success(), "{}", said(&checked));

    // While it is served, nothing is taken out.
    let refused = desk.command(&["--text", &text], "");
    assert_eq!(refused.status.code(), Some(3), "{}", said(&refused));
    assert!(said(&refused).contains("another becivic serves"), "{}", said(&refused));
    assert!(server.stop().success());
    // Nothing is left to be taken out.
    let nothing = desk.command(&["--text", &text], "");
    assert_eq!(nothing.status.code(), Some(1), "{}", said(&nothing));
    assert!(said(&nothing).contains("Nothing holds it"), "{}", said(&nothing));
}

#[test]
fn a_text_is_taken_out_on_sqlite() {
    a_text_is_taken_out(Engine::Sqlite);
}

#[test]
fn a_text_is_taken_out_on_postgres() {
    a_text_is_taken_out(Engine::Postgres);
}
