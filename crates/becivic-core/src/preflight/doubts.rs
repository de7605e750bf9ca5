//! What makes a person look at a submission before anybody else can: somebody is named in it, or it leads somewhere that
//! nobody listed (§8.5, DECISIONS §9b). A doubt refuses nothing, and says nothing of the text but where.
//!
//! 1. Somebody's own words are read (`preflight/free_text.rs`), one string after the other.
//! 2. Who is named in them ([`Names`]).
//! 3. Which hosts they lead to (`addresses.rs`). What a proposal would put into an artefact is left to `materialise.rs`, which
//!    knows what was cited before; where it stands is found afterwards ([`leading_to`]).

use super::free_text;
use crate::addresses::{self, Address};
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
        /// An address of a listed host, written without the encryption that it has.
        NotHttps = "not_https",
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
        let covered: usize = hosts.iter().map(|it| it.span.len()).sum();
        if covered < piece.text.len() {
            for person in names.find(piece.text).persons {
                // Words of an address are judged with it.
                if !hosts.iter().any(|it| it.span.start <= person.start && person.end <= it.span.end) {
                    add(person.start, person.end, Why::Name, Some(person.score));
                }
            }
        }
        let is_elsewhere = is_judged_elsewhere(kind, &piece.pointer);
        for address in hosts.iter().filter(|it| !(is_elsewhere && it.has_scheme)) {
            if let Some(why) = of_address(address, &is_listed) {
                add(address.span.start, address.span.end, why, None);
            }
        }
    }
    found
}

/// What an address makes somebody look at, if it does.
pub fn of_address(address: &Address, is_listed: impl Fn(&str) -> bool) -> Option<Why> {
    // Without a scheme nobody writes `www.`, whether the list does or not.
    let is_known = |host: &str| is_listed(host) || (!address.has_scheme && is_listed(&format!("www.{host}")));
    match (&address.host, &address.unencrypted) {
        (Some(host), _) if is_known(host) => None,
        (None, Some(host)) if is_listed(host) => Some(Why::NotHttps),
        (Some(_) | None, _) => Some(Why::UnlistedHost),
    }
}

/// Where a proposal leads to hosts that are known to be new and listed by nobody. It always says at least one place, for whoever
/// sent it; the whole content where no string of it names them.
pub fn leading_to(kind: Kind, value: &Value, is_unlisted: impl Fn(&str) -> bool) -> Vec<Doubt> {
    let doubt = |pointer: String, start: usize, end: usize| Doubt {
        pointer,
        start,
        end,
        why: Why::UnlistedHost,
        score: None,
    };
    let mut found = Vec::new();
    let content = free_text::everything(kind, value).into_iter();
    for piece in content.filter(|piece| is_judged_elsewhere(kind, &piece.pointer)) {
        let addresses = addresses::named(piece.text).into_iter();
        for it in addresses.filter(|it| it.host.as_deref().is_some_and(&is_unlisted)) {
            found.push(doubt(piece.pointer.clone(), piece.start + it.span.start, piece.start + it.span.end));
        }
    }
    if found.is_empty() {
        found.push(doubt("/content".to_owned(), 0, 0));
    }
    found
}

/// The one word for several doubts, the gravest: a name, then where it leads.
pub fn gravest(doubts: &[Doubt]) -> Option<Why> {
    let is = |why: Why| doubts.iter().any(|it| it.why == why).then_some(why);
    is(Why::Name).or(is(Why::UnlistedHost)).or(is(Why::NotHttps))
}

/// Whether what a string cites, with a scheme, is compared with what its artefact cites already.
fn is_judged_elsewhere(kind: Kind, pointer: &str) -> bool {
    let proposes = matches!(kind, Kind::Amendment | Kind::Draft);
    proposes
        && pointer.starts_with("/content/")
        && !matches!(pointer, "/content/note" | "/content/proposed_title")
}
