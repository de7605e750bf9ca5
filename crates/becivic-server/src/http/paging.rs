//! Lists in pages: `{"items": […], "next": <cursor or null>}`.

use super::ask::Ask;
use crate::rejection::{Category, Rejection};
use serde_json::{Value, json};

/// Items of a page when nobody says how many.
const USUAL: usize = 50;

/// Most items of a page.
pub const MOST: usize = 200;

/// Which page is asked for.
pub struct Page {
    /// At most this many.
    pub limit: usize,
    /// After this cursor; empty from the beginning.
    pub after: String,
}

impl Page {
    /// Reads `limit` and `after`.
    pub fn of(ask: &Ask) -> Result<Self, Rejection> {
        let limit = match ask.query("limit") {
            None => USUAL,
            Some(text) => text.parse().ok().filter(|limit| (1..=MOST).contains(limit)).ok_or_else(|| {
                Rejection::at(Category::SchemaFail, "/limit", "`limit` is a number from 1 to 200.")
            })?,
        };
        let after = ask.query("after").unwrap_or_default();
        if after.len() > 200 {
            return Err(Rejection::at(
                Category::SchemaFail,
                "/after",
                "`after` is the `next` of the answer before.",
            ));
        }
        Ok(Self { limit, after })
    }

    /// The answer: of one item more than asked for, the last is only the sign that there is more.
    pub fn list<T>(
        &self,
        mut found: Vec<T>,
        cursor: impl Fn(&T) -> String,
        shown: impl Fn(&T) -> Value,
    ) -> Value {
        let more = found.len() > self.limit;
        found.truncate(self.limit);
        let next = found.last().filter(|_| more).map(cursor);
        json!({"items": found.iter().map(shown).collect::<Vec<_>>(), "next": next})
    }
}

/// A query parameter that must be one of a closed list of words.
pub fn word<T>(ask: &Ask, name: &str, named: impl Fn(&str) -> Option<T>) -> Result<Option<T>, Rejection> {
    let Some(text) = ask.query(name) else { return Ok(None) };
    let wrong = || {
        Rejection::at(
            Category::SchemaFail,
            &format!("/{name}"),
            "Use one of the words the documentation lists.",
        )
    };
    named(&text).map(Some).ok_or_else(wrong)
}

/// A query parameter that holds several words of a closed list, joined by commas.
pub fn words<T>(
    ask: &Ask,
    name: &str,
    named: impl Fn(&str) -> Option<T>,
) -> Result<Option<Vec<T>>, Rejection> {
    word(ask, name, |text| text.split(',').map(|one| named(one.trim())).collect::<Option<Vec<T>>>())
}
