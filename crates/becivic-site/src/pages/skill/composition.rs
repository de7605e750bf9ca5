//! How a skill hangs together with others (§6.6): what it requires, what requires it, what is to be done first, what is related.
//! Each is named with its status.

use super::{Section, Subject, mention, selects};
use crate::doc::{Block, Inline, code, lines, link, paragraph, text, woven};
use crate::files::Made;
use crate::picture;
use crate::words::fill;
use becivic_core::skill::{Frontmatter, Requires};
use becivic_core::vocabulary::Status;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// The lists; nothing of a quarantined skill.
pub fn section(subject: &Subject<'_>) -> Option<Section> {
    let (world, words) = (&subject.world, &subject.words.skill);
    let front = subject.seen.front()?;
    let known = |ids: &Option<Vec<String>>| -> Vec<Vec<Inline>> {
        ids.iter().flatten().map(|id| mention(world, id)).collect()
    };
    let required_by = dependents(subject).into_iter().map(|id| mention(world, id));
    let lists = [
        (words.requires, front.requires().iter().map(|it| edge(subject, it)).collect()),
        (words.required_by, required_by.collect()),
        (words.do_first, known(&front.prerequisites)),
        (words.related, known(&front.related)),
    ];
    let mut blocks: Vec<Block> = lists
        .into_iter()
        .filter(|(_, list)| !list.is_empty())
        .enumerate()
        .flat_map(|(at, (title, list))| [sub_heading(at, title), lines(list)])
        .collect();
    if blocks.is_empty() {
        blocks.push(paragraph([text(words.stands_alone)]));
    }
    blocks.extend(picture::neighbourhood(world, subject.seen.id(), subject.words));
    blocks.extend(templates(subject));
    Some(Section { name: "composition", title: words.composition, blocks })
}

fn sub_heading(at: usize, title: &str) -> Block {
    Block::Heading { level: 3, id: format!("page.composition.{}", at + 1), text: vec![text(title)] }
}

/// A required skill, and for whom.
fn edge(subject: &Subject<'_>, required: &Requires) -> Vec<Inline> {
    let mut line = mention(&subject.world, &required.id);
    if let Some(only_for) = selects::in_words(required.selects_on.as_ref(), subject.words) {
        line.push(text(format!(" {}", fill(subject.words.skill.edge_only_for, &[&only_for]))));
    }
    line
}

/// Files that come with it; what is no text is named, and stands in the corpus.
fn templates(subject: &Subject<'_>) -> Vec<Block> {
    let id = subject.seen.id();
    let Some(files) = subject.world.corpus.templates.get(id) else { return Vec::new() };
    let folder = code(format!("skills/{id}/templates/"));
    let one = |name: &String| match Made::template(&subject.world, id, name) {
        Some(made) => vec![link(made.address(), name.as_str())],
        None => vec![code(name.as_str())],
    };
    vec![paragraph(woven(subject.words.skill.templates, [folder])), lines(files.keys().map(one))]
}

/// Skills that require this one; what a quarantined skill says it requires is not read.
fn dependents<'s>(subject: &Subject<'s>) -> Vec<&'s str> {
    let all = subject.world.corpus.uses().needing(subject.seen.id()).iter();
    all.map(String::as_str)
        .filter(|id| subject.world.skill(id).is_some_and(|it| it.front().is_some()))
        .collect()
}

/// Skills that this one requires, directly or through others, and that are not stable; nearest first. Whoever looks for a few stops
/// at one more than those, for everything may build on everything.
pub fn not_stable<'s>(subject: &Subject<'s>, few: usize) -> Vec<&'s str> {
    let mut seen = FxHashSet::from_iter([subject.seen.id()]);
    let mut to_look_at = VecDeque::from([subject.seen]);
    let mut found = Vec::new();
    while let Some(next) = to_look_at.pop_front() {
        for edge in next.front().map(Frontmatter::requires).unwrap_or_default() {
            if seen.contains(edge.id.as_str()) {
                continue;
            }
            let Some(skill) = subject.world.skill(&edge.id) else { continue };
            seen.insert(skill.id());
            to_look_at.push_back(skill);
            if skill.status != Status::Stable {
                found.push(skill.id());
            }
            if found.len() > few {
                return found;
            }
        }
    }
    found
}
