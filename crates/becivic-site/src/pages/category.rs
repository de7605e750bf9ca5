//! The skills of one subject, a page at a time: works on any static host, however many there are.

use super::Shown;
use super::skill::authored;
use super::skills::described;
use crate::address::Which;
use crate::doc::{Block, Inline, heading, lines, link, paragraph, text};
use crate::words::{Words, fill};
use crate::world::{SeenSkill, World};
use becivic_core::corpus::Category;
use becivic_core::site::slug;

/// How many skills a page describes.
pub const PER_PAGE: usize = 100;

/// Categories that have skills, in the order of the corpus' own list; what is not on it comes last.
pub fn used<'w>(world: &World<'w>) -> Vec<(&'w str, Vec<SeenSkill<'w>>)> {
    let listed = listed(world);
    let place = |id: &str| listed.iter().position(|it| it.id == id).unwrap_or(listed.len());
    let mut groups: Vec<(&str, Vec<SeenSkill<'_>>)> = Vec::new();
    for skill in world.skills() {
        match groups.iter_mut().find(|(id, _)| *id == skill.category()) {
            Some((_, skills)) => skills.push(skill),
            None => groups.push((skill.category(), vec![skill])),
        }
    }
    groups.sort_by_key(|(id, _)| (place(id), *id));
    groups
}

/// The corpus' own list.
fn listed<'w>(world: &World<'w>) -> &'w [Category] {
    world.corpus.categories.as_ref().map(|file| file.1.categories.as_slice()).unwrap_or_default()
}

/// Every page of every category.
pub fn all(world: &World<'_>) -> Vec<Which> {
    let pages = |(id, skills): (&str, Vec<SeenSkill<'_>>)| {
        let id = id.to_owned();
        (1..=skills.len().div_ceil(PER_PAGE)).map(move |page| Which::CategoryOf(id.clone(), page))
    };
    used(world).into_iter().flat_map(pages).collect()
}

/// Whether there is such a page.
pub fn exists(world: &World<'_>, category: &str, page: usize) -> bool {
    let count = world.skills_of(category).len();
    (1..=count.div_ceil(PER_PAGE)).contains(&page)
}

/// What people call a category: in the reader's language, or as its author wrote it.
pub fn name(category: &str, words: &Words) -> Inline {
    words.category.name(category).map_or_else(|| authored(&category.replace('-', " ")), text)
}

/// A link to a category.
pub fn to_category(category: &str, words: &Words) -> Inline {
    let to = Which::CategoryOf(category.to_owned(), 1).address();
    Inline::Link { to, label: vec![name(category, words)] }
}

/// The page.
pub fn show(world: &World<'_>, category: &str, page: usize, words: &Words) -> Option<Shown> {
    let skills = world.skills_of(category);
    let shares: Vec<&[SeenSkill<'_>]> = skills.chunks(PER_PAGE).collect();
    let share = shares.get(page.checked_sub(1)?)?;
    let about = listed(world).iter().find(|it| it.id == category).map(|it| it.description.as_str());
    let title = words.category.name(category).map_or_else(|| category.replace('-', " "), str::to_owned);
    let of = fill(words.category.page_of, &[&page.to_string(), &shares.len().to_string()]);
    let titled = if page == 1 { title.clone() } else { format!("{title} · {of}") };
    let mut shown = Shown::new(titled, about.unwrap_or(words.skill.all_intro), words);
    shown.doc.push(Block::Heading { level: 1, id: slug(&title), text: vec![name(category, words)] });
    shown.doc.extend(about.map(|about| paragraph([authored(about)])));
    shown.doc.push(paragraph([
        text(format!("{} · ", fill(words.skill.all_count, &[&skills.len().to_string()]))),
        link(Which::Skills.address(), words.category.all_subjects),
    ]));
    if shares.len() > 1 {
        shown.doc.push(heading(2, of));
    }
    shown.doc.push(lines(share.iter().map(described)));
    shown.doc.extend(ways(category, page, shares.len(), words));
    Some(shown)
}

/// The pages before and after.
fn ways(category: &str, page: usize, pages: usize, words: &Words) -> Option<Block> {
    let to = |page: usize, label: &str| link(Which::CategoryOf(category.to_owned(), page).address(), label);
    let before = (page > 1).then(|| to(page - 1, words.category.page_before));
    let after = (page < pages).then(|| to(page + 1, words.category.page_after));
    let both: Vec<Vec<Inline>> = [before, after].into_iter().flatten().map(|it| vec![it]).collect();
    (!both.is_empty()).then(|| Block::Group { class: "jump", blocks: vec![lines(both)] })
}
