//! What makes a person look at a submission before anybody else can: somebody is named in it, or it leads somewhere that
//! nobody listed (§8.5, DECISIONS §9b). A doubt refuses nothing, and says nothing of the text but where.
//!
//! 1. Somebody's own words are read (`preflight/free_text.rs`), one string after the other.
//! 2. Who is named in them ([`Names`]).
//! 3. Which hosts they lead to (`addresses.rs`). What a proposal would put into an artefact is left to `materialise.rs`, which
//!    knows what was cited before.

use super::free_text;
use crate::addresses;
use crate::names::Names;
use crate::submission::Kind;
use crate::vocabulary::words;
use serde_json::Value;

words! {
    /// What a doubt is about.
    Why {
        /// Somebody seems to be named.
        Name = "name",
        /// An address of a host that nobody listed, or that looks like another.
        UnlistedHost = "unlisted_host",
    }
}

/// One place of a submission that somebody has to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// The string, as a JSON pointer.
    pub pointer: String,
    /// Where it begins in the string, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What it is about.
    pub why: Why,
    /// How sure the recogniser of names is, from 0 to 1.
    pub score: Option<f64>,
}

/// What makes a person look at a submission.
pub fn doubts(kind: Kind, value: &Value, names: &Names<'_>, is_listed: impl Fn(&str) -> bool) -> Vec<Doubt> {
    let mut found = Vec::new();
    for piece in free_text::of(kind, value) {
        let mut add = |start: usize, end: usize, why: Why, score: Option<f64>| {
            let (start, end) = (piece.start + start, piece.start + end);
            found.push(Doubt { pointer: piece.pointer.clone(), start, end, why, score });
        };
        let hosts = addresses::named(piece.text);
        // What is an address as a whole is no prose.
        if !hosts.first().is_some_and(|it| it.span == (0..piece.text.len())) {
            for person in names.find(piece.text).persons {
                // Words of an address are judged with it.
                if !hosts.iter().any(|it| it.span.start <= person.start && person.end <= it.span.end) {
                    add(person.start, person.end, Why::Name, Some(person.score));
                }
            }
        }
        if !is_judged_elsewhere(kind, &piece.pointer) {
            for address in hosts.iter().filter(|it| !it.host.as_deref().is_some_and(&is_listed)) {
                add(address.span.start, address.span.end, Why::UnlistedHost, None);
            }
        }
    }
    found
}

/// The one word for several doubts: a name is the graver.
pub fn gravest(doubts: &[Doubt]) -> Option<Why> {
    let is = |why: Why| doubts.iter().any(|it| it.why == why).then_some(why);
    is(Why::Name).or(is(Why::UnlistedHost))
}

/// Whether what a string cites is compared with what its artefact cites already.
fn is_judged_elsewhere(kind: Kind, pointer: &str) -> bool {
    let proposes = matches!(kind, Kind::Amendment | Kind::Draft);
    proposes
        && pointer.starts_with("/content/")
        && !matches!(pointer, "/content/note" | "/content/proposed_title")
}
