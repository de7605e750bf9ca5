//! Where a rejected artefact goes back to: its versions on `main`, newest first, and which of them were rejected before.

use crate::app::App;
use crate::db::standings::Standing;
use crate::db::transitions::{self, Transition};
use anyhow::Context;
use becivic_core::consensus::{Kind, Past, Rule, Target, rollback_target};
use becivic_core::materialise::{Artefact, content_of};
use becivic_core::vocabulary::Status;
use std::collections::BTreeSet;

/// Transitions of an artefact that are looked through.
const REMEMBERED: i64 = 1_000;

/// The target, the digest of what is rejected, and what the target was made stable with.
pub fn target(
    app: &App,
    standing: &Standing,
    artefact: &Artefact,
    kind: Kind,
) -> anyhow::Result<(Target, Option<String>, (i64, i64))> {
    let (target_type, id) = (standing.target_type.clone(), standing.target_id.clone());
    let changes =
        app.db.write_now(move |tx| transitions::of_target(tx, (&target_type, &id), i64::MAX, REMEMBERED))?;
    // The commits with which a rejected version was left: the version before each of them is the one.
    let rejecting: BTreeSet<&str> =
        changes.iter().filter(|it| was_rejection(it)).filter_map(|it| it.commit_sha.as_deref()).collect();
    let (mut current, mut history, mut was_left) = (None, Vec::new(), false);
    for commit in app.repository.history(&file(artefact))? {
        let was_rejected = std::mem::replace(&mut was_left, rejecting.contains(commit.sha.as_str()));
        let Some((status, digest)) = content_of(artefact, &text(app, artefact, &commit.sha)?) else {
            continue;
        };
        if current.is_none() {
            current = Some(digest.clone());
        }
        // What was put away keeps its content, and says so itself.
        let was_rejected = was_rejected || status == Status::Quarantined;
        history.push(Past { commit: commit.sha, status, digest, was_rejected });
    }
    let target = rollback_target(kind, current.as_deref().unwrap_or_default(), &history);
    let base = match &target {
        Target::Content(past) if past.status == Status::Stable => made_stable_with(&changes),
        Target::Content(_) | Target::Deprecated | Target::Quarantined | Target::Stays => (0, 0),
    };
    Ok((target, current, base))
}

fn was_rejection(it: &Transition) -> bool {
    let rules = [Rule::Rejected, Rule::AllSourcesRejected];
    rules.iter().any(|rule| rule.as_str() == it.rule)
}

/// Confirms and rejects of the newest promotion to stable.
fn made_stable_with(changes: &[Transition]) -> (i64, i64) {
    let newest = changes.iter().find(|it| it.rule == Rule::BetaToStable.as_str());
    let numbers: Option<serde_json::Value> = newest.and_then(|it| serde_json::from_str(&it.numbers).ok());
    let count = |name: &str| {
        let number =
            numbers.as_ref().and_then(|numbers| numbers.get(name)).and_then(serde_json::Value::as_f64);
        number.map_or(0, |number| number as i64)
    };
    (count("confirms"), count("rejects"))
}

/// The text of an artefact's file at a commit.
pub fn text(app: &App, artefact: &Artefact, commit: &str) -> anyhow::Result<String> {
    let file = file(artefact);
    let bytes = app.repository.file(commit, &file)?.with_context(|| format!("{file} is not in {commit}"))?;
    Ok(String::from_utf8(bytes)?)
}

fn file(artefact: &Artefact) -> String {
    match artefact {
        Artefact::Skill(id) => format!("skills/{id}/canonical.md"),
        Artefact::Path(_) => "paths/index.json".to_owned(),
    }
}
