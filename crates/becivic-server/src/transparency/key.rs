//! The key that signs the log, made at the first start and kept beside the pepper.

use crate::db::{Db, facts};
use crate::secrets::{Bytes32, random, write_private};
use anyhow::{Context, anyhow, ensure};
use becivic_core::log::{Checkpoint, Peaks, Signer, hex};
use sha2::{Digest, Sha256};
use std::path::Path;

/// Its name in that folder.
const FILE: &str = "log.key";

/// Reads the key; makes it where there is none. A database goes on with the one it was begun with: readers remember it, and a log
/// under another is another log.
pub fn load(db: &Db, pepper_file: &Path, public_url: &str) -> anyhow::Result<Signer> {
    let file = pepper_file.with_file_name(FILE);
    let begun = db.write_now(|tx| facts::find(tx, "log_key"))?.is_some();
    ensure!(
        !begun || file.exists(),
        "{} is missing, and the log of this database was begun with it; restore it",
        file.display()
    );
    if !file.exists() {
        // Another process may make it at the same moment: whichever key is there then is the key.
        let made = write_private(&file, &random()?);
        if !file.exists() {
            made?;
        }
    }
    let bytes = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let secret: Bytes32 = bytes
        .try_into()
        .map_err(|_| anyhow!("{} does not hold a key of 32 bytes; restore it", file.display()))?;
    let fingerprint = hex(&Sha256::new().chain_update(b"log key").chain_update(secret).finalize());
    let agreed = db.write_now(move |tx| facts::agree(tx, "log_key", &fingerprint))?;
    ensure!(
        agreed,
        "{} is not the key that the log of this database was begun with; restore that key",
        file.display()
    );
    let origin = origin(public_url);
    Signer::new(&origin, &secret).map_err(|_| anyhow!("`public_url` gives no name for the log: {origin}"))
}

/// Whose log it is: where it is read, without the scheme.
pub fn origin(public_url: &str) -> String {
    let bare = public_url.split_once("://").map_or(public_url, |(_, rest)| rest);
    format!("{}/log", bare.trim_end_matches('/'))
}

/// The signed state of the log.
pub fn checkpoint(signer: &Signer, peaks: &Peaks) -> String {
    let origin = signer.verifier().name().to_owned();
    Checkpoint { origin, size: peaks.size(), root: peaks.root() }.signed(signer)
}
