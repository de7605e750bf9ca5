//! An alternative held against the defaults, measure by measure.
//!
//! Where the 95 % intervals of a measure do not overlap, the alternative is better or worse there; otherwise nothing is said.
//! Since the same people read the same things under both, that asks for more than it has to.

use super::Study;
use crate::simulation::policies::NAMED;
use crate::simulation::report::Report;
use crate::simulation::statistics::{Median, Share};

/// A measure of a scenario on which two policies differ.
pub struct Difference {
    /// The scenario.
    pub scenario: &'static str,
    /// What is measured.
    pub measure: &'static str,
    /// Under the defaults, and under the alternative.
    pub values: (String, String),
    /// Whether the alternative is the better one.
    pub is_better: bool,
    /// Whether it is only the time that trust takes: a price, and no harm.
    pub is_price: bool,
}

/// How an alternative does.
pub struct Verdict {
    /// Its name.
    pub policy: &'static str,
    /// Where it differs.
    pub differences: Vec<Difference>,
}

impl Verdict {
    /// Where it is better, and where it is worse, but for the time that trust takes.
    pub fn of_harm(&self, is_better: bool) -> impl Iterator<Item = &Difference> {
        self.differences.iter().filter(move |it| !it.is_price && it.is_better == is_better)
    }

    /// Whether it is worse nowhere, and better somewhere.
    pub fn is_sound(&self) -> bool {
        self.of_harm(false).next().is_none() && self.of_harm(true).next().is_some()
    }
}

/// The alternative that is worse nowhere and better on most measures; the first of two that are alike.
pub fn recommended(verdicts: &[Verdict]) -> Option<&Verdict> {
    let sound = verdicts.iter().rev().filter(|it| it.is_sound());
    sound.max_by_key(|it| it.of_harm(true).count())
}

/// Every alternative, held against the defaults.
pub fn verdicts(study: &Study) -> Vec<Verdict> {
    let alternatives = NAMED.iter().enumerate().skip(1);
    alternatives
        .map(|(place, it)| {
            let differences = study.chapters.iter().flat_map(|chapter| {
                let pair = chapter.reports.first().zip(chapter.reports.get(place));
                pair.map(|(default, other)| differences(chapter.name, default, other)).unwrap_or_default()
            });
            Verdict { policy: it.name, differences: differences.collect() }
        })
        .collect()
}

/// The measure that is a price.
const UNTIL_STABLE: &str = "days until right content became stable";

/// A measure: its name, whether more is better, its interval, and how it is written.
type Measure = (&'static str, bool, Option<(f64, f64)>, String);

fn measures(it: &Report) -> Vec<Measure> {
    let share = |name, more_is_better, share: &Share| {
        (name, more_is_better, (share.of > 0).then_some((share.low, share.high)), share.text())
    };
    let median = |name, more_is_better, median: &Option<Median>| {
        let interval = median.as_ref().map(|it| (it.low, it.high));
        (name, more_is_better, interval, Median::text(median.as_ref()))
    };
    let mut all = vec![
        share("right content became stable", true, &it.true_stable),
        median(UNTIL_STABLE, false, &it.true_stable_days),
        median("percent of days with wrong content as stable", false, &it.offered.wrong_as_stable),
    ];
    match &it.attack {
        // What else is measured is the attack, counted once more.
        Some(attack) => all.push(share("targets the attack reached", false, &attack.reached)),
        None => all.extend([
            share("wrong content became beta", false, &it.false_beta),
            share("wrong content became stable", false, &it.false_stable),
            share("right content was rolled back or quarantined", false, &it.true_removed),
            share("outdated content left", true, &it.outdated_left),
            median("days until outdated content left", false, &it.outdated_days),
        ]),
    }
    all
}

fn differences(scenario: &'static str, default: &Report, other: &Report) -> Vec<Difference> {
    let pairs = measures(default).into_iter().zip(measures(other));
    pairs
        .filter_map(|((measure, more_is_better, ours, written), (_, _, theirs, written_other))| {
            let ((low, high), (other_low, other_high)) = (ours?, theirs?);
            let is_more = other_low > high;
            let differs = is_more || other_high < low;
            let values = (written, written_other);
            let (is_better, is_price) = (is_more == more_is_better, measure == UNTIL_STABLE);
            differs.then_some(Difference { scenario, measure, values, is_better, is_price })
        })
        .collect()
}
