//! A data folder with something in it that must go, and how to find out whether it is gone.

use crate::git_http::says;
use crate::harness::{Engine, Place, Server, Setup};
use becivic_server::db::concerns::{self, Concern};
use becivic_server::db::{Param, corpus_commits, pulls};
use becivic_server::moment::Moment;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What must go. In the corpus it is wrapped over two lines once.
pub const PLANTED: &str = "Odalys \"Vink\" Zwartewater";

/// A skill it is planted in.
pub const SKILL: &str = "skills/arrival-declaration/canonical.md";
/// A sidecar it is planted in.
pub const SIDECAR: &str = "skills/legalise-foreign-document/research-report.md";

/// A data folder that nobody serves, and a working copy of its repository.
pub struct Desk {
    /// Where it lies.
    pub place: Place,
}

impl Desk {
    /// An empty one, which was served once.
    pub fn new(engine: Engine) -> Self {
        let place = Place::new(engine);
        assert!(Server::start(&place, &Setup::fixtures()).stop().success());
        let bare = place.data(0).join("corpus.git");
        says(place.folder(), &["clone", "-q", &bare.to_string_lossy(), "desk"]);
        Self { place }
    }

    /// The repository.
    pub fn bare(&self) -> PathBuf {
        self.place.data(0).join("corpus.git")
    }

    /// The working copy.
    pub fn desk(&self) -> PathBuf {
        self.place.folder().join("desk")
    }

    /// Adds a line to a file and commits it.
    pub fn commit(&self, file: &str, line: &str, message: &str) -> String {
        let path = self.desk().join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        std::fs::write(&path, format!("{text}\n{line}\n")).expect("written");
        says(&self.desk(), &["add", "-A"]);
        says(&self.desk(), &["commit", "-q", "-m", message]);
        says(&self.desk(), &["rev-parse", "HEAD"])
    }

    /// Puts something into the repository.
    pub fn push(&self, what: &str) {
        says(&self.desk(), &["push", "-q", "-f", "origin", what]);
    }

    /// Runs `becivic retract` and types something; it never shows what must go.
    pub fn command(&self, arguments: &[&str], typed: &str) -> Output {
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
    pub fn text(&self) -> String {
        let file = self.place.folder().join("planted.txt");
        std::fs::write(&file, format!("{PLANTED}\n")).expect("written");
        file.to_string_lossy().into_owned()
    }

    /// Every name and the commit it stands for.
    pub fn names(&self) -> String {
        says(&self.bare(), &["for-each-ref"])
    }

    /// The number that a statement gives.
    pub fn count(&self, sql: &'static str) -> i64 {
        self.place.write(move |tx| {
            let row = tx.first(sql, &[])?;
            row.map_or(Ok(0), |row| row.int(0))
        })
    }

    /// The text in the history, on a pull request, under no name any more, and in rows of every kind.
    pub fn plant(&self) {
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
                    "INSERT INTO validations (vote_key, target_type, target_id, cohort, verdict, injection_flag, marks, \
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
            assert!(corpus_commits::append(tx, &first, &head, None)?);
            let number = pulls::open(tx, "draft", None, ("skill", "x"), "t", Moment(0))?;
            pulls::proposed(tx, number, &head, &head, 1)
        });
    }
}

/// Every file below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
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

/// Whether bytes hold the text.
pub fn holds(bytes: &[u8]) -> bool {
    [b"Odalys".as_slice(), b"Zwartewater"].iter().any(|part| bytes.windows(part.len()).any(|it| it == *part))
}

/// Files that hold the text, as they are or inflated.
pub fn holders(folder: &Path) -> Vec<PathBuf> {
    let held = |file: &PathBuf| {
        let bytes = std::fs::read(file).expect("a file");
        let mut inflated = Vec::new();
        let _not_compressed = flate2::read::ZlibDecoder::new(bytes.as_slice()).read_to_end(&mut inflated);
        holds(&bytes) || holds(&inflated)
    };
    files(folder).into_iter().filter(held).collect()
}

/// What every file below a folder holds.
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    files(folder).into_iter().map(|file| (file.clone(), std::fs::read(file).expect("a file"))).collect()
}

/// What a command said.
pub fn said(ended: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr))
}

/// The words that a rehearsal asks for.
pub fn confirmed(rehearsed: &str) -> String {
    let at = rehearsed.find("confirm with: ").expect("the words that confirm") + "confirm with: ".len();
    rehearsed[at..].lines().next().expect("a line").to_owned()
}
