//! Links between our documents lead somewhere.
//!
//! 1. The documents are the Markdown files of the root and of `docs/`.
//! 2. A link with a scheme leaves the checkout and is not our business here.
//! 3. What stands before `#` must exist, seen from the document's folder.
//! 4. What stands after `#` must be a heading of the Markdown file it leads to, in the form
//!    forges give it: lower case, blanks as `-`, punctuation dropped, repeats numbered.

use super::markdown::{headings, link_targets};
use super::tree::Tree;
use super::{Finding, finding};

/// Finds the links that lead nowhere.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts().filter(|(path, _)| is_document(path)) {
        for link in link_targets(text) {
            if let Some(trouble) = trouble(tree, path, &link.text) {
                findings.push(finding(path, link.line, trouble));
            }
        }
    }
    findings
}

fn is_document(path: &str) -> bool {
    path.ends_with(".md") && (path.starts_with("docs/") || !path.contains('/'))
}

fn trouble(tree: &Tree, from: &str, target: &str) -> Option<String> {
    let outside = target.contains("://") || target.starts_with("mailto:");
    if outside || target.is_empty() {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let Some(path) = resolve(from, file) else {
        return Some(format!("the link `{target}` leaves the checkout (link inside it)"));
    };
    if !tree.exists(&path) {
        return Some(format!("the link `{target}` leads to `{path}`, which does not exist (correct it)"));
    }
    let text = tree.text(&path).filter(|_| path.ends_with(".md"))?;
    (!anchor.is_empty() && !anchors(text).iter().any(|known| known == anchor))
        .then(|| format!("the link `{target}` names a heading that `{path}` does not have (correct it)"))
}

/// A link's path from the root, or nothing when it climbs out of the checkout.
fn resolve(from: &str, file: &str) -> Option<String> {
    if file.is_empty() {
        return Some(from.to_owned());
    }
    let mut names: Vec<&str> = from.split('/').collect();
    names.pop();
    for name in file.trim_end_matches('/').split('/') {
        match name {
            "." => {}
            ".." => {
                names.pop()?;
            }
            name => names.push(name),
        }
    }
    Some(names.join("/"))
}

fn anchors(text: &str) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    for heading in headings(text) {
        let plain: String = heading
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect();
        let mut anchor = plain.clone();
        let mut repeat = 1;
        while anchors.contains(&anchor) {
            anchor = format!("{plain}-{repeat}");
            repeat += 1;
        }
        anchors.push(anchor);
    }
    anchors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(readme: &str) -> Vec<Finding> {
        check(&Tree::of(&[
            ("README.md", readme),
            ("docs/guide.md", "# A `guide`, first\n\n[up](../README.md)\n"),
            ("crates/x/README.md", "[not ours](gone.md)"),
        ]))
    }

    #[test]
    fn links_that_resolve_are_fine() {
        let readme = "# Top\n[a](docs/guide.md) [b](docs/guide.md#a-guide-first) [c](#top) [d](docs/) [e](https://becivic.be)\n";
        assert_eq!(found(readme), []);
    }

    #[test]
    fn dead_links_and_headings_are_found() {
        for readme in
            ["[a](docs/gone.md)", "[a](docs/guide.md#gone)", "[a](../elsewhere.md)", "![a](docs/picture.svg)"]
        {
            assert_eq!(found(readme).len(), 1, "{readme}");
        }
    }

    #[test]
    fn repeated_headings_are_numbered() {
        assert_eq!(anchors("# A\n# A\n# B c\n"), ["a", "a-1", "b-c"]);
    }
}
