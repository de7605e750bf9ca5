//! A corpus with some files changed: everything else is shared with the corpus it was.
//!
//! 1. What a changed file was is forgotten, by what its path means: the artefact, and the findings about the file.
//! 2. What it is now is read and added, as when a whole corpus is read.
//!
//! Some files stand for more than themselves: templates count by folder, and data files are looked up by every rule.
//! Changes to those are rare, and a corpus is read anew for them.

use super::{Corpus, Input, contract_address, read};
use crate::layout::{FileKind, classify};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

impl Corpus {
    /// The corpus with these files put in or replaced, and those removed; `None` when it must be read anew.
    pub fn patched(&self, changed: Vec<Input>, removed: &[String]) -> Option<Self> {
        let paths: BTreeSet<&str> = changed
            .iter()
            .map(|input| input.path.as_str())
            .chain(removed.iter().map(String::as_str))
            .collect();
        if !paths.iter().all(|path| can_be_forgotten(&classify(path))) {
            return None;
        }
        let mut corpus = self.clone();
        corpus.uses = OnceLock::new();
        corpus.findings.retain(|finding| !paths.contains(finding.file.as_str()));
        for path in &paths {
            corpus.forget(path);
        }
        for input in changed {
            let (piece, findings) = read(input);
            corpus.findings.extend(findings);
            corpus.add(piece);
        }
        corpus.sidecars.sort_by(|a, b| a.source.path().cmp(b.source.path()));
        Some(corpus)
    }

    fn forget(&mut self, path: &str) {
        let kind = classify(path);
        match &kind {
            FileKind::Skill(id) => {
                self.skills.remove(id);
                self.unreadable_skills.remove(id);
            }
            FileKind::Diagram(id) => {
                self.diagrams.remove(id);
            }
            FileKind::SkillReport(_) | FileKind::PathReport(_) => {
                self.sidecars.retain(|sidecar| sidecar.of != kind);
            }
            FileKind::PathsIndex => {
                self.paths = None;
                self.paths_unreadable = false;
            }
            FileKind::Values => {
                self.values_file = None;
                self.unreadable_rows.0 = false;
                Arc::make_mut(&mut self.catalogue).clear_values();
            }
            FileKind::References => {
                self.references_file = None;
                self.unreadable_rows.1 = false;
                Arc::make_mut(&mut self.catalogue).clear_references();
            }
            FileKind::Categories => self.categories = None,
            FileKind::SkillsRollup => self.skills_rollup = None,
            FileKind::PathsRollup => self.paths_rollup = None,
            FileKind::Page(address) => {
                self.pages.remove(address);
            }
            FileKind::Contract(major) => {
                self.contracts.remove(major);
                self.pages.remove(&contract_address(*major));
            }
            FileKind::Template(..)
            | FileKind::Communes
            | FileKind::Authorities
            | FileKind::Synonyms
            | FileKind::Types
            | FileKind::SourceClasses
            | FileKind::ScrubRules
            | FileKind::Triggers
            | FileKind::Redirects
            | FileKind::Misplaced
            | FileKind::Other => {}
        }
        self.unreadable_data.retain(|unreadable| *unreadable != kind);
    }
}

/// Whether what a file of this kind brought can be told apart from what others brought.
fn can_be_forgotten(kind: &FileKind) -> bool {
    match kind {
        FileKind::Skill(_)
        | FileKind::Diagram(_)
        | FileKind::SkillReport(_)
        | FileKind::PathReport(_)
        | FileKind::PathsIndex
        | FileKind::Values
        | FileKind::References
        | FileKind::Categories
        | FileKind::SkillsRollup
        | FileKind::PathsRollup
        | FileKind::Page(_)
        | FileKind::Contract(_) => true,
        FileKind::Template(..)
        | FileKind::Communes
        | FileKind::Authorities
        | FileKind::Synonyms
        | FileKind::Types
        | FileKind::SourceClasses
        | FileKind::ScrubRules
        | FileKind::Triggers
        | FileKind::Redirects
        | FileKind::Misplaced
        | FileKind::Other => false,
    }
}
