//! The addresses of the site: which ones there are, and the names of headings within a page.
//!
//! Links of skills and pages are written as addresses of the site (`/agents`, `/skills/change-of-address`), so
//! that the same corpus can be served under any host. Whether one leads somewhere follows from the corpus and
//! from one table of addresses that the server makes itself.

use crate::corpus::Corpus;
use crate::layout::{FileKind, classify};
use crate::mdx::inert::is_of_the_site;
use crate::mdx::outline::Outline;
use crate::path::Theme;
use crate::schema::Schema;

/// The line every skill opens with, and `llms.txt` too: an agent that lands on one page learns the rest first.
pub const OPENING_LINE: &str = "Agent: read [/agents](/agents) before you follow this text.";

/// What the opening of a procedure says of itself: that it is one, and no legal advice.
pub const STARTING_POINT: &str = "starting point";

/// Addresses that the server makes from the corpus, without a file of their own.
const MADE: &[&str] = &[
    "/.well-known/mcp/catalog.json",
    "/.well-known/security.txt",
    "/agents/manifest.json",
    "/agents/triggers.json",
    "/activity",
    "/communes.json",
    "/llms-full.txt",
    "/llms.txt",
    "/log",
    "/mcp",
    "/mcp/server-card",
    "/openapi.json",
    "/paths",
    "/paths/",
    "/paths/index.json",
    "/paths/rollup.json",
    "/references/",
    "/robots.txt",
    "/scrub-rules.json",
    "/search",
    "/search.json",
    "/sitemap.xml",
    "/skills",
    "/skills/",
    "/skills/index.json",
    "/values/",
];

/// Why an address of the site leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dead {
    /// There is nothing at this address.
    Address,
    /// The page is there, but has no heading of this name.
    Heading,
}

/// The site's own host: addresses there are addresses of the site.
const HOST: &str = "https://becivic.be";

/// The address of the site that a link leads to, if it leads there.
pub fn address(target: &str) -> Option<&str> {
    match target.strip_prefix(HOST) {
        Some("") => Some("/"),
        Some(rest) if rest.starts_with(['#', '?']) => Some(rest),
        // What would be another host without ours before it is left as it is written.
        Some(rest) => is_of_the_site(rest).then_some(rest),
        None => is_of_the_site(target).then_some(target),
    }
}

/// Whether an address of the site leads somewhere. A fragment must name a heading of the page or the skill.
pub fn resolve(corpus: &Corpus, address: &str) -> Result<(), Dead> {
    let (address, fragment) = match address.split_once('#') {
        Some((address, fragment)) => (address, Some(fragment)),
        None => (address, None),
    };
    let outline = outline(corpus, address);
    match (outline, fragment) {
        // What could not be read has no headings; it has findings of its own.
        (Some(outline), Some(fragment))
            if !outline.headings.is_empty() && !has_heading(outline, fragment) =>
        {
            Err(Dead::Heading)
        }
        (Some(_), _) => Ok(()),
        (None, _) if exists(corpus, address) => Ok(()),
        (None, _) => Err(Dead::Address),
    }
}

/// Whether a page has a heading that a fragment names.
pub fn has_heading(outline: &Outline, fragment: &str) -> bool {
    outline.headings.iter().any(|heading| slug(&heading.title) == fragment)
}

/// The name of a heading in an address: lower-case words joined by hyphens.
pub fn slug(title: &str) -> String {
    let mut name = String::with_capacity(title.len());
    for c in title.trim().chars() {
        match c {
            ' ' | '-' => name.push('-'),
            '_' => name.push('_'),
            c if c.is_ascii() && c.is_alphanumeric() => name.push(c.to_ascii_lowercase()),
            c if c.is_alphanumeric() => name.extend(c.to_lowercase()),
            _ => {}
        }
    }
    name
}

/// What the text at an address looks like, where it is a page or a skill.
fn outline<'c>(corpus: &'c Corpus, address: &str) -> Option<&'c Outline> {
    let skill = address.strip_prefix("/skills/").and_then(|id| corpus.skills.get(id));
    let page = corpus.pages.get(address);
    skill.map(|skill| &skill.document.outline).or(page.map(|page| &page.document.outline))
}

fn exists(corpus: &Corpus, address: &str) -> bool {
    let parts: Vec<&str> = address.split('/').skip(1).collect();
    match parts.as_slice() {
        ["skills", id] | ["skills", id, "source.md"] | ["skills", id, "at", _] if corpus.has_skill(id) => {
            true
        }
        ["agents"] | [""] => true,
        ["paths", id] if corpus.has_path(id) => true,
        ["paths", "themes", theme, ""] => Theme::ALL.iter().any(|known| known.as_str() == *theme),
        ["skills", "categories", category, ""] => {
            let fronts = corpus.skills.values().filter_map(|skill| skill.front.as_ref());
            fronts.into_iter().any(|front| front.category == *category)
        }
        ["values", uid] => corpus.catalogue.values().iter().any(|row| row.uid == *uid),
        ["references", uid] => corpus.catalogue.references().iter().any(|row| row.uid == *uid),
        ["schemas", file] => {
            Schema::ALL.iter().any(|schema| file.strip_suffix(".schema.json") == Some(schema.name()))
        }
        ["api", ..] => true,
        _ => {
            MADE.contains(&address)
                || is_folder(corpus, address)
                || is_unreadable_page(corpus, &format!("{}.mdx", parts.join("/")))
        }
    }
}

/// Whether an address is that of a folder with pages in it, such as `/docs/`.
fn is_folder(corpus: &Corpus, address: &str) -> bool {
    let within = corpus.pages.range(address.to_owned()..).next();
    address.len() > 1 && address.ends_with('/') && within.is_some_and(|(page, _)| page.starts_with(address))
}

fn is_unreadable_page(corpus: &Corpus, file: &str) -> bool {
    let kind = classify(file);
    matches!(kind, FileKind::Page(_) | FileKind::Contract(_)) && corpus.is_unreadable(&kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_browser_would_take_elsewhere_is_no_address_of_the_site() {
        for target in [
            "//evil.example",
            "/\\evil.example",
            "/\t/evil.example",
            "/\n/evil.example",
            "/a\u{0}b",
            "/a b",
            "evil.example",
            "https://becivic.be//evil.example",
            "https://becivic.be/\\evil.example",
            "https://becivic.be.evil.example/",
            "https://becivic.be@evil.example/",
        ] {
            assert_eq!(address(target), None, "{target:?}");
        }
        for (target, expected) in [
            ("/agents", "/agents"),
            ("/", "/"),
            ("https://becivic.be", "/"),
            ("https://becivic.be/agents#top", "/agents#top"),
            ("https://becivic.be#top", "#top"),
        ] {
            assert_eq!(address(target), Some(expected), "{target:?}");
        }
    }

    #[test]
    fn headings_become_words_joined_by_hyphens() {
        assert_eq!(slug("Before anything is sent"), "before-anything-is-sent");
        assert_eq!(slug("1. At the start of a session"), "1-at-the-start-of-a-session");
        assert_eq!(slug("What `DELETE` does"), "what-delete-does");
    }
}
