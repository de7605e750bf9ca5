//! `schemas/categories.json`: categories in use are listed; names too close to a listed one are not.

use super::to_text;
use crate::corpus::{Categories, Category, Corpus};
use std::collections::BTreeSet;

/// What a category is described by until somebody describes it.
pub const NEW_DESCRIPTION: &str = "New category; describe it.";

/// Names this close to a listed one are taken for misspellings (§6.1, G.3).
const NEAR: usize = 2;

/// What the categories in use make of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Categories added, in alphabetical order.
    pub added: Vec<String>,
    /// Categories in use that look like a misspelling, each with the listed one it is close to.
    pub near: Vec<(String, String)>,
    /// The file's new text; `None` when nothing is added.
    pub text: Option<String>,
}

/// Lists the categories in use.
pub fn categories(corpus: &Corpus) -> Listing {
    let mut listed = match corpus.categories.as_deref() {
        Some((_, listed)) => listed.clone(),
        None => Categories { schema_version: 1, categories: Vec::new() },
    };
    let mut listing = Listing::default();
    for category in in_use(corpus) {
        if listed.categories.iter().any(|known| known.id == category) {
            continue;
        }
        if let Some(near) = is_near(&listed, category) {
            listing.near.push((category.to_owned(), near.to_owned()));
            continue;
        }
        let description = NEW_DESCRIPTION.to_owned();
        listed.categories.push(Category { id: category.to_owned(), description });
        listing.added.push(category.to_owned());
    }
    listing.text = (!listing.added.is_empty()).then(|| listed_text(&listed));
    listing
}

/// The listed category a name is confusingly close to.
pub fn is_near<'a>(listed: &'a Categories, name: &str) -> Option<&'a str> {
    let ids = listed.categories.iter().map(|category| category.id.as_str());
    ids.filter(|id| *id != name).find(|id| strsim::levenshtein(id, name) <= NEAR)
}

/// The text of `schemas/categories.json`.
pub fn listed_text(listed: &Categories) -> String {
    to_text(listed)
}

fn in_use(corpus: &Corpus) -> BTreeSet<&str> {
    let skills = corpus.skills.values().filter_map(|skill| skill.front.as_ref());
    let paths = corpus.paths.iter().flat_map(|paths| paths.entries.values());
    skills
        .map(|front| front.category.as_str())
        .chain(paths.map(|path| path.entry.category.as_str()))
        .collect()
}
