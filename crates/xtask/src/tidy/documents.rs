//! The root documents exist.
//!
//! 1. Every name of [`DOCUMENTS`] is a file of the checkout; a missing one is a finding on its line 1.

use super::tree::Tree;
use super::{Finding, finding};

/// What a first reader looks for, and the list the dependency check needs.
const DOCUMENTS: &[&str] =
    &["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "docs/dependencies.md"];

/// Finds the documents that are missing.
pub fn check(tree: &Tree) -> Vec<Finding> {
    DOCUMENTS
        .iter()
        .filter(|name| !tree.exists(name))
        .map(|name| finding(name, 1, "this document is missing (write it)"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_document_is_named() {
        let mut files: Vec<_> = DOCUMENTS.iter().map(|name| (*name, "text\n")).collect();
        assert_eq!(check(&Tree::of(&files)), []);
        files.remove(0);
        let found = check(&Tree::of(&files));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].file, "ARCHITECTURE.md");
    }
}
