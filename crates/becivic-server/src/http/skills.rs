//! Skills: the list, one of them, its commits, and what the community says of it.

use super::answer::{Answer, Cache};
use super::answered;
use super::ask::Ask;
use super::paging::{Page, word};
use super::standing::Seen;
use crate::consensus;
use crate::db::concerns::{self, Concern, Pending};
use crate::db::{DbError, Tx, standings, uids};
use crate::moment::Moment;
use crate::notice;
use crate::pages;
use crate::rejection::{Category, Rejection};
use crate::served::ServedSkill;
use axum::http::StatusCode;
use becivic_core::consensus::Policy;
use becivic_core::submission::TargetType;
use becivic_core::vocabulary::Status;
use becivic_site::observations;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Every skill.
pub async fn list(ask: Ask) -> Answer {
    answered(try_list(&ask))
}

fn try_list(ask: &Ask) -> Result<Answer, Rejection> {
    let page = Page::of(ask)?;
    let status = word(ask, "status", Status::named)?;
    let category = ask.query("category");
    let served = ask.app.served();
    let found: Vec<ServedSkill<'_>> = served
        .skills(&page.after)
        .filter(|skill| status.is_none_or(|status| skill.status == status))
        .filter(|skill| category.as_ref().is_none_or(|category| skill.category() == category))
        .take(page.limit + 1)
        .collect();
    let shown = |skill: &ServedSkill<'_>| {
        let (mut shown, front) = (skill.labels(), skill.front());
        let mut add = |name: &str, value: Value| drop(shown.insert(name.to_owned(), value));
        add("summary", json!(front.and_then(|it| it.summary.as_ref())));
        add("domain", json!(front.and_then(|it| it.domain)));
        add("last_verified", json!(front.and_then(|it| it.last_verified.as_ref())));
        add("commit", json!(served.commit()));
        Value::Object(shown)
    };
    let answer = page.list(found, |skill| skill.id().to_owned(), shown);
    Ok(Answer::json(StatusCode::OK, answer, Cache::Minute))
}

/// One skill.
pub async fn one(ask: Ask) -> Answer {
    let shown = shown(&ask, ask.param("id")).await;
    answered(shown.map(|skill| Answer::json(StatusCode::OK, skill, Cache::Minute)))
}

/// A skill as programs see it.
pub async fn shown(ask: &Ask, id: &str) -> Result<Value, Rejection> {
    let served = ask.app.served();
    let skill = served.skill(id).ok_or_else(|| Rejection::new(Category::NotFound))?;
    let (id, live, now) = (skill.id().to_owned(), Arc::clone(served.files()), ask.now);
    let policy = consensus::policy(&ask.app.config.consensus);
    let read = ask.app.db.read(move |tx| Seen::read(tx, &live, ("skill", &id), &policy, now));
    let seen = read.await?;
    let resolved = pages::resolved(&ask.app, &served, skill.id()).await?;
    let skill = skill.beside(seen.as_ref().map(|it| &it.standing));
    let mut answer = skill.labels();
    let mut add = |name: &str, value: Value| drop(answer.insert(name.to_owned(), value));
    add("commit", json!(served.commit()));
    add("frontmatter", json!(skill.front()));
    add("body", json!(resolved.body.filter(|_| skill.front().is_some())));
    if let Some(commit) = skill.previous_stable() {
        add("previous_stable", pages::previous_stable(&ask.app, &served, skill.id(), commit).await?);
    }
    add("observations_block", resolved.observations);
    add("flagged", json!(seen.as_ref().is_some_and(|it| it.flagged)));
    add("cohort", json!(seen.as_ref().map(|it| it.cohort(Some(skill.version())))));
    add("history_url", json!(format!("/api/skills/{}/history", skill.id())));
    add("log", seen.map_or(Value::Null, |it| it.log(&ask.app.log_key)));
    add("notice", json!(notice::of_page(skill.front())));
    Ok(Value::Object(answer))
}

/// The commits that changed a skill.
pub async fn history(ask: Ask) -> Answer {
    answered(try_history(&ask).await)
}

async fn try_history(ask: &Ask) -> Result<Answer, Rejection> {
    let id = ask.param("id").to_owned();
    if ask.app.served().skill(&id).is_none() {
        return Err(Rejection::new(Category::NotFound));
    }
    let repository = ask.app.repository.clone();
    let walked =
        tokio::task::spawn_blocking(move || repository.history(&format!("skills/{id}/canonical.md"))).await;
    let commits = walked.ok().and_then(Result::ok).ok_or_else(|| Rejection::new(Category::Internal))?;
    let shown = |commit: &crate::repository::Commit| json!({"commit": commit.sha, "subject": commit.subject, "committed_at": commit.at.day().text()});
    let items: Vec<Value> = commits.iter().map(shown).collect();
    Ok(Answer::json(StatusCode::OK, json!({"items": items, "next": null}), Cache::Minute))
}

/// What the community says of a skill.
pub async fn concerns(ask: Ask) -> Answer {
    let id = ask.param("id").to_owned();
    answered(try_concerns(&ask, &id).await)
}

/// The same for `?skill=`.
pub async fn concerns_of(ask: Ask) -> Answer {
    let missing = || Rejection {
        missing: Some("skill".to_owned()),
        ..Rejection::at(Category::SchemaFail, "", "Name a skill: `?skill=<id>`.")
    };
    match ask.query("skill") {
        Some(id) => answered(try_concerns(&ask, &id).await),
        None => Answer::refused(&missing()),
    }
}

