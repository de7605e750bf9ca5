//! Every skill, by subject.

use super::Shown;
use crate::doc::{Inline, heading, lines, link, paragraph, text};
use crate::words::Words;
use crate::world::{SeenSkill, World};
use becivic_core::vocabulary::Status;
use std::collections::BTreeMap;

/// The list.
pub fn show(world: &World<'_>, words: &Words) -> Shown {
    let mut shown = Shown::new(words.skill.all, words.skill.all_intro, words);
    shown.doc.push(heading(1, words.skill.all));
    shown.doc.push(paragraph([text(words.skill.all_intro)]));
    let mut by_category: BTreeMap<&str, Vec<SeenSkill<'_>>> = BTreeMap::new();
    for skill in world.skills() {
        by_category.entry(skill.category()).or_default().push(skill);
    }
    for (category, skills) in by_category {
        shown.doc.push(heading(2, category));
        shown.doc.push(lines(skills.iter().map(line)));
    }
    shown
}

fn line(skill: &SeenSkill<'_>) -> Vec<Inline> {
    let mut line =
        vec![link(format!("/skills/{}", skill.id()), skill.title()), text(" "), Inline::Status(skill.status)];
    let summary =
        skill.front().filter(|_| skill.status != Status::Quarantined).and_then(|it| it.summary.as_deref());
    line.extend(summary.map(|summary| text(format!(" {summary}"))));
    line
}
