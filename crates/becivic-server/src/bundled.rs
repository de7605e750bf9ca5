//! The corpus that an empty data folder begins with: the one that comes with the program, or a folder's.

use crate::moment::Moment;
use anyhow::{Context, ensure};
use std::path::Path;

/// When what a data folder begins with was committed. Always the same, so that every replica begins with the same commit.
pub const COMMITTED_AT: Moment = Moment(1_794_700_800_000); // 2026-11-15

/// The files of `corpus/`.
#[derive(rust_embed::Embed)]
#[folder = "../../corpus"]
struct Files;

/// Every file with its path, in order of names.
pub fn files() -> impl Iterator<Item = (String, Vec<u8>)> {
    Files::iter().filter_map(|path| Some((path.to_string(), Files::get(&path)?.data.into_owned())))
}

/// Every file of a folder with its path inside, in order of names. Names that begin with a dot and links are left out.
pub fn files_of(folder: &Path) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    ensure!(
        folder.join("skills").is_dir(),
        "{} is not a corpus: it has no folder `skills`",
        folder.display()
    );
    let mut found = Vec::new();
    let mut waiting = vec![String::new()];
    while let Some(below) = waiting.pop() {
        let here = folder.join(&below);
        let entries = std::fs::read_dir(&here).with_context(|| format!("cannot read {}", here.display()))?;
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            let name = name
                .to_str()
                .with_context(|| format!("{} has a name that is not UTF-8", entry.path().display()))?;
            let path = if below.is_empty() { name.to_owned() } else { format!("{below}/{name}") };
            let kind = entry.file_type()?;
            if name.starts_with('.') {
                continue;
            } else if kind.is_dir() {
                waiting.push(path);
            } else if kind.is_file() {
                found.push((path, std::fs::read(entry.path())?));
            }
        }
    }
    found.sort();
    Ok(found)
}
