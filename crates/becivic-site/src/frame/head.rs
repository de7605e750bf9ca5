//! What browsers, search engines and agents read before the page.

use super::Place;
use crate::address::{Form, Which};
use crate::assets;
use crate::pages::Shown;
use crate::words::Words;
use becivic_core::vocabulary::Language;
use maud::{Markup, PreEscaped, html};
use std::sync::LazyLock;

/// The colour of the bar at the top in each scheme, as in `site.css`: browsers paint their own frame with it.
const BAR: [(&str, &str); 2] = [("light", "#ffffff"), ("dark", "#10161e")];

/// The head.
pub(super) fn head(shown: &Shown, place: &Place<'_>, words: &Words) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (shown.title) @if shown.title != words.frame.site { " · " (words.frame.site) } }
            @if !shown.description.is_empty() { meta name="description" content=(shown.description); }
            @if !shown.indexed { meta name="robots" content="noindex"; }
            (PreEscaped(LOOKS.as_str()))
            @if let Some(which) = place.which { (addresses(which, place)) }
            link rel="alternate" type="text/plain" href="/llms.txt" title="llms.txt";
            (card(shown, place, words))
        }
    }
}

/// Styles, fonts, the script. It is small and not deferred, so that a chosen scheme is there before the first paint.
static LOOKS: LazyLock<String> = LazyLock::new(|| {
    let looks = html! {
        meta name="color-scheme" content="light dark";
        @for (scheme, colour) in BAR {
            meta name="theme-color" content=(colour) media={ "(prefers-color-scheme: " (scheme) ")" };
        }
        link rel="icon" href=(assets::address("favicon.svg")) type="image/svg+xml";
        link rel="stylesheet" href=(assets::address("site.css"));
        link rel="preload" href=(assets::address("manrope.woff2")) as="font" type="font/woff2" crossorigin;
        script src=(assets::address("site.js")) {}
    };
    looks.into_string()
});

/// The one address of the page, its other forms and its other languages.
fn addresses(which: &Which, place: &Place<'_>) -> Markup {
    let address = which.address();
    html! {
        link rel="canonical" href={ (place.base) (which.canonical()) };
        link rel="alternate" type="text/markdown" href=(which.address_as(Form::Markdown));
        @for language in Language::ALL.iter().filter(|_| place.is_live) {
            link rel="alternate" hreflang=(language.as_str())
                href={ (place.base) (address) "?lang=" (language.as_str()) };
        }
        @if place.is_live { link rel="alternate" hreflang="x-default" href={ (place.base) (address) }; }
    }
}

/// What a messenger shows of the page when somebody passes its address on.
fn card(shown: &Shown, place: &Place<'_>, words: &Words) -> Markup {
    html! {
        meta property="og:title" content=(shown.title);
        @if !shown.description.is_empty() { meta property="og:description" content=(shown.description); }
        meta property="og:site_name" content=(words.frame.site);
        meta property="og:type" content="website";
        @if let Some(which) = place.which { meta property="og:url" content={ (place.base) (which.address()) }; }
    }
}
