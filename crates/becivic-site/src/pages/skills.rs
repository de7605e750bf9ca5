//! Every skill: by subject, by status, by authority.
//!
//! The page works on any static host and without a script, and neither can read what follows a `?`. So there is nothing to filter
//! with: each skill is described once, under its subject, and named again under its status and its authority, and the page opens
//! with links to all of these lists. A quarantined skill is named by its id, and nothing of it is described.

use super::Shown;
use super::skill::{authored, authority};
use crate::doc::{Block, Inline, lines, link, paragraph, text};
use crate::words::{Words, fill};
use crate::world::{SeenSkill, World};
use becivic_core::vocabulary::Status;
use std::collections::BTreeMap;

/// A list of skills with the name that links lead to.
struct Listed<'w> {
    anchor: String,
    title: Vec<Inline>,
    about: Option<&'w str>,
    skills: Vec<SeenSkill<'w>>,
}

/// The page.
pub fn show(world: &World<'_>, words: &Words) -> Shown {
    let mut shown = Shown::new(words.skill.all, words.skill.all_intro, words);
    shown.doc.push(heading(1, "page.title".to_owned(), vec![text(words.skill.all)]));
    let skills: Vec<SeenSkill<'_>> = world.skills().collect();
    if skills.is_empty() {
        shown.doc.push(paragraph([text(words.skill.all_empty)]));
        return shown;
    }
    shown.doc.push(paragraph([text(words.skill.all_intro)]));
    shown.doc.push(paragraph([text(fill(words.skill.all_count, &[&skills.len().to_string()]))]));
    let parts = [
        ("page.subjects", words.skill.by_category, by_category(world, &skills)),
        ("page.statuses", words.skill.by_status, by_status(&skills)),
        ("page.authorities", words.skill.by_authority, by_authority(world, &skills, words)),
    ];
    shown.doc.push(Block::Group { class: "jump", blocks: vec![jump(&parts)] });
    for (at, (anchor, title, lists)) in parts.iter().enumerate() {
        shown.doc.push(heading(2, (*anchor).to_owned(), vec![text(*title)]));
        lists.iter().for_each(|list| shown.doc.extend(section(list, at == 0)));
    }
    shown
}

/// Where the skills of a category begin.
pub fn category_anchor(category: &str) -> String {
    format!("category.{category}")
}

/// Links to every list, with the number of skills in it.
fn jump(parts: &[(&str, &'static str, Vec<Listed<'_>>)]) -> Block {
    let items = parts.iter().map(|(anchor, title, lists)| {
        let inner = lists.iter().map(|list| {
            let to = format!("#{}", list.anchor);
            vec![Inline::Link { to, label: list.title.clone() }, text(format!(" ({})", list.skills.len()))]
        });
        vec![paragraph([link(format!("#{anchor}"), *title)]), lines(inner)]
    });
    Block::List { ordered: false, items: items.collect() }
}

fn section(list: &Listed<'_>, in_full: bool) -> Vec<Block> {
    let mut title = list.title.clone();
    title.push(text(format!(" ({})", list.skills.len())));
    let about = list.about.map(|about| paragraph([authored(about)]));
    let items = list.skills.iter().map(|skill| if in_full { described(skill) } else { named(skill) });
    [heading(3, list.anchor.clone(), title)].into_iter().chain(about).chain([lines(items)]).collect()
}

fn by_category<'w>(world: &World<'w>, skills: &[SeenSkill<'w>]) -> Vec<Listed<'w>> {
    let listed = grouped(skills, |skill| skill.category()).into_iter();
    let list = |(category, skills): (&'w str, _)| Listed {
        anchor: category_anchor(category),
        title: vec![authored(category)],
        about: description(world, category),
        skills,
    };
    listed.map(list).collect()
}

fn by_status<'w>(skills: &[SeenSkill<'w>]) -> Vec<Listed<'w>> {
    // What is most to be relied on comes first.
    let order =
        [Status::Stable, Status::Beta, Status::Alpha, Status::Draft, Status::Deprecated, Status::Quarantined];
    let list = |status: Status| Listed {
        anchor: format!("status.{}", status.as_str()),
        title: vec![Inline::Status(status)],
        about: None,
        skills: skills.iter().filter(|skill| skill.status == status).copied().collect(),
    };
    order.into_iter().map(list).filter(|list| !list.skills.is_empty()).collect()
}

fn by_authority<'w>(world: &World<'w>, skills: &[SeenSkill<'w>], words: &Words) -> Vec<Listed<'w>> {
    let in_charge = |skill: &SeenSkill<'w>| skill.front().and_then(|front| front.authority_id.as_deref());
    let list = |(id, skills): (Option<&'w str>, _)| match id {
        Some(id) => Listed {
            anchor: format!("authority.{id}"),
            title: vec![name_of(authority(world, id, words))],
            about: None,
            skills,
        },
        None => Listed {
            anchor: "authority".to_owned(),
            title: vec![text(words.skill.no_authority)],
            about: None,
            skills,
        },
    };
    // Those that name none come last.
    let mut groups: Vec<_> = grouped(skills, in_charge).into_iter().collect();
    groups.sort_by_key(|(id, _)| id.is_none());
    groups.into_iter().map(list).collect()
}

/// A heading is no place for a link that leads away.
fn name_of(authority: Inline) -> Inline {
    match authority {
        Inline::Link { label, .. } => label.into_iter().next().unwrap_or_else(|| text("")),
        other => other,
    }
}

fn grouped<'w, Key: Ord>(
    skills: &[SeenSkill<'w>],
    key: impl Fn(&SeenSkill<'w>) -> Key,
) -> BTreeMap<Key, Vec<SeenSkill<'w>>> {
    let mut groups: BTreeMap<Key, Vec<SeenSkill<'w>>> = BTreeMap::new();
    for skill in skills {
        groups.entry(key(skill)).or_default().push(*skill);
    }
    groups
}

fn description<'w>(world: &World<'w>, category: &str) -> Option<&'w str> {
    let categories = &world.corpus.categories.as_ref()?.1.categories;
    categories.iter().find(|it| it.id == category).map(|it| it.description.as_str())
}

fn named(skill: &SeenSkill<'_>) -> Vec<Inline> {
    let label = vec![authored(skill.title())];
    vec![
        Inline::Link { to: format!("/skills/{}", skill.id()), label },
        text(" "),
        Inline::Status(skill.status),
    ]
}

fn described(skill: &SeenSkill<'_>) -> Vec<Inline> {
    let mut line = named(skill);
    let summary = skill.front().and_then(|front| front.summary.as_deref());
    line.extend(summary.into_iter().flat_map(|summary| [text(" – "), authored(summary)]));
    line
}

fn heading(level: u8, id: String, text: Vec<Inline>) -> Block {
    Block::Heading { level, id, text }
}
