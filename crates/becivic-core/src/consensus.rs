//! Consensus: what an artefact's validations make of its status (§9, DECISIONS §5).
//!
//! 1. A verdict that lands changes a [`Tally`] ([`Tally::land`]); how it counted is written on it as [`Marks`], so that the
//!    tally can be counted again from the verdicts alone, also when nobody knows any more who gave them.
//! 2. [`decide()`] looks at one artefact, its tally, the [`Policy`] and the time, and says what is to be done, by which rule and
//!    with which numbers, what is still missing for the next step, and when time alone could change the answer.
//! 3. What content a rejected artefact goes back to is a second decision ([`rollback_target`]): it needs its history.
//!
//! Nothing here looks at a clock or a database.

mod decide;
mod explain;
mod named;
mod policy;
mod rollback;
mod tally;

pub use decide::{Artefact, Decision, Kind, Missing, Outcome, Rule, decide};
pub use policy::{Count, Policy, Setting};
pub use rollback::{Past, Target, rollback_target};
pub use tally::{Ballot, Earlier, Landed, Marks, SourceTally, Tally, Verdict};

/// Milliseconds since 1970, UTC.
pub type Millis = i64;
