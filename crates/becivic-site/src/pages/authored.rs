//! Pages of the corpus: `/`, `/agents`, `/docs/…`, as they were authored.

use super::{Shown, interface};
use crate::body;
use crate::doc::{self, Block, plain};
use crate::facts::Facts;
use crate::words::{self, Words};
use crate::world::World;
use becivic_core::vocabulary::Language;

/// The page.
pub fn show(world: &World<'_>, address: &str, facts: &Facts, words: &Words) -> Option<Shown> {
    let page = world.corpus.pages.get(address)?;
    let front = page.front.as_ref()?;
    let mut shown = Shown::new(&front.title, &front.description, words);
    shown.language = Language::En;
    let text = page.source.slice(page.document.body);
    let printed = body::plain(text);
    let language = shown.language.as_str();
    shown.contents = printed.contents.into_iter().map(|(id, title)| (id, title, language)).collect();
    shown.doc.push(Block::Printed { html: printed.html, markdown: printed.markdown });
    // English, and below the headings of the text: printed as the text is.
    let (more, english) = (interface::blocks(address, facts.api.as_ref()), words::of(Language::En));
    for block in &more {
        if let Block::Heading { level: 2, id, text } = block {
            shown.contents.push((id.clone(), plain(text), language));
        }
    }
    if !more.is_empty() {
        let html = doc::html::blocks(&more, english).into_string();
        shown.doc.push(Block::Printed { html, markdown: doc::markdown::blocks(&more, english) });
    }
    Some(shown)
}
