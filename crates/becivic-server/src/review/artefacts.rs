//! Artefacts that were flagged or put away. A maintainer takes one from its readers, withdraws it, or brings it back; open
//! items about it are decided in the same step.
//!
//! The status of a skill or a path is part of its file, so a change of it is a commit ([`set_status`]). A value or a reference
//! is a row, and another takes its place. A concern is a row: it is shown or not.

use super::{Done, Record, Refused, decide};
use crate::app::App;
use crate::consensus::{self, Cause, rows};
use crate::db::flags::{self, Verdict};
use crate::db::{DbError, Tx, concerns, contributors, standings, votes};
use crate::jobs::change::{self, Change, With};
use crate::jobs::merge::Stored;
use crate::pipeline::SANCTION_PERIOD;
use becivic_core::materialise::{self, Artefact};
use becivic_core::submission::TargetType;
use becivic_core::version::{self, Version};
use becivic_core::vocabulary::Status;
use std::fmt;
use std::sync::Arc;

/// An artefact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// What it is.
    pub kind: TargetType,
    /// Which.
    pub id: String,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind, self.id)
    }
}

impl Target {
    /// Takes the two names of an artefact.
    pub fn new(kind: &str, id: &str) -> Option<Self> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.');
        let is_id = !id.is_empty() && id.len() <= 200 && id.bytes().all(plain);
        TargetType::named(kind).filter(|_| is_id).map(|kind| Self { kind, id: id.to_owned() })
    }

    /// Reads `skill:ID`, `path:ID`, and the names that say by themselves what they are: `con-…`, `val-…`, `ref-…`.
    pub fn read(text: &str) -> Option<Self> {
        let kind = match text.split('-').next() {
            Some("con") => "observation",
            Some("val") => "volatile_value",
            Some("ref") => "reference",
            _ => return text.split_once(':').and_then(|(kind, id)| Self::new(kind, id)),
        };
        Self::new(kind, text)
    }

    /// Its file on `main`, where it has one.
    pub fn file(&self) -> Option<String> {
        match self.kind {
            TargetType::Skill => Some(format!("skills/{}/canonical.md", self.id)),
            TargetType::Path | TargetType::PathSource => Some("paths/index.json".to_owned()),
            TargetType::VolatileValue
            | TargetType::Reference
            | TargetType::Observation
            | TargetType::SkillGraph
            | TargetType::AgentProtocol
            | TargetType::Session => None,
        }
    }
}

/// Status and version of a skill or a path on `main`.
pub fn standing(app: &App, target: &Target) -> Option<(Status, Version)> {
    let live = app.live.load();
    let read = |status: Status, version: &str| version.parse().ok().map(|version| (status, version));
    match target.kind {
        TargetType::Skill => live.skill(&target.id).and_then(|(_, it)| read(it.status, &it.version)),
        TargetType::Path => live.path(&target.id).and_then(|it| read(it.entry.status, &it.entry.version)),
        TargetType::VolatileValue
        | TargetType::Reference
        | TargetType::PathSource
        | TargetType::Observation
        | TargetType::SkillGraph
        | TargetType::AgentProtocol
        | TargetType::Session => None,
    }
}

/// Commits another status of a skill or a path. A quarantined or deprecated artefact keeps its version
/// (`becivic_core::version`). What is quarantined goes whatever cites it: readers come first.
async fn set_status(app: &Arc<App>, target: &Target, status: Status, with: With) -> Result<(), Refused> {
    change::commit(app, status_change(target, status)?, with).await
}

/// The change that gives a skill or a path another status. Whatever it had to do with those who voted ends with it.
fn status_change(target: &Target, status: Status) -> Result<Change, Refused> {
    let artefact = match target.kind {
        TargetType::Skill => Artefact::Skill(target.id.clone()),
        TargetType::Path => Artefact::Path(target.id.clone()),
        TargetType::VolatileValue
        | TargetType::Reference
        | TargetType::PathSource
        | TargetType::Observation
        | TargetType::SkillGraph
        | TargetType::AgentProtocol
        | TargetType::Session => return Err(without_status(target)),
    };
    let change = Change {
        purpose: "status",
        target: (target.kind.as_str().to_owned(), target.id.clone()),
        title: format!("Make {} {} {status}", target.kind, target.id),
        make: Box::new(move |live| {
            materialise::with_status(&live.corpus, &artefact, status)
                .map_err(|refusal| Refused::Missing(refusal.message))
        }),
        renamed: None,
        at_any_rate: status == Status::Quarantined,
        about: "A maintainer's decision.\n",
        trailers: format!("Cohort: reset {target}\n"),
        cause: Cause::act("maintainer"),
    };
    Ok(change)
}

