//! The rollups beside skills and paths (§6.5, §6.5.1): what the tree alone determines (DECISIONS §14).
//!
//! 1. One entry per artefact, by id, with the fields a reader chooses by. Counts, commits and times come
//!    from elsewhere and are not here, so the same tree gives the same bytes.
//! 2. A quarantined artefact shows its id, status and version only.
//! 3. A rollup of a corpus with unreadable artefacts would be a lie: there is none, and the artefacts
//!    are named instead.
//! 4. Categories in use that nobody listed are listed (§6.1, G.3), unless one is a near miss.

mod categories;
mod paths;
mod skills;

pub use categories::{Listing, NEW_DESCRIPTION, categories, is_near, listed_text};
pub use paths::paths;
pub use skills::skills;

use serde::Serialize;

/// Artefacts that cannot be read, so that a rollup would leave them out: files, or entries of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(pub Vec<String>);

/// The text of a JSON file: two spaces, one newline at the end.
fn to_text(value: &impl Serialize) -> String {
    // Serialising plain structs to a string cannot fail; an empty file would be seen at once.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
