//! The transparency log from outside: whoever reads it finds that every status follows, and finds out when something was touched.

mod touched;

use crate::harness::{Engine, Place, Server, Setup, root};
use becivic_core::consensus::{Ballot, Kind, Policy, Verdict};
use becivic_core::log::{Checkpoint, Entry, Peaks, Signer, Tile, Verifier, bundle, leaf, unbundle};
use becivic_core::vocabulary::Status;
use becivic_server::app::{App, Role};
use becivic_server::config::Config;
use becivic_server::consensus::land::{Landing, land, place};
use becivic_server::consensus::{self, rows};
use becivic_server::db::catalogue::{self, Prefix};
use becivic_server::db::votes::Vote;
use becivic_server::db::{DbError, Tx, log_entries, standings};
use becivic_server::jobs::Lease;
use becivic_server::jobs::tick;
use becivic_server::moment::{Clock, Moment};
use becivic_server::transparency;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

/// Values that are made beside those of the fixtures.
const VALUES: usize = 2_500;

/// Thresholds that one or two people reach at once, so that much happens.
const EASY: &[(&str, &str)] = &[
    ("BECIVIC_CONSENSUS__BETA_CONFIRMS", "1"),
    ("BECIVIC_CONSENSUS__BETA_DISTINCT", "1"),
    ("BECIVIC_CONSENSUS__BETA_AGE", "0s"),
    ("BECIVIC_CONSENSUS__STABLE_CONFIRMS", "2"),
    ("BECIVIC_CONSENSUS__STABLE_DISTINCT", "2"),
    ("BECIVIC_CONSENSUS__STABLE_AGE", "0s"),
    ("BECIVIC_CONSENSUS__QUARANTINE_FLAGS_STABLE", "1"),
];

fn open(place: &Place, clock: &Arc<AtomicI64>) -> Arc<App> {
    let environment = EASY.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let mut config = Config::load(None, environment).expect("a configuration");
    config.server.data = place.data(0).display().to_string();
    config.server.database = place.url();
    config.server.pepper_file = place.folder().join("pepper.key").display().to_string();
    config.server.corpus = root().join("fixtures/corpus").display().to_string();
    let names = crate::names::bundled().expect("sound weights");
    App::open(config, names, Clock::Set(Arc::clone(clock)), Role::Serve).expect("it opens").0
}

/// Pieces of work in a transaction: each of them waits for the disk.
const TOGETHER: usize = 500;

/// A vote on a value, landed as the pipeline lands it.
fn vote(
    tx: &mut dyn Tx,
    policy: &Policy,
    uid: &str,
    number: usize,
    ballot: Ballot,
    now: Moment,
) -> Result<(), DbError> {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&(number as u64).to_be_bytes());
    let mut who = [7; 32];
    who[0] = (number % 2) as u8;
    let row = catalogue::current(tx, uid)?.expect("a row").key;
    let vote = Vote {
        vote_key: key,
        target_type: "volatile_value",
        target_id: uid.to_owned(),
        artefact: format!("volatile_value:{uid}"),
        cohort: row.clone(),
        cohort_anchor: None,
        ballot,
        weight: 1,
        rationale: None,
        injection_reason: None,
        traversal: None,
        session_id: None,
        day: now.day(),
    };
    let place = place(tx, &vote, &row)?;
    let landing = Landing { vote: &vote, kind: Some(Kind::Value), fresh_salt: &[3; 32], policy, now };
    land(tx, &landing, place, |_| who).map(drop)
}

/// Does something with each value, many to a transaction.
fn each(
    app: &App,
    uids: &[(usize, String)],
    work: impl Fn(&mut dyn Tx, usize, &str) -> Result<(), DbError> + Clone + Send + 'static,
) {
    for some in uids.chunks(TOGETHER) {
        let (some, work) = (some.to_vec(), work.clone());
        let done =
            app.db.write_now(move |tx| some.iter().try_for_each(|(number, uid)| work(tx, *number, uid)));
        done.expect("it is done");
    }
}

/// Ticks; says how many were promoted.
fn tick(app: &App) -> usize {
    let lease = Lease::take(app, tick::NAME).expect("asked").expect("nobody else ticks");
    let summary = tick::run(app, &lease, tick::Mode::Carry).expect("it ticks");
    lease.give_back("well");
    summary.of(tick::End::Promoted)
}

