//! The page around every text: what each page has once, what none may have, and what the styles promise.

mod colours;
mod specimen;
mod tags;

use crate::files;
use becivic_core::corpus::Corpus;
use becivic_core::vocabulary::Language;
use becivic_site::address::Which;
use becivic_site::frame::{self, Place};
use becivic_site::words::{self, Words};
use becivic_site::{Facts, Shown, World, assets, pages};
use std::collections::BTreeSet;
use tags::Tag;

const BASE: &str = "https://becivic.be";

fn printed(shown: &Shown, which: Option<&Which>, chosen: bool, words: &Words) -> String {
    frame::page(shown, &Place { base: BASE, which, chosen, is_live: true }, words)
}

/// Every page of the public corpus that files alone can make, and those of addresses that lead nowhere, in four languages.
fn every_page(mut look: impl FnMut(&str, Option<&Which>, &Words, &str)) {
    let corpus: Corpus = files::corpus("corpus");
    let withheld = BTreeSet::new();
    let world = World { withheld: &withheld, ..World::new(&corpus, BASE) };
    let skills = corpus.skills.keys().map(|id| Which::Skill(id.clone()));
    let authored = corpus.pages.keys().map(|address| Which::Authored(address.clone()));
    let paths = world.paths().map(|path| Which::Path(path.id().to_owned()));
    let lists = [Which::Skills, Which::Paths, Which::Activity, Which::Log, Which::Search];
    let all: Vec<Which> = skills.chain(authored).chain(paths).chain(lists).collect();
    assert!(all.len() > 40, "{}", all.len());
    for words in Language::ALL.iter().map(|language| words::of(*language)) {
        for which in &all {
            let shown = pages::show(&world, which, &Facts::default(), words);
            look(&which.address(), Some(which), words, &printed(&shown, Some(which), true, words));
        }
        let missing = pages::missing(&world, "/skills/address", words);
        look("missing", None, words, &printed(&missing, None, false, words));
        look("gone", None, words, &printed(&pages::gone(words), None, false, words));
        let specimen = specimen::specimen(words);
        look("specimen", Some(&Which::Log), words, &printed(&specimen, Some(&Which::Log), false, words));
    }
}

#[test]
fn every_page_has_its_parts_once() {
    every_page(|name, _, words, html| {
        let all = tags::of(html);
        let count = |tag: &str| all.iter().filter(|it| it.name == tag).count();
        for part in ["html", "head", "title", "body", "main", "header", "footer"] {
            assert_eq!(count(part), 1, "{name}: {part}");
        }
        assert!(count("h1") <= 1, "{name}");
        let language = words.language.as_str();
        assert!(all.iter().any(|it| it.name == "html" && it.value("lang") == Some(language)), "{name}");
        let ids: Vec<&str> = all.iter().filter_map(|it| it.value("id")).collect();
        let distinct: BTreeSet<&&str> = ids.iter().collect();
        assert_eq!(ids.len(), distinct.len(), "{name}: an id twice in {ids:?}");
    });
}

#[test]
fn every_page_made_of_blocks_has_one_title() {
    let words = words::of(Language::En);
    for shown in [specimen::specimen(words), pages::gone(words)] {
        let html = printed(&shown, None, false, words);
        assert_eq!(tags::of(&html).iter().filter(|it| it.name == "h1").count(), 1, "{}", shown.title);
    }
}

#[test]
fn every_page_says_where_it_is_and_in_which_languages() {
    every_page(|name, which, _, html| {
        let all = tags::of(html);
        let links = |rel: &str| all.iter().filter(|it| it.is_link(rel)).collect::<Vec<&Tag>>();
        let canonical = links("canonical");
        let languages: Vec<&str> = links("alternate").iter().filter_map(|it| it.value("hreflang")).collect();
        let Some(which) = which else {
            assert!(canonical.is_empty() && languages.is_empty(), "{name}");
            return;
        };
        assert_eq!(canonical.len(), 1, "{name}");
        assert!(canonical[0].value("href").is_some_and(|it| it.starts_with(BASE)), "{name}");
        assert_eq!(languages, ["fr", "nl", "de", "en", "x-default"], "{name}");
        let markdown = links("alternate").iter().any(|it| it.value("type") == Some("text/markdown"));
        assert!(markdown, "{name}: {}", which.address());
    });
}

#[test]
fn nothing_is_inline_and_nothing_is_asked_of_others() {
    every_page(|name, _, _, html| {
        for tag in tags::of(html) {
            assert!(tag.name != "style" && tag.name != "base" && tag.name != "iframe", "{name}: {tag:?}");
            let handler = tag.attributes.iter().find(|(key, _)| key == "style" || key.starts_with("on"));
            assert!(handler.is_none(), "{name}: {tag:?}");
            assert!(tag.name != "script" || tag.value("src").is_some(), "{name}: {tag:?}");
            for address in
                ["src", "srcset", "action", "poster", "data"].iter().filter_map(|key| tag.value(key))
            {
                assert!(tag.name == "data" || address.starts_with('/'), "{name}: {tag:?}");
            }
            let only_said = tag.is_link("canonical") || tag.is_link("alternate");
            if tag.name == "link" && !only_said {
                let address = tag.value("href").unwrap_or_default();
                assert!(assets::at(address).is_some(), "{name}: {tag:?}");
            }
        }
        assert!(!html.contains("javascript:"), "{name}");
    });
    for asset in assets::ALL.iter().filter(|it| it.address.ends_with(".css")) {
        let css = String::from_utf8_lossy(asset.bytes);
        assert!(!css.contains("http:") && !css.contains("https:") && !css.contains("@import"));
        for font in css.split("url(\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(assets::at(font).is_some(), "{font}");
        }
    }
}

