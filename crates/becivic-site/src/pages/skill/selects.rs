//! Who an edge of the composition is for: its selectors in words.

use crate::words::Words;
use becivic_core::skill::{Selector, SelectsOn};

/// The conditions in a line; nothing where there are none.
pub fn in_words(selects: Option<&SelectsOn>, words: &Words) -> Option<String> {
    let selects = selects.filter(|it| !it.is_empty())?;
    let one =
        |(key, values): (&Selector, &Vec<String>)| format!("{}: {}", name(*key, words), values.join(", "));
    Some(selects.iter().map(one).collect::<Vec<_>>().join("; "))
}

fn name(selector: Selector, words: &Words) -> &'static str {
    let words = &words.skill;
    match selector {
        Selector::Region => words.on_region,
        Selector::OriginCountry => words.on_origin_country,
        Selector::SponsorType => words.on_sponsor_type,
        Selector::EntryType => words.on_entry_type,
        Selector::CardOutcome => words.on_card_outcome,
        Selector::SubCategory => words.on_sub_category,
    }
}
