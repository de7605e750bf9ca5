//! The transparency log: what happened to every artefact, in an order nobody can change unseen (C2SP `tlog-tiles`).
//!
//! 1. A change is an [`Entry`]: the artefact, from what to what, by which rule and numbers, under which policy, and digests that tell
//!    nothing to who does not hold their nonce (`log/entry.rs`).
//! 2. Entries are the leaves of a Merkle tree ([`Peaks`], `log/tree.rs`); its root, signed, is a checkpoint (`log/note.rs`,
//!    `log/checkpoint.rs`). Two checkpoints agree, or one of them lies, and the tree proves which.
//! 3. The tree is published in tiles of 256 hashes (`log/tile.rs`) and bundles of 256 entries (`log/bundle.rs`), which never
//!    change once they are full. Proofs are made from tiles by whoever wants them (`log/prove.rs`).
//! 4. Whoever reads all of it can check it without asking anybody (`log/audit.rs`).
//! 5. Whoever reads all entries knows where everything stands, without asking anybody (`log/replay.rs`).
//!
//! The leaf that was appended last is proved by the peaks before it: such a proof is as old as its entry and never changes, so an
//! answer that carries it can be kept as long as nothing happened to its artefact.

mod answered;
mod audit;
mod bundle;
mod carried;
mod checkpoint;
mod entry;
mod note;
mod numbers;
mod prove;
mod replay;
mod tile;
mod tree;
mod words;

pub use answered::Answered;
pub use audit::{Audit, Problem, Source, audit};
pub use bundle::{BadBundle, bundle, unbundle};
pub use carried::{Carried, Unproven};
pub use checkpoint::{BadCheckpoint, Checkpoint};
pub use entry::{ENTRY_VERSION, Entry, Figures, What, canonical, content_digest, inputs_digest};
pub use note::{BadKey, BadNote, Signer, Verifier};
pub use numbers::{Numbers, public_numbers};
pub use prove::{Unproved, consistency, inclusion, root};
pub use replay::{Amiss, Believed, Replay};
pub use tile::{Tile, WIDTH};
pub use tree::{EMPTY_ROOT, Grown, Hash, Peaks, hex, is_consistent, is_included, leaf, node, unhex};