/// Four changes and more of each of some values, of every kind that they go through: minted, promoted twice, put away, brought back.
fn busy(place: &Place, values: usize) -> u64 {
    let now = Moment::read("2026-11-16T12:00:00Z").expect("a time");
    let app = open(place, &Arc::new(AtomicI64::new(now.0)));
    let confirm = Ballot { verdict: Verdict::Confirm, flag: false, probe: false, handoff: false };
    let flag = Ballot { verdict: Verdict::Reject, flag: true, ..confirm };
    let policy = consensus::policy(&app.config.consensus);
    let minted = app.db.write_now(move |tx| {
        let mut uids = Vec::new();
        for number in 0..values {
            let content =
                serde_json::json!({"value": number.to_string(), "value_type": "string"}).to_string();
            let (uid, _) = catalogue::mint(tx, Prefix::Value, &format!("made-{number}"), &content, now)?;
            transparency::minted(tx, ("volatile_value", &uid), now)?;
            uids.push((number, uid));
        }
        Ok(uids)
    });
    let uids = minted.expect("values");
    let confirming = policy.clone();
    each(&app, &uids, move |tx, number, uid| {
        vote(tx, &confirming, uid, 4 * number, confirm, now)?;
        vote(tx, &confirming, uid, 4 * number + 1, confirm, now)
    });
    // Some of them and one step at a time: to beta, then to stable.
    while tick(&app) > 0 {}
    let flagged: Vec<(usize, String)> = uids.iter().step_by(2).cloned().collect();
    each(&app, &flagged, move |tx, number, uid| vote(tx, &policy, uid, 4 * number + 2, flag, now));
    each(&app, &flagged, move |tx, _, uid| {
        assert!(rows::reinstate(tx, "volatile_value", uid, now)?, "what was put away comes back");
        Ok(())
    });
    let size = app.db.read_now(|tx| log_entries::peaks(tx)).expect("asked").size();
    let asked = app.db.read_now(|tx| {
        let (mut all, mut begun) = (BTreeMap::new(), BTreeSet::new());
        log_entries::each_edge(tx, |name, _| {
            begun.extend(name.strip_prefix("volatile_value:").map(str::to_owned));
            Ok(())
        })?;
        standings::each_served(tx, "volatile_value", |it| {
            all.insert(it.target_id, it.status);
            Ok(())
        })?;
        Ok((all, begun))
    });
    let (all, begun) = asked.expect("asked");
    let stable = all.values().filter(|status| **status == Some(Status::Stable)).count();
    assert!(stable >= values, "{stable} are stable again; {all:?}");
    assert!(begun.iter().eq(all.keys()), "what is there began, and nothing else");
    app.db.close();
    size
}

struct Verified {
    code: Option<i32>,
    said: Value,
}

fn verify(what: &str, more: &[&str]) -> Verified {
    let ended =
        Command::new(env!("CARGO_BIN_EXE_becivic")).arg("verify").arg(what).arg("--json").args(more).output();
    let ended = ended.expect("becivic runs");
    let said = serde_json::from_slice(&ended.stdout).unwrap_or(Value::Null);
    assert!(said.is_object() || !ended.stderr.is_empty(), "{ended:?}");
    Verified { code: ended.status.code(), said }
}