/// Which observations are asked for.
#[derive(Clone, Debug)]
struct Wanted {
    committed: bool,
    pending: bool,
    since: Moment,
    /// Pending amendments after this uid.
    after: String,
    /// Concerns before this number.
    before: i64,
    limit: i64,
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            committed: true,
            pending: true,
            since: Moment(0),
            after: String::new(),
            before: i64::MAX,
            limit: 200,
        }
    }
}

async fn try_concerns(ask: &Ask, id: &str) -> Result<Answer, Rejection> {
    let page = Page::of(ask)?;
    let served = ask.app.served();
    let skill = served.skill(id).ok_or_else(|| Rejection::new(Category::NotFound))?;
    let status =
        word(ask, "status", |name| matches!(name, "committed" | "pending").then(|| name.to_owned()))?;
    let wrong = |pointer: &str, help: &str| Rejection::at(Category::SchemaFail, pointer, help);
    let since = match ask.query("since") {
        None => Moment(0),
        Some(text) => Moment::read(&text)
            .or_else(|| Moment::read(&format!("{text}T00:00:00Z")))
            .ok_or_else(|| {
                wrong("/since", "`since` is a day or a time, as 2026-11-15 or 2026-11-15T00:00:00Z.")
            })?
            .day(),
    };
    // Amendments come first: a cursor that names a concern is past all of them.
    let number = uids::number(&page.after);
    if !page.after.is_empty() && number.is_none() {
        return Err(wrong("/after", "`after` is the `next` of the answer before."));
    }
    let in_concerns = number.filter(|_| page.after.starts_with("con-"));
    let wanted = Wanted {
        committed: status.as_deref() != Some("pending"),
        pending: status.as_deref() != Some("committed") && in_concerns.is_none(),
        since,
        after: page.after.clone(),
        before: in_concerns.unwrap_or(i64::MAX),
        limit: page.limit as i64 + 1,
    };
    let world = served.world(&ask.app.config.server.public_url);
    let targets =
        world.skill(skill.id()).map(|seen| observations::aggregates(&world, &seen)).unwrap_or_default();
    let policy = consensus::policy(&ask.app.config.consensus);
    let found = ask.app.db.read(move |tx| said(tx, &targets, &wanted, &policy)).await?;
    let mut answer =
        page.list(found, |item| item["uid"].as_str().unwrap_or_default().to_owned(), Value::clone);
    answer["notice"] = json!(notice::OF_ITEMS);
    Ok(Answer::json(StatusCode::OK, answer, Cache::HalfMinute))
}

/// Everything that is said of some artefacts.
pub fn everything_said(
    tx: &mut dyn Tx,
    targets: &BTreeSet<(&'static str, String)>,
    policy: &Policy,
) -> Result<Vec<Value>, DbError> {
    said(tx, targets, &Wanted::default(), policy)
}

/// Pending amendments, then concerns, newest first.
fn said(
    tx: &mut dyn Tx,
    targets: &BTreeSet<(&'static str, String)>,
    wanted: &Wanted,
    policy: &Policy,
) -> Result<Vec<Value>, DbError> {
    let limit = usize::try_from(wanted.limit).unwrap_or(usize::MAX);
    let targets: Vec<(&str, &str)> = targets.iter().map(|(kind, id)| (*kind, id.as_str())).collect();
    let mut pending_found: Vec<Pending> = match wanted.pending {
        true => concerns::pending(tx, &targets, &wanted.after, wanted.since, wanted.limit)?,
        false => Vec::new(),
    };
    let mut concerns_found: Vec<Concern> = match wanted.committed {
        true => concerns::of_targets(tx, &targets, wanted.before, wanted.since, wanted.limit)?,
        false => Vec::new(),
    };
    pending_found.sort_by(|a, b| a.uid.cmp(&b.uid));
    concerns_found.sort_by_key(|it| std::cmp::Reverse(uids::number(&it.uid)));
    let mut found: Vec<Value> = pending_found.iter().take(limit).map(pending_shown).collect();
    let left = limit.saturating_sub(found.len());
    for concern in concerns_found.iter().take(left) {
        found.push(concern_shown(concern, is_hidden(tx, concern, policy)?));
    }
    Ok(found)
}

/// Whether a concern is shown behind a disclosure only: enough people say that it is not so.
fn is_hidden(tx: &mut dyn Tx, it: &Concern, policy: &Policy) -> Result<bool, DbError> {
    // Who voted is looked up only where the score alone would hide it.
    if !policy.hides(it.up, it.down, i64::MAX) {
        return Ok(false);
    }
    let standing = standings::find(tx, TargetType::Observation.as_str(), &it.uid)?;
    Ok(policy.hides(it.up, it.down, standing.map_or(0, |it| it.tally.rejecters)))
}

/// A concern as it is published (DECISIONS §8).
fn concern_shown(it: &Concern, hidden: bool) -> Value {
    json!({
        "uid": it.uid,
        "type": "concern",
        "status": "committed",
        "target_type": it.target_type,
        "target_id": it.target_id,
        "scope": it.scope,
        "specifier": it.specifier,
        "text": it.body,
        "observed_value": it.observed_value,
        "evidence_month": it.evidence_month,
        "up": it.up,
        "down": it.down,
        "net_score": it.up - it.down,
        "hidden": hidden,
        "committed_at": Moment(it.day).text(),
    })
}

fn pending_shown(it: &Pending) -> Value {
    json!({
        "uid": it.uid,
        "type": "amendment",
        "status": "pending",
        "target_type": it.target_type,
        "target_id": it.target_id,
        "rationale": it.rationale,
        "committed_at": Moment(it.day).text(),
    })
}
