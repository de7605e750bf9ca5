//! `llms-full.txt`: every page, skill and path as markdown, one after the other, each under its address.
//!
//! What is put away is absent: its page would say nothing but that. The text can be handed on piece by piece, so that a
//! large corpus never stands in memory as a whole.

use super::Markdown;
use crate::address::{Form, Which};
use crate::world::World;
use becivic_core::site::OPENING_LINE;
use becivic_core::vocabulary::Status;

/// The whole file.
pub fn text(world: &World<'_>, markdown: &mut Markdown<'_>) -> String {
    let mut out = String::new();
    write(world, markdown, &mut |piece| out.push_str(piece));
    out
}

/// Hands the file on, piece by piece.
pub fn write(world: &World<'_>, markdown: &mut Markdown<'_>, out: &mut dyn FnMut(&str)) {
    out(&format!("# Be Civic, every page\n\n{OPENING_LINE}\n"));
    for which in pages(world) {
        if let Some(text) = markdown(&which) {
            // Agents cut the file at these lines, and learn where each part of it stands.
            out(&format!("\n<!-- page: {}{} -->\n\n", world.base, which.address_as(Form::Markdown)));
            out(text.trim());
            out("\n");
        }
    }
}

/// Pages in the order in which an agent would want them: how to behave, then procedures, then ways.
fn pages(world: &World<'_>) -> impl Iterator<Item = Which> {
    let (agents, others): (Vec<&String>, Vec<&String>) =
        world.corpus.pages.keys().partition(|address| address.starts_with("/agents"));
    let skills = world.skills().filter(|skill| skill.status != Status::Quarantined);
    let paths = world.paths().filter(|path| path.status != Status::Quarantined);
    let authored = |addresses: Vec<&String>| -> Vec<Which> {
        addresses.into_iter().cloned().map(Which::Authored).collect()
    };
    let mut all = authored(agents);
    all.extend(skills.map(|skill| Which::Skill(skill.id().to_owned())));
    all.extend(paths.map(|path| Which::Path(path.id().to_owned())));
    all.extend(authored(others));
    all.into_iter()
}
