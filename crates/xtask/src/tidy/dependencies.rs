//! The dependency list is complete and true.
//!
//! 1. Third-party names are those of `[workspace.dependencies]` that are no path of ours.
//! 2. Each is in `docs/dependencies.md`: a table row whose first cell holds its name in backticks.
//! 3. Each name so listed is used: by that table, by `fuzz/Cargo.toml`, or by a `package.json` or a
//!    `requirements.txt` under `tools/`.

use std::collections::BTreeSet;

use super::manifest::dependencies;
use super::markdown::first_cells;
use super::tree::Tree;
use super::{Finding, finding};

const DOCUMENT: &str = "docs/dependencies.md";
const MANIFEST: &str = "Cargo.toml";

/// Finds dependencies nobody explained, and explanations of dependencies nobody has.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let (Some(document), Some(manifest)) = (tree.text(DOCUMENT), tree.text(MANIFEST)) else {
        return Vec::new();
    };
    let listed = first_cells(document);
    let mut used = used_elsewhere(tree);
    let mut findings = Vec::new();
    for dependency in dependencies(manifest).into_iter().filter(|d| !d.is_path) {
        if !listed.iter().any(|cell| cell.text == dependency.name) {
            let sentence = format!(
                "`{}` is not in {DOCUMENT} (say there what it does for us and why this one)",
                dependency.name
            );
            findings.push(finding(MANIFEST, dependency.line, sentence));
        }
        used.insert(dependency.name);
    }
    for cell in listed.iter().filter(|cell| !used.contains(&cell.text)) {
        let sentence = format!("`{}` is used nowhere (take the row out)", cell.text);
        findings.push(finding(DOCUMENT, cell.line, sentence));
    }
    findings
}

fn used_elsewhere(tree: &Tree) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for (path, text) in tree.texts() {
        if path == "fuzz/Cargo.toml" {
            used.extend(dependencies(text).into_iter().map(|d| d.name));
        } else if path.starts_with("tools/") && path.ends_with("/package.json") {
            used.extend(packages(text));
        } else if path.starts_with("tools/") && path.ends_with("/requirements.txt") {
            let pinned = text.lines().filter_map(|line| line.split_once("=="));
            used.extend(pinned.map(|(name, _)| name.to_owned()));
        }
    }
    used
}

fn packages(text: &str) -> Vec<String> {
    let package: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    ["dependencies", "devDependencies"]
        .iter()
        .filter_map(|table| package[table].as_object())
        .flat_map(|table| table.keys().cloned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKSPACE: &str =
        "[workspace.dependencies]\nours = { path = \"crates/ours\" }\nanyhow = \"1\"\ncsv = \"1\"\n";

    fn found(rows: &str) -> Vec<(String, usize)> {
        let tree = Tree::of(&[
            (MANIFEST, WORKSPACE),
            ("fuzz/Cargo.toml", "[dependencies]\nlibfuzzer-sys = \"0.4\"\n"),
            ("tools/ajv/package.json", r#"{"dependencies": {"ajv": "8"}}"#),
            ("tools/mcp/requirements.txt", "anyio==4.16.0\nmcp==2.3.0\n"),
            (DOCUMENT, &format!("| crate | why |\n|---|---|\n{rows}")),
        ]);
        check(&tree).into_iter().map(|f| (f.file, f.line)).collect()
    }

    #[test]
    fn a_complete_list_is_fine() {
        let rows = "| `anyhow` | errors |\n| `csv` | tables, see `gone` |\n| `libfuzzer-sys` | fuzz |\n| `ajv` | schemas |\n| `mcp` | a client |\n";
        assert_eq!(found(rows), []);
    }

    #[test]
    fn a_missing_row_is_found_in_the_manifest() {
        assert_eq!(found("| `anyhow` | errors |\n"), [("Cargo.toml".to_owned(), 4)]);
    }

    #[test]
    fn a_row_too_many_is_found_in_the_document() {
        let rows = "| `anyhow` | |\n| `csv` | |\n| `gone` | |\n";
        assert_eq!(found(rows), [(DOCUMENT.to_owned(), 5)]);
    }
}
