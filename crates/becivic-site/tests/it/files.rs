//! Corpora of the repository, read from their files.

use becivic_core::corpus::{Content, Corpus, Input};
use std::path::{Path, PathBuf};

/// The corpus in a folder of the repository.
pub fn corpus(folder: &str) -> Corpus {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let mut inputs = Vec::new();
    let mut folders: Vec<PathBuf> = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("listed") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&root).expect("inside").to_string_lossy().replace('\\', "/");
            let content = Content::Bytes(std::fs::read(&path).expect("read"));
            inputs.push(Input { path: name, content });
        }
    }
    inputs.sort_by(|a, b| a.path.cmp(&b.path));
    Corpus::from_inputs(inputs)
}
