//! The page around a document: head, navigation, what agents are told first, the text, the footer.
//!
//! 1. `head` is for browsers and search engines. There is no inline style and no inline script anywhere: the policy of the
//!    site forbids both.
//! 2. `top` is the name, the search box, the ways through the site, the languages. At small widths the ways are a drawer that
//!    opens by its address (`#menu`), so that it needs no script.
//! 3. `contents` lists the headings of the page; a script marks the one that is being read.
//! 4. `text` is the document. On the first page its title and first paragraph are the opening, with a search box of its own.
//! 5. `footer` says whose this is not, and where the rest is.

mod contents;
mod footer;
mod head;
mod links;
mod search;
mod text;
mod top;

use crate::address::Which;
use crate::doc::html::{Room, room};
use crate::pages::Shown;
use crate::words::Words;
use crate::world::World;
use maud::{DOCTYPE, html};

/// Where a page stands.
pub struct Place<'p> {
    /// Where the site stands: `https://becivic.be`.
    pub base: &'p str,
    /// The page; nothing where there is none at the address.
    pub which: Option<&'p Which>,
    /// Whether somebody chose the language in the address: links keep it then.
    pub chosen: bool,
    /// Whether a server answers: only then are there other languages, and addresses for programs.
    pub is_live: bool,
}

impl<'p> Place<'p> {
    /// A page of a world, whose language nobody chose.
    pub fn of(world: &World<'p>, which: Option<&'p Which>) -> Self {
        Self { base: world.base, which, chosen: false, is_live: world.is_live }
    }

    /// Whether this is the first page.
    fn is_first(&self) -> bool {
        matches!(self.which, Some(Which::Authored(address)) if address == "/")
    }

    /// An address within the site, with the language in it where somebody chose one.
    fn to(&self, address: &str, words: &Words) -> String {
        if self.chosen { links::with_language(address, words.language.as_str()) } else { address.to_owned() }
    }
}

/// About how much stands before and after the text of a page.
const AROUND: usize = 8 << 10;

/// A whole page.
pub fn page(shown: &Shown, place: &Place<'_>, words: &Words) -> String {
    let contents = contents::contents(shown, words);
    let class = match (place.is_first(), contents.is_some()) {
        (true, _) => "first",
        (false, true) => "listed",
        (false, false) => "plain",
    };
    let markup = html! {
        (Room(AROUND + room(&shown.doc.blocks)))
        (DOCTYPE)
        html lang=(words.language.as_str()) {
            (head::head(shown, place, words))
            body class=(class) {
                a class="skip" href="#text" { (words.frame.skip) }
                (top::top(place, words))
                div class="columns" {
                    @if let Some(contents) = contents { (contents) }
                    main id="text" lang=(shown.language.as_str()) tabindex="-1" {
                        (text::Text { shown, place, words })
                    }
                }
                (footer::footer(place, words))
            }
        }
    };
    markup.into_string()
}
