//! `redirects.json`: old addresses of the site and where they lead now, as types, and what a schema cannot say of them.
//!
//! 1. An address leads to one place.
//! 2. It leads there in one step: nothing leads to where another one begins.
//! 3. Nothing begins where something is, and nothing leads where nothing is.

use crate::corpus::Corpus;
use crate::finding::PointedProblem;
use crate::site;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// One address that leads elsewhere; both are addresses of the site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Redirect {
    /// The old address.
    pub from: String,
    /// Where it leads.
    pub to: String,
}

/// Everything the schema cannot say.
pub fn check(corpus: &Corpus, redirects: &[Redirect]) -> Vec<PointedProblem> {
    let begins: BTreeSet<&str> = redirects.iter().map(|redirect| redirect.from.as_str()).collect();
    let mut seen = BTreeSet::new();
    let mut problems = Vec::new();
    for (index, redirect) in redirects.iter().enumerate() {
        let Redirect { from, to } = redirect;
        let mut say = |field: &str, message: String, help: &str| {
            problems.push((format!("/{index}/{field}"), message, help.to_owned()));
        };
        if !seen.insert(from) {
            say("from", format!("`{from}` leads to two places"), "Keep one of them.");
        }
        if site::resolve(corpus, from).is_ok() {
            say(
                "from",
                format!("there is a page at `{from}`"),
                "Only an address that leads nowhere else can lead on.",
            );
        }
        if begins.contains(to.split('#').next().unwrap_or_default()) {
            say("to", format!("`{to}` leads on itself"), "Name the address where the chain ends.");
        } else if site::resolve(corpus, to).is_err() {
            say(
                "to",
                format!("nothing of the site is at `{to}`"),
                "Lead to a page, a skill or a path of this corpus.",
            );
        }
    }
    problems
}
