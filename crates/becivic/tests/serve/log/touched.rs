//! A log that somebody touched in the database is not added to: what follows could never be taken back. What can be found again in the log
//! itself is, and nothing is added for it.

use super::{EASY, busy, verify};
use crate::harness::{Engine, Place, Server, Setup};
use becivic_server::db::log_entries::{self, New};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What is done to a database.
type Case = (&'static str, &'static str);

/// What is found again.
const MENDED: &[Case] = &[
    (
        "standings name earlier entries",
        "UPDATE standings SET log_position = \
           (SELECT MAX(position) FROM log_entries WHERE edge_of = target_type || ':' || target_id)",
    ),
    ("standings name nothing", "UPDATE standings SET log_position = NULL"),
    ("standings are gone", "DELETE FROM standings"),
    (
        "standings are gone, and no entry is found by its artefact",
        "DELETE FROM standings; UPDATE log_entries SET edge_of = NULL WHERE edge_of <> 'policy:consensus'",
    ),
];

/// What a server refuses to begin on, and what it says.
const REFUSED: &[(&str, &str, &str)] = &[
    (
        "the proof of the last entry",
        "UPDATE log_entries SET proof = zeroblob(length(proof)) WHERE position = (SELECT MAX(position) FROM log_entries)",
        "not those of the tree",
    ),
    (
        "the proof of the first in a tile",
        "UPDATE log_entries SET proof = zeroblob(32) WHERE position = 256",
        "not those of the tree",
    ),
    (
        "no proof of the first in a tile",
        "UPDATE log_entries SET proof = x'' WHERE position = 256",
        "is broken",
    ),
    (
        "the hash of the last entry",
        "UPDATE log_entries SET leaf = zeroblob(32) WHERE position = (SELECT MAX(position) FROM log_entries)",
        "not those of the tree",
    ),
    (
        "an entry of the last tile",
        "UPDATE log_entries SET entry = CAST(replace(CAST(entry AS TEXT), '2026-', '2025-') AS BLOB) WHERE position = 300",
        "not those of the tree",
    ),
    (
        "a tile",
        "UPDATE log_tiles SET hash = zeroblob(32) WHERE level = 1 AND position = 0",
        "not those of the tree",
    ),
    ("no tiles", "DELETE FROM log_tiles", "tile/1/000.p/1 is not whole"),
    (
        "an entry of the last tile that is gone",
        "DELETE FROM log_entries WHERE position = 300",
        "is not whole",
    ),
    (
        "the last entry that is gone",
        "DELETE FROM log_entries WHERE position = (SELECT MAX(position) FROM log_entries)",
        "is told of by entry",
    ),
    ("an empty log", "DELETE FROM log_entries; DELETE FROM log_tiles", "it has 0 entries"),
    (
        "a log of which nothing but tiles is left",
        "DELETE FROM log_entries; UPDATE standings SET log_position = NULL; UPDATE transitions SET log_position = NULL",
        "it has tiles, and no entries",
    ),
    (
        "a gap before the last entry",
        "UPDATE log_entries SET position = position + 1 WHERE position = (SELECT MAX(position) FROM log_entries)",
        "log",
    ),
    ("standings that name another's entry", "UPDATE standings SET log_position = 0", "it is about "),
    (
        "an entry that is filed under another artefact",
        "UPDATE log_entries SET edge_of = 'skill:nobody-wrote-this' WHERE edge_of = 'skill:arrival-declaration'",
        "it is about skill:arrival-declaration",
    ),
];

/// A copy of a place that nobody has open.
struct Touched {
    folder: PathBuf,
    data: PathBuf,
}

impl Touched {
    fn of(place: &Place, sql: &str) -> Self {
        let folder = place.folder().with_extension("touched");
        super::copied(place.folder(), &folder);
        let data = folder.join(place.data(0).strip_prefix(place.folder()).expect("its data are in it"));
        let touched = Self { folder, data };
        touched.open().execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        touched
    }

    fn file(&self) -> PathBuf {
        self.folder.join("becivic.db")
    }

    fn open(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.file()).expect("the file opens")
    }

    fn entries(&self) -> i64 {
        self.open().query_row("SELECT COUNT(*) FROM log_entries", [], |row| row.get(0)).expect("a count")
    }

    fn becivic(&self, arguments: &[&str]) -> Output {
        let text = |path: &Path| path.to_str().expect("text").to_owned();
        Command::new(env!("CARGO_BIN_EXE_becivic"))
            .args(arguments)
            .args(["--data", &text(&self.data), "--database", &format!("sqlite://{}", text(&self.file()))])
            .env("BECIVIC_SERVER__PEPPER_FILE", self.folder.join("pepper.key"))
            .envs(EASY.iter().copied())
            .output()
            .expect("becivic runs")
    }
}

impl Drop for Touched {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn what_was_touched_is_found_again_or_refused_and_nothing_is_added() {
    let place = Place::new(Engine::Sqlite);
    let size = busy(&place, 100);
    assert!((300..512).contains(&size), "more than a tile: {size}");
    for (name, sql) in MENDED {
        let touched = Touched::of(&place, sql);
        let ended = touched.becivic(&["tick"]);
        assert_eq!(ended.status.code(), Some(0), "{name}: {ended:?}");
        assert_eq!(touched.entries() as u64, size, "{name}: nothing was added");
        let verified = touched.becivic(&["verify", "--forget"]);
        assert_eq!(verified.status.code(), Some(0), "{name}: {verified:?}");
        let again = touched.becivic(&["tick"]);
        let said = String::from_utf8_lossy(&again.stderr).into_owned();
        assert!(again.status.success() && !said.contains("log"), "{name}: once is enough: {said}");
    }
    for (name, sql, told) in REFUSED {
        let touched = Touched::of(&place, sql);
        let before = touched.entries();
        let ended = touched.becivic(&["tick"]);
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(3), "{name}: {said}");
        assert!(said.contains(told) && said.contains("restore the database"), "{name}: {said}");
        assert_eq!(touched.entries(), before, "{name}: nothing was added");
        let verified = touched.becivic(&["verify", "--forget"]);
        let said = String::from_utf8_lossy(&verified.stdout).into_owned();
        assert_eq!(verified.status.code(), Some(1), "{name}: {said}");
    }
}

/// What a server does not answer does not hide what is wrong.
#[test]
fn a_server_that_fails_is_still_found_out() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::fixtures());
    assert_eq!(verify(server.base(), &["--forget"]).code, Some(0));
    let nowhere = "volatile_value:val-09999";
    place.write(move |tx| {
        let entry = format!(
            r#"{{"v":1,"artefact":"{nowhere}","what":"began","to":"alpha","rule":"began","day":"2026-11-16"}}"#
        );
        let new = New { edge_of: Some(nowhere.to_owned()), entry: entry.into_bytes(), nonce: None };
        log_entries::append(tx, new).map(drop)
    });
    let found = verify(server.base(), &["--forget"]);
    assert_eq!(found.code, Some(1), "what is logged is not there: {}", found.said);
    assert!(found.problems().contains(&"without_proof".to_owned()), "{}", found.said);
    place.write(|tx| tx.execute("UPDATE log_entries SET leaf = entry WHERE position = 3", &[]).map(drop));
    let found = verify(server.base(), &["--forget"]);
    assert_eq!(found.code, Some(1), "an answer fails: {}", found.said);
    assert!(found.problems().len() > 1, "{}", found.said);
}