#[test]
fn a_chosen_language_stays_with_the_reader() {
    let words = words::of(Language::Nl);
    let shown = pages::gone(words);
    let top_links = |chosen: bool| {
        let html = printed(&shown, None, chosen, words);
        let all = tags::of(&html);
        let found =
            all.iter().filter(|it| it.name == "a").filter_map(|it| it.value("href").map(str::to_owned));
        found.collect::<Vec<String>>()
    };
    let (chosen, not) = (top_links(true), top_links(false));
    for way in ["/", "/skills/", "/paths/", "/agents", "/activity", "/search", "/docs/privacy", "/log"] {
        assert!(chosen.contains(&format!("{way}?lang=nl")), "{way} in {chosen:?}");
        assert!(not.contains(&way.to_owned()), "{way} in {not:?}");
    }
    for language in ["fr", "nl", "de", "en"] {
        assert!(not.contains(&format!("?lang={language}")), "{language}");
    }
    assert!(printed(&shown, None, true, words).contains(r#"<input type="hidden" name="lang" value="nl">"#));
    assert!(!printed(&shown, None, false, words).contains(r#"name="lang""#));
}

#[test]
fn links_inside_texts_keep_a_chosen_language_too() {
    let corpus = files::corpus("corpus");
    let withheld = BTreeSet::new();
    let world = World { withheld: &withheld, ..World::new(&corpus, BASE) };
    let words = words::of(Language::Fr);
    let pages = [
        Which::Skills,
        Which::Search,
        Which::Paths,
        Which::Skill("change-of-address".to_owned()),
        Which::Authored("/".to_owned()),
    ];
    for which in pages {
        let shown = pages::show(&world, &which, &Facts::default(), words);
        let html = printed(&shown, Some(&which), true, words);
        let mut kept = 0;
        for link in tags::of(&html).iter().filter(|it| it.name == "a") {
            let to = link.value("href").unwrap_or_default();
            let same = ["/api", "/llms", "/activity.json"].iter().any(|it| to.starts_with(it));
            if to.starts_with('/') && !same && !to.ends_with("/source.md") {
                assert!(to.contains("?lang=fr"), "{which:?}: {to}");
                kept += 1;
            }
        }
        assert!(kept > 10, "{which:?}");
        let forms = html.matches("action=\"/search\"").count();
        assert_eq!(
            html.matches(r#"<input type="hidden" name="lang" value="fr">"#).count(),
            forms,
            "{which:?}"
        );
    }
}

#[test]
fn headings_of_a_text_are_listed_in_their_own_language() {
    let corpus = files::corpus("corpus");
    let withheld = BTreeSet::new();
    let world = World { withheld: &withheld, ..World::new(&corpus, BASE) };
    let words = words::of(Language::Fr);
    let which = Which::Skill("change-of-address".to_owned());
    let html = printed(&pages::show(&world, &which, &Facts::default(), words), Some(&which), false, words);
    assert!(html.contains("<a href=\"#process\" lang=\"en\">Process</a>"));
    assert!(html.contains("<a href=\"#page.more\" lang=\"fr\">"), "{html}");
}

#[test]
fn the_first_page_opens_with_its_title_its_first_paragraph_and_a_search_box() {
    use becivic_site::doc::{heading, paragraph, text};
    let words = words::of(Language::En);
    let first = Which::Authored("/".to_owned());
    let mut shown = Shown::new("Be Civic", "About it.", words);
    shown.doc.extend([
        heading(1, "Be Civic"),
        paragraph([text("The lead.")]),
        paragraph([text("The rest.")]),
    ]);
    let html = printed(&shown, Some(&first), false, words);
    let opening = html.split(r#"<div class="opening">"#).nth(1).expect("an opening");
    let at = |needle: &str| opening.find(needle).unwrap_or_else(|| panic!("{needle} in {opening}"));
    let order = ["<h1", "The lead.", r#"action="/search""#, "/index.md", "</div><p>The rest."].map(at);
    assert!(order.is_sorted(), "{order:?}");
    assert_eq!(html.matches("<form").count(), 1);
    // Nothing to open with: nothing is cut, and nothing is lost.
    shown.doc.blocks = vec![paragraph([text("Only this.")])];
    assert!(printed(&shown, Some(&first), false, words).contains("<p>Only this.</p></main>"));
}

#[test]
fn pages_that_are_not_there_say_so_in_status_and_to_search_engines() {
    let corpus = files::corpus("corpus");
    let withheld = BTreeSet::new();
    let world = World { withheld: &withheld, ..World::new(&corpus, BASE) };
    let words = words::of(Language::De);
    let missing = pages::missing(&world, "/skills/address-change", words);
    let gone = pages::gone(words);
    assert_eq!((missing.status, gone.status), (404, 410));
    for shown in [&missing, &gone] {
        assert!(printed(shown, None, false, words).contains(r#"<meta name="robots" content="noindex">"#));
    }
    assert!(printed(&missing, None, false, words).contains("/skills/change-of-address"));
}

#[test]
fn what_every_page_carries_stays_light() {
    let size = |name: &str| assets::at(assets::address(name)).map_or(usize::MAX, |asset| asset.bytes.len());
    assert!(size("site.css") < 24_000, "{}", size("site.css"));
    assert!(size("site.js") < 8_000, "{}", size("site.js"));
    assert!(size("manrope.woff2") < 25_000);
}
