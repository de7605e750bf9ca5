//! The closed word lists of core as values of an argument: listed in the help, completed by shells, refused
//! when misspelt.

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
