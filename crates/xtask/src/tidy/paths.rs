//! Every path that ARCHITECTURE.md names in backticks exists.
//!
//! 1. Take the inline code spans of the document; fenced blocks are drawings and are left alone.
//! 2. A span is a path when it holds a `/` or ends in one of [`ENDINGS`], and is nothing else we
//!    know: a route (starts with `/`), a URL, a media type, a command line (it has a blank), an
//!    option, a build output (`target/…`), or something under a placeholder in capitals (`DIR/…`).
//! 3. `{a,b}` stands for both: each must exist. `<name>` and `*` stand for any part of one name:
//!    at least one entry must fit.
//! 4. The path is looked for from the root and as the end of any longer path, at a `/`: `cmd/check.rs`
//!    is found under whichever crate has it. One that ends in `/` must be a folder.

use super::markdown::code_spans;
use super::tree::Tree;
use super::{Finding, finding};

const DOCUMENT: &str = "ARCHITECTURE.md";

/// A name without `/` is a path when it ends in one of these.
const ENDINGS: &[&str] = &[".md", ".rs", ".toml", ".json", ".jsonl", ".mmd", ".mdx"];

/// The first half of a media type; `text/html` is not a file of ours.
const MEDIA: &[&str] = &["application", "audio", "font", "image", "text", "video"];

/// Finds the paths that lead nowhere.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let Some(text) = tree.text(DOCUMENT) else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for span in code_spans(text) {
        if !is_path(&span.text) {
            continue;
        }
        for wanted in alternatives(&span.text) {
            if !exists(tree, &wanted) {
                let sentence =
                    format!("`{wanted}` does not exist (correct the name, or add what it promises)");
                findings.push(finding(DOCUMENT, span.line, sentence));
            }
        }
    }
    findings
}

fn is_path(span: &str) -> bool {
    let plain = span.chars().all(|c| c.is_ascii_alphanumeric() || "._/<>{},*-".contains(c));
    let looks = span.contains('/') || ENDINGS.iter().any(|ending| span.ends_with(ending));
    let first = span.split('/').next().unwrap_or(span);
    let placeholder = !first.is_empty() && first.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let stranger = span.starts_with(['/', '-', '.'])
        || span.contains("//")
        || first == "target"
        || MEDIA.contains(&first)
        || placeholder;
    let hidden = span.starts_with(".ci/") || span.starts_with(".cargo/");
    plain && looks && (!stranger || hidden)
}

/// `a/{b,c}.rs` as `a/b.rs` and `a/c.rs`; several braces multiply.
fn alternatives(span: &str) -> Vec<String> {
    let Some((head, rest)) = span.split_once('{') else {
        return vec![span.to_owned()];
    };
    let Some((choices, tail)) = rest.split_once('}') else {
        return vec![span.to_owned()];
    };
    choices.split(',').flat_map(|choice| alternatives(&format!("{head}{choice}{tail}"))).collect()
}

fn exists(tree: &Tree, wanted: &str) -> bool {
    let pattern: Vec<_> = wanted.trim_end_matches('/').split('/').collect();
    let fits = |path: &str| {
        let names: Vec<_> = path.split('/').collect();
        names.len() >= pattern.len()
            && names[names.len() - pattern.len()..]
                .iter()
                .zip(&pattern)
                .all(|(name, wanted)| name_fits(name, wanted))
    };
    tree.folders().any(fits) || (!wanted.ends_with('/') && tree.files().any(fits))
}

/// Whether a name fits a pattern in which `<…>` and `*` stand for one or more characters.
fn name_fits(name: &str, pattern: &str) -> bool {
    let Some(at) = pattern.find(['<', '*']) else {
        return name == pattern;
    };
    let Some(rest) = name.strip_prefix(&pattern[..at]) else {
        return false;
    };
    let after = match pattern[at..].find('>') {
        Some(end) if pattern[at..].starts_with('<') => &pattern[at + end + 1..],
        _ => &pattern[at + 1..],
    };
    rest.char_indices()
        .skip(1)
        .map(|(index, _)| &rest[index..])
        .chain(std::iter::once("").filter(|_| !rest.is_empty()))
        .any(|tail| name_fits(tail, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(document: &str) -> Vec<(usize, String)> {
        let tree = Tree::of(&[
            (DOCUMENT, document),
            ("crates/becivic-core/src/rules.rs", ""),
            ("crates/becivic-core/src/rules/cycle.rs", ""),
            ("fixtures/paths/valid/one.json", "{}"),
            ("fixtures/paths/invalid/two.json", "{}"),
            ("Cargo.toml", ""),
        ]);
        check(&tree).into_iter().map(|f| (f.line, f.sentence)).collect()
    }

    #[test]
    fn existing_paths_are_fine() {
        let document = "`Cargo.toml` `crates/becivic-core/src/rules.rs` `rules/<rule>.rs` `rules/*.rs`\n\
             `becivic-core/src/` `fixtures/<type>/{valid,invalid}/` `crates/becivic-core`\n";
        assert_eq!(found(document), []);
    }

    #[test]
    fn what_is_no_path_is_left_alone() {
        let document = "`/api/skills/{id}` `text/html` `https://becivic.be/x` `cargo run a/b`\n\
             `--out` `target/bench/check.json` `DIR/operator.token` `decide()` `Raw`\n\n```\n`gone/x.rs`\n```\n";
        assert_eq!(found(document), []);
    }

    #[test]
    fn a_path_that_leads_nowhere_is_found_on_its_line() {
        let found = found("fine\n\n`crates/becivic-core/src/gone.rs`\n");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, 3);
    }

    #[test]
    fn each_alternative_must_exist() {
        let found = found("`fixtures/paths/{valid,broken}/`\n");
        assert_eq!(found.len(), 1);
        assert!(found[0].1.contains("`fixtures/paths/broken/`"));
    }

    #[test]
    fn a_placeholder_needs_one_entry_and_a_slash_a_folder() {
        assert_eq!(found("`jobs/<job>.rs`").len(), 1);
        assert_eq!(found("`src/rules.rs/`").len(), 1);
        assert_eq!(found("`ules.rs`").len(), 1);
    }
}
