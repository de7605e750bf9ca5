//! Crate dependencies point only along the arrows.
//!
//! 1. Every folder under `crates/` has a row in [`ARROWS`]; a crate without one is a finding.
//! 2. A dependency on one of our crates is allowed when the row names it.
//! 3. A dev-dependency may also be named by [`DEV_ARROWS`].

use super::manifest::{Kind, dependencies};
use super::tree::Tree;
use super::{Finding, finding};

/// Who may depend on whom: decisions do no IO, pages know no database, a person's machine never
/// links server code, and only the binary sees both sides.
const ARROWS: &[(&str, &[&str])] = &[
    ("becivic", &["becivic-server", "becivic-client", "becivic-site", "becivic-core"]),
    ("becivic-server", &["becivic-site", "becivic-core"]),
    ("becivic-client", &["becivic-core"]),
    ("becivic-site", &["becivic-core"]),
    ("becivic-core", &[]),
    ("xtask", &[]),
];

/// What tests may use besides: the best test of the server is our own client.
const DEV_ARROWS: &[(&str, &[&str])] = &[("becivic-server", &["becivic-client"])];

/// Finds dependencies against the arrows, and crates that have none.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts() {
        let Some(name) = crate_of(path) else { continue };
        let Some(allowed) = row(ARROWS, name) else {
            let sentence = format!(
                "the crate `{name}` is in no row of the arrows (add it to crates/xtask/src/tidy/arrows.rs and ARCHITECTURE.md)"
            );
            findings.push(finding(path, 1, sentence));
            continue;
        };
        for dependency in dependencies(text) {
            let ours = row(ARROWS, &dependency.name).is_some();
            let dev = dependency.kind == Kind::Dev
                && row(DEV_ARROWS, name).is_some_and(|to| to.contains(&dependency.name.as_str()));
            if ours && !dev && !allowed.contains(&dependency.name.as_str()) {
                findings.push(finding(path, dependency.line, against(name, &dependency.name, allowed)));
            }
        }
    }
    findings
}

fn crate_of(path: &str) -> Option<&str> {
    let name = path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml")?;
    (!name.contains('/')).then_some(name)
}

fn row<'a>(arrows: &[(&str, &'a [&'a str])], name: &str) -> Option<&'a [&'a str]> {
    arrows.iter().find(|(from, _)| *from == name).map(|(_, to)| *to)
}

fn against(from: &str, to: &str, allowed: &[&str]) -> String {
    let allowed = if allowed.is_empty() { "none of ours".to_owned() } else { allowed.join(", ") };
    format!(
        "`{from}` may not depend on `{to}` (it may use {allowed}: move the code along an arrow, or drop the dependency)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(name: &str, body: &str) -> Vec<Finding> {
        check(&Tree::of(&[(&format!("crates/{name}/Cargo.toml"), body)]))
    }

    #[test]
    fn arrows_that_exist_are_fine() {
        let body = "[dependencies]\nbecivic-core.workspace = true\nanyhow.workspace = true\n";
        assert_eq!(manifest("becivic", body), []);
        let body = "[dev-dependencies]\nbecivic-client.workspace = true\n";
        assert_eq!(manifest("becivic-server", body), []);
    }

    #[test]
    fn a_dependency_against_the_arrows_is_found_on_its_line() {
        let body = "[dependencies]\nserde.workspace = true\nbecivic-site.workspace = true\n";
        let found = manifest("becivic-core", body);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].line, 3);
        assert!(found[0].sentence.contains("none of ours"));
    }

    #[test]
    fn the_tests_arrow_is_for_tests_only() {
        let body = "[dependencies]\nbecivic-client.workspace = true\n";
        assert_eq!(manifest("becivic-server", body).len(), 1);
        let body = "[dev-dependencies]\nbecivic-server.workspace = true\n";
        assert_eq!(manifest("becivic-client", body).len(), 1);
    }

    #[test]
    fn a_crate_without_a_row_is_found() {
        assert_eq!(manifest("becivic-extra", "[package]\n").len(), 1);
    }
}
