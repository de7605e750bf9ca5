//! Search boxes: plain forms that lead to the search page, with the language where somebody chose one.

use super::{Place, links};
use crate::words::Words;
use maud::{Markup, html};

/// The box in the bar of every page but the first.
pub(super) fn small(place: &Place<'_>, words: &Words) -> Markup {
    form("find", "find", [words.frame.search, words.frame.search], place, words)
}

/// The box in the opening of the first page, under a question.
pub(super) fn large(place: &Place<'_>, words: &Words) -> Markup {
    form("find large", "find-first", [words.frame.what_to_do, words.frame.search_in], place, words)
}

fn form(class: &str, id: &str, [label, hint]: [&str; 2], place: &Place<'_>, words: &Words) -> Markup {
    html! {
        form class=(class) action="/search" method="get" role="search" lang=(words.language.as_str()) {
            label for=(id) { (label) }
            div {
                input id=(id) type="search" name="q" maxlength="200" placeholder=(hint);
                @if place.chosen { (links::field(words.language.as_str())) }
                button type="submit" { (glass()) span { (words.frame.search) } }
            }
        }
    }
}

fn glass() -> Markup {
    html! {
        svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false" {
            path d="M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21"
                fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" {}
        }
    }
}
