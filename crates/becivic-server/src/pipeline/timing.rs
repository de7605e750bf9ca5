//! `submitted_at` against the server's clock: at most an hour ahead, at most seven days behind (§8.3).

use super::resolve::Resolved;
use crate::moment::{DAY, HOUR, Moment};
use crate::rejection::{Category, Rejection};
use becivic_core::submission::{Submission, concern};
use std::time::Duration;

/// A resolved submission that was made at a plausible time.
pub struct Timed {
    resolved: Resolved,
    commit_eta: Moment,
}

impl Timed {
    /// The submission.
    pub fn resolved(&self) -> &Resolved {
        &self.resolved
    }

    /// When it is committed.
    pub fn commit_eta(&self) -> Moment {
        self.commit_eta
    }
}

/// Checks the time and says when the window ends: counted from whichever of the two clocks is later.
pub fn check(resolved: Resolved, window: Duration, now: Moment) -> Result<Timed, Rejection> {
    let submitted = Moment::read(resolved.submission().submitted_at())
        .filter(|at| *at <= now.plus(HOUR) && *at >= now.plus(-7 * DAY))
        .ok_or_else(|| {
            Rejection::at(
                Category::TimingFail,
                "/submitted_at",
                "Set the clock, or stamp the submission again when you send it.",
            )
        })?;
    if let Submission::Concern(it) = resolved.submission() {
        evidence(&it.content, now)?;
    }
    let window = i64::try_from(window.as_millis()).unwrap_or(i64::MAX);
    let commit_eta = submitted.max(now).plus(window);
    Ok(Timed { resolved, commit_eta })
}

/// Evidence is of a day that exists and has begun somewhere.
fn evidence(content: &concern::Content, now: Moment) -> Result<(), Rejection> {
    let date = match content {
        concern::Content::Skill(it) => &it.evidence_date,
        concern::Content::VolatileValue(it) => &it.evidence_date,
        concern::Content::Reference(it) => &it.evidence_date,
        concern::Content::Path(it) => &it.evidence_date,
        concern::Content::PathSource(it) => &it.evidence_date,
        concern::Content::SkillGraph(it) => &it.evidence_date,
    };
    let place = "/content/evidence_date";
    match Moment::read(&format!("{date}T00:00:00Z")) {
        None => Err(Rejection::at(Category::SchemaFail, place, "Write a day that exists, as 2026-11-15.")),
        Some(day) if day > now.plus(DAY) => {
            Err(Rejection::at(Category::TimingFail, place, "Evidence is of today or earlier."))
        }
        Some(_) => Ok(()),
    }
}
