//! `llms-full.txt`: every page, skill and path as markdown, one after the other, each under its address.
//!
//! 1. What is put away is absent: its page would say nothing but that.
//! 2. While there are few pages, all of them are in the one file. With more it would be too long for any agent to fetch: then it
//!    says which pages are in which of its parts, `/llms-full/1.txt` and on.
//!
//! A part stands for its pages alone: a change in one of them changes this part and no other.

use super::{Made, Markdown};
use crate::address::{Form, Which};
use crate::world::World;
use becivic_core::site::OPENING_LINE;
use becivic_core::vocabulary::Status;
use std::fmt::Write as _;

/// So many pages still stand in one file.
pub const WHOLE: usize = 250;

/// Pages in a part.
const PER_PART: usize = 25;

/// About how long a page is.
const A_PAGE: usize = 16 << 10;

/// A file that holds pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Volume {
    /// Which.
    pub made: Made,
    /// What stands above it.
    pub title: String,
    /// Its pages.
    pub pages: Vec<Which>,
}

impl Volume {
    /// The file: the same title and the same pages are the same text.
    pub fn text(&self, base: &str, markdown: &mut Markdown<'_>) -> String {
        let mut out = String::with_capacity(self.pages.len() * A_PAGE);
        let push = |out: &mut String, parts: &[&str]| parts.iter().for_each(|part| out.push_str(part));
        push(&mut out, &["# ", &self.title, "\n\n", OPENING_LINE, "\n"]);
        for which in &self.pages {
            if let Some(text) = markdown(which) {
                // Agents cut the file at these lines, and learn where each part of it stands.
                let (address, text) = (which.address_as(Form::Markdown), text.trim());
                push(&mut out, &["\n<!-- page: ", base, &address, " -->\n\n", text, "\n"]);
            }
        }
        out
    }
}

/// Every file of these that holds pages, made with one look at the world.
pub fn volumes(world: &World<'_>) -> Vec<Volume> {
    let pages = pages(world);
    let title = "Be Civic, every page";
    if pages.len() <= WHOLE {
        return vec![Volume { made: Made::LlmsFull, title: title.to_owned(), pages }];
    }
    let parts = pages.chunks(PER_PART);
    let count = parts.len();
    let part = |(at, pages): (usize, &[Which])| {
        let number = at + 1;
        let title = format!("{title}, part {number} of {count}");
        Volume { made: Made::LlmsFullPart(number), title, pages: pages.to_vec() }
    };
    parts.enumerate().map(part).collect()
}

/// One of them; nothing where there is none such, or it holds no page itself.
pub fn volume(world: &World<'_>, made: &Made) -> Option<Volume> {
    volumes(world).into_iter().find(|volume| volume.made == *made)
}

/// `llms-full.txt` where it has parts: which pages are in which of them.
pub fn map(world: &World<'_>) -> String {
    let mut out =
        format!("# Be Civic, every page\n\n{OPENING_LINE}\n\nEvery page as markdown, in parts:\n\n");
    for volume in volumes(world) {
        let (base, address) = (world.base, volume.made.address());
        let ends = [volume.pages.first(), volume.pages.last()];
        let [first, last] = ends.map(|page| page.map(Which::address).unwrap_or_default());
        let _text_takes_everything = writeln!(out, "- [{address}]({base}{address}): {first} to {last}");
    }
    out
}

/// Pages in the order in which an agent would want them: how to behave, then procedures, then ways.
fn pages(world: &World<'_>) -> Vec<Which> {
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
    all
}
