//! One build at a time: whoever writes into a folder has it to itself.
//!
//! The folder itself is locked, so that nothing is left in it, and a lock ends with its process, however that ends. Where folders
//! cannot be locked, nobody waits.

use crate::say;
use anyhow::Context;
use std::fs::{File, TryLockError};
use std::path::Path;

/// A folder that nobody else builds into, as long as this is there.
pub struct Held(#[expect(dead_code, reason = "the lock lasts as long as the file is open")] File);

/// Waits until nobody else builds into a folder; nothing where there is none yet.
pub fn hold(out: &Path) -> anyhow::Result<Option<Held>> {
    let Ok(folder) = File::open(out) else { return Ok(None) };
    match folder.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            say::aside(format_args!("becivic: waiting for another build into {}", out.display()));
            folder.lock().with_context(|| format!("cannot wait for {}", out.display()))?;
        }
        Err(TryLockError::Error(_)) => return Ok(None),
    }
    Ok(Some(Held(folder)))
}
