//! What the page of a skill needs: every entry it cites, where it stands, what people said of it and of everything it cites, and
//! the stable version it names.

use crate::body;
use crate::facts::Needs;
use crate::version::file_of;
use crate::world::World;
use becivic_core::corpus::Skill;
use becivic_core::mdx::tag::TagKind;
use std::collections::BTreeSet;

/// What the page of a skill needs.
pub fn needs(world: &World<'_>, id: &str) -> Needs {
    let Some(seen) = world.skill(id) else { return Needs::default() };
    let mut needs = seen.skill().map_or_else(Needs::default, |skill| of_text(world, id, skill));
    needs.standings.insert(("skill", id.to_owned()));
    needs.dependents_of = Some(id.to_owned());
    needs.file_at.extend(seen.previous_stable().map(|commit| (commit.to_owned(), file_of(id))));
    needs
}

/// What a text needs to be printed, be it the current one or an older one.
pub fn of_text(world: &World<'_>, id: &str, skill: &Skill) -> Needs {
    let entries = body::cites(skill);
    let mut said_of = BTreeSet::from([("skill", id.to_owned())]);
    said_of.extend(entries.iter().filter_map(|uid| Some((kind_of(uid)?, uid.clone()))));
    for path in paths(skill) {
        said_of.extend(targets_of_path(world, &path));
    }
    Needs { entries, said_of, ..Needs::default() }
}

/// The type of an entry, by its uid; a name says none.
fn kind_of(uid: &str) -> Option<&'static str> {
    match uid.split_once('-') {
        Some(("val", _)) => Some("volatile_value"),
        Some(("ref", _)) => Some("reference"),
        Some(_) | None => None,
    }
}

/// The paths that a skill names, in its text or in its frontmatter.
fn paths(skill: &Skill) -> BTreeSet<String> {
    let tags = skill.document.tags.iter().filter(|tag| tag.kind == TagKind::Path);
    let in_text = tags.filter_map(|tag| tag.value(&skill.source, "id")).map(|id| id.into_owned());
    let required = skill.front.iter().flat_map(|front| front.requires_paths()).map(|it| it.id.clone());
    in_text.chain(required).collect()
}

fn targets_of_path(world: &World<'_>, id: &str) -> Vec<(&'static str, String)> {
    let Some(entry) = world.path(id).and_then(|path| path.entry()) else { return Vec::new() };
    let sources = entry.sources.iter().map(|source| ("path_source", format!("{id}:{}", source.id)));
    [("path", id.to_owned())].into_iter().chain(sources).collect()
}
