//! The pages of addresses where there is nothing: what could have been meant, or that it was taken down.

use super::Shown;
use crate::doc::{Block, Inline, heading, lines, link, paragraph, text};
use crate::words::Words;
use crate::world::World;
use becivic_core::vocabulary::Language;

/// How many pages are proposed.
const PROPOSED: usize = 5;

/// The page for an address that leads nowhere.
pub fn missing(world: &World<'_>, address: &str, words: &Words) -> Shown {
    let mut shown = nothing(404, words.frame.missing_title, words.frame.missing_text, words);
    let near = near(world, address, words);
    if !near.is_empty() {
        shown.doc.push(paragraph([text(words.frame.did_you_mean)]));
        shown.doc.push(lines(near));
    }
    shown.doc.push(paragraph([text(words.frame.other_ways)]));
    shown.doc.push(ways(words));
    shown
}

/// The page for an address whose page was taken down for good. It says nothing of what stood there.
pub fn gone(words: &Words) -> Shown {
    let mut shown = nothing(410, words.frame.gone_title, words.frame.gone_text, words);
    shown.doc.push(paragraph([text(words.frame.other_ways)]));
    shown.doc.push(ways(words));
    shown
}

fn nothing(status: u16, title: &str, why: &str, words: &Words) -> Shown {
    let mut shown = Shown::new(title, why, words);
    shown.status = status;
    shown.indexed = false;
    shown.doc.push(heading(1, title));
    shown.doc.push(paragraph([text(why)]));
    shown
}

/// Where to go from a page that says nothing.
fn ways(words: &Words) -> Block {
    let ways =
        [("/skills/", words.frame.skills), ("/paths/", words.frame.paths), ("/search", words.frame.search)];
    lines(ways.map(|(to, label)| vec![link(to, label)]))
}

/// Skills and paths that share the most words with what was asked for.
fn near(world: &World<'_>, address: &str, words: &Words) -> Vec<Vec<Inline>> {
    let asked: Vec<&str> =
        address.split(['/', '-', '_', '.']).filter(|word| word.len() > 2).take(8).collect();
    let score = |id: &str| id.split('-').filter(|word| asked.contains(word)).count();
    let skills = world.skills().filter_map(|skill| {
        skill.front().map(|front| (score(skill.id()), format!("/skills/{}", skill.id()), front.title.clone()))
    });
    let paths = world.paths().filter_map(|path| {
        let titles = &path.entry()?.title;
        let own = [words.language, Language::En].into_iter().find_map(|it| titles.get(&it));
        let title = own.or_else(|| titles.values().next())?.clone();
        Some((score(path.id()), format!("/paths/{}", path.id()), title))
    });
    let mut found: Vec<(usize, String, String)> =
        skills.chain(paths).filter(|(score, ..)| *score > 0).collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    found.into_iter().take(PROPOSED).map(|(_, to, title)| vec![link(to, title)]).collect()
}