impl Verified {
    fn problems(&self) -> Vec<String> {
        let all = self.said["problems"].as_array().cloned().unwrap_or_default();
        all.iter().map(|it| it["problem"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

/// The log as somebody with its key would write it anew.
fn rewritten(copy: &Path, signer: &Signer, touch: impl FnOnce(&mut Vec<Vec<u8>>)) {
    let note = fs::read_to_string(copy.join("log/checkpoint")).expect("a checkpoint");
    let size = Checkpoint::open(&note, signer.verifier()).expect("ours").size;
    let mut entries: Vec<Vec<u8>> = Vec::new();
    for tile in Tile::bundles(size) {
        let bytes = fs::read(copy.join(format!("log/{tile}"))).expect("a bundle");
        entries.extend(unbundle(&bytes).expect("entries").into_iter().map(<[u8]>::to_vec));
    }
    touch(&mut entries);
    fs::remove_dir_all(copy.join("log/tile")).expect("it was there");
    let mut peaks = Peaks::default();
    let mut levels: Vec<Vec<[u8; 32]>> = vec![Vec::new(); 4];
    for entry in &entries {
        let hash = leaf(entry);
        levels[0].push(hash);
        for (level, hash) in peaks.append(hash).above {
            levels[usize::from(level)].push(hash);
        }
    }
    let write = |name: String, bytes: Vec<u8>| {
        let place = copy.join("log").join(name);
        fs::create_dir_all(place.parent().expect("a folder")).expect("made");
        fs::write(place, bytes).expect("written");
    };
    for (chunk, tile) in entries.chunks(256).zip(Tile::bundles(entries.len() as u64)) {
        write(tile.to_string(), bundle(chunk.iter().map(Vec::as_slice)).expect("short"));
    }
    for (level, hashes) in levels.iter().enumerate() {
        for (index, chunk) in hashes.chunks(256).enumerate() {
            let tile = Tile { level: Some(level as u8), index: index as u64, width: chunk.len() as u64 };
            write(tile.to_string(), chunk.concat());
        }
    }
    let origin = signer.verifier().name().to_owned();
    let state = Checkpoint { origin, size: entries.len() as u64, root: peaks.root() };
    fs::write(copy.join("log/checkpoint"), state.signed(signer)).expect("written");
}

fn copied(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    let done = Command::new("cp").arg("-r").arg(from).arg(to).status().expect("cp runs");
    assert!(done.success());
}

/// What is done to a copy of the log, and what is said of it.
type Case = (&'static str, fn(&Path, &Signer), &'static str);

const MANIPULATIONS: &[Case] = &[
    ("a truncated tile", |copy, _| cut(&copy.join("log/tile/0/003")), "truncated_tile"),
    ("a truncated bundle", |copy, _| cut(&copy.join("log/tile/entries/003")), "truncated_tile"),
    (
        "a missing tile",
        |copy, _| fs::remove_file(copy.join("log/tile/0/005")).expect("it was there"),
        "missing_tile",
    ),
    (
        "a changed entry",
        |copy, _| {
            let place = copy.join("log/tile/entries/010");
            let text =
                String::from_utf8_lossy(&fs::read(&place).expect("a bundle")).replacen("alpha", "draft", 1);
            fs::write(place, text.as_bytes()).expect("written");
        },
        "changed_tile",
    ),
    (
        "a removed entry, signed again",
        |copy, signer| rewritten(copy, signer, |entries| drop(entries.remove(20))),
        "rolled_back",
    ),
    (
        "a fork: another entry in the place of one, signed again",
        |copy, signer| rewritten(copy, signer, |entries| entries[20] = entries[21].clone()),
        "forked",
    ),
    (
        "a rolled-back log",
        |copy, signer| rewritten(copy, signer, |entries| entries.truncate(4_000)),
        "rolled_back",
    ),
    (
        "a wrong key",
        |copy, signer| {
            let other = Signer::new(signer.verifier().name(), &[9; 32]).expect("a name");
            rewritten(copy, signer, |_| {});
            let note = fs::read_to_string(copy.join("log/checkpoint")).expect("a checkpoint");
            let state = Checkpoint::open(&note, signer.verifier()).expect("ours");
            fs::write(copy.join("log/checkpoint"), state.signed(&other)).expect("written");
            fs::write(copy.join("log/key"), other.verifier().to_string()).expect("written");
        },
        "bad_checkpoint",
    ),
    (
        "a status that does not follow",
        |copy, _| {
            let place = copy.join("served.json");
            let text = fs::read_to_string(&place).expect("a list").replacen("\"stable\"", "\"beta\"", 1);
            fs::write(place, text).expect("written");
        },
        "served_otherwise",
    ),
    (
        "an artefact that the log does not know",
        |copy, _| {
            let place = copy.join("served.json");
            let text = fs::read_to_string(&place).expect("a list");
            fs::write(place, text.replacen("volatile_value:val-", "volatile_value:val-9", 1))
                .expect("written");
        },
        "not_in_log",
    ),
    (
        "a promotion without the votes for it, signed again",
        |copy, signer| {
            rewritten(copy, signer, |entries| {
                let at = entries
                    .iter()
                    .position(|it| it.windows(11).any(|word| word == b"\"promotion\""))
                    .expect("one");
                let mut entry = Entry::read(&entries[at]).expect("an entry");
                entry.numbers.insert("confirms".to_owned(), 0.into());
                entries[at] = entry.bytes();
            });
        },
        "does_not_follow",
    ),
];

fn cut(file: &Path) {
    let bytes = fs::read(file).expect("a file");
    fs::write(file, &bytes[..bytes.len() - 40]).expect("written");
}

/// The files of a copy, as another implementation of the format asks for them.
struct Files<'a>(&'a Path);

impl tlog_tiles::TileReader for Files<'_> {
    fn height(&self) -> u8 {
        8
    }

    fn read_tiles(&self, tiles: &[tlog_tiles::Tile]) -> Result<Vec<Vec<u8>>, tlog_tiles::Error> {
        // It names the height of tiles too, which this format fixes.
        let place =
            |tile: &tlog_tiles::Tile| self.0.join("log").join(tile.path().replacen("tile/8/", "tile/", 1));
        Ok(tiles.iter().map(|tile| fs::read(place(tile)).expect("a tile")).collect())
    }

    fn save_tiles(&self, _: &[tlog_tiles::Tile], _: &[Vec<u8>]) {}
}

fn somebody_elses_program_agrees(copy: &Path, size: u64) {
    let read = |name: &str| fs::read_to_string(copy.join(name)).expect("a file");
    let note = signed_note::Note::from_bytes(read("log/checkpoint").as_bytes()).expect("a note");
    let key = signed_note::StandardVerifier::new(read("log/key").trim()).expect("a key");
    let (verified, _) =
        note.verify(&signed_note::VerifierList::new(vec![Box::new(key)])).expect("a signature");
    assert_eq!(verified.len(), 1);
    let state = tlog_tiles::Checkpoint::from_bytes(note.text()).expect("a checkpoint");
    assert_eq!(state.size(), size);
    let files = Files(copy);
    let reader = tlog_tiles::TileHashReader::new(size, *state.hash(), &files);
    for index in [0, 1, 255, 256, size / 2, size - 1] {
        let proof = tlog_tiles::prove_record(size, index, &reader).expect("a proof");
        let bundle = Tile::bundles(size).nth(usize::try_from(index / 256).expect("small")).expect("a bundle");
        let bytes = fs::read(copy.join(format!("log/{bundle}"))).expect("a bundle");
        let entries = unbundle(&bytes).expect("entries");
        let record = tlog_tiles::record_hash(entries[usize::try_from(index % 256).expect("small")]);
        tlog_tiles::check_record(&proof, size, *state.hash(), index, record).expect("the entry is there");
    }
    for old in [1, 300, size - 1] {
        let root = tlog_tiles::tree_hash(old, &reader).expect("a root");
        let proof = tlog_tiles::prove_tree(size, old, &reader).expect("a proof");
        tlog_tiles::check_tree(&proof, size, *state.hash(), old, root).expect("it is the beginning");
    }
}

#[test]
fn a_log_of_ten_thousand_changes_is_good_and_every_manipulation_is_found() {
    let place = Place::new(Engine::Sqlite);
    let size = busy(&place, VALUES);
    assert!(size >= 10_000, "{size} entries");
    let setup = EASY.iter().fold(Setup::fixtures(), |setup, (name, value)| {
        setup.with(name.trim_start_matches("BECIVIC_"), value)
    });
    let server = Server::start(&place, &setup);
    let (copy, memory) = (place.folder().join("copy"), place.folder().join("memory.json"));
    let named = [copy.to_str().expect("text"), memory.to_str().expect("text")];
    let first = verify(server.base(), &["--keep", named[0], "--memory", named[1]]);
    assert_eq!(first.code, Some(0), "{}", first.said);
    assert_eq!((first.said["verdict"].as_str(), first.said["size"].as_u64()), (Some("good"), Some(size)));
    assert_eq!(first.said["artefacts"], first.said["proofs"], "each comes with its proof");
    let again = verify(server.base(), &["--memory", named[1], "--no-proofs"]);
    assert_eq!((again.code, again.said["seen_size"].as_u64()), (Some(0), Some(size)));
    server.stop();
    let offline = Command::new(env!("CARGO_BIN_EXE_becivic"))
        .arg("verify")
        .arg(place.data(0))
        .args(["--forget", "--database", &place.url()])
        .env("BECIVIC_SERVER__PEPPER_FILE", place.folder().join("pepper.key"))
        .output()
        .expect("becivic runs");
    assert!(offline.status.success(), "{offline:?}");
    assert!(String::from_utf8_lossy(&offline.stdout).contains("verdict   good"), "{offline:?}");

    somebody_elses_program_agrees(&copy, size);

    let secret: [u8; 32] =
        fs::read(place.folder().join("log.key")).expect("a key").try_into().expect("32 bytes");
    let key = Verifier::read(&fs::read_to_string(copy.join("log/key")).expect("a key")).expect("a key");
    let signer = Signer::new(key.name(), &secret).expect("a name");
    assert_eq!(*signer.verifier(), key);
    for (name, touch, problem) in MANIPULATIONS {
        let touched = place.folder().join("touched");
        copied(&copy, &touched);
        touch(&touched, &signer);
        let found = verify(touched.to_str().expect("text"), &["--memory", named[1]]);
        assert_eq!(found.code, Some(1), "{name}: {}", found.said);
        assert!(found.problems().iter().any(|it| it == problem), "{name}: {:?}", found.said["problems"]);
    }
    assert_eq!(
        verify(named[0], &["--memory", named[1]]).code,
        Some(0),
        "and what nobody touched is still good"
    );
}

fn nobody_is_in_the_log(server: &Server, place: &Place) {
    let checkpoint = server.get("/log/checkpoint").text;
    let size: u64 = checkpoint.lines().nth(1).and_then(|line| line.parse().ok()).expect("a size");
    assert!(size > 5);
    let looked = verify(server.base(), &["--forget"]);
    assert_eq!(looked.code, Some(0), "{}", looked.said);
    let skill = server.get("/api/skills/arrival-declaration").json();
    let log = &skill["log"];
    assert!(log["proof"].is_array() && log["checkpoint"].is_string() && log["nonce"].is_string(), "{log}");
    assert!(log["happened"].as_str().is_some_and(|it| it.starts_with("skill:arrival-declaration ")), "{log}");
    let page = server.get("/skills/arrival-declaration.md").text;
    assert!(page.contains(log["entry"].as_str().expect("an entry")), "the page carries the same entry");
    let first = log["proof"][0].as_str().expect("a hash");
    assert!(
        page.contains(first) && page.contains(checkpoint.lines().next().expect("an origin")),
        "and its proof"
    );
    // Keys of the log are only in their file.
    let secret = fs::read(place.folder().join("log.key")).expect("a key");
    assert_eq!(secret.len(), 32);
    for wrong in [
        "/log/tile/0/x000/000",
        "/log/tile/0/999",
        "/log/tile/9/000",
        "/log/tile/entries/000.p/0",
        "/log/nothing",
    ] {
        assert_eq!(server.get(wrong).status, 404, "{wrong}");
    }
}

mod strangers {
    use super::nobody_is_in_the_log;
    use crate::harness::Setup;
    use crate::harness::table::{cases, on_both_engines};

    on_both_engines!(Setup::fixtures(), cases![nobody_is_in_the_log]);
}

#[test]
fn what_is_served_is_what_was_logged() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::fixtures().unlimited());
    let good = verify(server.base(), &["--forget"]);
    assert_eq!((good.code, &good.said["contents"]), (Some(0), &good.said["artefacts"]), "{}", good.said);
    // A row says something else, and nothing else does.
    place.write(|tx| {
        const SQL: &str = "UPDATE catalogue_rows SET content = replace(content, '{', '{\"as_of\": \"1999\", ') \
             WHERE superseded_at IS NULL AND uid = (SELECT min(uid) FROM catalogue_rows)";
        tx.execute(SQL, &[]).map(drop)
    });
    let bad = verify(server.base(), &["--forget"]);
    assert_eq!((bad.code, bad.problems()), (Some(1), vec!["other_content".to_owned()]), "{}", bad.said);
}

