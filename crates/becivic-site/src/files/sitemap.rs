//! `sitemap.xml`: pages that search engines may list. Skills and paths once they are stable, lists, and authored pages.
//!
//! A sitemap holds at most 50,000 addresses. Above that it becomes a list of sitemaps, each with its share.

use crate::address::Which;
use crate::pages::category;
use crate::world::World;
use becivic_core::path::Theme;
use becivic_core::vocabulary::Status;
use maud::Escaper;
use std::fmt::Write;

/// The most addresses in one sitemap, by the protocol of sitemaps.
pub const PER_SITEMAP: usize = 50_000;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const SPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// `/sitemap.xml`: the addresses, or the list of sitemaps.
pub fn root(world: &World<'_>) -> String {
    match parts(world) {
        0 => urls(world, &indexed(world)),
        parts => {
            let entries = (1..=parts).map(|number| format!("/sitemaps/{number}.xml"));
            listed("sitemapindex", "sitemap", world.base, entries)
        }
    }
}

/// How many parts there are; none where one sitemap holds everything.
pub fn parts(world: &World<'_>) -> usize {
    let count = indexed(world).len();
    if count <= PER_SITEMAP { 0 } else { count.div_ceil(PER_SITEMAP) }
}

/// A part, from 1.
pub fn part(world: &World<'_>, number: usize) -> Option<String> {
    let all = indexed(world);
    if all.len() <= PER_SITEMAP {
        return None;
    }
    all.chunks(PER_SITEMAP).nth(number.checked_sub(1)?).map(|share| urls(world, share))
}

fn indexed(world: &World<'_>) -> Vec<Which> {
    // One that cannot be read has no page.
    let pages = world.corpus.pages.iter().filter(|(_, page)| page.front.is_some());
    let pages = pages.map(|(address, _)| Which::Authored(address.clone()));
    let lists = [Which::Skills, Which::Paths];
    let used = |theme: &&Theme| {
        world.paths().any(|path| path.entry().is_some_and(|entry| entry.themes.contains(theme)))
    };
    let themes = Theme::ALL.iter().filter(used).map(|theme| Which::ThemeOf(*theme));
    let skills = world.skills().filter(|skill| skill.status == Status::Stable);
    let paths = world.paths().filter(|path| path.status == Status::Stable);
    pages
        .chain(lists)
        .chain(category::all(world))
        .chain(themes)
        .chain(skills.map(|skill| Which::Skill(skill.id().to_owned())))
        .chain(paths.map(|path| Which::Path(path.id().to_owned())))
        .collect()
}

fn urls(world: &World<'_>, pages: &[Which]) -> String {
    listed("urlset", "url", world.base, pages.iter().map(Which::address))
}

fn listed(list: &str, entry: &str, base: &str, addresses: impl Iterator<Item = String>) -> String {
    let mut out = format!("{HEAD}<{list} xmlns=\"{SPACE}\">\n");
    for address in addresses {
        let _ = write!(out, "  <{entry}><loc>");
        let _ = write!(Escaper::new(&mut out), "{base}{address}");
        let _ = writeln!(out, "</loc></{entry}>");
    }
    let _ = writeln!(out, "</{list}>");
    out
}
