//! From a question to hits.
//!
//! 1. **Slots** ([`plan`](super::plan)). For each, every document gets the best of the ways that lead to it: the sum over its
//!    fields of how often the word stands there, times what the place counts, times what the way counts. Long texts count
//!    less per word. Words that answer together count as the weakest of them.
//! 2. **Weights.** A slot that few documents answer says more than one that many do. One that none answers says most: it is
//!    what the question is about, and it is not there.
//! 3. **Coverage** is the share of the weights that a document answers, by the best place of each slot. **Strength** is the
//!    same with saturated counts, as in BM25F. The best [`CANDIDATES`] are looked at closer: how well a **name** of theirs
//!    fits ([`names`](super::names)).
//! 4. **Evidence.** A document is a hit when it covers enough, or when the question holds one of its names whole and it covers
//!    a good part. Skills about the corpus itself are hits when the question is one of their names.
//! 5. **Order**: the score, then what kind it is, how far it was confirmed, and its id.

use super::answer::{Found, Hit, Question, Reason};
use super::document::Kind;
use super::index::Index;
use super::names::{Fit, fit};
use super::plan::slots;
use super::score::{At, Scores};
use super::segment::Entry;
use crate::skill::FALLBACK;
use crate::vocabulary::Status;

/// So many are looked at closer.
const CANDIDATES: usize = 80;

/// Nobody gets more hits than this.
const MOST_HITS: usize = 50;

/// Coverage from which a document is a hit.
const COVERED: u32 = 480;
/// Coverage from which it is one when the question holds a name of it whole.
const COVERED_WITH_NAME: u32 = 330;
/// How well a name of a skill about the corpus has to fit.
const META_NAME: u32 = 800;
/// Hits below this share of the best one's score are left out, in percent.
const BESIDE_THE_BEST: u32 = 35;

/// What each part counts in a score, in percent.
const COVERAGE: u32 = 35;
const STRENGTH: u32 = 25;
const NAME: u32 = 40;

/// Finds everything that fits a question.
pub fn find(index: &Index, question: &Question<'_>) -> Found {
    let slots = slots(index, question);
    let scores = Scores::of(index, &slots);
    let only_light = slots.iter().all(|slot| slot.light);
    let mut ranked: Vec<Ranked<'_>> = candidates(index, question, &scores)
        .into_iter()
        .map(|(at, entry)| Ranked::of(index, &scores, at, entry))
        .filter(|ranked| ranked.is_evident(only_light))
        .collect();
    ranked.sort_by(|one, other| other.order().cmp(&one.order()));
    let least = ranked.first().map_or(0, |best| best.score * BESIDE_THE_BEST / 100);
    ranked.retain(|ranked| ranked.score >= least);
    ranked.truncate(question.limit.min(MOST_HITS));
    let nothing_fits = ranked.is_empty();
    let mut hits: Vec<Hit> = ranked.iter().map(|ranked| ranked.hit(&scores)).collect();
    if nothing_fits {
        hits.extend(floor(index, question));
    }
    Found { hits, nothing_fits }
}

/// The skill for when nothing fits.
fn floor(index: &Index, question: &Question<'_>) -> Option<Hit> {
    let mut layers = index.layers.iter();
    let entry = layers.find_map(|layer| {
        let document = layer.segment.document(Kind::Skill, FALLBACK)?;
        layer.is_alive(document).then(|| layer.segment.entries.get(document as usize))?
    })?;
    let asked = question.kinds.is_empty() || question.kinds.contains(&Kind::Skill);
    (asked && !is_withheld(question, entry) && question.limit > 0).then(|| Hit {
        kind: entry.kind,
        id: entry.id.to_string(),
        title: entry.title.to_string(),
        score: 0,
        reasons: vec![Reason::NOTHING],
    })
}