#[test]
fn whoever_only_looks_writes_nothing_down() {
    let place = Place::new(Engine::Sqlite);
    let setup = EASY.iter().fold(Setup::fixtures(), |setup, (name, value)| {
        setup.with(name.trim_start_matches("BECIVIC_"), value)
    });
    Server::start(&place, &setup).stop();
    let size = || place.db().read_now(|tx| log_entries::peaks(tx)).expect("read").size();
    let before = size();
    for look in [&["tick", "--dry-run"][..], &["commit", "--dry-run"], &["review", "list"]] {
        let ended = Command::new(env!("CARGO_BIN_EXE_becivic"))
            .args(look)
            .args(["--data", place.data(0).to_str().expect("text"), "--database", &place.url()])
            .env("BECIVIC_SERVER__PEPPER_FILE", place.folder().join("pepper.key"))
            .output()
            .expect("becivic runs");
        assert!(ended.status.success(), "{look:?}: {ended:?}");
        assert_eq!(size(), before, "{look:?} under other thresholds");
    }
}

#[test]
fn what_is_no_log_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases = [
        (folder.path().to_str().expect("text"), 2, "holds neither a log"),
        ("http://127.0.0.1:9", 3, "cannot reach"),
        ("https://", 2, "a server is an address"),
        ("nowhere-at-all", 2, "there is no nowhere-at-all"),
    ];
    for (what, code, told) in cases {
        let ended = Command::new(env!("CARGO_BIN_EXE_becivic"))
            .args(["verify", what, "--forget"])
            .output()
            .expect("runs");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(code), "{what}: {said}");
        assert!(said.contains(told), "{what}: {said}");
    }
}
