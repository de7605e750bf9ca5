//! New artefacts that a check accepts at once: what `becivic new` writes.
//!
//! 1. Refuse an id that is taken, or a category easily confused with a listed one.
//! 2. Write the artefact: a draft at 0.0.0 with every section or field, and sentences that say what goes
//!    where. Nothing in it claims to have been verified.
//! 3. Read it back; what would not fit (a title that is too long, say) is refused with the reader's
//!    own words. So no scaffold starts broken.

mod category;
mod path;
mod skill;

pub use category::{NewCategory, category};
pub use path::{NewPath, path};
pub use skill::{NewSkill, skill};

use crate::corpus::{self, Content, Corpus, Input};
use crate::rollup;

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    /// Path relative to the corpus root.
    pub path: String,
    /// Its whole text.
    pub text: String,
}

/// Why nothing was made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // each message says what it is
pub enum Refused {
    #[error("`{0}` is not an id: {ID_RULE}")]
    BadId(String),
    #[error("`{0}` is not a category: {CATEGORY_RULE}")]
    BadCategory(String),
    #[error("there is a {what} `{id}` already; choose another id or edit that one")]
    Taken { what: &'static str, id: String },
    #[error(
        "`{name}` is too close to the category `{near}`; use that one, or a name that cannot be confused with it"
    )]
    NearMiss { name: String, near: String },
    #[error("there is no authority `{0}`; use an id of data/authorities.json, or add the authority there")]
    NoAuthority(String),
    #[error("there is no submission contract; write docs/submission-contract-v<N>.mdx first")]
    NoContract,
    #[error("{0} cannot be read, so nothing can be added to it; run `becivic check` and fix it first")]
    Unreadable(&'static str),
    #[error("all path uids up to pth-999999 are taken")]
    NoUidLeft,
    #[error("this would not pass a check: {message}. {help}")]
    Misfit { message: String, help: String },
}

/// What an id looks like, for messages.
pub const ID_RULE: &str = "an id is lowercase words of letters and digits joined by single hyphens, 80 characters at most, like renew-residence-card";

/// What a category looks like, for messages.
pub const CATEGORY_RULE: &str = "a category starts with a lowercase letter and goes on with lowercase letters, digits and hyphens, 80 characters at most, like belgium-federal";

/// Whether a text is an id (`common.schema.json`, `kebab_id`).
pub fn is_id(text: &str) -> bool {
    let word =
        |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    text.len() <= 80 && text.split('-').all(word)
}

/// Whether a text is the name of a category (`common.schema.json`, `category`).
pub fn is_category(text: &str) -> bool {
    let rest = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    (2..=80).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.bytes().all(rest)
}

/// Refuses a category that no artefact may carry.
fn usable_category(corpus: &Corpus, name: &str) -> Result<(), Refused> {
    if !is_category(name) {
        return Err(Refused::BadCategory(name.to_owned()));
    }
    let Some((_, listed)) = corpus.categories.as_deref() else {
        return Ok(());
    };
    let known = listed.categories.iter().any(|category| category.id == name);
    match rollup::is_near(listed, name) {
        Some(near) if !known => Err(Refused::NearMiss { name: name.to_owned(), near: near.to_owned() }),
        Some(_) | None => Ok(()),
    }
}

/// Refuses an id of the wrong form.
fn usable_id(id: &str) -> Result<(), Refused> {
    if is_id(id) { Ok(()) } else { Err(Refused::BadId(id.to_owned())) }
}

/// Reads a new file back and refuses it when its reader has something to say that it did not say of the
/// file before.
fn fits(file: NewFile, before: Option<&str>) -> Result<NewFile, Refused> {
    let findings = |text: &str| {
        let content = Content::Bytes(text.as_bytes().to_vec());
        corpus::read(Input { path: file.path.clone(), content }).1
    };
    let known = before.map(findings).unwrap_or_default();
    let fresh = findings(&file.text);
    let new = fresh.into_iter().find(|finding| {
        !known.iter().any(|known| (known.rule, &known.message) == (finding.rule, &finding.message))
    });
    match new {
        None => Ok(file),
        Some(finding) => Err(Refused::Misfit { message: finding.message, help: finding.help }),
    }
}

/// `renew-residence-card` as words: `Renew residence card`.
fn words(id: &str) -> String {
    let spaced = id.replace('-', " ");
    let mut letters = spaced.chars();
    match letters.next() {
        None => spaced,
        Some(first) => first.to_uppercase().chain(letters).collect(),
    }
}

#[cfg(test)]
mod tests;
