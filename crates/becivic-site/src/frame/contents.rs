//! The headings of the page, as a list beside it. Where there is no room beside it, the list opens when somebody asks for it.

use crate::doc::{self, Block};
use crate::pages::Shown;
use crate::words::Words;
use maud::{Markup, PreEscaped, html};

/// The list; nothing where there are less than two headings.
pub(super) fn contents(shown: &Shown, words: &Words) -> Option<Markup> {
    let headings = headings(shown, words);
    (headings.len() > 1).then(|| {
        html! {
            nav class="contents" aria-label=(words.frame.on_this_page) {
                details {
                    summary { (words.frame.on_this_page) }
                    ul lang=(shown.language.as_str()) {
                        @for (id, title) in &headings { li { a href={ "#" (id) } { (PreEscaped(title)) } } }
                    }
                }
            }
        }
    })
}

/// Headings of the document, then those of texts that were printed already: name and title as HTML.
fn headings<'s>(shown: &'s Shown, words: &Words) -> Vec<(&'s str, String)> {
    let of_blocks = shown.doc.blocks.iter().filter_map(|block| match block {
        Block::Heading { level: 2, id, text } => {
            Some((id.as_str(), doc::html::inlines(text, words).into_string()))
        }
        _ => None,
    });
    let of_texts = shown.contents.iter().map(|(id, title)| (id.as_str(), html! { (title) }.into_string()));
    of_blocks.chain(of_texts).collect()
}