/// The status an artefact had before it was put away: its version was frozen then, and says so.
fn status_before(version: Version) -> Status {
    let lines = [Status::Stable, Status::Beta, Status::Alpha];
    lines.into_iter().find(|status| version::line(*status) == Some(version.line())).unwrap_or(Status::Alpha)
}

/// Takes an artefact from every reader.
pub(super) async fn quarantine(app: &Arc<App>, record: Record, target: Target) -> Result<Done, Refused> {
    match target.kind {
        TargetType::Observation => show_concern(app, record, target, Verdict::Upheld).await,
        TargetType::VolatileValue | TargetType::Reference => put_row_away(app, record, target).await,
        TargetType::Skill
        | TargetType::Path
        | TargetType::PathSource
        | TargetType::SkillGraph
        | TargetType::AgentProtocol
        | TargetType::Session => put_away(app, record, target, Status::Quarantined).await,
    }
}

/// Withdraws an artefact.
pub(super) async fn deprecate(app: &Arc<App>, record: Record, target: Target) -> Result<Done, Refused> {
    put_away(app, record, target, Status::Deprecated).await
}

async fn put_away(app: &Arc<App>, record: Record, target: Target, status: Status) -> Result<Done, Refused> {
    let (now, _) = standing(app, &target).ok_or_else(|| without_status(&target))?;
    if now == status && !app.is_withheld(target.kind.as_str(), &target.id) {
        return Err(Refused::Conflict(format!("{target} is {status} already.")));
    }
    flip(app, record, target, status, Verdict::Upheld).await
}

/// Brings an artefact back, or leaves it as it is where nothing happened to it; its open items are decided.
pub(super) async fn reinstate(
    app: &Arc<App>,
    record: Record,
    target: Target,
    bogus: bool,
) -> Result<Done, Refused> {
    let verdict = if bogus { Verdict::Bogus } else { Verdict::Dismissed };
    if target.kind == TargetType::Observation {
        return show_concern(app, record, target, verdict).await;
    }
    if app.is_withheld(target.kind.as_str(), &target.id) {
        // The file follows the flag first: what is brought back was away.
        set_status(app, &target, Status::Quarantined, Box::new(|_| Ok(Stored::Done))).await?;
        look_at_withheld(app).await?;
    }
    if let Some((Status::Quarantined | Status::Deprecated, version)) = standing(app, &target) {
        return flip(app, record, target, status_before(version), verdict).await;
    }
    if matches!(target.kind, TargetType::Skill | TargetType::Path) && standing(app, &target).is_none() {
        return Err(without_status(&target));
    }
    decide(app, move |tx| {
        if let Err(refused) = record.permit(tx)? {
            return Ok(Err(refused));
        }
        let brought_back = rows::reinstate(tx, target.kind.as_str(), &target.id, record.at())?;
        let closed = close(tx, &record, &target, verdict)?;
        if brought_back {
            record.write(tx, &target.to_string())?;
            return Ok(Ok(Done { text: format!("{target} is what it was before it was put away.") }));
        }
        if closed == 0 {
            let text = format!("{target} is neither put away nor flagged; there is nothing to reinstate.");
            return Ok(Err(Refused::Conflict(text)));
        }
        record.write(tx, &target.to_string())?;
        Ok(Ok(Done { text: format!("{target} stays as it is; what was open about it is decided.") }))
    })
    .await
}

/// Commits a status; items and log are written with it.
async fn flip(
    app: &Arc<App>,
    record: Record,
    target: Target,
    status: Status,
    verdict: Verdict,
) -> Result<Done, Refused> {
    let asked = record.clone();
    app.db.read(move |tx| asked.permit(tx)).await??;
    let about = target.clone();
    let with: With = Box::new(move |tx| {
        close(tx, &record, &about, verdict)?;
        // With the decision ends what was known of who voted on it and who wrote it (DECISIONS §6).
        contributors::erase(tx, about.kind.as_str(), &about.id)?;
        record.write(tx, &about.to_string())?;
        Ok(Stored::Done)
    });
    set_status(app, &target, status, with).await?;
    look_at_withheld(app).await?;
    Ok(Done { text: format!("{target} is {status} now.") })
}

