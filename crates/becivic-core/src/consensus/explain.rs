//! A decision in words.
//!
//! 1. What happens: "alpha stays alpha", "beta becomes stable".
//! 2. Why: for a step that is not taken yet what is missing, otherwise what the rule saw.
//! 3. On request the numbers, each beside what it was held against.

use super::{Decision, Millis, Missing, Outcome, Rule};
use serde_json::{Map, Number, Value};
use std::fmt;

const DAY: Millis = 24 * 60 * 60 * 1000;

/// The sentence: "alpha stays alpha: 2 more confirmations, 1 more distinct submitter, 31 h".
impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what(), self.because())
    }
}

impl Decision {
    /// The sentence, and the numbers it rests on.
    pub fn explain(&self) -> String {
        let shown: Vec<String> = self.shown_numbers().collect();
        if shown.is_empty() { self.to_string() } else { format!("{self} ({})", shown.join(", ")) }
    }

    /// The same as seen by somebody who knows days only: spans are counted from day to day, and what is missing lasts until
    /// the end of the day on which it is there. Nothing in it tells at which hour something began, and it changes at midnight
    /// (UTC) or when a verdict lands.
    pub fn by_the_day(&self, now: Millis) -> Self {
        let day = |at: Millis| at.div_euclid(DAY).saturating_mul(DAY);
        let measured = |(name, number): &(&'static str, f64)| {
            let span = *number as Millis;
            let shown = if name.ends_with("_ms") {
                (day(now) - day(now.saturating_sub(span))) as f64
            } else {
                *number
            };
            (*name, shown)
        };
        let missing = |it: &Missing| match *it {
            Missing::Time(wait) => {
                Missing::Time(day(now.saturating_add(wait)).saturating_add(DAY) - day(now))
            }
            Missing::Confirms(_)
            | Missing::Rate(_)
            | Missing::Submitters(_)
            | Missing::Days(_)
            | Missing::Rejects(_) => *it,
        };
        Self {
            numbers: self.numbers.iter().map(measured).collect(),
            missing: self.missing.iter().map(missing).collect(),
            look_again_at: self.look_again_at.map(day),
            ..self.clone()
        }
    }

    /// The numbers as one object, in their order; whole ones without a fraction.
    pub fn numbers_json(&self) -> Map<String, Value> {
        self.numbers_by_name().map(|(name, number)| (name.to_owned(), number)).collect()
    }

    /// The numbers one by one, in their order.
    pub fn numbers_by_name(&self) -> impl Iterator<Item = (&'static str, Value)> {
        self.numbers.iter().map(|(name, number)| (*name, json_number(*number)))
    }

    fn what(&self) -> String {
        let from = self.from;
        match self.outcome {
            Outcome::Stay => format!("{from} stays {from}"),
            Outcome::Promote(to) => format!("{from} becomes {to}"),
            Outcome::RollBack => format!("{from} is rolled back"),
            Outcome::Quarantine => format!("{from} is quarantined"),
            Outcome::Deprecate => format!("{from} is deprecated"),
            Outcome::Return => format!("{from} returns to alpha"),
        }
    }

    fn because(&self) -> String {
        match self.rule {
            Rule::OutsideTheMachine => String::from("a meta-skill is outside the state machine"),
            Rule::NotInTheLifecycle => format!("verdicts do not move what is {}", self.from),
            Rule::InjectionFlags => format!("{} flagged it", people(self.number("flaggers"))),
            Rule::Rejected => format!(
                "rejections outweigh confirmations by {}, and {} reject",
                self.number("margin"),
                people(self.number("rejecting_people"))
            ),
            Rule::Contested => format!(
                "it is contested, {} against {}",
                people(self.number("people_in_favour")),
                self.number("people_against")
            ),
            Rule::AllSourcesRejected => match self.number("sources") {
                1.0 => String::from("its only source is rejected"),
                sources => format!("each of its {sources} sources is rejected"),
            },
            Rule::NobodyConfirms => {
                format!("nothing has confirmed it for {}", span(self.number("unconfirmed_ms") as Millis))
            }
            Rule::WorksAgain => String::from("a probe found it working again"),
            Rule::AlphaToBeta | Rule::BetaToStable => self.step(),
            Rule::StableStays => String::from("rejections do not outweigh confirmations"),
        }
    }

    fn step(&self) -> String {
        if !self.missing.is_empty() {
            let missing: Vec<String> = self.missing.iter().map(Missing::to_string).collect();
            return missing.join(", ");
        }
        format!(
            "{}, {}, {} in favour, {} after the cohort began",
            many(self.number("confirms"), "confirmation"),
            many(self.number("rejects"), "rejection"),
            many(self.number("submitters"), "distinct submitter"),
            span(self.number("age_ms") as Millis)
        )
    }

