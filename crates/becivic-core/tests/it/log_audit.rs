//! Logs that somebody touched: each manipulation is found and named.

use becivic_core::log::{
    Carried, Checkpoint, ENTRY_VERSION, Entry, Peaks, Problem, Signer, Source, Tile, What, audit, bundle,
    leaf,
};
use becivic_core::vocabulary::Status;
use serde_json::Map;
use std::collections::BTreeMap;
use std::convert::Infallible;

const NAME: &str = "becivic.example/log";
const SIZE: u64 = 700;

/// A log as it is published: a note, and files by their names.
#[derive(Clone)]
struct Published {
    note: String,
    files: BTreeMap<String, Vec<u8>>,
}

impl Source for Published {
    type Error = Infallible;

    fn tile(&mut self, tile: Tile) -> Result<Option<Vec<u8>>, Infallible> {
        Ok(self.files.get(&tile.to_string()).cloned())
    }
}

fn signer(secret: u8) -> Signer {
    Signer::new(NAME, &[secret; 32]).expect("a name")
}

/// Values that begin at alpha, one after another; every third comes back as something else.
fn entries(size: u64) -> Vec<Vec<u8>> {
    let entry = |number: u64| {
        let again = number % 3 == 2;
        let artefact = format!("volatile_value:val-{:05}", if again { number - 2 } else { number });
        let from = again.then_some(Status::Alpha);
        let (what, to, rule) = if again {
            (What::Deprecation, Status::Deprecated, "maintainer")
        } else {
            (What::Began, Status::Alpha, "began")
        };
        Entry {
            v: ENTRY_VERSION,
            artefact,
            what,
            from,
            to: Some(to),
            version: None,
            rule: rule.to_owned(),
            numbers: Map::new(),
            policy: None,
            day: "2026-11-16".to_owned(),
            inputs: None,
            content: Some("0".repeat(64)),
        }
        .bytes()
    };
    (0..size).map(entry).collect()
}

fn served(size: u64) -> BTreeMap<String, (Status, Option<String>)> {
    let each = |number: u64| {
        let touched = number.is_multiple_of(3) && number + 2 < size;
        let status = if touched { Status::Deprecated } else { Status::Alpha };
        (format!("volatile_value:val-{number:05}"), (status, None))
    };
    (0..size).filter(|number| number % 3 != 2).map(each).collect()
}

fn published(entries: &[Vec<u8>], signer: &Signer) -> Published {
    let mut peaks = Peaks::default();
    let mut levels: BTreeMap<u8, Vec<[u8; 32]>> = BTreeMap::new();
    for entry in entries {
        let hash = leaf(entry);
        let grown = peaks.append(hash);
        levels.entry(0).or_default().push(hash);
        grown.above.into_iter().for_each(|(level, hash)| levels.entry(level).or_default().push(hash));
    }
    let size = entries.len() as u64;
    let mut files = BTreeMap::new();
    for (chunk, tile) in entries.chunks(256).zip(Tile::bundles(size)) {
        files.insert(tile.to_string(), bundle(chunk.iter().map(Vec::as_slice)).expect("short entries"));
    }
    for (level, hashes) in &levels {
        for (index, chunk) in hashes.chunks(256).enumerate() {
            let tile = Tile { level: Some(*level), index: index as u64, width: chunk.len() as u64 };
            files.insert(tile.to_string(), chunk.concat());
        }
    }
    let note = Checkpoint { origin: NAME.to_owned(), size, root: peaks.root() }.signed(signer);
    Published { note, files }
}

fn good() -> Published {
    published(&entries(SIZE), &signer(1))
}

/// What an audit finds wrong, by somebody who saw the log at an earlier length.
fn problems(log: &Published, seen: Option<&Published>) -> Vec<Problem> {
    let key = signer(1);
    let seen = seen.map(|it| Checkpoint::open(&it.note, key.verifier()).expect("a good one"));
    let Ok(mut found) = audit(&mut log.clone(), &log.note, key.verifier(), seen.as_ref(), |_| {});
    found.compare(&served(SIZE));
    found.problems
}

#[test]
fn a_log_that_nobody_touched_is_good_also_for_whoever_saw_it_before() {
    assert_eq!(problems(&good(), None), []);
    for size in [0, 1, 255, 256, 512, 699, SIZE] {
        assert_eq!(problems(&good(), Some(&published(&entries(size), &signer(1)))), [], "{size}");
    }
}

