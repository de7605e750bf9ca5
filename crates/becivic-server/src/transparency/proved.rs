//! An artefact's latest entry with its proof: the same bytes until something happens to the artefact.
//!
//! The proof is of the tree that ends with the entry, and so is the checkpoint beside it. Whoever keeps a later checkpoint asks
//! `/log/` whether the two agree.

use super::key::checkpoint;
use crate::db::log_entries::Logged;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use becivic_core::log::{Entry, Peaks, Signer, hex};
use serde_json::{Value, json};

/// As answers carry it.
pub fn shown(signer: &Signer, logged: &Logged) -> Value {
    let Some(peaks) = Peaks::after(logged.index, &logged.proof, logged.leaf) else { return Value::Null };
    let proof: Vec<String> = logged.proof.iter().map(|hash| STANDARD.encode(hash)).collect();
    let told = Entry::read(&logged.entry).map(|entry| entry.in_words()).unwrap_or_default();
    json!({
        "index": logged.index,
        "happened": told,
        "entry": String::from_utf8_lossy(&logged.entry),
        "nonce": logged.nonce.as_ref().map(|nonce| hex(nonce)),
        "proof": proof,
        "checkpoint": checkpoint(signer, &peaks),
    })
}
