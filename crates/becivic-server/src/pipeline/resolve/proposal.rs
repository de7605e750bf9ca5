//! What a draft or an amendment would make of the corpus: worked out, judged by the schemas and by every rule, and thrown
//! away again. What is left is whether a person must look at it first: addresses of hosts that nobody listed
//! (DECISIONS §9b).

use crate::app::App;
use crate::live::Live;
use crate::moment::Moment;
use crate::rejection::{Category, Rejection};
use becivic_core::catalogue::{Catalogue, SeedCatalogue};
use becivic_core::finding::Finding;
use becivic_core::materialise::{self, Ground, Plan};
use becivic_core::preflight::{Refusal, amended};
use becivic_core::submission::amendment::{Content, SkillChange};
use becivic_core::submission::{Amendment, Submission, TargetType};
use becivic_core::vocabulary::Status;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The reason of a review: a host that is not listed.
pub const UNLISTED_HOST: &str = "unlisted_host";

/// The reason of a review: what is amended is still a draft itself.
pub const DRAFT_TARGET: &str = "draft_target";

/// Whether a person must look at a proposal.
pub struct Review {
    /// Why, if one must.
    pub why: Option<&'static str>,
    /// Hosts that it would newly cite and that nobody listed.
    pub unlisted: BTreeSet<String>,
}

/// Judges what the submission would make of the corpus; says why a person must look at it, if one must.
pub async fn review(
    app: &App,
    live: &Arc<Live>,
    submission: &Submission,
    mut catalogue: SeedCatalogue,
    now: Moment,
) -> Result<Review, Rejection> {
    if let Submission::Amendment(it) = submission {
        names_a_known_commit(app, it)?;
    }
    let day = now.date();
    let ground = Ground {
        corpus: &live.corpus,
        catalogue: &catalogue,
        commit: &live.commit,
        day: &day,
        uid: "amd-99999",
    };
    let plan = materialise::plan(ground, submission)?;
    let on_draft = is_on_draft(live, submission, &catalogue);
    let hosts = match plan {
        Some(plan) => {
            mint_for_now(&plan, &mut catalogue, now);
            let hosts = plan.hosts.clone();
            keeps_the_rules(app, live, plan, catalogue, day).await?;
            hosts
        }
        None => hosts_of_row(submission)?,
    };
    let unlisted: BTreeSet<String> = hosts.into_iter().filter(|host| !live.is_listed(host)).collect();
    let why = match unlisted.is_empty() {
        true => on_draft.then_some(DRAFT_TARGET),
        false => Some(UNLISTED_HOST),
    };
    Ok(Review { why, unlisted })
}

/// The uids come with the merge; the rules are asked as if they had.
fn mint_for_now(plan: &Plan, catalogue: &mut SeedCatalogue, now: Moment) {
    for (index, citation) in plan.missing.iter().enumerate() {
        let prefix = if citation.is_value { "val" } else { "ref" };
        citation.add_to(catalogue, &format!("{prefix}-{}", 99_999 - index), &now.day().text());
    }
}

/// What a proposal would make of the corpus, for those who look at it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// The files it changes: path, text now, text then. None where it changes the catalogue.
    pub files: Vec<(String, String, String)>,
    /// Hosts it would newly cite and that are not listed.
    pub unlisted: Vec<String>,
    /// What the rules would find that they do not find now.
    pub findings: Vec<Finding>,
}

/// Works out what a proposal would make of the corpus, and what the rules say of that.
pub async fn preview(
    app: &App,
    live: &Arc<Live>,
    submission: &Submission,
    mut catalogue: SeedCatalogue,
    now: Moment,
) -> Result<Preview, Rejection> {
    let (day, commit) = (now.date(), live.commit.clone());
    let uid = "amd-99999";
    let ground = Ground { corpus: &live.corpus, catalogue: &catalogue, commit: &commit, day: &day, uid };
    let plan = materialise::plan(ground, submission)?;
    let unlisted = |hosts: &BTreeSet<String>| {
        hosts.iter().filter(|host| !live.is_listed(host)).cloned().collect::<Vec<_>>()
    };
    let Some(plan) = plan else {
        return Ok(Preview { unlisted: unlisted(&hosts_of_row(submission)?), ..Preview::default() });
    };
    mint_for_now(&plan, &mut catalogue, now);
    let unlisted = unlisted(&plan.hosts);
    let turn = tokio::time::timeout(app.config.server.request_timeout / 3, app.heavy.acquire()).await;
    let Ok(Ok(_turn)) = turn else { return Err(Rejection::unavailable()) };
    let live = Arc::clone(live);
    let made = tokio::task::spawn_blocking(move || {
        let ground = Ground { corpus: &live.corpus, catalogue: &catalogue, commit: &commit, day: &day, uid };
        let made = plan.finish(ground, Some("pth-99999"))?;
        let findings = made.new_findings(&catalogue, live.known_findings());
        let files = made.texts.into_iter().map(|(path, text)| {
            let before = materialise::text_of(&live.corpus, &path).unwrap_or_default();
            (path, before, text)
        });
        Ok::<_, Refusal>(Preview { files: files.collect(), unlisted, findings })
    });
    Ok(made.await.map_err(|_| Rejection::unavailable())??)
}

