//! Values of arguments that core knows: the closed word lists (listed in the help, completed by shells, refused
//! when misspelt) and dates.

use becivic_core::date::is_real;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// A parser that takes one word of a list; `written` is how a word is written.
pub fn one_of<T>(all: &'static [T], written: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let words: Vec<&'static str> = all.iter().map(|word| written(*word)).collect();
    PossibleValuesParser::new(words).try_map(move |text| {
        let found = all.iter().copied().find(|word| written(*word) == text);
        found.ok_or("not a word of the list")
    })
}

/// A day of the calendar, `YYYY-MM-DD`.
pub fn date(text: &str) -> Result<String, String> {
    match is_real(text) {
        true => Ok(text.to_owned()),
        false => Err("write a day of the calendar like 2026-05-11".to_owned()),
    }
}
