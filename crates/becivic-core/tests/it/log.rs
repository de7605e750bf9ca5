//! The transparency log beside another implementation of its formats (`tlog_tiles`, `signed_note`: ports of Go's own).

use becivic_core::log::{
    BadCheckpoint, BadNote, Checkpoint, EMPTY_ROOT, Hash, Peaks, Signer, Tile, Unproved, Verifier, WIDTH,
    consistency, inclusion, is_consistent, is_included, leaf, root,
};
use proptest::prelude::*;
use signed_note::{Note, StandardSigner, StandardVerifier, VerifierList};
use std::collections::BTreeMap;
use std::convert::Infallible;
use tlog_tiles::{HashReader, TileHashReader, TileReader};

const NAME: &str = "becivic.example/log";

/// A log as we keep it: leaves, the hashes of higher tiles, and the peaks.
#[derive(Default)]
struct Ours {
    peaks: Peaks,
    levels: BTreeMap<u8, Vec<Hash>>,
    proofs: Vec<Vec<Hash>>,
}

impl Ours {
    fn of(size: u64) -> Self {
        let mut log = Self::default();
        for number in 0..size {
            let leaf = leaf(entry(number).as_bytes());
            let grown = log.peaks.append(leaf);
            log.levels.entry(0).or_default().push(leaf);
            for (level, hash) in grown.above {
                log.levels.entry(level).or_default().push(hash);
            }
            log.proofs.push(grown.proof);
        }
        log
    }

    fn tile(&self, tile: Tile) -> Result<Vec<u8>, Infallible> {
        let hashes = tile.level.and_then(|level| self.levels.get(&level)).map_or(&[][..], Vec::as_slice);
        let first = usize::try_from(tile.first()).expect("a small log");
        let width = usize::try_from(tile.width).expect("a width");
        Ok(hashes.iter().skip(first).take(width).flatten().copied().collect())
    }

    fn leaf(&self, index: u64) -> Hash {
        self.levels[&0][usize::try_from(index).expect("a small log")]
    }
}

fn entry(number: u64) -> String {
    format!("entry {number}, as long as {}", "it likes ".repeat((number % 7) as usize))
}

/// The same log as the other implementation keeps it.
#[derive(Default)]
struct Theirs(Vec<tlog_tiles::Hash>);

impl Theirs {
    fn of(size: u64) -> Self {
        let mut log = Self::default();
        for number in 0..size {
            let more = tlog_tiles::stored_hashes(number, entry(number).as_bytes(), &log).expect("hashes");
            log.0.extend(more);
        }
        log
    }
}

impl HashReader for Theirs {
    fn read_hashes(&self, indexes: &[u64]) -> Result<Vec<tlog_tiles::Hash>, tlog_tiles::Error> {
        Ok(indexes.iter().map(|index| self.0[usize::try_from(*index).expect("a small log")]).collect())
    }
}

/// Our tiles, as the other implementation asks for them: by their names.
impl TileReader for Ours {
    fn height(&self) -> u8 {
        8
    }

    fn read_tiles(&self, tiles: &[tlog_tiles::Tile]) -> Result<Vec<Vec<u8>>, tlog_tiles::Error> {
        let named = |tile: &tlog_tiles::Tile| {
            // They name the height of tiles too, which this format fixes.
            Tile::read(&tile.path().replacen("tile/8/", "tile/", 1)).expect("a name of the format")
        };
        Ok(tiles.iter().map(|tile| self.tile(named(tile)).unwrap_or_default()).collect())
    }

    fn save_tiles(&self, _: &[tlog_tiles::Tile], _: &[Vec<u8>]) {}
}

#[test]
fn both_agree_on_every_root_of_a_growing_log() {
    let theirs = Theirs::of(1_100);
    let mut peaks = Peaks::default();
    assert_eq!((peaks.root(), EMPTY_ROOT), (EMPTY_ROOT, tlog_tiles::EMPTY_HASH.0));
    for number in 0..1_100 {
        peaks.append(leaf(entry(number).as_bytes()));
        assert_eq!(peaks.root(), tlog_tiles::tree_hash(number + 1, &theirs).expect("a root").0, "{number}");
    }
}

#[test]
fn a_leaf_is_proved_by_the_peaks_before_it_and_that_proof_is_theirs() {
    let (ours, theirs) = (Ours::of(600), Theirs::of(600));
    for index in 0..600 {
        let proof = &ours.proofs[usize::try_from(index).expect("small")];
        let expected: Vec<Hash> = tlog_tiles::prove_record(index + 1, index, &theirs)
            .expect("a proof")
            .iter()
            .map(|it| it.0)
            .collect();
        assert_eq!(*proof, expected, "{index}");
        let after = Peaks::after(index, proof, ours.leaf(index)).expect("peaks");
        let size = index + 1;
        assert_eq!((after.size(), after.root()), (size, root(size, |tile| ours.tile(tile)).expect("a root")));
        assert!(is_included(index, ours.leaf(index), proof, size, &after.root()), "{index}");
    }
    assert_eq!(Peaks::after(3, &[], [0; 32]), None);
}

