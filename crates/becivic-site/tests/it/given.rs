//! What tests of pages begin with: a corpus of the repository, perhaps with a text changed, a world, and a page printed both ways.
//!
//! [`Printed::agrees`] is what every page has to keep: HTML and markdown say the same words, and links lead somewhere.

use crate::expect::expect;
use becivic_core::corpus::{Content, Corpus, Input};
use becivic_core::vocabulary::Language;
use becivic_site::address::{self, Found, Which};
use becivic_site::facts::Facts;
use becivic_site::{Citations, World, doc, pages, words};
use pulldown_cmark::{Event, Options, Parser, Tag};
use std::collections::BTreeSet;
use std::path::Path;

/// A corpus and what is known about it besides.
pub struct Given {
    pub corpus: Corpus,
    pub citations: Option<Citations>,
    pub withheld: BTreeSet<(String, String)>,
}

/// A page, printed both ways.
pub struct Printed {
    pub shown: pages::Shown,
    pub html: String,
    pub markdown: String,
}

impl Given {
    /// The small corpus of the fixtures.
    pub fn fixtures() -> Self {
        Self::changed("fixtures/corpus", |_, text| text)
    }

    /// The public corpus.
    pub fn public() -> Self {
        Self::changed("corpus", |_, text| text)
    }

    /// A corpus of the repository with its texts changed.
    pub fn changed(folder: &str, change: impl Fn(&str, String) -> String) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
        let mut inputs = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("listed") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let name = path.strip_prefix(&root).expect("inside").to_string_lossy().into_owned();
                let text = change(&name, std::fs::read_to_string(&path).expect("text"));
                inputs.push(Input { path: name, content: Content::Bytes(text.into_bytes()) });
            }
        }
        let corpus = Corpus::from_inputs(inputs);
        let citations = Some(Citations::of(&corpus));
        Self { corpus, citations, withheld: BTreeSet::new() }
    }

    /// The same, with a path that a flag has put away.
    pub fn without(mut self, target_type: &str, id: &str) -> Self {
        self.withheld.insert((target_type.to_owned(), id.to_owned()));
        self
    }

    pub fn world(&self) -> World<'_> {
        World {
            withheld: &self.withheld,
            citations: self.citations.as_ref(),
            ..World::new(&self.corpus, "https://becivic.example")
        }
    }

    /// A page by its address.
    pub fn page(&self, address: &str, facts: &Facts, language: Language) -> Printed {
        let world = self.world();
        let which = match address::read(&world, address) {
            Found::Page(which, _) => Some(which),
            Found::Moved(_) | Found::Missing => None,
        };
        self.page_of(&which.expect(address), facts, language)
    }

    pub fn page_of(&self, which: &Which, facts: &Facts, language: Language) -> Printed {
        let words = words::of(language);
        let shown = pages::show(&self.world(), which, facts, words);
        let html = doc::html::blocks(&shown.doc.blocks, words).into_string();
        let markdown = doc::markdown::blocks(&shown.doc.blocks, words);
        Printed { shown, html, markdown }
    }

    /// Every link within the site leads to a page or to a place on this one.
    pub fn leads_somewhere(&self, page: &Printed) {
        for to in attributes(&page.html, " href=\"") {
            let is_for_programs =
                ["/api/", "/log/"].iter().any(|it| to.starts_with(it)) || to == pages::activity::JSON_ADDRESS;
            if let Some(place) = to.strip_prefix('#') {
                assert!(page.html.contains(&format!("id=\"{place}\"")), "{to}");
            } else if to.starts_with('/') && !is_for_programs {
                let found = address::read(&self.world(), &to);
                assert!(matches!(found, Found::Page(..)), "{to} leads to {found:?}");
            } else if !is_for_programs {
                assert!(to.starts_with("https://"), "{to}");
            }
        }
    }
}

impl Printed {
    /// Compares both forms with the committed ones.
    pub fn expect(&self, name: &str) {
        let head = format!(
            "<!-- {} | {} | {} | indexed: {} -->\n",
            self.shown.title, self.shown.description, self.shown.status, self.shown.indexed
        );
        expect(&format!("{name}.html"), &format!("{head}{}\n", self.html.replace("><", ">\n<")));
        expect(&format!("{name}.md"), &self.markdown);
    }

    /// HTML and markdown say the same words in the same order.
    pub fn agrees(&self) {
        let html = said(&text_of_html(&self.html));
        assert!(html.len() > 5, "there is something to compare");
        assert_eq!(html, said(&text_of_markdown(&self.markdown)));
    }
}

/// Words and numbers, in order.
fn said(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Pictures are left out, and the words that open what they say: in markdown it stands there at once.
/// A page without its drawings, and without the lines that open what they show in words: markdown has the words alone.
pub fn without_drawings(html: &str) -> String {
    let mut html = html.to_owned();
    while let Some(start) = html.find("<div class=\"drawing\"") {
        let length = html[start..].find("</summary>").expect("closed") + "</summary>".len();
        html.replace_range(start..start + length, " ");
    }
    html
}

fn text_of_html(html: &str) -> String {
    let html = without_drawings(html);
    let mut text = String::new();
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' => {
                inside = false;
                text.push(' ');
            }
            c if !inside => text.push(c),
            _ => {}
        }
    }
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
    entities.iter().fold(text, |text, (from, to)| text.replace(from, to))
}

fn text_of_markdown(markdown: &str) -> String {
    let marks = ["[!NOTE]", "[!WARNING]", "[!CAUTION]", "[!TIP]"];
    let markdown = marks.iter().fold(markdown.to_owned(), |text, mark| text.replace(mark, ""));
    let mut text = String::new();
    for event in Parser::new_ext(&markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Text(it) | Event::Code(it) => text.push_str(&it),
            Event::Start(Tag::Strong | Tag::Emphasis | Tag::Link { .. } | Tag::HtmlBlock) => {}
            _ => text.push(' '),
        }
    }
    // Strangers' text is written without tags.
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    entities.iter().fold(text, |text, (from, to)| text.replace(from, to))
}

/// The values of an attribute, unescaped.
pub fn attributes(html: &str, name: &str) -> Vec<String> {
    let rest = html.split(name).skip(1);
    rest.map(|rest| rest.split('"').next().unwrap_or_default().replace("&amp;", "&")).collect()
}
