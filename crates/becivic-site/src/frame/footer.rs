//! The end of every page: licence, whose this is not, and the ways that are not in the menu.

use super::Place;
use crate::words::Words;
use maud::{Markup, html};

/// The footer.
pub(super) fn footer(place: &Place<'_>, words: &Words) -> Markup {
    let frame = &words.frame;
    let ways = [("/docs/privacy", frame.privacy), ("/log", frame.log), ("/activity", frame.activity)];
    html! {
        footer {
            div class="foot" {
                p class="whose" { strong { (frame.not_the_state) } " " (frame.no_cookies) }
                ul {
                    @for (to, label) in ways.into_iter().filter(|(to, _)| place.is_live || *to == "/docs/privacy") { li { a href=(place.to(to, words)) { (label) } } }
                    li { a href="/llms.txt" { "llms.txt" } }
                    @if place.is_live { li { a href="/api" { "API" } } }
                }
                p {
                    (frame.licence) " "
                    a href="https://creativecommons.org/licenses/by/4.0/" rel="license external noopener" { "CC BY 4.0" } "."
                }
                p { (frame.mcp) ": " code { (place.base) "/mcp" } }
            }
        }
    }
}
