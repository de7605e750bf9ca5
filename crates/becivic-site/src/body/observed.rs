//! `<Observations>` in a text: what people said of the skill and of everything it cites, printed both ways.

use super::names::Names;
use super::tags::Both;
use crate::doc;
use crate::facts::Facts;
use crate::observations::{Asked, aggregates, blocks};
use crate::words::Words;
use crate::world::{SeenSkill, World};
use std::collections::BTreeSet;

/// The block both ways.
pub fn both(
    world: &World<'_>,
    skill: &SeenSkill<'_>,
    facts: &Facts,
    words: &Words,
    names: &mut Names,
) -> Both {
    // Where nobody said anything, it does not matter of what.
    let targets = if facts.said.is_empty() { BTreeSet::new() } else { aggregates(world, skill) };
    let asked = Asked { about: ("skill", skill.id()), targets: &targets, world, facts, words };
    let block = [blocks(&asked, &mut |title| names.give(title))];
    let html = doc::html::blocks(&block, words).into_string();
    // The text around it is in the language of its author.
    let html = format!("<div lang=\"{}\">{html}</div>\n", words.language.as_str());
    let markdown = doc::markdown::blocks(&block, words).trim_end().to_owned();
    Both { html, markdown, title: String::new() }
}
