//! The bar at the top: the name, the search box, the ways through the site, the languages, light or dark.
//!
//! At small widths everything but the name is a drawer. The link that opens it leads to `#menu`, the one that closes it to the
//! text, so both work without a script; the script makes a button of it that keeps no history.

use super::{Place, search};
use crate::address::Which;
use crate::words::Words;
use becivic_core::vocabulary::Language;
use maud::{Markup, html};

/// The bar.
pub(super) fn top(place: &Place<'_>, words: &Words) -> Markup {
    let frame = &words.frame;
    html! {
        header class="top" {
            div class="bar" {
                a class="mark" href=(place.to("/", words)) { (mark()) (frame.site) }
                @if !has_box_of_its_own(place) { (search::small(place, words)) }
                a class="open" href="#menu" { (frame.menu) }
                div class="menu" id="menu" {
                    a class="close" href="#text" { (frame.close) }
                    (ways(place, words))
                    @if place.is_live { (languages(words)) }
                    button class="scheme" type="button" hidden { (frame.theme) }
                }
            }
        }
    }
}

/// The first page and the search page show a search box in their text.
fn has_box_of_its_own(place: &Place<'_>) -> bool {
    place.is_first() || matches!(place.which, Some(Which::Search))
}

/// The sign before the name: a house whose door stands open. The icon of the site shows the same.
fn mark() -> Markup {
    html! {
        svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true" focusable="false" {
            path d="M3 21V9l9-6 9 6v12h-6v-7H9v7z" fill="currentColor" {}
        }
    }
}

fn ways(place: &Place<'_>, words: &Words) -> Markup {
    let frame = &words.frame;
    let ways = [
        ("/skills/", "/skills", frame.skills),
        ("/paths/", "/paths", frame.paths),
        ("/docs/reference-consumer", "/docs/", frame.docs),
        ("/agents", "/agents", frame.agents),
        ("/activity", "/activity", frame.activity),
        ("/search", "/search", frame.search),
    ];
    let here = place.which.map(Which::address).unwrap_or_default();
    html! {
        nav class="ways" aria-label=(frame.menu) {
            ul {
                @for (to, stem, label) in ways.into_iter().filter(|(to, ..)| place.is_live || *to != "/activity") {
                    li { a href=(place.to(to, words)) aria-current=[current(&here, to, stem)] { (label) } }
                }
            }
        }
    }
}

/// The way that leads here, or to the part of the site this page is in.
fn current(here: &str, to: &str, stem: &str) -> Option<&'static str> {
    if here == to { Some("page") } else { here.starts_with(stem).then_some("true") }
}

/// The same page in the four languages.
fn languages(words: &Words) -> Markup {
    html! {
        nav class="languages" aria-label=(words.frame.language) {
            ul {
                @for language in Language::ALL {
                    @let code = language.as_str();
                    li {
                        a href={ "?lang=" (code) } lang=(code) hreflang=(code)
                            aria-current=[(*language == words.language).then_some("true")]
                            { (code.to_uppercase()) span class="unseen" { " " (own_name(*language)) } }
                    }
                }
            }
        }
    }
}

/// What a language calls itself.
fn own_name(language: Language) -> &'static str {
    match language {
        Language::En => "English",
        Language::Fr => "Français",
        Language::Nl => "Nederlands",
        Language::De => "Deutsch",
    }
}
