//! The page around a document: head, navigation, what agents are told first, the text, the footer.

use crate::address::{Form, Which};
use crate::assets;
use crate::doc::{self, Block};
use crate::pages::Shown;
use crate::words::Words;
use becivic_core::vocabulary::Language;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Where a page stands.
pub struct Place<'p> {
    /// Where the site stands: `https://becivic.be`.
    pub base: &'p str,
    /// The page; nothing where there is none at the address.
    pub which: Option<&'p Which>,
    /// Whether somebody chose the language in the address: links keep it then.
    pub chosen: bool,
}

/// A whole page.
pub fn page(shown: &Shown, place: &Place<'_>, words: &Words) -> String {
    let text = doc::html::blocks(&shown.doc.blocks, words);
    let markup = html! {
        (DOCTYPE)
        html lang=(words.language.as_str()) {
            (head(shown, place, words))
            body {
                a class="skip" href="#text" { (words.frame.skip) }
                (top(place, words))
                div class="columns" {
                    (contents(shown, words))
                    main id="text" lang=(shown.language.as_str()) {
                        (agent_line(place, words))
                        (text)
                    }
                }
                (footer(place, words))
            }
        }
    };
    markup.into_string()
}

fn head(shown: &Shown, place: &Place<'_>, words: &Words) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (shown.title) @if shown.title != words.frame.site { " · " (words.frame.site) } }
            meta name="description" content=(shown.description);
            @if !shown.indexed { meta name="robots" content="noindex"; }
            meta name="color-scheme" content="light dark";
            link rel="icon" href=(assets::address("favicon.svg")) type="image/svg+xml";
            link rel="stylesheet" href=(assets::address("site.css"));
            link rel="preload" href=(assets::address("manrope-800.woff2")) as="font" type="font/woff2" crossorigin;
            script src=(assets::address("site.js")) {}
            @if let Some(which) = place.which {
                link rel="canonical" href={ (place.base) (which.canonical()) };
                link rel="alternate" type="text/markdown" href=(which.address_as(Form::Markdown));
                @for language in Language::ALL {
                    link rel="alternate" hreflang=(language.as_str())
                        href={ (place.base) (which.address()) "?lang=" (language.as_str()) };
                }
            }
            link rel="alternate" type="text/plain" href="/llms.txt" title="llms.txt";
        }
    }
}

fn top(place: &Place<'_>, words: &Words) -> Markup {
    let frame = &words.frame;
    let here = place.which.map(Which::address).unwrap_or_default();
    let item = |to: &str, label: &str| {
        let is_here = here.starts_with(to);
        html! { a href=(to) aria-current=[is_here.then_some("true")] { (label) } }
    };
    html! {
        header class="top" {
            a class="mark" href="/" { (frame.site) }
            nav id="menu" aria-label=(frame.menu) {
                (item("/skills/", frame.skills))
                (item("/paths/", frame.paths))
                (item("/agents", frame.agents))
                (item("/docs/reference-consumer", frame.docs))
                (item("/activity", frame.activity))
                (item("/search", frame.search))
            }
        }
    }
}

/// What an agent that lands here must know first, visible near the top.
fn agent_line(place: &Place<'_>, words: &Words) -> Markup {
    let Some(which) = place.which else { return html! {} };
    let frame = &words.frame;
    html! {
        p class="agent-line" {
            (frame.agent_line) " " a href=(which.address_as(Form::Markdown)) { "markdown" } " "
            (frame.and_start) " " a href="/llms.txt" { "/llms.txt" } "."
        }
    }
}

fn contents(shown: &Shown, words: &Words) -> Markup {
    let headings: Vec<(&str, String)> = shown
        .doc
        .blocks
        .iter()
        .filter_map(|block| match block {
            Block::Heading { level: 2, id, text } => {
                Some((id.as_str(), doc::html::inlines(text, words).into_string()))
            }
            _ => None,
        })
        .chain(shown.contents.iter().map(|(id, title)| (id.as_str(), html! { (title) }.into_string())))
        .collect();
    if headings.len() < 2 {
        return html! {};
    }
    html! {
        nav class="contents" aria-label=(words.frame.on_this_page) {
            p { (words.frame.on_this_page) }
            ul { @for (id, title) in &headings { li { a href={ "#" (id) } { (PreEscaped(title)) } } } }
        }
    }
}

fn footer(place: &Place<'_>, words: &Words) -> Markup {
    let frame = &words.frame;
    html! {
        footer {
            p {
                (frame.licence) " "
                a href="https://creativecommons.org/licenses/by/4.0/" rel="license external noopener" { "CC BY 4.0" } ". "
                (frame.not_the_state)
            }
            p { (frame.mcp) ": " code { (place.base) "/mcp" } }
        }
    }
}