/// The documents that may be found, with the best sums.
fn candidates<'i>(index: &'i Index, question: &Question<'_>, scores: &Scores<'_>) -> Vec<(At, &'i Entry)> {
    let mut found: Vec<(u32, At, &Entry)> = Vec::new();
    for at in scores.touched() {
        let entry =
            index.layers.get(at.layer).and_then(|layer| layer.segment.entries.get(at.document as usize));
        if let Some(entry) = entry.filter(|entry| is_wanted(question, entry)) {
            let (coverage, strength) = scores.sums(at);
            found.push((coverage + strength, at, entry));
        }
    }
    let order = |one: &(u32, At, &Entry), other: &(u32, At, &Entry)| {
        other.0.cmp(&one.0).then_with(|| one.2.key().cmp(&other.2.key()))
    };
    if found.len() > CANDIDATES {
        found.select_nth_unstable_by(CANDIDATES, order);
        found.truncate(CANDIDATES);
    }
    found.into_iter().map(|(_, at, entry)| (at, entry)).collect()
}

fn is_wanted(question: &Question<'_>, entry: &Entry) -> bool {
    let status = match entry.status {
        None => true,
        Some(status) if question.statuses.is_empty() => status.is_published(),
        Some(status) => question.statuses.contains(&status),
    };
    let domain =
        question.domains.is_empty() || entry.domain.is_some_and(|domain| question.domains.contains(&domain));
    let category = question.category.is_none() || question.category == entry.category.as_deref();
    let kind = question.kinds.is_empty() || question.kinds.contains(&entry.kind);
    kind && status && domain && category && !is_withheld(question, entry)
}

fn is_withheld(question: &Question<'_>, entry: &Entry) -> bool {
    question.withheld.iter().any(|(kind, id)| kind == entry.kind.as_str() && **id == *entry.id)
}

/// What a kind counts, in percent: whoever asks wants to do something.
fn kind_counts(kind: Kind) -> u32 {
    match kind {
        Kind::Skill => 100,
        Kind::Path => 98,
        Kind::Value => 85,
        Kind::Reference => 80,
    }
}

/// How far something was confirmed, as a number.
fn trust(status: Option<Status>) -> u32 {
    match status {
        Some(Status::Stable) => 4,
        Some(Status::Beta) => 3,
        Some(Status::Alpha) | None => 2,
        Some(Status::Draft) => 1,
        Some(Status::Deprecated | Status::Quarantined) => 0,
    }
}

/// A candidate with everything that decides.
struct Ranked<'i> {
    at: At,
    entry: &'i Entry,
    score: u32,
    coverage: u32,
    fit: Fit,
}

impl<'i> Ranked<'i> {
    fn of(index: &Index, scores: &Scores<'_>, at: At, entry: &'i Entry) -> Self {
        let (coverage, strength) = scores.sums(at);
        let layer = index.layers.get(at.layer).zip(scores.answers.get(at.layer));
        let fit = layer.map_or_else(Fit::default, |(layer, answers)| {
            fit(&layer.segment, at.document, answers, &scores.weights)
        });
        let score = (coverage * COVERAGE + strength * STRENGTH + fit.score * NAME) / 100;
        Self { at, entry, score: score * kind_counts(entry.kind) / 100, coverage, fit }
    }

    fn hit(&self, scores: &Scores<'_>) -> Hit {
        let entry = self.entry;
        Hit {
            kind: entry.kind,
            id: entry.id.to_string(),
            title: entry.title.to_string(),
            score: self.score.min(1000),
            reasons: scores.reasons(self.at),
        }
    }

    fn is_evident(&self, only_light: bool) -> bool {
        if self.entry.meta {
            return self.fit.score >= META_NAME;
        }
        let named = self.fit.whole && self.coverage >= COVERED_WITH_NAME;
        named || (self.coverage >= COVERED && !only_light)
    }

    fn order(&self) -> (u32, std::cmp::Reverse<Kind>, u32, std::cmp::Reverse<&str>) {
        let kind = std::cmp::Reverse(self.entry.kind);
        (self.score, kind, trust(self.entry.status), std::cmp::Reverse(&self.entry.id))
    }
}
