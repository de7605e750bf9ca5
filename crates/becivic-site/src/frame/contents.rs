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
                    ul {
                        @for (id, title, language) in &headings {
                            li { a href={ "#" (id) } lang=(language) { (PreEscaped(title)) } }
                        }
                    }
                }
            }
        }
    })
}

/// Headings of the document, then those of texts that were printed already: name, title as HTML and the title's language.
fn headings<'s>(shown: &'s Shown, words: &Words) -> Vec<(&'s str, String, &'static str)> {
    let of_blocks = shown.doc.blocks.iter().filter_map(|block| match block {
        Block::Heading { level: 2, id, text } => {
            Some((id.as_str(), doc::html::inlines(text, words).into_string(), shown.language.as_str()))
        }
        _ => None,
    });
    let of_texts = shown
        .contents
        .iter()
        .map(|(id, title, language)| (id.as_str(), html! { (title) }.into_string(), *language));
    of_blocks.chain(of_texts).collect()
}
