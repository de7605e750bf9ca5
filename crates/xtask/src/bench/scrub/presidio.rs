//! The yardstick: Presidio's pattern recognisers over a slice of the same texts.
//!
//! 1. Make a Python environment under `target/bench/` and install what `tools/presidio/requirements.txt`
//!    pins, unless it is there.
//! 2. Run `tools/presidio/bench.py` in it; it prints one line of JSON.
//!
//! It is another program, in another language, from another index: where it cannot be had, the bench goes on
//! without it.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::workspace::python;

/// Bytes of the prose it reads; it is slow.
const PROSE_BYTES: usize = 300_000;
/// Notes it reads.
const NOTES: usize = 500;

/// What one set of recognisers reached.
#[derive(Debug, Clone, Copy)]
pub struct Speed {
    /// How many recognisers.
    pub recognisers: f64,
    /// Prose, in bytes per second.
    pub bytes: f64,
    /// Notes per second.
    pub notes: f64,
}

/// The speed of the recognisers for what our rules look for too, and of all of them.
pub fn speeds(root: &Path, bench: &Path, prose: &Path, notes: &Path) -> Result<(Speed, Speed)> {
    let tools = root.join("tools/presidio");
    let python = python(&tools.join("requirements.txt"), &bench.join("presidio"))?;
    let output = Command::new(python)
        .arg(tools.join("bench.py"))
        .arg(prose)
        .arg(PROSE_BYTES.to_string())
        .arg(notes)
        .arg(NOTES.to_string())
        .stdin(Stdio::null())
        .output()
        .context("Python did not start")?;
    if !output.status.success() {
        let told = String::from_utf8_lossy(&output.stderr);
        bail!("tools/presidio/bench.py failed: {}", told.trim_end().lines().last().unwrap_or_default());
    }
    let line = serde_json::from_slice(&output.stdout).context("tools/presidio/bench.py printed no JSON")?;
    Ok((speed(&line, "kindred")?, speed(&line, "all")?))
}

fn speed(line: &serde_json::Value, set: &str) -> Result<Speed> {
    let read = |key: &str| {
        let value = line[set][key].as_f64().filter(|value| *value > 0.0);
        value.with_context(|| format!("tools/presidio/bench.py measured no {key}"))
    };
    Ok(Speed {
        recognisers: read("recognisers")?,
        bytes: read("prose_bytes")? / read("prose_seconds")?,
        notes: read("notes")? / read("notes_seconds")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_read_from_the_line() {
        let line = serde_json::json!({ "all": {
            "recognisers": 3, "prose_bytes": 10, "prose_seconds": 2.0, "notes": 4, "notes_seconds": 0.5,
        }});
        let speeds = speed(&line, "all").unwrap();
        assert_eq!((speeds.bytes, speeds.notes), (5.0, 8.0));
        assert!(speed(&line, "kindred").is_err());
    }
}
