//! Fetches what a page needs besides the files: from the database in one read, from the repository where old text is asked for.

mod repository;

use crate::app::App;
use crate::consensus;
use crate::db::catalogue::{self, CatalogueRow, Prefix};
use crate::db::{
    DbError, Tx, activity as activity_counts, log_entries, source_tallies, standings, transitions,
};
use crate::http::catalogue::shown;
use crate::http::paths::source_shown;
use crate::http::skills::everything_said;
use crate::http::standing::{Seen, numbers};
use crate::jobs::activity;
use crate::live::Live;
use crate::moment::{DAY, Moment};
use crate::served::Served;
use crate::transparency::proved;
use becivic_core::consensus::Policy;
use becivic_core::log::{Signer, public_numbers};
use becivic_core::vocabulary::Status;
use becivic_site::address::Which;
use becivic_site::facts::{Concerns, Entry, OfSource, Row, Shared, Standing, Transition};
use becivic_site::files::Made;
use becivic_site::{Facts, Needs, pages};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Changes of one artefact that are shown at most.
const TRANSITIONS_AT_MOST: i64 = 100;

/// The facts of a page.
pub async fn facts(app: &Arc<App>, served: &Served, which: &Which, query: String) -> Result<Facts, DbError> {
    let now = app.clock.now();
    let mut facts = Facts { today: now.date(), query, ..Facts::default() };
    let needs = pages::needs(&served.world(&app.config.server.public_url), which);
    fetch(app, served, needs, now, &mut facts).await?;
    let more = pages::needs_then(&served.world(&app.config.server.public_url), which, &facts);
    fetch(app, served, more, now, &mut facts).await?;
    Ok(facts)
}

/// The facts of a file.
pub async fn of_file(app: &Arc<App>, served: &Served, made: &Made) -> Result<Facts, DbError> {
    let now = app.clock.now();
    let mut facts = Facts { today: now.date(), ..Facts::default() };
    fetch(app, served, made.needs(), now, &mut facts).await?;
    Ok(facts)
}

/// Adds to the facts what is needed.
async fn fetch(
    app: &Arc<App>,
    served: &Served,
    needs: Needs,
    now: Moment,
    facts: &mut Facts,
) -> Result<(), DbError> {
    let from_database = read(app, served, needs.clone(), now).await?;
    facts.add(from_database);
    if needs.api {
        facts.api = Some(crate::http::described(&app.config));
    }
    repository::read(app, &needs, facts).await;
    Ok(())
}

async fn read(app: &App, served: &Served, needs: Needs, now: Moment) -> Result<Facts, DbError> {
    let kept_in_git = Needs {
        commits_of: needs.commits_of.clone(),
        file_at: needs.file_at.clone(),
        versions_of: needs.versions_of.clone(),
        api: needs.api,
        ..Needs::default()
    };
    let is_nothing = needs == kept_in_git;
    if is_nothing {
        return Ok(Facts::default());
    }
    let (policy, live) = (consensus::policy(&app.config.consensus), Arc::clone(served.files()));
    let signer = app.log_key.clone();
    app.db.read(move |tx| from_database(tx, &live, &needs, (&policy, &signer), now)).await
}

fn from_database(
    tx: &mut dyn Tx,
    live: &Live,
    needs: &Needs,
    (policy, signer): (&Policy, &Signer),
    now: Moment,
) -> Result<Facts, DbError> {
    let mut facts = Facts::default();
    entries(tx, &needs.entries, &mut facts)?;
    if let Some((kind, most)) = needs.first_entries
        && let Some(prefix) = Prefix::of_type(kind)
    {
        let first = catalogue::first_uids(tx, prefix, most)?;
        entries(tx, &first, &mut facts)?;
    }
    if needs.with_sources {
        let shown = facts.entries.values().filter_map(|entry| entry.shown());
        let sources: BTreeSet<String> = shown.filter_map(|row| row.source.clone()).collect();
        entries(tx, &sources, &mut facts)?;
    }
    for (target_type, id) in &needs.standings {
        if let Some(standing) = standing(tx, live, (target_type, id), policy, now)? {
            facts.standings.insert(format!("{target_type}:{id}"), standing);
        }
    }
    for path in &needs.sources {
        sources(tx, live, path, policy, now, &mut facts)?;
    }
    if !needs.said_of.is_empty() {
        facts.said = everything_said(tx, &needs.said_of, policy)?.into_iter().filter_map(typed).collect();
    }
    if let Some(uid) = &needs.rows_of {
        facts.rows = catalogue::history(tx, uid)?.iter().filter_map(|row| typed(shown(row, None))).collect();
    }
    if needs.transitions > 0 {
        let limit = i64::try_from(needs.transitions).unwrap_or(i64::MAX);
        facts.transitions = transitions::list(tx, i64::MAX, limit)?.into_iter().map(transition).collect();
    }
    if let Some((target_type, id)) = &needs.transitions_of {
        let found = transitions::of_target(tx, (target_type, id), i64::MAX, TRANSITIONS_AT_MOST)?;
        facts.transitions = found.into_iter().map(transition).collect();
    }
    if let Some((target_type, id)) = &needs.logged {
        let artefact = standings::artefact(target_type, id);
        let found = log_entries::latest(tx, (target_type, id))?;
        let shown = found.and_then(|found| typed(proved::shown(signer, &found)));
        facts.logged.extend(shown.map(|it| (artefact, it)));
    }
    for target_type in &needs.all_of {
        everything(tx, target_type, now, &mut facts)?;
    }
    if needs.activity {
        facts.activity = activity::last(tx)?;
    }
    Ok(facts)
}

