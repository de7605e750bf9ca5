//! The entry and the proof that travel with an artefact.
//!
//! 1. The checkpoint beside it is signed by the log's key, and ends with the entry.
//! 2. The proof leads from the entry to its root.
//! 3. The entry is about the artefact it came with.
//!
//! Whoever checks this knows that the log says so, and can ask for the log at any time; whether it still says so, a later checkpoint
//! tells.

use super::checkpoint::Checkpoint;
use super::entry::{Entry, content_digest};
use super::note::Verifier;
use super::tree::{Hash, is_included, leaf, unhex};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

/// What answers carry as `log`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Carried {
    /// The place of the entry.
    pub index: u64,
    /// The entry, as it is logged.
    pub entry: String,
    /// What its digests were made with.
    #[serde(default)]
    pub nonce: Option<String>,
    /// Hashes in base64, from the leaf upwards.
    pub proof: Vec<String>,
    /// The signed state of the log that ends with the entry.
    pub checkpoint: String,
}

/// Why it proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unproven {
    /// The checkpoint is not believed.
    #[error("the checkpoint beside it is not believed: {0}")]
    Checkpoint(#[from] super::checkpoint::BadCheckpoint),
    /// The proof leads elsewhere.
    #[error("its proof does not lead to the checkpoint beside it")]
    Proof,
    /// The entry is of something else.
    #[error("its entry is about something else: {0}")]
    OtherArtefact(String),
    /// The entry is none.
    #[error("its entry cannot be read")]
    Entry,
    /// There is none.
    #[error("it comes without a proof")]
    Missing,
    /// It is not what answers carry.
    #[error("its `log` has not the fields of a proof")]
    Shape,
    /// The answer tells something else.
    #[error("it is told to be {told}, and the log says {logged}")]
    Otherwise {
        /// By the answer.
        told: String,
        /// By the log.
        logged: String,
    },
}

impl Carried {
    /// Checks it for an artefact; gives back what the log says, and the state of the log that says so.
    pub fn check(&self, artefact: &str, key: &Verifier) -> Result<(Entry, Checkpoint), Unproven> {
        if self.nonce.as_deref().is_some_and(|nonce| unhex(nonce).is_none()) {
            return Err(Unproven::Shape);
        }
        let checkpoint = Checkpoint::open(&self.checkpoint, key)?;
        let hash = |text: &String| STANDARD.decode(text).ok().and_then(|bytes| bytes.try_into().ok());
        let proof: Option<Vec<Hash>> = self.proof.iter().map(hash).collect();
        let leaf = leaf(self.entry.as_bytes());
        let leads =
            |proof: Vec<Hash>| is_included(self.index, leaf, &proof, checkpoint.size, &checkpoint.root);
        if !proof.is_some_and(leads) {
            return Err(Unproven::Proof);
        }
        let entry = Entry::read(self.entry.as_bytes()).map_err(|_| Unproven::Entry)?;
        if entry.artefact != artefact {
            return Err(Unproven::OtherArtefact(entry.artefact));
        }
        Ok((entry, checkpoint))
    }

    /// Whether the entry has the digest of this content; nothing where it has none, or what it was made with was erased.
    pub fn is_of(&self, entry: &Entry, content: &Hash) -> Option<bool> {
        let nonce = self.nonce.as_deref().and_then(unhex)?;
        entry.content.as_ref().map(|digest| *digest == content_digest(&nonce, content))
    }
}
