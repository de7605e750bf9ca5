//! A new category: an entry at the end of `schemas/categories.json`.

use super::{NewFile, Refused, fits, usable_category};
use crate::corpus::{Categories, Category, Corpus};
use crate::rollup;

/// What the author says about a new category.
#[derive(Clone, Debug, Default)]
pub struct NewCategory {
    /// Its name.
    pub id: String,
    /// What belongs to it.
    pub description: String,
}

/// Where categories are listed.
const FILE: &str = "schemas/categories.json";

/// The list with the new category.
pub fn category(corpus: &Corpus, new: &NewCategory) -> Result<NewFile, Refused> {
    let mut listed = match corpus.categories.as_deref() {
        Some((_, listed)) => listed.clone(),
        None if corpus.findings.iter().any(|finding| finding.file == FILE) => {
            return Err(Refused::Unreadable(FILE));
        }
        None => Categories { schema_version: 1, categories: Vec::new() },
    };
    if listed.categories.iter().any(|category| category.id == new.id) {
        return Err(Refused::Taken { what: "category", id: new.id.clone() });
    }
    usable_category(corpus, &new.id)?;
    let description = new.description.trim();
    if description.is_empty() || description.chars().any(char::is_control) {
        return Err(Refused::Misfit {
            message: "the description is empty or holds control characters".to_owned(),
            help: "Say in one line what belongs to the category.".to_owned(),
        });
    }
    let (id, description) = (new.id.clone(), description.to_owned());
    listed.categories.push(Category { id, description });
    let text = rollup::listed_text(&listed);
    fits(NewFile { path: FILE.to_owned(), text }, None)
}
