//! What the page of a skill needs: every entry it cites, where it stands, what people said of it and of everything it cites, and
//! the stable version it names.

use crate::body;
use crate::facts::Needs;
use crate::observations;
use crate::version::file_of;
use crate::world::World;
use becivic_core::corpus::Skill;
use std::collections::BTreeSet;

/// What the page of a skill needs.
pub fn needs(world: &World<'_>, id: &str) -> Needs {
    let Some(seen) = world.skill(id) else { return Needs::default() };
    let mut needs = seen.skill().map_or_else(Needs::default, |skill| of_text(world, id, skill));
    needs.standings.insert(("skill", id.to_owned()));
    needs.logged = Some(("skill", id.to_owned()));
    needs.file_at.extend(seen.previous_stable().map(|commit| (commit.to_owned(), file_of(id))));
    needs
}

/// What a text needs to be printed, be it the current one or an older one.
pub fn of_text(world: &World<'_>, id: &str, skill: &Skill) -> Needs {
    // Where only files are served, nobody says anything.
    let said_of = match world.is_live {
        true => observations::aggregates_of(world, id, skill),
        false => BTreeSet::new(),
    };
    let sources = said_of.iter().filter(|(kind, _)| *kind == "path").map(|(_, path)| path.clone()).collect();
    Needs { entries: body::cites(skill), said_of, sources, ..Needs::default() }
}
