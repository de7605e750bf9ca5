//! A scenario: who reads, what is true, and who attacks.
//!
//! 1. TOML is read strictly: a field that nobody knows is an error, with its line.
//! 2. Every number is held against what it may be; the error names the field and says so.
//! 3. What a run would take is worked out before it begins: a scenario that would never end is refused.

use super::policies;
use serde::Deserialize;

/// What is wrong with a scenario.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScenarioError {
    /// It is no TOML, or a field is unknown, missing or of another type.
    #[error("line {line}: {message}")]
    Unreadable {
        /// The line.
        line: usize,
        /// What the reader says.
        message: String,
    },
    /// A number is impossible.
    #[error("`{field}` is {given}; it may be {may_be}")]
    OutOfRange {
        /// The field.
        field: &'static str,
        /// What was given.
        given: String,
        /// What is possible.
        may_be: String,
    },
    /// It would take too long.
    #[error("it would take about {about} {of}; at most {most} are simulated: fewer {fewer} would do")]
    TooMuch {
        /// How many.
        about: u64,
        /// Of what.
        of: &'static str,
        /// How many at most.
        most: u64,
        /// What to make less of.
        fewer: &'static str,
    },
    /// The settings of `[policy]` are none.
    #[error("[policy]: {0}")]
    Policy(String),
}

/// A scenario, as it is written. `fixtures/simulation/README.md` tells what each field means.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What is told, in a paragraph.
    pub story: String,
    /// Days that pass.
    pub days: i64,
    /// Artefacts there are.
    pub artefacts: i64,
    /// How often it is run, each time with other chances.
    #[serde(default = "twenty")]
    pub runs: i64,
    /// What is true.
    #[serde(default)]
    pub truth: Truth,
    /// Who reads.
    #[serde(default)]
    pub readers: Readers,
    /// Who looks at what was flagged or put away.
    #[serde(default)]
    pub maintainers: Maintainers,
    /// Who attacks.
    #[serde(default)]
    pub attack: Option<Attack>,
    /// Settings of `[consensus]` that differ.
    #[serde(default)]
    pub policy: toml::Table,
}

fn twenty() -> i64 {
    20
}

/// What is true of the artefacts.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Truth {
    /// The status everything begins with.
    pub starts: Starts,
    /// The share of first versions that are wrong.
    pub wrong: f64,
    /// The share of right content that goes wrong in a year.
    pub goes_wrong: f64,
    /// Days until somebody amends what is wrong, on average; nobody does where it is not given.
    pub amended_after: Option<f64>,
    /// The share of those amendments that are right.
    pub amended_rightly: f64,
}

impl Default for Truth {
    fn default() -> Self {
        Self { starts: Starts::Alpha, wrong: 0.0, goes_wrong: 0.0, amended_after: None, amended_rightly: 1.0 }
    }
}

/// The status everything begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Starts {
    /// Nobody has confirmed anything.
    Alpha,
    /// Just as many confirmed as the policy asks for.
    Stable,
}

/// Who reads, and says whether it was right.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Readers {
    /// People who look.
    pub honest: i64,
    /// People who confirm without looking.
    pub lazy: i64,
    /// Verdicts of a person a day, on average.
    pub verdicts: f64,
    /// The share of wrong content that who looks confirms.
    pub misses: f64,
    /// The share of right content that who looks rejects.
    pub mistakes: f64,
    /// The share of harmful content that who sees through it flags.
    pub flags: f64,
    /// The share of right content that somebody flags by mistake.
    pub false_flags: f64,
    /// The share of readers who try a pending version where a stable one is offered.
    pub pending: f64,
    /// What is read how often.
    pub popularity: Popularity,
}

impl Default for Readers {
    fn default() -> Self {
        Self {
            honest: 0,
            lazy: 0,
            verdicts: 0.5,
            misses: 0.1,
            mistakes: 0.01,
            flags: 0.5,
            false_flags: 0.0,
            pending: 0.3,
            popularity: Popularity::Even,
        }
    }
}

/// What is read how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Popularity {
    /// Everything alike.
    Even,
    /// The second half as often as the first, the third a third as often, and so on.
    Uneven,
}

/// Maintainers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Maintainers {
    /// Days until one looks.
    pub days: f64,
}

impl Default for Maintainers {
    fn default() -> Self {
        Self { days: 3.0 }
    }
}

/// An attack.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attack {
    /// What is done.
    pub plan: Plan,
    /// Addresses the attacker votes from.
    pub addresses: i64,
    /// Days the attack lasts.
    pub days: i64,
    /// The day it begins on.
    #[serde(default)]
    pub starts: i64,
    /// Artefacts that are attacked.
    #[serde(default = "one")]
    pub targets: i64,
    /// How quickly votes are given.
    #[serde(default)]
    pub pace: Pace,
    /// Whether what is planted can harm (and is flagged by who sees through it), not only be wrong.
    #[serde(default)]
    pub harmful: bool,
}

fn one() -> i64 {
    1
}

/// What an attacker wants, and does for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Plan {
    /// New wrong artefacts that a maintainer let pass: they are to become stable.
    Plant,
    /// Wrong amendments of what is there: they are to become stable.
    Amend,
    /// Rejections of what is right: it is to be rolled back.
    Reject,
    /// Flags on what is right: it is to be quarantined.
    Flag,
    /// A rejection that stands on each right artefact: it is to stay alpha.
    Hold,
}

