//! The document itself, with the line for agents at its top; on the first page, its opening with a search box.

use super::{Place, links, search};
use crate::address::Form;
use crate::doc;
use crate::pages::Shown;
use crate::words::Words;
use maud::{Markup, PreEscaped, Render, html};

/// The text of the page.
pub(super) struct Text<'p> {
    /// What the page says.
    pub shown: &'p Shown,
    /// Where it stands.
    pub place: &'p Place<'p>,
    /// The words around it.
    pub words: &'p Words,
}

impl Render for Text<'_> {
    fn render_to(&self, out: &mut String) {
        let Self { shown, place, words } = *self;
        let blocks = &shown.doc.blocks;
        if !place.is_first() {
            agent_line(place, words).render_to(out);
        }
        if !place.is_first() && !place.chosen {
            return doc::html::write(blocks, words, out);
        }
        let printed = doc::html::blocks(blocks, words).into_string();
        let printed = if place.chosen { links::kept(&printed, words.language.as_str()) } else { printed };
        let (opening, rest) = if place.is_first() { cut(&printed) } else { ("", printed.as_str()) };
        if place.is_first() {
            let opening = html! {
                div class="opening" {
                    (PreEscaped(opening))
                    (search::large(place, words))
                    (agent_line(place, words))
                }
            };
            opening.render_to(out);
        }
        out.push_str(rest);
    }
}

/// The title with the paragraph right after it, and the rest. Only where they stand side by side, so that no element is cut.
fn cut(printed: &str) -> (&str, &str) {
    let title_ends = printed.find("</h1>").map_or(0, |at| at + "</h1>".len());
    let after = printed.get(title_ends..).unwrap_or_default();
    let leads = title_ends > 0 && after.trim_start().starts_with("<p>");
    let lead = if leads { after.find("</p>").map_or(0, |at| at + "</p>".len()) } else { 0 };
    printed.split_at_checked(title_ends + lead).unwrap_or(("", printed))
}

/// What an agent that lands here must know first, visible near the top.
fn agent_line(place: &Place<'_>, words: &Words) -> Markup {
    let Some(which) = place.which else { return html! {} };
    let frame = &words.frame;
    html! {
        p class="agent-line" lang=(words.language.as_str()) {
            (frame.agent_line) " " a href=(place.to(&which.address_as(Form::Markdown), words)) { "markdown" } " "
            (frame.and_start) " " a href="/llms.txt" { "/llms.txt" } "."
        }
    }
}
