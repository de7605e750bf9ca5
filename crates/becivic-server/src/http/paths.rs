//! The Path Directory (§6.12).
//!
//! 1. An entry is shown as it is written; of a quarantined one only that it is.
//! 2. Beside it stand its cohort and, on each source, what was said of that source: tallies, when it was last confirmed by anything
//!    and by a person, and whether that is too long ago (§11.1).

use super::answer::{Answer, Cache};
use super::answered;
use super::ask::Ask;
use super::find::BUDGETS;
use super::fitting::keep_to;
use super::paging::{Page, word};
use super::standing::{Seen, day};
use super::text::count;
use crate::consensus;
use crate::db::source_tallies::{self, OfSource};
use crate::db::standings::Standing;
use crate::db::{DbError, Tx};
use crate::live::Live;
use crate::moment::{DAY, Moment};
use crate::rejection::{Category, Rejection};
use crate::served::ServedPath;
use axum::http::StatusCode;
use becivic_core::consensus::Policy;
use becivic_core::path::{PathEntry, Theme};
use becivic_core::vocabulary::Status;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The paths.
pub async fn list(ask: Ask) -> Answer {
    answered(try_list(&ask).await)
}

async fn try_list(ask: &Ask) -> Result<Answer, Rejection> {
    if let Some(id) = ask.query("path_id") {
        let items = [found(ask, &id).await?];
        return Ok(Answer::json(StatusCode::OK, json!({"items": items, "next": null}), Cache::Minute));
    }
    let page = Page::of(ask)?;
    let budget = count(ask, "token_budget", BUDGETS)?;
    let status = word(ask, "status", Status::named)?;
    let theme = word(ask, "theme", Theme::named)?;
    let served = ask.app.served();
    let fits = |path: &ServedPath<'_>| {
        let of_theme = |theme| path.entry().is_some_and(|entry| entry.themes.contains(&theme));
        status.is_none_or(|status| path.status == status) && theme.is_none_or(of_theme)
    };
    let fitting: Vec<ServedPath<'_>> = served.paths(&page.after).filter(fits).take(page.limit + 1).collect();
    let said = read(ask, served.files(), fitting.iter().map(|path| path.id().to_owned()).collect()).await?;
    let (policy, now) = (consensus::policy(&ask.app.config.consensus), ask.now);
    let shown = |path: &ServedPath<'_>| shown(*path, said.get(path.id()), &policy, now);
    let mut answer = page.list(fitting, |path| path.id().to_owned(), shown);
    if let Some(budget) = budget {
        keep_to(&mut answer, usize::try_from(budget).unwrap_or(usize::MAX));
    }
    Ok(Answer::json(StatusCode::OK, answer, Cache::Minute))
}

/// One path.
pub async fn one(ask: Ask) -> Answer {
    answered(try_one(&ask).await)
}

async fn try_one(ask: &Ask) -> Result<Answer, Rejection> {
    let answer = found(ask, ask.param("id")).await?;
    Ok(Answer::json(StatusCode::OK, answer, Cache::Minute))
}

async fn found(ask: &Ask, id: &str) -> Result<Value, Rejection> {
    let served = ask.app.served();
    let path = served.path(id).ok_or_else(|| Rejection::new(Category::NotFound))?;
    let said = read(ask, served.files(), vec![path.id().to_owned()]).await?;
    let policy = consensus::policy(&ask.app.config.consensus);
    let said = said.get(path.id());
    let mut answer = shown(path, said, &policy, ask.now);
    answer["log"] = said.map_or(Value::Null, |it| it.seen.log(&ask.app.log_key));
    Ok(answer)
}

/// What is said of a path.
struct Said {
    seen: Seen,
    sources: Vec<OfSource>,
}

/// What is said of some paths, by their ids.
async fn read(ask: &Ask, live: &Arc<Live>, ids: Vec<String>) -> Result<BTreeMap<String, Said>, Rejection> {
    let (policy, now, live) = (consensus::policy(&ask.app.config.consensus), ask.now, Arc::clone(live));
    let each = move |tx: &mut dyn Tx| -> Result<BTreeMap<String, Said>, DbError> {
        let mut all = BTreeMap::new();
        for id in &ids {
            if let Some(seen) = Seen::read(tx, &live, ("path", id), &policy, now)? {
                all.insert(id.clone(), Said { seen, sources: source_tallies::of_path(tx, id)? });
            }
        }
        Ok(all)
    };
    Ok(ask.app.db.read(each).await?)
}

fn shown(path: ServedPath<'_>, said: Option<&Said>, policy: &Policy, now: Moment) -> Value {
    let path = path.beside(said.map(|it| &it.seen.standing));
    let Some(entry) = path.entry() else {
        let cohort = said.map(|it| it.seen.cohort(None));
        return json!({"id": path.id(), "status": path.status, "cohort": cohort});
    };
    let mut value = serde_json::to_value(entry).unwrap_or_default();
    let Some(said) = said else { return value };
    let mut newest: Option<Moment> = None;
    for (source, shown) in entry.sources.iter().zip(value["sources"].as_array_mut().into_iter().flatten()) {
        let found = said.sources.iter().find(|it| it.source_id == source.id);
        newest = newest.max(found.and_then(|it| it.last_confirm_day));
        let said = source_shown(entry, found, &said.seen.standing, policy, now);
        shown
            .as_object_mut()
            .into_iter()
            .for_each(|all| all.extend(said.as_object().cloned().unwrap_or_default()));
    }
    value["last_validated"] = day(newest);
    value["flagged"] = json!(said.seen.flagged);
    value["cohort"] = said.seen.cohort(Some(&entry.version));
    value
}

/// What is said of a source.
pub fn source_shown(
    entry: &PathEntry,
    found: Option<&OfSource>,
    standing: &Standing,
    policy: &Policy,
    now: Moment,
) -> Value {
    let tally = found.map(|it| it.in_cohort(&standing.cohort)).unwrap_or_default();
    let confirmed = found.and_then(|it| it.last_confirm_day);
    let asked_again = found.is_some_and(|it| it.revalidate);
    json!({
        // Whoever has to be asked because nothing else may look: when they last said that it works.
        "last_user_confirmation": day(found.and_then(|it| it.last_user_confirm_day)),
        "last_validated": day(confirmed),
        "stale": asked_again || is_stale(entry, confirmed, standing, policy, now),
        "tallies": {
            "affirms": tally.confirm_records,
            "rejects": tally.reject_records,
            "distinct_ips": tally.voters,
            "probe_confirms": tally.probe_confirms,
            "probe_rejects": tally.probe_rejects,
        },
    })
}

/// The clock starts at the latest of the last confirmation, `last_verified` and the entry's first commit (DECISIONS §5); each
/// day counts to its end.
fn is_stale(
    entry: &PathEntry,
    confirmed: Option<Moment>,
    standing: &Standing,
    policy: &Policy,
    now: Moment,
) -> bool {
    let verified = Moment::read(&format!("{}T00:00:00Z", entry.last_verified));
    let days = [confirmed, verified, Some(standing.first_at.day())];
    let last = days.into_iter().flatten().max().unwrap_or(now);
    policy.is_stale(last.plus(DAY - 1).0, now.0)
}