impl Plan {
    /// The goal, in words.
    pub fn goal(self) -> &'static str {
        match self {
            Self::Plant | Self::Amend => "wrong content becomes stable",
            Self::Reject | Self::Flag => "right content is rolled back or quarantined",
            Self::Hold => "right content is still alpha when the attack ends",
        }
    }
}

/// How quickly votes are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pace {
    /// All on one day.
    #[default]
    Burst,
    /// As few a day on each target as the days of the attack allow, and at least one.
    Patient,
}

/// Verdicts of all runs together that are simulated at most: a few minutes.
const MOST_VERDICTS: u64 = 50_000_000;
/// Artefacts times days of all runs together.
const MOST_ARTEFACT_DAYS: u64 = 200_000_000;

impl Scenario {
    /// Reads and checks a scenario.
    pub fn read(text: &str) -> Result<Self, ScenarioError> {
        let read: Result<Self, toml::de::Error> = toml::from_str(text);
        let scenario = read.map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let message = error.message().trim().replace('\n', " ");
            let message = message.replace("i64", "a whole number").replace("f64", "a number");
            ScenarioError::Unreadable { line: before.matches('\n').count() + 1, message }
        })?;
        scenario.check()?;
        Ok(scenario)
    }

    /// Whether its numbers are possible.
    pub fn check(&self) -> Result<(), ScenarioError> {
        if self.story.trim().is_empty() {
            let may_be = "a paragraph that tells what is simulated".to_owned();
            return Err(ScenarioError::OutOfRange { field: "story", given: "empty".to_owned(), may_be });
        }
        within("days", self.days, 1, 3_650)?;
        within("artefacts", self.artefacts, 1, 100_000)?;
        share("truth.wrong", self.truth.wrong)?;
        share("truth.goes_wrong", self.truth.goes_wrong)?;
        share("truth.amended_rightly", self.truth.amended_rightly)?;
        if let Some(days) = self.truth.amended_after {
            amount("truth.amended_after", days, 0.01, 3_650.0)?;
        }
        let readers = &self.readers;
        within("readers.honest", readers.honest, 0, 100_000)?;
        within("readers.lazy", readers.lazy, 0, 100_000)?;
        amount("readers.verdicts", readers.verdicts, 0.0, 50.0)?;
        for (field, given) in [
            ("readers.misses", readers.misses),
            ("readers.mistakes", readers.mistakes),
            ("readers.flags", readers.flags),
            ("readers.false_flags", readers.false_flags),
            ("readers.pending", readers.pending),
        ] {
            share(field, given)?;
        }
        amount("maintainers.days", self.maintainers.days, 0.0, 3_650.0)?;
        if let Some(attack) = &self.attack {
            within("attack.addresses", attack.addresses, 1, 10_000)?;
            within("attack.starts", attack.starts, 0, self.days - 1)?;
            within("attack.days", attack.days, 1, self.days - attack.starts)?;
            within("attack.targets", attack.targets, 1, self.artefacts)?;
        } else if readers.honest + readers.lazy == 0 {
            let may_be = "at least 1 where nobody attacks: somebody has to read".to_owned();
            return Err(ScenarioError::OutOfRange { field: "readers.honest", given: "0".to_owned(), may_be });
        }
        policies::Rules::of(None, policies::DEFAULT, &self.policy)
            .map_err(|error| ScenarioError::Policy(format!("{error:#}")))?;
        self.check_size(self.runs)
    }

    /// Whether so many runs come to an end.
    pub fn check_size(&self, runs: i64) -> Result<(), ScenarioError> {
        within("runs", runs, 1, 10_000)?;
        let people = (self.readers.honest + self.readers.lazy) as f64;
        let of_attack = self.attack.as_ref().map_or(0.0, |it| (it.addresses * it.targets * it.days) as f64);
        let times = (runs * self.days) as f64;
        let verdicts = people * self.readers.verdicts * times + of_attack * runs as f64;
        // The days of people count too: each is asked every day whether they read anything.
        for (about, of, most, fewer) in [
            (verdicts, "verdicts", MOST_VERDICTS, "runs, people or days"),
            (people * times, "days of people", MOST_ARTEFACT_DAYS, "runs, people or days"),
            (
                self.artefacts as f64 * times,
                "days of artefacts",
                MOST_ARTEFACT_DAYS,
                "runs, artefacts or days",
            ),
        ] {
            if about > most as f64 {
                return Err(ScenarioError::TooMuch { about: about as u64, of, most, fewer });
            }
        }
        Ok(())
    }
}

fn within(field: &'static str, given: i64, least: i64, most: i64) -> Result<(), ScenarioError> {
    if (least..=most).contains(&given) {
        return Ok(());
    }
    let may_be = format!("a whole number from {least} to {most}");
    Err(ScenarioError::OutOfRange { field, given: given.to_string(), may_be })
}

fn share(field: &'static str, given: f64) -> Result<(), ScenarioError> {
    if (0.0..=1.0).contains(&given) {
        return Ok(());
    }
    let may_be = "a share from 0 to 1".to_owned();
    Err(ScenarioError::OutOfRange { field, given: given.to_string(), may_be })
}

fn amount(field: &'static str, given: f64, least: f64, most: f64) -> Result<(), ScenarioError> {
    if (least..=most).contains(&given) {
        return Ok(());
    }
    let may_be = format!("a number from {least} to {most}");
    Err(ScenarioError::OutOfRange { field, given: given.to_string(), may_be })
}
