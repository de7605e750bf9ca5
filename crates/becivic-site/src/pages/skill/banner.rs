//! How far a skill may be trusted, said before anything else (§6.1, §8.2, §10.2).
//!
//! 1. A flag that nobody has decided on.
//! 2. The banner of its status; a stable skill has none. Where a stable version came before, the banner leads to it.
//! 3. What is missing for the next step up.
//! 4. Skills it builds on, near or far, that are not stable (§6.6).

use super::{Subject, authored, composition, mention, missing, plain_link};
use crate::dates;
use crate::doc::{Block, Inline, Tone, code, lines, paragraph, text, woven};
use crate::version::Versions;
use crate::words::{Words, fill};
use becivic_core::vocabulary::Status;

/// Where agents learn how to send a verdict.
const HOW_TO_VALIDATE: &str = "/agents/submit/validation";

/// The stable version before this one.
struct Stable {
    address: String,
    verified: Option<String>,
}

/// Everything that is said about trust.
pub fn blocks(subject: &Subject<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    blocks.extend(flag(subject));
    blocks.extend(of_status(subject));
    blocks.extend(missing::block(subject));
    blocks.extend(builds_on(subject));
    blocks
}

fn flag(subject: &Subject<'_>) -> Option<Block> {
    let flagged = subject.standing().is_some_and(|it| it.flagged);
    let words = &subject.words.skill;
    let text = vec![paragraph([text(words.flagged_text)])];
    (flagged && subject.seen.status != Status::Quarantined)
        .then(|| callout(Tone::Alarm, words.flagged_title, text))
}

fn of_status(subject: &Subject<'_>) -> Option<Block> {
    let words = &subject.words.skill;
    let stable = previous_stable(subject);
    match subject.seen.status {
        Status::Draft => {
            Some(callout(Tone::Care, words.draft_title, vec![paragraph([text(words.draft_text)])]))
        }
        Status::Alpha => Some(callout(Tone::Care, words.alpha_title, alpha(subject, stable))),
        Status::Beta => {
            Some(callout(Tone::Care, words.beta_title, vec![report(stable.as_ref(), subject.words)]))
        }
        Status::Stable => None,
        Status::Deprecated => Some(callout(Tone::Alarm, words.deprecated_title, deprecated(subject))),
        Status::Quarantined => {
            Some(callout(Tone::Alarm, words.quarantined_title, quarantined(subject, stable)))
        }
    }
}

fn alpha(subject: &Subject<'_>, stable: Option<Stable>) -> Vec<Block> {
    let words = &subject.words.skill;
    let what_it_means = match (&stable, subject.seen.previous_stable()) {
        (Some(stable), _) => {
            let verified = stable.verified.as_deref().map(|day| dates::in_words(day, subject.words));
            fill(words.alpha_recent, &[verified.as_deref().unwrap_or(words.never)])
        }
        // There was a stable version, and it is no way back: neither new nor safe.
        (None, Some(_)) => words.alpha_no_stable.to_owned(),
        (None, None) => words.alpha_new.to_owned(),
    };
    vec![report(stable.as_ref(), subject.words), paragraph([text(what_it_means)])]
}

/// What to do when something is wrong with it.
fn report(stable: Option<&Stable>, words: &Words) -> Block {
    let validation = Inline::Link { to: HOW_TO_VALIDATE.to_owned(), label: vec![code("validation")] };
    let places = [validation, code("injection_flag: true"), code("verdict: reject")];
    match stable {
        Some(stable) => {
            let places = places.into_iter().chain([plain_link(stable.address.clone())]);
            paragraph(woven(words.skill.report_and_load, places))
        }
        None => paragraph(woven(words.skill.report, places)),
    }
}

fn deprecated(subject: &Subject<'_>) -> Vec<Block> {
    let words = &subject.words.skill;
    let mut blocks = vec![paragraph([text(words.deprecated_text)])];
    blocks.extend(instead(subject));
    blocks
}

fn quarantined(subject: &Subject<'_>, stable: Option<Stable>) -> Vec<Block> {
    let words = &subject.words.skill;
    let way_back = match stable {
        Some(stable) => woven(words.stable_is_at, [plain_link(stable.address)]),
        None => vec![text(words.alpha_no_stable)],
    };
    let mut blocks = vec![paragraph([text(words.quarantined_text)]), paragraph(way_back)];
    blocks.extend(instead(subject));
    blocks
}

/// What a skill was replaced by.
fn instead(subject: &Subject<'_>) -> Option<Block> {
    let id = subject.seen.superseded_by()?;
    let place = match subject.world.skill(id) {
        Some(other) => Inline::Link { to: format!("/skills/{id}"), label: vec![authored(other.title())] },
        None => code(id),
    };
    Some(paragraph(woven(subject.words.skill.superseded_by, [place])))
}

/// So many are named; whoever looks at those is told of the next.
const NAMED: usize = 8;

fn builds_on(subject: &Subject<'_>) -> Option<Block> {
    let words = &subject.words.skill;
    let shaky = composition::not_stable(subject, NAMED);
    let more = (shaky.len() > NAMED).then(|| vec![text(words.builds_on_more)]);
    let list = lines(shaky.iter().take(NAMED).map(|id| mention(&subject.world, id)).chain(more));
    let blocks = vec![paragraph([text(words.builds_on_text)]), list];
    (!shaky.is_empty()).then(|| callout(Tone::Care, words.builds_on_title, blocks))
}

fn previous_stable(subject: &Subject<'_>) -> Option<Stable> {
    let id = subject.seen.id();
    let (commit, skill) = Versions::new(subject.seen, subject.facts).previous_stable()?;
    let verified = skill.front.and_then(|front| front.last_verified);
    Some(Stable { address: format!("/skills/{id}/at/{commit}"), verified })
}

fn callout(tone: Tone, title: &str, blocks: Vec<Block>) -> Block {
    Block::Callout { tone, title: title.to_owned(), blocks }
}
