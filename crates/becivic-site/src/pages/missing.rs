//! The page of an address where there is none: what could have been meant.

use super::Shown;
use crate::doc::{Inline, heading, lines, link, paragraph, text};
use crate::words::Words;
use crate::world::World;

/// How many pages are proposed.
const PROPOSED: usize = 5;

/// The page for an address that leads nowhere.
pub fn missing(world: &World<'_>, address: &str, words: &Words) -> Shown {
    let mut shown = Shown::new(words.frame.missing_title, words.frame.missing_text, words);
    shown.status = 404;
    shown.indexed = false;
    shown.doc.push(heading(1, words.frame.missing_title));
    shown.doc.push(paragraph([text(words.frame.missing_text)]));
    let near = near(world, address);
    if !near.is_empty() {
        shown.doc.push(paragraph([text(words.frame.did_you_mean)]));
        shown.doc.push(lines(near));
    }
    let ways =
        [("/skills/", words.frame.skills), ("/paths/", words.frame.paths), ("/search", words.frame.search)];
    shown.doc.push(lines(ways.map(|(to, label)| vec![link(to, label)])));
    shown
}

/// Skills and paths that share the most words with what was asked for.
fn near(world: &World<'_>, address: &str) -> Vec<Vec<Inline>> {
    let asked: Vec<&str> =
        address.split(['/', '-', '_', '.']).filter(|word| word.len() > 2).take(8).collect();
    let score = |id: &str| id.split('-').filter(|word| asked.contains(word)).count();
    let skills = world.skills().filter_map(|skill| {
        skill.front().map(|front| (score(skill.id()), format!("/skills/{}", skill.id()), front.title.clone()))
    });
    let paths = world.paths().filter_map(|path| {
        let title = path.entry()?.title.values().next()?.clone();
        Some((score(path.id()), format!("/paths/{}", path.id()), title))
    });
    let mut found: Vec<(usize, String, String)> =
        skills.chain(paths).filter(|(score, ..)| *score > 0).collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    found.into_iter().take(PROPOSED).map(|(_, to, title)| vec![link(to, title)]).collect()
}