#[test]
fn proofs_from_tiles_of_three_levels_are_theirs() {
    let size = WIDTH * WIDTH + 3 * WIDTH + 5;
    let (ours, theirs) = (Ours::of(size), Theirs::of(size));
    let top = root(size, |tile| ours.tile(tile)).expect("a root");
    assert_eq!(
        (top, ours.peaks.root()),
        (ours.peaks.root(), tlog_tiles::tree_hash(size, &theirs).expect("a root").0)
    );
    for index in [0, 1, 255, 256, 65_535, 65_536, 65_537, size - 1] {
        let proof = inclusion(index, size, |tile| ours.tile(tile)).expect("a proof");
        let expected: Vec<Hash> =
            tlog_tiles::prove_record(size, index, &theirs).expect("a proof").iter().map(|it| it.0).collect();
        assert_eq!(proof, expected, "{index}");
        assert!(is_included(index, ours.leaf(index), &proof, size, &top));
    }
    // They read our tiles by their names, and check each against the root.
    let hash = tlog_tiles::Hash(top);
    let reader = TileHashReader::new(size, hash, &ours);
    let proof = tlog_tiles::prove_record(size, 12_345, &reader).expect("a proof from our tiles");
    let record = tlog_tiles::record_hash(entry(12_345).as_bytes());
    tlog_tiles::check_record(&proof, size, hash, 12_345, record).expect("the leaf is there");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_two_trees_and_any_leaf_are_proved_as_theirs_and_no_other_way(size in 1_u64..900, a in 0_u64..900, b in 0_u64..900) {
        let (old, index) = (a % (size + 1), b % size);
        let (ours, theirs) = (Ours::of(size), Theirs::of(size));
        let tiles = |tile| ours.tile(tile);
        let (top, small) = (root(size, tiles).expect("a root"), root(old, tiles).expect("a root"));
        let proof = inclusion(index, size, tiles).expect("a proof");
        let expected: Vec<Hash> =
            tlog_tiles::prove_record(size, index, &theirs).expect("a proof").iter().map(|it| it.0).collect();
        prop_assert_eq!(&proof, &expected);
        prop_assert!(is_included(index, ours.leaf(index), &proof, size, &top));
        prop_assert!(!is_included(index, [7; 32], &proof, size, &top));
        prop_assert!(size == 1 || !is_included((index + 1) % size, ours.leaf(index), &proof, size, &top));
        for place in 0..proof.len() {
            let mut wrong = proof.clone();
            wrong[place][0] ^= 1;
            prop_assert!(!is_included(index, ours.leaf(index), &wrong, size, &top));
        }
        let longer = [proof.as_slice(), &[[0; 32]]].concat();
        prop_assert!(!is_included(index, ours.leaf(index), &longer, size, &top));

        let proof = consistency(old, size, tiles).expect("a proof");
        if old > 0 {
            let expected: Vec<Hash> =
                tlog_tiles::prove_tree(size, old, &theirs).expect("a proof").iter().map(|it| it.0).collect();
            prop_assert_eq!(&proof, &expected);
        }
        prop_assert!(is_consistent((old, &small), (size, &top), &proof));
        if old > 0 {
            prop_assert!(!is_consistent((old, &[7; 32]), (size, &top), &proof));
            prop_assert!(!is_consistent((old, &small), (size, &[7; 32]), &proof));
        }
        for place in 0..proof.len() {
            let mut wrong = proof.clone();
            wrong[place][31] ^= 1;
            prop_assert!(!is_consistent((old, &small), (size, &top), &wrong));
        }
        prop_assert!(!is_consistent((size + 1, &small), (size, &top), &[]));
    }
}

#[test]
fn tiles_that_are_short_and_leaves_that_are_not_there_are_named() {
    let ours = Ours::of(300);
    let short = |tile: Tile| ours.tile(tile).map(|bytes| bytes[..bytes.len() - 1].to_vec());
    assert!(matches!(inclusion(0, 300, short), Err(Unproved::Truncated { .. })));
    assert!(matches!(
        inclusion(300, 300, |tile| ours.tile(tile)),
        Err(Unproved::Outside { asked: 300, size: 300 })
    ));
    assert!(matches!(consistency(301, 300, |tile| ours.tile(tile)), Err(Unproved::Outside { .. })));
    let told = inclusion(0, 300, short).expect_err("a short tile").to_string();
    assert_eq!(told, "tile/0/000 holds 8191 bytes where 8192 are due");
}

