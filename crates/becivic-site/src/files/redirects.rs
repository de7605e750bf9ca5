//! Addresses that lead elsewhere: one table, one step.
//!
//! 1. Our own: names that others look for, and that the specification gave to what lives elsewhere.
//! 2. By hand: `redirects.json` of the corpus. They win over our own.
//! 3. Nothing leads where something else begins: each leads to where its chain ends, and circles lead nowhere.
//!
//! Retired skills are not in here: they stay readable, and name what replaced them. Other spellings of an address are
//! [`crate::address::read`]'s business. Every target is an address of this site.

use crate::world::World;
use becivic_core::redirects::Redirect;
use maud::{DOCTYPE, html};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Ours, from and to.
const OURS: &[(&str, &str)] = &[
    ("/.well-known/llms.txt", "/llms.txt"),
    ("/.well-known/mcp/server-card.json", "/mcp/server-card"),
    ("/docs/activity/global", "/activity"),
    ("/docs/activity/global.json", "/activity.json"),
    ("/docs/activity/global.md", "/activity.md"),
    ("/security.txt", "/.well-known/security.txt"),
];

/// Every address that leads elsewhere, and where it leads.
pub fn redirects(world: &World<'_>) -> BTreeMap<String, String> {
    let ours = OURS.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned()));
    let mut steps: BTreeMap<String, String> = ours.collect();
    steps.extend(by_hand(world).into_iter().map(|redirect| (redirect.from, redirect.to)));
    let ends = steps.keys().filter_map(|from| Some((from.clone(), end(&steps, from)?.to_owned())));
    ends.collect()
}

/// A page that leads elsewhere, for hosts that know of no redirect.
pub fn page(world: &World<'_>, to: &str) -> String {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                title { (to) }
                meta http-equiv="refresh" content={ "0; url=" (to) };
                meta name="robots" content="noindex";
                link rel="canonical" href={ (world.base) (to) };
            }
            body { p { "→ " a href=(to) { (to) } } }
        }
    };
    markup.into_string()
}

/// Where an address leads.
pub fn find(world: &World<'_>, address: &str) -> Option<String> {
    redirects(world).remove(address)
}

fn by_hand(world: &World<'_>) -> Vec<Redirect> {
    let file = world.corpus.redirects.as_ref().filter(|file| file.fits);
    file.and_then(|file| Vec::deserialize(&file.value).ok()).unwrap_or_default()
}

fn end<'s>(steps: &'s BTreeMap<String, String>, from: &str) -> Option<&'s str> {
    let mut seen = BTreeSet::new();
    let mut at = steps.get(from)?;
    while let Some(next) = steps.get(at.split('#').next().unwrap_or_default()) {
        if !seen.insert(at) {
            return None;
        }
        at = next;
    }
    Some(at)
}
