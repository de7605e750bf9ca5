//! Pages of the corpus: `/`, `/agents`, `/docs/…`, as they were authored.

use super::Shown;
use crate::body;
use crate::doc::Block;
use crate::words::Words;
use crate::world::World;
use becivic_core::vocabulary::Language;

/// The page.
pub fn show(world: &World<'_>, address: &str, words: &Words) -> Option<Shown> {
    let page = world.corpus.pages.get(address)?;
    let front = page.front.as_ref()?;
    let mut shown = Shown::new(&front.title, &front.description, words);
    shown.language = Language::En;
    let text = page.source.slice(page.document.body);
    let printed = body::plain(text);
    let language = shown.language.as_str();
    shown.contents = printed.contents.into_iter().map(|(id, title)| (id, title, language)).collect();
    shown.doc.push(Block::Printed { html: printed.html, markdown: printed.markdown });
    Some(shown)
}
