//! A skill in a few facts: status and version, subject, authority, when it was compared with its sources, and what people said.

use super::{Subject, authored, authority};
use crate::dates;
use crate::doc::{Block, Inline, text};
use crate::facts::Cohort;
use crate::pages::category::to_category;
use crate::words::{Words, fill};
use becivic_core::skill::Frontmatter;

/// A name, and what belongs to it.
type Row = (Vec<Inline>, Vec<Inline>);

/// The facts.
pub fn block(subject: &Subject<'_>) -> Block {
    let (seen, words) = (subject.seen, &subject.words.skill);
    let mut rows = vec![
        row(words.status, [Inline::Status(seen.status)]),
        row(words.version, [text(seen.version())]),
        row(words.category, [to_category(seen.category(), subject.words)]),
    ];
    if let Some(front) = seen.front() {
        rows.extend(of_front(subject, front));
    }
    if let Some(standing) = subject.standing() {
        rows.extend(of_cohort(&standing.cohort, subject.words));
    }
    Block::Facts(rows)
}

fn of_front(subject: &Subject<'_>, front: &Frontmatter) -> Vec<Row> {
    let words = &subject.words.skill;
    let in_charge = front.authority_id.as_deref().map(|id| authority(&subject.world, id, subject.words));
    let verified = front.last_verified.clone().map_or_else(|| text(words.never), Inline::Day);
    let notes = front.verification_notes.as_deref();
    let mut rows: Vec<Row> =
        in_charge.map(|authority| row(words.authority, [authority])).into_iter().collect();
    rows.push(row(words.last_verified, [verified]));
    rows.extend(notes.map(|notes| row(words.verification_notes, [authored(notes)])));
    rows
}

/// What people and machines made of it since its cohort began. Rows for what nobody did are left out.
fn of_cohort(cohort: &Cohort, words: &Words) -> Vec<Row> {
    let since = dates::in_words(&cohort.cohort_started_at, words);
    let last = cohort.last_validation_at.as_deref().map(|at| dates::in_words(at, words));
    let words = &words.skill;
    let said = if cohort.n == 0 {
        fill(words.verdicts_none, &[&since])
    } else {
        verdicts(cohort, &since, words.verdicts_are)
    };
    let mut rows = vec![row(words.verdicts, [text(said)])];
    if let Some(day) = last.filter(|_| cohort.n > 0) {
        let last = text(format!(", {}", fill(words.verdict_last, &[&day])));
        rows.iter_mut().for_each(|(_, said)| said.push(last.clone()));
    }
    if cohort.probe_confirms + cohort.probe_rejects > 0 {
        let counts = [cohort.probe_confirms, cohort.probe_rejects].map(|count| count.to_string());
        rows.push(row(words.probes, [text(fill(words.probes_are, &[&counts[0], &counts[1]]))]));
    }
    if let (Some(stars), Some(ratings)) = (cohort.skill_quality_avg, cohort.skill_quality_n) {
        let said = fill(words.rating_is, &[&format!("{stars:.1}"), &ratings.to_string()]);
        rows.push(row(words.rating, [text(said)]));
    }
    rows
}

fn verdicts(cohort: &Cohort, since: &str, some: &str) -> String {
    let [affirms, rejects, people] =
        [cohort.affirms, cohort.rejects, cohort.distinct_ips].map(|count| count.to_string());
    fill(some, &[&affirms, &rejects, &people, since])
}

fn row(name: &str, value: impl Into<Vec<Inline>>) -> Row {
    (vec![text(name)], value.into())
}