/// Shows a concern, or takes it away.
async fn show_concern(
    app: &Arc<App>,
    record: Record,
    target: Target,
    verdict: Verdict,
) -> Result<Done, Refused> {
    decide(app, move |tx| {
        if let Err(refused) = record.permit(tx)? {
            return Ok(Err(refused));
        }
        let shown = verdict != Verdict::Upheld;
        if !concerns::set_visible(tx, &target.id, shown)? {
            return Ok(Err(Refused::Missing(format!("There is no concern {}.", target.id))));
        }
        close(tx, &record, &target, verdict)?;
        record.write(tx, &target.to_string())?;
        let text = if shown { "is shown" } else { "is not shown any more" };
        Ok(Ok(Done { text: format!("{} {text}.", target.id) }))
    })
    .await
}

/// Decides what is open about an artefact; its flags count no longer.
fn close(tx: &mut dyn Tx, record: &Record, target: &Target, verdict: Verdict) -> Result<usize, DbError> {
    let period = record.at().0.div_euclid(SANCTION_PERIOD);
    let (kind, id) = (target.kind.as_str(), target.id.as_str());
    if let Some(mut standing) = standings::lock(tx, kind, id)?
        && votes::decide_flags(tx, &standing.artefact())? > 0
    {
        consensus::heal(tx, &mut standing)?;
        standings::store(tx, &standing)?;
    }
    flags::decide(tx, (kind, id), verdict, period)
}

/// Takes a row from its readers.
async fn put_row_away(app: &Arc<App>, record: Record, target: Target) -> Result<Done, Refused> {
    decide(app, move |tx| {
        if let Err(refused) = record.permit(tx)? {
            return Ok(Err(refused));
        }
        let Some(mut standing) = standings::lock(tx, target.kind.as_str(), &target.id)? else {
            return Ok(Err(Refused::Missing(format!("There is no {target}."))));
        };
        if standing.status == Status::Quarantined.as_str() {
            return Ok(Err(Refused::Conflict(format!("{target} is quarantined already."))));
        }
        close(tx, &record, &target, Verdict::Upheld)?;
        let cause = Cause::act("maintainer");
        rows::put_away(tx, &mut standing, &cause, rows::End::Quarantined, record.at())?;
        record.write(tx, &target.to_string())?;
        Ok(Ok(Done { text: format!("{target} is {} now.", standing.status) }))
    })
    .await
}

/// What this process serves follows what was just decided.
async fn look_at_withheld(app: &App) -> Result<(), Refused> {
    let found = app.db.read(|tx| standings::withheld(tx)).await?;
    app.look_at_withheld(found);
    Ok(())
}

fn without_status(target: &Target) -> Refused {
    match target.kind {
        TargetType::PathSource => {
            Refused::Invalid("A source has no status of its own; name its path, as path:ID.".to_owned())
        }
        TargetType::VolatileValue | TargetType::Reference => Refused::Invalid(
            "A value or a reference is corrected by an amendment, or put away with `quarantine`.".to_owned(),
        ),
        TargetType::Skill | TargetType::Path => Refused::Missing(format!("There is no {target} on main.")),
        TargetType::Observation
        | TargetType::SkillGraph
        | TargetType::AgentProtocol
        | TargetType::Session => Refused::Invalid(format!("{target} has no status.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_as_they_are_shown() {
        for text in ["skill:arrival-declaration", "path_source:household-certificate:my-source"] {
            assert_eq!(Target::read(text).map(|it| it.to_string()).as_deref(), Some(text));
        }
        assert_eq!(Target::read("con-00012").map(|it| it.kind), Some(TargetType::Observation));
        assert_eq!(Target::read("ref-00001").map(|it| it.kind), Some(TargetType::Reference));
        for wrong in ["", "skill", "skill:", "nothing:x", "skill:../x", "skill:a b", "12"] {
            assert_eq!(Target::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_frozen_version_says_what_status_was_left() {
        let before = |text: &str| status_before(text.parse().expect("a version"));
        assert_eq!(before("1.0.4"), Status::Stable);
        assert_eq!(before("0.2.0"), Status::Beta);
        assert_eq!(before("0.1.9"), Status::Alpha);
        assert_eq!(before("0.0.1"), Status::Alpha);
    }
}
