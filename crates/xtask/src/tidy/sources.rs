//! Source files stay small, finished and free of anybody's machine.
//!
//! 1. A file under a crate's `src/` has at most [`LONGEST`] lines.
//! 2. No macro of [`UNFINISHED`] is called in a crate's Rust files.
//! 3. No text file names a folder of [`MACHINES`]; in a URL the same letters follow a host, and pass.
//!    Test data and scrub rules name such folders on purpose ([`on_purpose`]).

use super::tree::Tree;
use super::{Finding, finding};

/// The lines a source file may have; the median should stay near 150.
const LONGEST: usize = 500;

/// Macros that say "not finished yet" (written apart, so that this file passes its own check).
const UNFINISHED: &[&str] = &[concat!("todo", "!"), concat!("unimplemented", "!"), concat!("dbg", "!")];

/// Where people's own files live on their machines (written apart, as above).
const MACHINES: &[&str] = &[concat!("/", "root/"), concat!("/", "home/"), concat!("/", "Users/")];

/// Finds long files, unfinished code and paths of one machine.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts() {
        let rust = path.starts_with("crates/") && path.ends_with(".rs");
        if rust && path.contains("/src/") {
            findings.extend(too_long(path, text));
        }
        for (index, line) in text.lines().enumerate() {
            if rust {
                findings.extend(unfinished(path, index + 1, line));
            }
            if !on_purpose(path) {
                findings.extend(machine(path, index + 1, line));
            }
        }
    }
    findings
}

fn too_long(path: &str, text: &str) -> Option<Finding> {
    let lines = text.lines().count();
    (lines > LONGEST).then(|| {
        let sentence = format!("{lines} lines, more than {LONGEST} (split it by what it does)");
        finding(path, LONGEST + 1, sentence)
    })
}

fn unfinished(path: &str, number: usize, line: &str) -> Option<Finding> {
    let called = |name: &&&str| {
        line.match_indices(**name).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + name.len()..].trim_start().chars().next();
            !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
                && after.is_some_and(|c| "([{".contains(c))
        })
    };
    UNFINISHED.iter().find(called).map(|name| {
        finding(path, number, format!("`{name}` is not finished code (finish it or take it out)"))
    })
}

/// Test data may be wrong on purpose, and scrub rules look for such paths.
fn on_purpose(path: &str) -> bool {
    path.starts_with("fixtures/") || path.ends_with("/regex-rules.json")
}

fn machine(path: &str, number: usize, line: &str) -> Option<Finding> {
    let named = |folder: &&&str| {
        line.match_indices(**folder).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            !before.is_some_and(|c| c.is_alphanumeric() || "._-/}>$~".contains(c))
        })
    };
    MACHINES.iter().find(named).map(|folder| {
        let sentence = format!("a path under `{folder}` exists on one machine only (use a relative path)");
        finding(path, number, sentence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [usize; 0] = [];

    fn found(path: &str, text: &str) -> Vec<usize> {
        let findings = check(&Tree::of(&[(path, text)]));
        findings.into_iter().map(|f| f.line).collect()
    }

    #[test]
    fn a_long_source_file_is_found_and_a_long_fixture_is_not() {
        let text = "//\n".repeat(LONGEST + 1);
        assert_eq!(found("crates/becivic/src/main.rs", &text), [LONGEST + 1]);
        assert_eq!(found("crates/becivic/tests/it/main.rs", &text), NONE);
        assert_eq!(found("crates/becivic/src/main.rs", &text[3..]), NONE);
    }

    #[test]
    fn unfinished_macros_are_found_and_their_names_are_not() {
        for name in UNFINISHED {
            let text = format!("fn a() {{\n    {name}(\"later\")\n}}\n");
            assert_eq!(found("crates/becivic/src/a.rs", &text), [2]);
            let text = format!("// never write `{name}` here\n");
            assert_eq!(found("crates/becivic/src/a.rs", &text), NONE);
        }
    }

    #[test]
    fn machine_paths_are_found_and_urls_are_not() {
        for folder in MACHINES {
            assert_eq!(found("docs/a.md", &format!("cd {folder}me/work\n")), [1]);
            assert_eq!(found("a.json", &format!("\"{folder}me\"")), [1]);
            assert_eq!(found("fixtures/a.json", &format!("\"{folder}me\"")), NONE);
            assert_eq!(found("docs/a.md", &format!("https://becivic.be{folder}x")), NONE);
        }
    }
}
