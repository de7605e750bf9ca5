//! A folder of authored pages that has no page of its own, such as `/docs/`: what is in it.

use super::Shown;
use crate::doc::{Inline, heading, lines, paragraph, text};
use crate::words::Words;
use crate::world::World;
use becivic_core::vocabulary::Language;

/// The page.
pub fn show(world: &World<'_>, address: &str, words: &Words) -> Option<Shown> {
    let title = match address.starts_with("/agents") {
        true => words.frame.agents,
        false => words.frame.docs,
    };
    let mut shown = Shown::new(title, title, words);
    shown.indexed = false;
    shown.doc.push(heading(1, title));
    let pages = world.corpus.pages.iter().filter(|(page, _)| page.starts_with(address));
    let listed: Vec<Vec<Inline>> = pages
        .filter_map(|(page, it)| {
            let front = it.front.as_ref()?;
            let written = |text: &str| super::path::written(Some((Language::En, text)), words);
            let link = Inline::Link { to: page.clone(), label: vec![written(&front.title)] };
            Some(vec![link, text(" – "), written(&front.description)])
        })
        .collect();
    shown.doc.push(if listed.is_empty() {
        paragraph([text(words.frame.missing_title)])
    } else {
        lines(listed)
    });
    Some(shown)
}
