//! The text of a skill or a page, printed as HTML and as markdown with its tags resolved.
//!
//! 1. The core says what each tag stands for (`becivic_core::mdx::resolve`), asked through what pages know ([`shelf`]).
//! 2. [`places`] lists where tags begin and end and where `[brackets]` stand, in order; the tags are masked, so that CommonMark sees
//!    prose in their place and every offset stays true.
//! 3. [`walk`] goes over the events of CommonMark once. Each becomes an element of a short list ([`elements`] keeps them balanced,
//!    whatever crosses whatever); what is not on the list is text. Nothing authored reaches HTML unescaped.
//! 4. Where the walk meets a tag, [`tags`] prints it both ways: into the HTML, and as an edit of the authored text, which is what agents
//!    get: byte for byte, except for what the catalogue says.
//! 5. [`risks`] keeps call-outs around everything they must be around; [`observed`] prints what people said.

mod elements;
pub(crate) mod escape;
mod links;
mod names;
mod observed;
mod places;
mod risks;
mod shelf;
mod tags;
mod walk;

use crate::facts::Facts;
use crate::words::{self, Words};
use crate::world::World;
use becivic_core::corpus::Skill;
use becivic_core::mdx::tag::TagKind;
use becivic_core::vocabulary::Language;
use std::collections::BTreeSet;

/// A text in both forms.
#[derive(Clone, Debug, Default)]
pub struct Printed {
    /// For people.
    pub html: String,
    /// For agents.
    pub markdown: String,
    /// Its headings of level 2: name and title.
    pub contents: Vec<(String, String)>,
    /// Where the text after the heading of the process begins, in the HTML and in the markdown; nothing stands around it.
    pub process: Option<(usize, usize)>,
}

impl Printed {
    /// The text up to the heading of its process, and the rest; all of it where it has none.
    pub fn at_process(self) -> (Self, Option<Self>) {
        let Self { mut html, mut markdown, contents, process } = self;
        let fits = |(html_at, markdown_at): &(usize, usize)| {
            html.is_char_boundary(*html_at) && markdown.is_char_boundary(*markdown_at)
        };
        let Some((html_at, markdown_at)) = process.filter(fits) else {
            return (Self { html, markdown, contents, process }, None);
        };
        let rest = Self { html: html.split_off(html_at), ..Self::default() };
        let rest = Self { markdown: trimmed(markdown.split_off(markdown_at)), ..rest };
        (Self { html, markdown: trimmed(markdown), contents, process: None }, Some(rest))
    }
}

/// A text without blank space around it.
fn trimmed(mut text: String) -> String {
    text.truncate(text.trim_end().len());
    let blank = text.len() - text.trim_start().len();
    text.drain(..blank);
    text
}

/// A text without tags.
pub fn plain(text: &str) -> Printed {
    walk::walk(text, text.to_owned(), &[], None, words::of(Language::En))
}

/// A skill's text.
pub fn skill(world: &World<'_>, skill: &Skill, facts: &Facts, words: &Words) -> Printed {
    let shelf = shelf::Shelf { world: *world, facts };
    let tags = tags::Tags::new(&shelf, skill, words);
    let places = places::places(skill, &tags.resolution);
    walk::walk(skill.body(), places::masked(skill, &tags.resolution), &places, Some(&tags), words)
}

/// The entries a skill cites: uids, or names where a tag has no uid yet.
pub fn cites(skill: &Skill) -> BTreeSet<String> {
    let entries = skill.document.tags.iter().filter(|tag| matches!(tag.kind, TagKind::VV | TagKind::Ref));
    let named = entries
        .filter_map(|tag| tag.value(&skill.source, "uid").or_else(|| tag.value(&skill.source, "name")));
    named.map(std::borrow::Cow::into_owned).collect()
}
