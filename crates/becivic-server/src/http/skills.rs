//! Skills: the list, one of them, its commits, and what the community says of it.

use super::answer::{Answer, Cache};
use super::answered;
use super::ask::Ask;
use super::paging::{Page, word};
use crate::db::concerns::{self, Concern, Pending};
use crate::db::standings::{self, Standing};
use crate::db::{DbError, Tx, uids};
use crate::live::Live;
use crate::moment::Moment;
use crate::rejection::{Category, Rejection};
use axum::http::StatusCode;
use becivic_core::corpus::Skill;
use becivic_core::mdx::tag::TagKind;
use becivic_core::skill::Frontmatter;
use becivic_core::vocabulary::Status;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ops::Bound;

/// Every skill.
pub async fn list(ask: Ask) -> Answer {
    answered(try_list(&ask))
}

fn try_list(ask: &Ask) -> Result<Answer, Rejection> {
    let page = Page::of(ask)?;
    let status = word(ask, "status", Status::named)?;
    let category = ask.query("category");
    let live = ask.app.live.load();
    let found: Vec<&Frontmatter> = live
        .corpus
        .skills
        .range::<str, _>((Bound::Excluded(page.after.as_str()), Bound::Unbounded))
        .filter_map(|(_, skill)| skill.front.as_ref())
        .filter(|front| status.is_none_or(|status| front.status == status))
        .filter(|front| category.as_ref().is_none_or(|category| front.category == *category))
        .take(page.limit + 1)
        .collect();
    let shown = |front: &&Frontmatter| {
        json!({
            "id": front.id, "title": front.title, "summary": front.summary, "status": front.status,
            "version": front.version, "origin": front.origin, "category": front.category, "domain": front.domain,
            "last_verified": front.last_verified, "commit": live.commit,
        })
    };
    let answer = page.list(found, |front| front.id.clone(), shown);
    Ok(Answer::json(StatusCode::OK, &answer, Cache::Minute))
}

/// One skill.
pub async fn one(ask: Ask) -> Answer {
    answered(try_one(&ask).await)
}

async fn try_one(ask: &Ask) -> Result<Answer, Rejection> {
    let live = ask.app.live.load_full();
    let not_found = || Rejection::new(Category::NotFound);
    let (skill, front) = live.skill(ask.param("id")).ok_or_else(not_found)?;
    let targets = targets(&live, skill, front);
    let id = front.id.clone();
    let (standing, said) = ask
        .app
        .db
        .read(move |tx| Ok((standings::find(tx, "skill", &id)?, said(tx, &targets, &Wanted::default())?)))
        .await?;
    // A quarantined text appears nowhere, from the moment of the flag.
    let status = standing.as_ref().and_then(Standing::served).unwrap_or(front.status);
    let body = (status != Status::Quarantined).then(|| skill.body());
    let tally = standing.map(|it| it.tally).unwrap_or_default();
    let answer = json!({
        "id": front.id,
        "title": front.title,
        "status": status,
        "version": front.version,
        "origin": front.origin,
        "category": front.category,
        "commit": live.commit,
        "frontmatter": front,
        "body": body,
        "observations_block": said,
        "cohort": {
            "anchor": format!("{}@{}", front.id, front.version),
            "confirms": tally.confirms,
            "rejects": tally.rejects,
            "distinct_ips": tally.voters,
            "injection_flags": tally.flaggers,
        },
        "history_url": format!("/api/skills/{}/history", front.id),
        "log": null,
    });
    Ok(Answer::json(StatusCode::OK, &answer, Cache::Minute))
}

/// The commits that changed a skill.
pub async fn history(ask: Ask) -> Answer {
    answered(try_history(&ask).await)
}

async fn try_history(ask: &Ask) -> Result<Answer, Rejection> {
    let id = ask.param("id").to_owned();
    if ask.app.live.load().skill(&id).is_none() {
        return Err(Rejection::new(Category::NotFound));
    }
    let repository = ask.app.repository.clone();
    let walked =
        tokio::task::spawn_blocking(move || repository.history(&format!("skills/{id}/canonical.md"))).await;
    let commits = walked.ok().and_then(Result::ok).ok_or_else(|| Rejection::new(Category::Internal))?;
    let shown = |commit: &crate::repository::Commit| json!({"commit": commit.sha, "subject": commit.subject, "committed_at": commit.at.day().text()});
    let items: Vec<Value> = commits.iter().map(shown).collect();
    Ok(Answer::json(StatusCode::OK, &json!({"items": items, "next": null}), Cache::Minute))
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
    let live = ask.app.live.load_full();
    let (skill, front) = live.skill(id).ok_or_else(|| Rejection::new(Category::NotFound))?;
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
    let targets = targets(&live, skill, front);
    let found = ask.app.db.read(move |tx| said(tx, &targets, &wanted)).await?;
    let answer = page.list(found, |item| item["uid"].as_str().unwrap_or_default().to_owned(), Value::clone);
    Ok(Answer::json(StatusCode::OK, &answer, Cache::HalfMinute))
}

/// The skill and everything it cites: values, references, paths and their sources (§6.10).
fn targets(live: &Live, skill: &Skill, front: &Frontmatter) -> BTreeSet<(&'static str, String)> {
    let mut targets = BTreeSet::from([("skill", front.id.clone())]);
    let mut add_path = |id: &str| {
        if let Some(path) = live.path(id) {
            targets.insert(("path", id.to_owned()));
            let sources =
                path.entry.sources.iter().map(|source| ("path_source", format!("{id}:{}", source.id)));
            targets.extend(sources);
        }
    };
    front.requires_paths().iter().for_each(|required| add_path(&required.id));
    for tag in &skill.document.tags {
        if let Some(id) = tag.value(&skill.source, "id").filter(|_| tag.kind == TagKind::Path) {
            add_path(&id);
        }
    }
    for tag in &skill.document.tags {
        let uid = tag.value(&skill.source, "uid").unwrap_or_default();
        match uid.split('-').next() {
            Some("val") => targets.insert(("volatile_value", uid.into_owned())),
            Some("ref") => targets.insert(("reference", uid.into_owned())),
            Some(_) | None => false,
        };
    }
    targets
}

/// Pending amendments, then concerns, newest first.
fn said(
    tx: &mut dyn Tx,
    targets: &BTreeSet<(&'static str, String)>,
    wanted: &Wanted,
) -> Result<Vec<Value>, DbError> {
    let limit = usize::try_from(wanted.limit).unwrap_or(usize::MAX);
    let mut pending_found: Vec<Pending> = Vec::new();
    let mut concerns_found: Vec<Concern> = Vec::new();
    for (target_type, target_id) in targets {
        let target = (*target_type, target_id.as_str());
        if wanted.pending {
            pending_found.extend(concerns::pending(tx, target, &wanted.after, wanted.since, wanted.limit)?);
        }
        if wanted.committed {
            concerns_found.extend(concerns::of_target(
                tx,
                target,
                wanted.before,
                wanted.since,
                wanted.limit,
            )?);
        }
    }
    pending_found.sort_by(|a, b| a.uid.cmp(&b.uid));
    concerns_found.sort_by_key(|it| std::cmp::Reverse(uids::number(&it.uid)));
    let found = pending_found.iter().map(pending_shown).chain(concerns_found.iter().map(concern_shown));
    Ok(found.take(limit).collect())
}

/// A concern as it is published (DECISIONS §8).
fn concern_shown(it: &Concern) -> Value {
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
