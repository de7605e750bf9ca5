//! The project's own prose, line by line: none of it names a person.
//!
//! The corpus grows; the weights must not change with every page. So they are made from `training/names/prose.txt`, a copy of its
//! lines that `names prose CORPUS` writes anew when the weights are made anew.

use crate::Failure;
use std::fs;
use std::path::Path;

/// The lines of the corpus that are prose.
pub struct CorpusText {
    /// One sentence or paragraph each.
    pub lines: Vec<String>,
}

impl CorpusText {
    /// Reads the copy.
    pub fn copied(file: &Path) -> Result<Self, Failure> {
        let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(Self { lines: text.lines().map(str::to_owned).collect() })
    }

    /// Reads every markdown file under a folder.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let mut folders = vec![folder.to_owned()];
        let mut files = Vec::new();
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(&next).map_err(|error| format!("{}: {error}", next.display()))? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|it| it == "md" || it == "mdx") {
                    files.push(path);
                }
            }
        }
        files.sort();
        let mut lines = Vec::new();
        for file in files {
            let text = fs::read_to_string(&file)?;
            lines.extend(text.lines().map(plain).filter(|line| line.split_whitespace().count() > 1));
        }
        lines.sort();
        lines.dedup();
        Ok(Self { lines })
    }
}

/// A line without tags, marks and addresses.
fn plain(line: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in line.trim().trim_start_matches(['#', '-', '*', '>', ' ']).chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            '*' | '`' | '[' | ']' | '|' => {}
            c if !inside => out.push(c),
            _ => {}
        }
    }
    out.split_whitespace()
        .filter(|word| !word.contains("://") && !word.contains("_"))
        .collect::<Vec<_>>()
        .join(" ")
}