    fn number(&self, name: &str) -> f64 {
        self.numbers.iter().find(|(it, _)| *it == name).map_or(0.0, |(_, number)| *number)
    }

    fn shown_numbers(&self) -> impl Iterator<Item = String> {
        let measured = self.numbers.iter().filter(|(name, _)| !name.ends_with("_needed"));
        measured.map(|(name, number)| {
            let needed = format!("{name}_needed");
            let needed = self.numbers.iter().find(|(it, _)| *it == needed);
            let (words, show): (_, fn(f64) -> String) = match name.strip_suffix("_ms") {
                Some(name) => (name, |millis| span(millis as Millis)),
                None => (*name, |number| number.to_string()),
            };
            let words = words.replace('_', " ");
            let number = show(*number);
            match needed {
                Some((_, needed)) => format!("{words} {number} of {}", show(*needed)),
                None => format!("{words} {number}"),
            }
        })
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Confirms(1) => f.write_str("1 more confirmation"),
            Self::Confirms(more) => write!(f, "{more} more confirmations"),
            Self::Submitters(1) => f.write_str("1 more distinct submitter"),
            Self::Submitters(more) => write!(f, "{more} more distinct submitters"),
            Self::Days(1) => f.write_str("confirmations on 1 more day"),
            Self::Days(more) => write!(f, "confirmations on {more} more days"),
            Self::Time(wait) => f.write_str(&span(wait)),
            Self::Rejects(1) => f.write_str("1 rejection stands against it"),
            Self::Rejects(standing) => write!(f, "{standing} rejections stand against it"),
            Self::Rate(i64::MAX) => f.write_str("a rate that cannot be reached"),
            Self::Rate(1) => f.write_str("1 more confirmation for the rate"),
            Self::Rate(more) => write!(f, "{more} more confirmations for the rate"),
        }
    }
}

fn many(number: f64, word: &str) -> String {
    if number == 1.0 { format!("1 {word}") } else { format!("{number} {word}s") }
}

fn people(number: f64) -> String {
    if number == 1.0 { String::from("1 person") } else { format!("{number} people") }
}

/// A span of time, rounded up so that what is left never reads as nothing: hours up to three days, then days and hours.
fn span(millis: Millis) -> String {
    if millis < 0 {
        return format!("-{}", span(millis.saturating_neg()));
    }
    let up = |unit: Millis| millis / unit + Millis::from(millis % unit != 0);
    match (up(1_000), up(60_000), up(3_600_000)) {
        (seconds, ..) if seconds < 60 => format!("{seconds} s"),
        (_, minutes, _) if minutes < 60 => format!("{minutes} min"),
        (_, _, hours) if hours < 72 => format!("{hours} h"),
        (_, _, hours) if hours % 24 == 0 => format!("{} d", hours / 24),
        (_, _, hours) => format!("{} d {} h", hours / 24, hours % 24),
    }
}

/// Numbers up to 2^53 are exact as doubles; beyond that the fraction is gone anyway.
fn json_number(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
        Value::Number(Number::from(number as i64))
    } else {
        Number::from_f64(number).map_or(Value::Null, Value::Number)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Artefact, Kind, Policy, Tally, decide};
    use super::*;
    use crate::vocabulary::Status;

    const HOUR: Millis = DAY / 24;

    fn shown(started: Millis, now: Millis) -> Decision {
        let artefact = Artefact {
            kind: Kind::Skill,
            status: Status::Alpha,
            cohort_started_at: started,
            base: (0, 0),
            last_sign_of_life: None,
            sources: Vec::new(),
            revived: false,
        };
        decide(&artefact, &Tally::default(), &Policy::default(), now).by_the_day(now)
    }

    #[test]
    fn by_the_day_nothing_tells_an_hour() {
        let (today, first) = (20_000 * DAY, shown(19_999 * DAY, 20_000 * DAY + HOUR));
        for started in [1, 13 * HOUR, DAY - 1] {
            for now in [today + HOUR, today + 23 * HOUR, today + DAY - 1] {
                assert_eq!(shown(19_999 * DAY + started, now), first, "{started} {now}");
            }
        }
        let number = |name: &str| first.numbers.iter().find(|(it, _)| *it == name).map(|(_, number)| *number);
        assert_eq!(number("age_ms"), Some(DAY as f64));
        assert_eq!(number("age_ms_needed"), Some((2 * DAY) as f64), "a threshold is what it is");
        // It began yesterday and needs 48 hours: some time tomorrow, at the latest when tomorrow ends.
        assert!(first.missing.contains(&Missing::Time(2 * DAY)), "{:?}", first.missing);
        let next = shown(19_999 * DAY + 1, today + DAY);
        assert!(next.missing.contains(&Missing::Time(DAY)), "{:?}", next.missing);
    }
}
