//! Every skill: by subject, by status, by authority.
//!
//! The page works on any static host and without a script, and neither can read what follows a `?`. So there is nothing to filter
//! with: each list shows its first skills, and a subject leads to pages of its own ([`category`]) that hold all of them. So the page
//! stays small, however many skills there are. A quarantined skill is named by its id, and nothing of it is described.

use super::skill::{authored, authority};
use super::{Shown, category};
use crate::address::Which;
use crate::doc::{Block, Inline, lines, link, paragraph, text};
use crate::words::{Words, fill};
use crate::world::{SeenSkill, World};
use becivic_core::vocabulary::Status;
use std::collections::BTreeMap;

/// How many skills of a list are shown.
const FIRST: usize = 20;

/// A list of skills with the name that links lead to.
struct Listed<'w> {
    anchor: String,
    title: Inline,
    /// Where all of them are, when they are not all shown.
    all_at: Option<String>,
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
        ("page.subjects", words.skill.by_category, by_category(world, words)),
        ("page.statuses", words.skill.by_status, by_status(&skills)),
        ("page.authorities", words.skill.by_authority, by_authority(world, &skills, words)),
    ];
    for (at, (anchor, title, lists)) in parts.iter().enumerate() {
        shown.doc.push(heading(2, (*anchor).to_owned(), vec![text(*title)]));
        if at == 0 {
            shown.doc.push(Block::Group { class: "jump", blocks: vec![jump(lists)] });
        }
        lists.iter().for_each(|list| shown.doc.extend(section(list, at == 0, words)));
    }
    shown
}

/// Links to every list, with the number of skills in it.
fn jump(lists: &[Listed<'_>]) -> Block {
    lines(lists.iter().map(|list| {
        let to = format!("#{}", list.anchor);
        vec![Inline::Link { to, label: vec![list.title.clone(), text(format!(" ({})", list.skills.len()))] }]
    }))
}

fn section(list: &Listed<'_>, in_full: bool, words: &Words) -> Vec<Block> {
    let title = vec![list.title.clone(), text(format!(" ({})", list.skills.len()))];
    let first = list.skills.iter().take(FIRST);
    let items = first.map(|skill| if in_full { described(skill) } else { named(skill) });
    let rest = list.skills.len().saturating_sub(FIRST);
    let more = (rest > 0).then(|| match &list.all_at {
        Some(to) => link(to, fill(words.category.all_of_it, &[&list.skills.len().to_string()])),
        None => text(fill(words.picture.more, &[&rest.to_string()])),
    });
    let more = more.map(|more| paragraph([more]));
    [heading(3, list.anchor.clone(), title), lines(items)].into_iter().chain(more).collect()
}

fn by_category<'w>(world: &World<'w>, words: &Words) -> Vec<Listed<'w>> {
    let list = |(id, skills): (&'w str, _)| Listed {
        anchor: format!("category.{id}"),
        title: category::name(id, words),
        all_at: Some(Which::CategoryOf(id.to_owned(), 1).address()),
        skills,
    };
    category::used(world).into_iter().map(list).collect()
}

fn by_status<'w>(skills: &[SeenSkill<'w>]) -> Vec<Listed<'w>> {
    // What is most to be relied on comes first.
    let order =
        [Status::Stable, Status::Beta, Status::Alpha, Status::Draft, Status::Deprecated, Status::Quarantined];
    let list = |status: Status| Listed {
        anchor: format!("status.{}", status.as_str()),
        title: Inline::Status(status),
        all_at: None,
        skills: skills.iter().filter(|skill| skill.status == status).copied().collect(),
    };
    order.into_iter().map(list).filter(|list| !list.skills.is_empty()).collect()
}

fn by_authority<'w>(world: &World<'w>, skills: &[SeenSkill<'w>], words: &Words) -> Vec<Listed<'w>> {
    let in_charge = |skill: &SeenSkill<'w>| skill.front().and_then(|front| front.authority_id.as_deref());
    let list = |(id, skills): (Option<&'w str>, _)| match id {
        Some(id) => Listed {
            anchor: format!("authority.{id}"),
            title: name_of(authority(world, id, words)),
            all_at: None,
            skills,
        },
        None => Listed {
            anchor: "authority".to_owned(),
            title: text(words.skill.no_authority),
            all_at: None,
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

fn named(skill: &SeenSkill<'_>) -> Vec<Inline> {
    let label = vec![authored(skill.title())];
    vec![
        Inline::Link { to: format!("/skills/{}", skill.id()), label },
        text(" "),
        Inline::Status(skill.status),
    ]
}

/// A skill with its summary.
pub fn described(skill: &SeenSkill<'_>) -> Vec<Inline> {
    let mut line = named(skill);
    let summary = skill.front().and_then(|front| front.summary.as_deref());
    line.extend(summary.into_iter().flat_map(|summary| [text(" – "), authored(summary)]));
    line
}

fn heading(level: u8, id: String, text: Vec<Inline>) -> Block {
    Block::Heading { level, id, text }
}
