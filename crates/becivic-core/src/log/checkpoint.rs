//! A checkpoint: whose log, how long, and the root of its tree; three lines that a note signs.

use super::note::{BadNote, Signer, Verifier};
use super::tree::{EMPTY_ROOT, Hash};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The state of a log at some length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Whose log.
    pub origin: String,
    /// How many entries.
    pub size: u64,
    /// The root over them.
    pub root: Hash,
}

/// Why a checkpoint is not believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadCheckpoint {
    /// The note is not.
    #[error(transparent)]
    Note(#[from] BadNote),
    /// It is of another log than the key.
    #[error("it speaks of another log: `{0}`")]
    OtherLog(String),
    /// It does not read like one.
    #[error("its text is no checkpoint")]
    Malformed,
}

impl Checkpoint {
    /// The signed note.
    pub fn signed(&self, signer: &Signer) -> String {
        signer.sign(&format!("{}\n{}\n{}\n", self.origin, self.size, STANDARD.encode(self.root)))
    }

    /// Reads a note that the log's key signed.
    pub fn open(note: &str, key: &Verifier) -> Result<Self, BadCheckpoint> {
        let text = key.open(note)?;
        let mut lines = text.split('\n');
        let mut line = || lines.next().ok_or(BadCheckpoint::Malformed);
        let (origin, size, root) = (line()?, line()?, line()?);
        if origin != key.name() {
            return Err(BadCheckpoint::OtherLog(origin.to_owned()));
        }
        let number: u64 = size.parse().map_err(|_| BadCheckpoint::Malformed)?;
        let root: Option<Hash> = STANDARD.decode(root).ok().and_then(|it| it.try_into().ok());
        let root = root.ok_or(BadCheckpoint::Malformed)?;
        let written = number.to_string() == size && (number > 0 || root == EMPTY_ROOT);
        if written {
            Ok(Self { origin: origin.to_owned(), size: number, root })
        } else {
            Err(BadCheckpoint::Malformed)
        }
    }
}