/// A diff says which commit it was made against.
fn names_a_known_commit(app: &App, it: &Amendment) -> Result<(), Rejection> {
    match &it.content {
        Content::Skill(SkillChange::Body { skill_commit, .. }) if !app.repository.knows(skill_commit) => {
            let help = "Name the commit that the skill was read at; `commit` in its JSON is one.";
            Err(Rejection::at(Category::CrossRefFail, "/content/skill_commit", help))
        }
        _ => Ok(()),
    }
}

/// The hosts that a correction of a value or a reference would cite.
fn hosts_of_row(submission: &Submission) -> Result<BTreeSet<String>, Rejection> {
    let Submission::Amendment(it) = submission else { return Ok(BTreeSet::new()) };
    match &it.content {
        Content::Reference(change) => {
            let addresses = [&change.proposed_url, &change.archived_url];
            let addresses: Vec<&str> = addresses.into_iter().flatten().map(String::as_str).collect();
            Ok(amended::new_hosts(&[], &addresses, "/content/proposed_url")?)
        }
        Content::VolatileValue(change) => {
            let value = serde_json::to_value(&change.proposed_value).unwrap_or_default();
            Ok(amended::new_hosts(&[], &amended::strings(&value), "/content/proposed_value")?)
        }
        Content::Skill(_) | Content::Path(_) | Content::PathSource(_) => Ok(BTreeSet::new()),
    }
}

/// Whether an amendment is about something that is still a draft.
fn is_on_draft(live: &Live, submission: &Submission, catalogue: &dyn Catalogue) -> bool {
    let Submission::Amendment(it) = submission else { return false };
    let status = match it.target_type {
        TargetType::Skill => live.skill(&it.target_id).map(|(_, front)| front.status),
        TargetType::Path | TargetType::PathSource => {
            live.path(it.target_id.split(':').next().unwrap_or_default()).map(|path| path.entry.status)
        }
        TargetType::VolatileValue => {
            catalogue.value(&it.target_id).and_then(|row| Status::named(&row.status))
        }
        TargetType::Reference => {
            catalogue.reference(&it.target_id).and_then(|row| Status::named(&row.status))
        }
        TargetType::Observation
        | TargetType::SkillGraph
        | TargetType::AgentProtocol
        | TargetType::Session => None,
    };
    status == Some(Status::Draft)
}

/// Runs the rules over the corpus as it would be, off the threads that answer requests.
async fn keeps_the_rules(
    app: &App,
    live: &Arc<Live>,
    plan: Plan,
    catalogue: SeedCatalogue,
    day: String,
) -> Result<(), Rejection> {
    // Whoever would wait longer than a sender does is told to come back.
    let turn = tokio::time::timeout(app.config.server.request_timeout / 3, app.heavy.acquire()).await;
    let Ok(Ok(_turn)) = turn else { return Err(Rejection::unavailable()) };
    let (live, pointer) = (Arc::clone(live), plan.pointer);
    let checked = tokio::task::spawn_blocking(move || {
        let ground = Ground {
            corpus: &live.corpus,
            catalogue: &catalogue,
            commit: &live.commit,
            day: &day,
            uid: "amd-99999",
        };
        let made = plan.finish(ground, Some("pth-99999"))?;
        Ok::<_, Refusal>(made.broken_rule(&catalogue, live.known_findings()).map(|finding| finding.rule))
    });
    match checked.await {
        Ok(Ok(None)) => Ok(()),
        Ok(Ok(Some(rule))) => {
            let help = "Run `becivic check --explain` with this rule, mend the proposal, and send it again.";
            let mut rejection = Rejection::at(Category::CrossRefFail, pointer, help);
            rejection.rule = Some(rule);
            Err(rejection)
        }
        Ok(Err(refusal)) => Err(refusal.into()),
        Err(_) => Err(Rejection::unavailable()),
    }
}
