//! What holds of every page, whatever it says: one title, headings in order, names that are there once, links that lead
//! somewhere, and the same words in both forms.

use super::ground::{Ground, around_the_text, html, markdown, published};
use crate::given::without_drawings;
use becivic_core::vocabulary::Language;
use becivic_site::address::{self, Found, Which};
use becivic_site::{Facts, files, frame, words};
use pulldown_cmark::{Event, Options, Parser, TagEnd};
use std::collections::BTreeSet;
use std::sync::LazyLock;

static PUBLISHED: LazyLock<Ground> = LazyLock::new(published);

/// Looks at a page in every language.
pub fn check(ground: &Ground, which: &Which) {
    for language in [Language::En, Language::Fr, Language::Nl, Language::De] {
        let shown = ground.show(which, language);
        let blocks = around_the_text(&shown);
        let (html, markdown) = (html(&blocks, language), markdown(&blocks, language));
        let name = format!("{which:?} in {language:?}");
        headings(&name, &html);
        links(&name, ground, which, &html);
        assert_eq!(heard(&without_drawings(&html)), read(&markdown), "{name}: both forms say the same");
        let place = frame::Place {
            base: "https://becivic.example",
            which: Some(which),
            chosen: false,
            is_live: true,
        };
        let whole = frame::page(&shown, &place, words::of(language));
        assert_eq!(whole.matches("<h1").count(), 1, "{name}: one title on the whole page");
        names_are_unique(&name, &whole);
    }
}

fn headings(name: &str, html: &str) {
    let levels: Vec<u32> =
        html.split("<h").skip(1).filter_map(|rest| rest.chars().next()?.to_digit(10)).collect();
    assert_eq!(levels.first(), Some(&1), "{name}: begins with its title");
    assert_eq!(levels.iter().filter(|level| **level == 1).count(), 1, "{name}: one title");
    for pair in levels.windows(2) {
        assert!(pair[1] <= pair[0] + 1, "{name}: level {} follows level {}", pair[1], pair[0]);
    }
}

fn attributes<'h>(html: &'h str, attribute: &str) -> Vec<&'h str> {
    let start = format!(" {attribute}=\"");
    html.split(start.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

fn names_are_unique(name: &str, html: &str) {
    let ids = attributes(html, "id");
    let unique: BTreeSet<&&str> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "{name}: {ids:?}");
}

fn links(name: &str, ground: &Ground, which: &Which, html: &str) {
    for link in attributes(html, "href") {
        if link.starts_with("https://") {
            continue;
        }
        let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
        let path = if path.is_empty() { which.address() } else { path.to_owned() };
        let file = files::at(&path).and_then(|it| it.make(&ground.world(), &Facts::default(), &mut |_| None));
        if path.starts_with("/api/skills/") || file.is_some() {
            continue;
        }
        let found = match address::read(&ground.world(), &path) {
            // Pages of the corpus that is published are not in the small one.
            Found::Missing => address::read(&PUBLISHED.world(), &path),
            found => found,
        };
        let Found::Page(to, _) = found else { panic!("{name}: {link} leads nowhere") };
        if !fragment.is_empty() {
            let target = super::ground::html(&ground.show(&to, Language::En).doc.blocks, Language::En);
            assert!(attributes(&target, "id").contains(&fragment), "{name}: {link} names no heading");
        }
    }
}

/// The words of a page as a browser would read them out.
fn heard(html: &str) -> Vec<String> {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        // A tag ends a word, unless it is one of those within lines.
        let (tag, after) = after.split_once('>').expect("a tag ends");
        let tag = tag.trim_start_matches('/').split(' ').next().unwrap_or_default();
        if !matches!(tag, "a" | "span" | "code" | "strong" | "em" | "time") {
            text.push(' ');
        }
        rest = after;
    }
    text.push_str(rest);
    let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    words_of(&plain)
}

/// The words of a page as a markdown reader would show them, without the marks that only markdown has.
fn read(markdown: &str) -> Vec<String> {
    let mut text = String::new();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Text(piece) | Event::Code(piece) => text.push_str(&piece),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::End(TagEnd::Strong | TagEnd::Emphasis | TagEnd::Link) => {}
            Event::End(_) | Event::Rule => text.push(' '),
            Event::Start(_) => {}
            other => panic!("nothing else is written: {other:?}"),
        }
    }
    words_of(&text)
}

/// Words without what only one of the forms needs: colons after names, and the signs of call-outs.
fn words_of(text: &str) -> Vec<String> {
    let words = text.split_whitespace().map(|word| word.trim_end_matches(':').to_owned());
    words.filter(|word| !word.is_empty() && !word.starts_with("[!") && word != "⚠️").collect()
}