#[test]
fn every_manipulation_is_found_and_named() {
    type Touch = fn(&mut Published);
    type Found = fn(&Problem) -> bool;
    fn rewritten(touch: fn(&mut Vec<Vec<u8>>)) -> Published {
        let mut all = entries(SIZE);
        touch(&mut all);
        published(&all, &signer(1))
    }
    let cut: Touch = |log| log.files.get_mut("tile/0/001").expect("a tile").truncate(8_000);
    let cut_bundle: Touch = |log| log.files.get_mut("tile/entries/001").expect("a bundle").truncate(8_000);
    let missing: Touch = |log| drop(log.files.remove("tile/1/000.p/2"));
    let changed: Touch = |log| {
        let bundle = log.files.get_mut("tile/entries/000").expect("a bundle");
        let at = bundle.windows(12).position(|it| it == b"\"to\":\"alpha\"").expect("an entry");
        bundle[at + 6..at + 11].copy_from_slice(b"draft");
    };
    let removed: Touch = |log| {
        let mut all = entries(SIZE);
        all.remove(300);
        let last = all.split_off(512);
        *log.files.get_mut("tile/entries/001").expect("a bundle") =
            bundle(all.iter().skip(256).map(Vec::as_slice)).expect("short");
        *log.files.get_mut("tile/entries/002.p/188").expect("a bundle") =
            bundle(last.iter().map(Vec::as_slice)).expect("short");
    };
    let changed_tile: Touch = |log| log.files.get_mut("tile/0/001").expect("a tile")[40] ^= 1;
    let wrong_key: Touch = |log| log.note = published(&entries(SIZE), &signer(2)).note;
    let unsigned: Touch = |log| log.note = log.note.replacen("700", "699", 1);
    let cases: [(&str, Touch, Found); 8] = [
        (
            "a truncated tile",
            cut,
            |it| matches!(it, Problem::TruncatedTile { tile, has: 250, due: 256 } if tile == "tile/0/001"),
        ),
        (
            "a truncated bundle",
            cut_bundle,
            |it| matches!(it, Problem::TruncatedTile { tile, has, .. } if tile == "tile/entries/001" && *has > 0),
        ),
        (
            "a missing tile",
            missing,
            |it| matches!(it, Problem::MissingTile { tile } if tile == "tile/1/000.p/2"),
        ),
        (
            "a changed entry",
            changed,
            |it| matches!(it, Problem::ChangedTile { tile, place: 0 } if tile == "tile/0/000"),
        ),
        (
            "a removed entry",
            removed,
            |it| matches!(it, Problem::TruncatedTile { tile, has: 187, .. } if tile == "tile/entries/002.p/188"),
        ),
        ("a changed tile", changed_tile, |it| matches!(it, Problem::ChangedTile { place: 257, .. })),
        ("a wrong key", wrong_key, |it| matches!(it, Problem::BadCheckpoint { .. })),
        ("a checkpoint of another size", unsigned, |it| matches!(it, Problem::BadCheckpoint { .. })),
    ];
    for (name, touch, is_it) in cases {
        let mut log = good();
        touch(&mut log);
        let found = problems(&log, Some(&published(&entries(600), &signer(1))));
        assert!(found.iter().any(is_it), "{name}: {found:?}");
    }
    // Whoever holds the key can write what they like, once.
    let seen = published(&entries(600), &signer(1));
    let forked = rewritten(|all| all[10] = all[11].clone());
    let found = problems(&forked, Some(&seen));
    assert!(found.contains(&Problem::Forked { size: 600 }), "{found:?}");
    let found = problems(&published(&entries(500), &signer(1)), Some(&seen));
    assert!(found.contains(&Problem::RolledBack { had: 600, has: 500 }), "{found:?}");
    let other_root = Checkpoint { origin: NAME.to_owned(), size: SIZE, root: [3; 32] }.signed(&signer(1));
    let found = problems(&Published { note: other_root, ..good() }, None);
    assert!(found.iter().any(|it| matches!(it, Problem::OtherRoot { .. })), "{found:?}");
    // What is served says something else than the log.
    let other = published(&entries(SIZE - 1), &signer(1));
    let found = problems(&other, None);
    assert!(matches!(&found[..], [Problem::Amiss(_)]), "{found:?}");
    assert!(found[0].to_string().contains("is not served") || found[0].to_string().contains("is served"));
}

#[test]
fn a_proof_that_travels_holds_only_for_its_artefact_and_its_log() {
    let (all, key) = (entries(SIZE), signer(1));
    let carried = |index: usize, log: &[Vec<u8>], signer: &Signer| {
        let mut peaks = Peaks::default();
        let mut proof = Vec::new();
        for entry in &log[..=index] {
            proof = peaks.append(leaf(entry)).proof;
        }
        use base64::Engine;
        Carried {
            index: index as u64,
            entry: String::from_utf8(log[index].clone()).expect("text"),
            nonce: None,
            proof: proof.iter().map(|it| base64::engine::general_purpose::STANDARD.encode(it)).collect(),
            checkpoint: Checkpoint { origin: NAME.to_owned(), size: index as u64 + 1, root: peaks.root() }
                .signed(signer),
        }
    };
    let artefact = "volatile_value:val-00300";
    let wrong = |it: &Carried, artefact: &str| {
        let log = good();
        let Ok(mut found) = audit(&mut log.clone(), &log.note, key.verifier(), None, |_| {});
        found.compare_proof(artefact, it, None, key.verifier());
        found.problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("; ")
    };
    let right = carried(302, &all, &key);
    assert_eq!(wrong(&right, artefact), "");
    assert!(right.check(artefact, key.verifier()).is_ok());
    let cases = [
        (carried(300, &all, &key), artefact, "not the latest entry"),
        (right.clone(), "volatile_value:val-00301", "about something else"),
        (Carried { proof: Vec::new(), ..right.clone() }, artefact, "does not lead"),
        (Carried { proof: vec!["?".to_owned()], ..right.clone() }, artefact, "does not lead"),
        (Carried { index: 301, ..right.clone() }, artefact, "does not lead"),
        (carried(302, &all, &signer(2)), artefact, "not believed"),
        (
            Carried { entry: right.entry.replace("deprecated", "stable"), ..right.clone() },
            artefact,
            "does not lead",
        ),
    ];
    for (it, artefact, told) in cases {
        assert!(wrong(&it, artefact).contains(told), "{told}: {}", wrong(&it, artefact));
    }
    let mut forked = all.clone();
    forked[7] = all[9].clone();
    assert!(wrong(&carried(302, &forked, &key), artefact).contains("of another log"));
}
