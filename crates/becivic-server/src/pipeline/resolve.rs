//! Cross-reference against the corpus and the catalogue as they are now, and the cohort stamp.
//!
//! 1. Read the rows of the catalogue and the concern that the submission names.
//! 2. Ask the core whether everything named exists and may be done (`preflight/cross_reference.rs`).
//! 3. Work out what an amendment or a draft would make of the corpus (`resolve/proposal.rs`): diffs are applied, fields are
//!    set, tags looked up, the rules run over the corpus as it would be.
//! 4. Stamp `<id>@<version>` of the target, and the cohort its votes belong to.

pub mod proposal;

pub use proposal::Preview;

use crate::app::App;
use crate::db::{DbError, Tx, catalogue, concerns};
use crate::live::Live;
use crate::moment::Moment;
use crate::rejection::{Category, Rejection};
use becivic_core::catalogue::SeedCatalogue;
use becivic_core::corpus::KnownTargets;
use becivic_core::preflight::{Scrubbed, cross_reference};
use becivic_core::submission::{Submission, TargetType};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// A submission whose names all resolve.
pub struct Resolved {
    scrubbed: Scrubbed,
    /// `<id>@<version>` of the target.
    pub cohort_anchor: Option<String>,
    /// What its votes are counted with.
    pub cohort: String,
    /// Whether the target is outside the state machine.
    pub is_meta: bool,
    /// Why a person must look before it is committed.
    pub review: Option<&'static str>,
    /// Hosts that it would newly cite and that nobody listed.
    pub unlisted: BTreeSet<String>,
}

impl Resolved {
    /// The submission, typed.
    pub fn submission(&self) -> &Submission {
        self.scrubbed.submission()
    }

    /// The submission as it was received.
    pub fn value(&self) -> &Value {
        self.scrubbed.value()
    }
}

/// What the database knows of what a submission names.
#[derive(Default)]
struct Rows {
    catalogue: SeedCatalogue,
    keys: HashMap<String, String>,
    concerns: BTreeSet<String>,
}

/// Resolves a submission.
pub async fn resolve(app: &App, scrubbed: Scrubbed, now: Moment) -> Result<Resolved, Rejection> {
    let live: Arc<Live> = app.live.load_full();
    let rows = rows(app, scrubbed.submission()).await?;
    let targets = KnownTargets { corpus: &live.corpus, catalogue: &rows.catalogue, concerns: &rows.concerns };
    let refusals = cross_reference::resolve(scrubbed.submission(), &targets);
    if !refusals.is_empty() {
        return Err(refusals.into());
    }
    refuse_withheld(app, scrubbed.submission())?;
    let (cohort_anchor, cohort) = stamp(&live, &rows, scrubbed.submission());
    let proposal::Review { why: review, unlisted } =
        proposal::review(app, &live, scrubbed.submission(), rows.catalogue, now).await?;
    let is_meta = match scrubbed.submission().target() {
        Some((TargetType::Skill, id)) => live.skill(id).is_some_and(|(_, front)| front.is_meta()),
        Some(_) | None => false,
    };
    Ok(Resolved { scrubbed, cohort_anchor, cohort, is_meta, review, unlisted })
}

/// What a flag has put away takes neither verdicts nor amendments, also before its file says so.
pub fn refuse_withheld(app: &App, submission: &Submission) -> Result<(), Rejection> {
    let changes = matches!(submission, Submission::Validation(_) | Submission::Amendment(_));
    let withheld = match submission.target() {
        Some((TargetType::Skill, id)) => app.is_withheld("skill", id),
        Some((TargetType::Path | TargetType::PathSource, id)) => {
            app.is_withheld("path", id.split(':').next().unwrap_or_default())
        }
        Some(_) | None => false,
    };
    if changes && withheld {
        let help = "It is quarantined until a maintainer has looked.";
        return Err(Rejection::at(Category::CrossRefFail, "/target_id", help));
    }
    Ok(())
}

/// What a submission would make of the corpus as it is now.
pub async fn preview(app: &App, submission: &Submission) -> Result<Preview, Rejection> {
    let live: Arc<Live> = app.live.load_full();
    let rows = rows(app, submission).await?;
    proposal::preview(app, &live, submission, rows.catalogue, app.clock.now()).await
}

/// The rows a submission names; the whole catalogue for one that proposes text, because text may cite any of it.
async fn rows(app: &App, submission: &Submission) -> Result<Rows, Rejection> {
    let proposes = match submission {
        Submission::Draft(_) => true,
        Submission::Amendment(it) => {
            !matches!(it.target_type, TargetType::VolatileValue | TargetType::Reference)
        }
        Submission::Concern(_)
        | Submission::Validation(_)
        | Submission::Feedback(_)
        | Submission::Rating(_)
        | Submission::Analytics(_) => false,
    };
    let target = submission.target().map(|(target_type, id)| (target_type, id.to_owned()));
    match target {
        _ if proposes => Ok(app.db.read(|tx| whole(tx)).await?),
        Some((TargetType::VolatileValue | TargetType::Reference, uid)) => Ok(app
            .db
            .read(move |tx| {
                let mut rows = Rows::default();
                rows.add(catalogue::current(tx, &uid)?);
                Ok(rows)
            })
            .await?),
        Some((TargetType::Observation, uid)) => Ok(app
            .db
            .read(move |tx| {
                let mut rows = Rows::default();
                if concerns::is_visible(tx, &uid)? {
                    rows.concerns.insert(uid.clone());
                }
                Ok(rows)
            })
            .await?),
        Some(_) | None => Ok(Rows::default()),
    }
}

fn whole(tx: &mut dyn Tx) -> Result<Rows, DbError> {
    let mut rows = Rows::default();
    catalogue::each(tx, |row| rows.add(Some(row)))?;
    Ok(rows)
}

impl Rows {
    fn add(&mut self, row: Option<catalogue::CatalogueRow>) {
        if let Some(row) = row {
            self.keys.insert(row.uid.clone(), row.key.clone());
            catalogue::add_to(&mut self.catalogue, row);
        }
    }
}

/// `<id>@<version>` and the cohort: the `major.minor` line of a skill or path, the row of a value or reference.
fn stamp(live: &Live, rows: &Rows, submission: &Submission) -> (Option<String>, String) {
    let Some((target_type, id)) = submission.target() else { return (None, String::new()) };
    let versioned = |id: &str, version: &str| {
        let line = version.rsplit_once('.').map_or(version, |(line, _)| line);
        (Some(format!("{id}@{version}")), line.to_owned())
    };
    match target_type {
        TargetType::Skill => match live.skill(id) {
            Some((_, front)) => versioned(id, &front.version.to_string()),
            None => (None, String::new()),
        },
        TargetType::Path | TargetType::PathSource => {
            let path = id.split_once(':').map_or(id, |(path, _)| path);
            match live.path(path) {
                Some(path) => versioned(&path.key, &path.entry.version.to_string()),
                None => (None, String::new()),
            }
        }
        TargetType::VolatileValue | TargetType::Reference => {
            (None, rows.keys.get(id).cloned().unwrap_or_default())
        }
        TargetType::AgentProtocol => (Some(id.to_owned()), String::new()),
        TargetType::Observation | TargetType::SkillGraph | TargetType::Session => (None, String::new()),
    }
}
