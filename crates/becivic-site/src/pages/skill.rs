//! A skill.

use super::Shown;
use crate::body;
use crate::doc::{Block, Inline, heading, paragraph, text};
use crate::facts::{Facts, Needs};
use crate::observations;
use crate::words::Words;
use crate::world::World;
use becivic_core::vocabulary::{Language, Status};

/// What it needs: every entry it cites, where it stands, and what people said of it and of everything it cites.
pub fn needs(world: &World<'_>, id: &str) -> Needs {
    let mut needs = Needs::default();
    needs.standings.insert(("skill", id.to_owned()));
    if let Some(seen) = world.skill(id) {
        needs.entries = seen.skill().map(body::cites).unwrap_or_default();
        needs.said_of = observations::aggregates(world, &seen);
    }
    needs
}

/// The page.
pub fn show(world: &World<'_>, id: &str, facts: &Facts, words: &Words) -> Option<Shown> {
    let standing = facts.standing("skill", id);
    let seen = world.skill(id)?.beside(standing.map(|it| it.status));
    let summary = seen.front().and_then(|front| front.summary.clone()).unwrap_or_default();
    let mut shown = Shown::new(seen.title(), summary, words);
    shown.language = Language::En;
    shown.indexed = seen.status == Status::Stable;
    shown.doc.push(paragraph([
        Inline::Status(seen.status),
        text(format!(" {} {}", words.skill.version, seen.version())),
    ]));
    match seen.skill() {
        Some(skill) => {
            let printed = body::skill(world, skill, facts, words);
            shown.contents = printed.contents;
            shown.doc.push(Block::Printed { html: printed.html, markdown: printed.markdown });
        }
        None => shown.doc.push(heading(1, seen.title())),
    }
    shown.doc.push(paragraph([text(words.skill.disclaimer)]));
    Some(shown)
}
