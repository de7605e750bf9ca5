//! A log in a folder: `log/` as a server has it, and `served.json` with what was served beside it.

use anyhow::{Context, bail};
use becivic_core::log::{Tile, Verifier};
use becivic_core::vocabulary::Status;
use becivic_server::transparency::stored::Statuses;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

const SERVED: &str = "served.json";

/// A copy.
pub struct Copy(pub PathBuf);

impl Copy {
    /// Whether a folder holds one.
    pub fn is_in(folder: &Path) -> bool {
        folder.join("log/checkpoint").is_file()
    }

    /// The key that was shown.
    pub fn key(&self) -> anyhow::Result<Verifier> {
        let text = self.text("log/key")?;
        Verifier::read(&text)
            .map_err(|error| anyhow::anyhow!("{}: {error}", self.0.join("log/key").display()))
    }

    /// The signed state.
    pub fn checkpoint(&self) -> anyhow::Result<String> {
        let place = self.0.join("log/checkpoint");
        let bytes = fs::read(&place).with_context(|| format!("cannot read {}", place.display()))?;
        // What is no text is no checkpoint either, and is said to be none.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A tile. Of one that has grown since, its beginning.
    pub fn tile(&self, tile: Tile) -> anyhow::Result<Option<Vec<u8>>> {
        let place = self.0.join(format!("log/{tile}"));
        match fs::read(&place) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", place.display())),
        }
    }

    /// What was served.
    pub fn served(&self) -> anyhow::Result<Statuses> {
        let text = self.text(SERVED)?;
        let place =
            || format!("{} is not what `becivic verify --keep` writes", self.0.join(SERVED).display());
        let listed: BTreeMap<String, (String, Option<String>)> =
            serde_json::from_str(&text).with_context(place)?;
        let mut served = Statuses::new();
        for (artefact, (status, version)) in listed {
            let Some(status) = Status::named(&status) else { bail!("{}: `{status}` is no status", place()) };
            served.insert(artefact, (status, version));
        }
        Ok(served)
    }

    fn text(&self, name: &str) -> anyhow::Result<String> {
        let place = self.0.join(name);
        fs::read_to_string(&place).with_context(|| format!("cannot read {}", place.display()))
    }
}

/// Keeps a file of the log.
pub fn keep(folder: &Path, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let place = folder.join(name);
    let parent = place.parent().map_or(Ok(()), fs::create_dir_all);
    parent
        .and_then(|()| fs::write(&place, bytes))
        .with_context(|| format!("cannot write {}", place.display()))
}

/// Keeps what is served.
pub fn keep_served(folder: &Path, served: &Statuses) -> anyhow::Result<()> {
    let listed: BTreeMap<&String, (&str, &Option<String>)> =
        served.iter().map(|(artefact, (status, version))| (artefact, (status.as_str(), version))).collect();
    keep(folder, SERVED, &serde_json::to_vec_pretty(&listed)?)
}
