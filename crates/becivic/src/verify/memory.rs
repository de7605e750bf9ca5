//! What is remembered of a log: its key and the last state that was good. A log that forgets what it said is found by this alone.

use anyhow::Context;
use becivic_core::log::{Checkpoint, Verifier, hex};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What is remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// Where the log is.
    pub place: String,
    /// Its key.
    pub key: String,
    /// The signed state.
    pub checkpoint: String,
}

impl Memory {
    /// The file for a log; nothing where the system names no folder for such things.
    pub fn file(place: &str) -> Option<PathBuf> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let state = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local/state")));
        let state = state.or_else(|| set("LOCALAPPDATA")).filter(|path| path.is_absolute())?;
        let name = hex(&Sha256::digest(place));
        Some(state.join("becivic/logs").join(format!("{}.json", name.get(..16)?)))
    }

    /// Reads what is remembered, where something is.
    pub fn read(file: &Path) -> anyhow::Result<Option<Self>> {
        let text = match fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
        };
        let wrong = || {
            format!(
                "{} is not what `becivic verify` remembers; remove it to begin anew, or name another",
                file.display()
            )
        };
        serde_json::from_str(&text).map(Some).with_context(wrong)
    }

    /// The key and the state.
    pub fn known(&self) -> anyhow::Result<(Verifier, Checkpoint)> {
        let key = Verifier::read(&self.key).map_err(anyhow::Error::from);
        let key = key.context("what is remembered of this log has no key")?;
        let checkpoint = Checkpoint::open(&self.checkpoint, &key);
        Ok((key, checkpoint.context("what is remembered of this log is not signed by its key")?))
    }

    /// Remembers; whole, or as it was.
    pub fn write(&self, file: &Path) -> anyhow::Result<()> {
        let place = || format!("cannot write {}", file.display());
        let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
        folder.with_context(place)?;
        let unfinished = file.with_extension("unfinished");
        fs::write(&unfinished, serde_json::to_vec_pretty(self)?).with_context(place)?;
        fs::rename(&unfinished, file).with_context(place)
    }
}
