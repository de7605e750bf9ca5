//! A skill.
//!
//! 1. Its title, then how far it may be trusted: banners ([`banner`]), what is missing for the next step ([`missing`]), its
//!    summary, facts ([`about`]), and that it is no legal advice.
//! 2. Its text. The page has one title: that of the text is left out.
//! 3. What follows from its frontmatter: required documents ([`documents`]), what it asks about ([`inputs`]), what it is
//!    composed of ([`composition`]), its other forms and its history ([`links`]).
//!
//! A quarantined skill keeps its id, its banner and its history; nothing of what it says comes out of [`SeenSkill`], not even its title.
//! The names of the page's own headings have a dot in them, which no heading of a text has: both can stand on one page.

mod about;
pub mod at;
mod authority;
mod banner;
pub mod change;
mod composition;
mod documents;
pub mod history;
mod inputs;
mod links;
mod missing;
mod needs;
mod selects;

use super::{Shown, logged};
use crate::body::{self, Printed};
use crate::doc::{Block, Inline, paragraph, text};
use crate::facts::{Facts, Standing};
use crate::picture;
use crate::words::Words;
use crate::world::{SeenSkill, World};
use becivic_core::corpus::Skill;
use becivic_core::site::{STARTING_POINT, slug};
use becivic_core::vocabulary::Status;

pub use authority::authority;
pub use needs::needs;

/// The language that texts are authored in.
pub const AUTHORED: &str = "en";

/// What the parts of the page look at.
#[derive(Clone, Copy)]
struct Subject<'s> {
    world: World<'s>,
    seen: SeenSkill<'s>,
    facts: &'s Facts,
    words: &'s Words,
}

impl<'s> Subject<'s> {
    fn new(world: &World<'s>, id: &str, facts: &'s Facts, words: &'s Words) -> Option<Self> {
        let standing = facts.standing("skill", id);
        let seen = world.skill(id)?.beside(standing.map(|it| it.status));
        Some(Self { world: *world, seen, facts, words })
    }

    fn standing(&self) -> Option<&'s Standing> {
        self.facts.standing("skill", self.seen.id())
    }
}

/// The page.
pub fn show(world: &World<'_>, id: &str, facts: &Facts, words: &Words) -> Option<Shown> {
    let subject = Subject::new(world, id, facts, words)?;
    let seen = subject.seen;
    let summary = seen.front().and_then(|front| front.summary.as_deref()).unwrap_or_default();
    let description = if summary.is_empty() { seen.title() } else { summary };
    let mut shown = Shown::new(seen.title(), description, words);
    shown.indexed = seen.status == Status::Stable;
    shown.doc.push(title_of_text(seen.title()));
    shown.doc.extend(banner::blocks(&subject));
    if !summary.is_empty() {
        shown.doc.push(Block::Group { class: "lead", blocks: vec![paragraph([authored(summary)])] });
    }
    shown.doc.push(about::block(&subject));
    if !seen.skill().is_some_and(|skill| says_it_itself(skill, words)) {
        shown.doc.push(disclaimer(words));
    }
    if let Some(skill) = seen.skill() {
        let drawing = picture::process(world, id, words);
        push_text(&mut shown, body::skill(world, skill, facts, words), drawing);
    }
    let sections = [
        documents::section(&subject),
        inputs::section(&subject),
        composition::section(&subject),
        Some(links::section(&subject)),
    ];
    sections.into_iter().flatten().for_each(|section| push_section(&mut shown, section));
    shown.doc.extend(logged::blocks(facts, ("skill", id), words));
    Some(shown)
}

/// The title of a text, with the name it would have there: links lead to it.
fn title_of_text(title: &str) -> Block {
    Block::Heading { level: 1, id: slug(title), text: vec![authored(title)] }
}

/// The title of a page about a skill.
fn title(text: Vec<Inline>) -> Block {
    Block::Heading { level: 1, id: "page.title".to_owned(), text }
}

/// A part of the page with its heading.
struct Section {
    name: &'static str,
    title: &'static str,
    blocks: Vec<Block>,
}