#[test]
fn each_reads_the_checkpoints_of_the_other() {
    let signer = Signer::new(NAME, &[9; 32]).expect("a name");
    let checkpoint = Checkpoint { origin: NAME.to_owned(), size: 300, root: Ours::of(300).peaks.root() };
    let note = checkpoint.signed(&signer);
    let key = signer.verifier().to_string();
    assert_eq!(Checkpoint::open(&note, signer.verifier()), Ok(checkpoint.clone()));

    let theirs = StandardVerifier::new(&key).expect("our key, as they read it");
    let parsed = Note::from_bytes(note.as_bytes()).expect("our note, as they read it");
    let (verified, _) = parsed.verify(&VerifierList::new(vec![Box::new(theirs)])).expect("our signature");
    assert_eq!(verified.len(), 1);
    let read = tlog_tiles::Checkpoint::from_bytes(parsed.text()).expect("our checkpoint, as they read it");
    assert_eq!((read.origin(), read.size(), read.hash().0), (NAME, 300, checkpoint.root));

    let mut random = signed_note_random();
    let (secret, public) = signed_note::generate_key(&mut random, NAME);
    let mut other = Note::new(parsed.text(), &[]).expect("a note");
    other.add_sigs(&[&StandardSigner::new(&secret).expect("a signer")]).expect("their signature");
    let other = String::from_utf8(other.to_bytes()).expect("text");
    assert_eq!(Checkpoint::open(&other, &Verifier::read(&public).expect("their key")), Ok(checkpoint));
    assert_eq!(Checkpoint::open(&other, signer.verifier()), Err(BadCheckpoint::Note(BadNote::OtherKey)));
}

/// Their keys are made of random bytes; these are the same each time.
fn signed_note_random() -> impl signed_note_rng::CryptoRngCore {
    signed_note_rng::Counted(1)
}

mod signed_note_rng {
    pub use rand_core::CryptoRngCore;
    use rand_core::{CryptoRng, Error, RngCore};

    /// Counts.
    pub struct Counted(pub u64);

    impl CryptoRng for Counted {}

    impl RngCore for Counted {
        fn next_u32(&mut self) -> u32 {
            self.0 += 1;
            self.0 as u32
        }

        fn next_u64(&mut self) -> u64 {
            self.0 += 1;
            self.0
        }

        fn fill_bytes(&mut self, into: &mut [u8]) {
            into.iter_mut().for_each(|byte| *byte = self.next_u32() as u8);
        }

        fn try_fill_bytes(&mut self, into: &mut [u8]) -> Result<(), Error> {
            self.fill_bytes(into);
            Ok(())
        }
    }
}

#[test]
fn a_note_that_was_touched_is_not_believed() {
    let signer = Signer::new(NAME, &[9; 32]).expect("a name");
    let checkpoint = Checkpoint { origin: NAME.to_owned(), size: 300, root: [5; 32] };
    let note = checkpoint.signed(&signer);
    let open = |note: &str| Checkpoint::open(note, signer.verifier());
    let signature = BadCheckpoint::Note(BadNote::WrongSignature);
    assert_eq!(open(&note.replacen("300", "299", 1)), Err(signature));
    let malformed = BadCheckpoint::Note(BadNote::Malformed);
    for cut in ["", "\n", "\n\n", NAME] {
        assert_eq!(open(cut), Err(malformed.clone()), "{cut:?}");
    }
    assert_eq!(open(note.trim_end()), Err(malformed.clone()));
    assert_eq!(open(&note.replace('\u{2014}', "-")), Err(malformed));
    let other = Signer::new("elsewhere.example/log", &[9; 32]).expect("a name");
    assert_eq!(open(&checkpoint.signed(&other)), Err(BadCheckpoint::Note(BadNote::OtherKey)));
    let foreign =
        Checkpoint { origin: "elsewhere.example/log".to_owned(), ..checkpoint.clone() }.signed(&signer);
    assert_eq!(open(&foreign), Err(BadCheckpoint::OtherLog("elsewhere.example/log".to_owned())));
    for size in ["0300", "+300", "-1", "", "x"] {
        let text = format!("{NAME}\n{size}\nBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=\n");
        assert_eq!(open(&signer.sign(&text)), Err(BadCheckpoint::Malformed), "{size}");
    }
    for name in ["", "a b", "a+b", "a\nb"] {
        assert!(Signer::new(name, &[1; 32]).is_err(), "{name:?}");
    }
    let key = signer.verifier().to_string();
    assert_eq!(Verifier::read(&key).as_ref(), Ok(signer.verifier()));
    for wrong in
        [String::new(), key.replace("becivic", "b"), key[..key.len() - 4].to_owned(), format!("x{key}")]
    {
        assert!(Verifier::read(&wrong).is_err(), "{wrong}");
    }
}