/// What is published as JSON is what pages are made of; a field that does not fit is nobody's to show.
fn typed<T: DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(value).ok()
}

/// Entries, by what they are asked for with: a uid, or a name where a tag has none yet.
fn entries(tx: &mut dyn Tx, names: &BTreeSet<String>, facts: &mut Facts) -> Result<(), DbError> {
    let is_uid = |asked: &str| Prefix::Value.is_uid(asked) || Prefix::Reference.is_uid(asked);
    let mut asked: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in names {
        let uid = match is_uid(name) {
            true => Some(name.clone()),
            false => match catalogue::uid_of_name(tx, Prefix::Value, name)? {
                Some(uid) => Some(uid),
                None => catalogue::uid_of_name(tx, Prefix::Reference, name)?,
            },
        };
        uid.into_iter().for_each(|uid| asked.entry(uid).or_default().push(name));
    }
    let uids: Vec<&str> = asked.keys().map(String::as_str).collect();
    for (current, behind) in catalogue::current_of(tx, &uids)? {
        let stable = match behind.stable && current.status != Status::Stable.as_str() {
            true => catalogue::previous_stable(tx, &current.uid)?,
            false => None,
        };
        let flagged = match behind.flagged {
            true => catalogue::flagged(tx, &current.uid)?,
            false => Vec::new(),
        };
        let names = asked.get(&current.uid).into_iter().flatten();
        let entry = Shared::from(entry(current, stable.as_ref(), &flagged));
        facts.entries.extend(names.map(|name| ((*name).to_owned(), entry.clone())));
    }
    Ok(())
}

fn entry(current: CatalogueRow, stable: Option<&CatalogueRow>, flagged: &[CatalogueRow]) -> Entry {
    let row = |row: &CatalogueRow| typed::<Row>(shown(row, None)).unwrap_or_default();
    // What is published of these is that they were put away.
    let said = |row: &CatalogueRow| typed::<Row>(Value::Object(row.content.clone()));
    Entry {
        current: row(&current),
        stable: stable.map(row),
        flagged: flagged.iter().filter_map(said).collect(),
        uid: current.uid,
        name: current.name,
    }
}

fn standing(
    tx: &mut dyn Tx,
    live: &Live,
    target: (&str, &str),
    policy: &Policy,
    now: Moment,
) -> Result<Option<Standing>, DbError> {
    let Some(seen) = Seen::read(tx, live, target, policy, now)? else { return Ok(None) };
    let Some(status) = seen.standing.served() else { return Ok(None) };
    Ok(Some(Standing {
        status,
        flagged: seen.flagged,
        stable_is_flagged: seen.standing.tally.carried_flaggers > 0,
        cohort: typed(seen.cohort(None)).unwrap_or_default(),
    }))
}

/// Where every artefact of a type stands, without why, and how many concerns there are about each.
fn everything(tx: &mut dyn Tx, target_type: &str, now: Moment, facts: &mut Facts) -> Result<(), DbError> {
    let mut after = String::new();
    loop {
        let page = standings::page(tx, (target_type, &after), PAGE)?;
        let of_type: Vec<_> = page.into_iter().filter(|it| it.target_type == target_type).collect();
        let Some(last) = of_type.last() else { break };
        after.clone_from(&last.target_id);
        for it in of_type {
            let Some(status) = it.served() else { continue };
            let standing = Standing {
                status,
                flagged: false,
                stable_is_flagged: it.tally.carried_flaggers > 0,
                cohort: typed(numbers(&it).into()).unwrap_or_default(),
            };
            facts.standings.insert(it.artefact(), standing);
        }
    }
    for (id, total, last_30_days) in activity_counts::concerns_of(tx, target_type, now.plus(-30 * DAY).day())?
    {
        facts.concerns.insert(format!("{target_type}:{id}"), Concerns { total, last_30_days });
    }
    Ok(())
}

/// Standings read at a time.
const PAGE: i64 = 1_000;

fn sources(
    tx: &mut dyn Tx,
    live: &Live,
    id: &str,
    policy: &Policy,
    now: Moment,
    facts: &mut Facts,
) -> Result<(), DbError> {
    let Some(path) = live.path(id) else { return Ok(()) };
    let Some(seen) = Seen::read(tx, live, ("path", id), policy, now)? else { return Ok(()) };
    let tallies = source_tallies::of_path(tx, id)?;
    for source in &path.entry.sources {
        let found = tallies.iter().find(|it| it.source_id == source.id);
        let mut said = source_shown(&path.entry, found, &seen.standing, policy, now);
        // The tallies stand beside the rest here.
        if let Some(Value::Object(counts)) = said.get_mut("tallies").map(Value::take) {
            said.as_object_mut().into_iter().for_each(|all| all.extend(counts.clone()));
        }
        facts.sources.insert(format!("{id}:{}", source.id), typed::<OfSource>(said).unwrap_or_default());
    }
    Ok(())
}

fn transition(it: transitions::Transition) -> Transition {
    Transition {
        numbers: public_numbers(serde_json::from_str(&it.numbers).unwrap_or_default()).into(),
        day: Moment(it.day).date(),
        target_type: it.target_type,
        target_id: it.target_id,
        from_status: it.from_status,
        to_status: it.to_status,
        rule: it.rule,
        policy: it.policy,
        log_index: it.log_position,
    }
}
