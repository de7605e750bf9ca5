//! A skill as it was at a commit, for those who go back to it. The text is the old one; what its tags stand for is today's.
//!
//! 1. The file at the commit is asked for first; what its text cites can only be asked for then ([`needs_then`]).
//! 2. A commit nobody knows, a file that cannot be read and a version that is withheld are all the same: there is nothing here.

use super::{Subject, authored, disclaimer, push_text, title_of_text};
use crate::address::Which;
use crate::body;
use crate::doc::{Block, Inline, Tone, code, link, paragraph, text, woven};
use crate::facts::{Facts, Needs};
use crate::pages::Shown;
use crate::version::{Versions, file_of};
use crate::words::Words;
use crate::world::World;
use becivic_core::skill::Frontmatter;

/// What it needs first: the file, and the versions that say whether it may be shown.
pub fn needs(id: &str, sha: &str) -> Needs {
    let file_at = vec![(sha.to_owned(), file_of(id))];
    Needs { file_at, ..super::change::needs(id) }
}

/// What it needs once the file is known: what its text cites.
pub fn needs_then(world: &World<'_>, id: &str, sha: &str, facts: &Facts) -> Needs {
    let old = world.skill(id).and_then(|seen| Versions::new(seen, facts).at(sha));
    old.map_or_else(Needs::default, |skill| super::needs::of_text(world, id, &skill))
}

/// The page.
pub fn show(world: &World<'_>, id: &str, sha: &str, facts: &Facts, words: &Words) -> Option<Shown> {
    let subject = Subject::new(world, id, facts, words)?;
    let skill = Versions::new(subject.seen, facts).at(sha)?;
    let front = skill.front.as_ref()?;
    let mut shown = Shown::new(&front.title, front.summary.as_ref().unwrap_or(&front.title), words);
    shown.indexed = false;
    shown.doc.push(title_of_text(&front.title));
    shown.doc.push(older(&subject, sha));
    shown.doc.push(about(&subject, front));
    shown.doc.extend(front.summary.as_deref().map(|summary| paragraph([authored(summary)])));
    shown.doc.push(disclaimer(words));
    push_text(&mut shown, body::skill(world, &skill, facts, words), None);
    Some(shown)
}

fn older(subject: &Subject<'_>, sha: &str) -> Block {
    let words = &subject.words.skill;
    let current = Which::Skill(subject.seen.id().to_owned()).address();
    let current = Inline::Link { label: vec![authored(subject.seen.title())], to: current };
    let sentence = woven(words.older_text, [code(sha), current]);
    Block::Callout {
        tone: Tone::Care,
        title: words.older_title.to_owned(),
        blocks: vec![paragraph(sentence)],
    }
}

fn about(subject: &Subject<'_>, front: &Frontmatter) -> Block {
    let words = &subject.words.skill;
    let history = Which::SkillHistory(subject.seen.id().to_owned()).address();
    let verified = front.last_verified.clone().map_or_else(|| text(words.never), Inline::Day);
    Block::Facts(vec![
        (vec![text(words.status_then)], vec![Inline::Status(front.status)]),
        (vec![text(words.version)], vec![text(&front.version)]),
        (vec![text(words.last_verified)], vec![verified]),
        (vec![text(words.history)], vec![link(history, words.versions)]),
    ])
}