/// Adds a part: its heading is listed after those of the text.
fn push_section(shown: &mut Shown, section: Section) {
    let id = format!("page.{}", section.name);
    shown.contents.push((id.clone(), section.title.to_owned(), shown.language.as_str()));
    let mut blocks = vec![Block::Heading { level: 2, id, text: vec![text(section.title)] }];
    blocks.extend(section.blocks);
    shown.doc.push(Block::Group { class: "section", blocks });
}

/// Adds a text that was printed already, with the drawing of its process under the heading of that, or after it.
fn push_text(shown: &mut Shown, printed: Printed, drawing: Option<Block>) {
    let (before, after) = if drawing.is_some() { printed.at_process() } else { (printed, None) };
    let before = without_title(before);
    let listed = before.contents.iter().map(|(id, title)| (id.clone(), title.clone(), AUTHORED));
    shown.contents.extend(listed);
    let text = |printed: Printed| {
        let text = Block::Printed { html: printed.html, markdown: printed.markdown };
        Block::In { language: AUTHORED, blocks: vec![text] }
    };
    let blocks = [text(before)].into_iter().chain(drawing).chain(after.map(text)).collect();
    shown.doc.push(Block::Group { class: "body", blocks });
}

/// A text without the title it opens with.
fn without_title(mut printed: Printed) -> Printed {
    let html = printed.html.trim_start();
    let opening = html.strip_prefix("<h1").and_then(|rest| rest.split_once("</h1>"));
    let html = opening.map_or(html, |(_, rest)| rest).trim_start().len();
    let markdown = printed.markdown.trim_start();
    let opening = markdown.strip_prefix("# ").map(|rest| rest.split_once('\n').unwrap_or_default());
    let markdown = opening.map_or(markdown, |(_, rest)| rest).trim_start().len();
    printed.html.drain(..printed.html.len() - html);
    printed.markdown.drain(..printed.markdown.len() - markdown);
    printed
}

/// Whether the text opens with the disclaimer in the reader's language: it is said once.
fn says_it_itself(skill: &Skill, words: &Words) -> bool {
    let mut opening = skill.body().lines().filter(|line| !line.trim().is_empty()).take(3);
    words.language.as_str() == AUTHORED && opening.any(|line| line.contains(STARTING_POINT))
}

fn disclaimer(words: &Words) -> Block {
    let blocks = vec![paragraph([Inline::Strong(vec![text(words.skill.disclaimer)])])];
    Block::Group { class: "disclaimer", blocks }
}

/// Words of an author.
pub fn authored(words: &str) -> Inline {
    Inline::In { language: AUTHORED, text: words.to_owned() }
}

/// A skill by its title, with its status; by its id where nothing else is known of it.
fn mention(world: &World<'_>, id: &str) -> Vec<Inline> {
    let Some(seen) = world.skill(id) else { return vec![Inline::Code(id.to_owned())] };
    let label = vec![authored(seen.title())];
    vec![Inline::Link { to: format!("/skills/{id}"), label }, text(" "), Inline::Status(seen.status)]
}

/// A link that is called like where it leads: agents copy it.
fn plain_link(to: String) -> Inline {
    Inline::Link { label: vec![text(to.clone())], to }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_loses_the_title_it_opens_with_and_no_other() {
        let printed = Printed {
            html: "<h1 id=\"a\">A</h1>\n<p>Text.</p><h1>B</h1>".to_owned(),
            markdown: "# A\n\nText.\n\n# B".to_owned(),
            ..Printed::default()
        };
        let bare = without_title(printed);
        assert_eq!((bare.html.as_str(), bare.markdown.as_str()), ("<p>Text.</p><h1>B</h1>", "Text.\n\n# B"));
        let untitled = without_title(bare.clone());
        assert_eq!((untitled.html, untitled.markdown), (bare.html, bare.markdown));
        let only = Printed { markdown: "# A".to_owned(), ..Printed::default() };
        assert_eq!(without_title(only).markdown, "");
    }
}
