//! Finding: procedures for what a person says, or anything in the corpus, best first, each with the reason why.
//!
//! 1. The question is read: words, and what may be found.
//! 2. The ranking is core's ([`becivic_core::search`]); what is put away is not found.
//! 3. Of the hits, as many are answered as fit the budget, at least one; the answer counts the others.
//! 4. Where a filter leaves nothing of what fits, the answer says that the filter did it: the fallback is for what is not there.

use super::answer::{Answer, Cache};
use super::answered;
use super::ask::Ask;
use super::paging::{word, words};
use super::routes::param::{Param, Takes, words as all};
use super::text::count;
use crate::db::catalogue::{self, CatalogueRow, Prefix};
use crate::finder;
use crate::rejection::{Category, Rejection};
use crate::served::Served;
use axum::http::StatusCode;
use becivic_core::pieces::tokens;
use becivic_core::search::{Hit, Kind, Question, Reason, find};
use becivic_core::vocabulary::{Domain, Language, Status};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};

/// Hits when nobody says how many.
const USUAL: u64 = 5;

/// Most hits.
const MOST: u64 = 50;

/// Tokens of an answer when nobody says how many: a handful of hits with their reasons.
const BUDGET: u64 = 2_000;

/// The bounds of a budget.
pub const BUDGETS: (u64, u64) = (100, 100_000);

/// Statuses that can be asked for: what is put away cannot.
const STATUSES: [Status; 5] =
    [Status::Draft, Status::Alpha, Status::Beta, Status::Stable, Status::Deprecated];

fn params() -> Vec<Param> {
    vec![
        Param::required(
            "query",
            "What is looked for, in French, Dutch, German or English: a question, a few words, the name of a document.",
            Takes::Text,
        ),
        Param::new(
            "language",
            "The language of the query, when it is known.",
            Takes::Word(all(Language::ALL)),
        ),
        Param::new("status", "Only what has one of these statuses.", Takes::Words(all(&STATUSES))),
        Param::new("limit", "At most this many; 5 when left out.", Takes::Count(1, MOST)),
        Param::new(
            "token_budget",
            "At most about this many tokens in the answer, counted as 4 bytes each; 2000 when left out.",
            Takes::Count(BUDGETS.0, BUDGETS.1),
        ),
    ]
}

/// What can be asked of skills.
pub fn of_skills() -> Vec<Param> {
    let mut params = params();
    params.push(Param::new(
        "applies_to",
        "Only procedures of these domains.",
        Takes::Words(all(Domain::ALL)),
    ));
    params.push(Param::new(
        "category",
        "Only procedures of this category, such as `belgium-federal`.",
        Takes::Text,
    ));
    params
}

/// What can be asked of everything.
pub fn of_everything() -> Vec<Param> {
    let mut params = params();
    params.push(Param::new("types", "Only these; everything when left out.", Takes::Words(all(Kind::ALL))));
    params
}

/// Procedures for what a person says.
pub async fn skills(ask: Ask) -> Answer {
    answered(match wanted_skills(&ask) {
        Ok(wanted) => try_find(&ask, wanted).await,
        Err(rejection) => Err(rejection),
    })
}

/// Anything in the corpus.
pub async fn everything(ask: Ask) -> Answer {
    let kinds = words(&ask, "types", Kind::named).map(|kinds| Wanted {
        kinds: kinds.unwrap_or_else(|| Kind::ALL.to_vec()),
        all_kinds: Kind::ALL,
        domains: Vec::new(),
        category: None,
    });
    answered(match kinds {
        Ok(wanted) => try_find(&ask, wanted).await,
        Err(rejection) => Err(rejection),
    })
}

fn wanted_skills(ask: &Ask) -> Result<Wanted, Rejection> {
    let domains = words(ask, "applies_to", Domain::named)?.unwrap_or_default();
    let category = ask.query("category");
    if let Some(asked) = &category {
        let served = ask.app.served();
        let known = categories(&served);
        if !known.contains(asked.as_str()) {
            let known: Vec<&str> = known.into_iter().collect();
            let help = format!("`category` is one of {}.", known.join(", "));
            return Err(Rejection::at(Category::SchemaFail, "/category", &help));
        }
    }
    Ok(Wanted { kinds: vec![Kind::Skill], all_kinds: &[Kind::Skill], domains, category })
}

/// The categories there are: those that the corpus lists, and those of its skills.
fn categories(served: &Served) -> BTreeSet<&str> {
    let corpus = &served.files().corpus;
    let listed = corpus.categories.iter().flat_map(|file| &file.1.categories).map(|it| it.id.as_str());
    let fronts = corpus.skills.values().filter_map(|skill| skill.front.as_ref());
    listed.chain(fronts.map(|front| front.category.as_str())).collect()
}

/// What may be found.
struct Wanted {
    kinds: Vec<Kind>,
    /// What could be found without a filter.
    all_kinds: &'static [Kind],
    domains: Vec<Domain>,
    category: Option<String>,
}

async fn try_find(ask: &Ask, wanted: Wanted) -> Result<Answer, Rejection> {
    let missing = || Rejection {
        missing: Some("query".to_owned()),
        ..Rejection::at(Category::SchemaFail, "", "Say what you look for: `query`.")
    };
    let query = ask.query("query").filter(|query| !query.trim().is_empty()).ok_or_else(missing)?;
    let language = word(ask, "language", Language::named)?;
    let statuses = words(ask, "status", |name| Status::named(name).filter(|it| STATUSES.contains(it)))?;
    let limit = count(ask, "limit", (1, MOST))?.unwrap_or(USUAL);
    let budget = count(ask, "token_budget", BUDGETS)?.unwrap_or(BUDGET);
    let served = ask.app.served();
    let with_rows = wanted.kinds.iter().any(|kind| matches!(kind, Kind::Value | Kind::Reference));
    let index = finder::index(&ask.app, &served, with_rows).await?;
    let question = Question {
        query: &query,
        language,
        kinds: &wanted.kinds,
        statuses: statuses.as_deref().unwrap_or_default(),
        domains: &wanted.domains,
        category: wanted.category.as_deref(),
        withheld: served.withheld(),
        limit: usize::try_from(limit).unwrap_or(usize::MAX),
    };
    let found = find(&index, &question);
    let rows = rows_of(ask, &found.hits).await?;
    let is_narrowed = statuses.is_some()
        || !wanted.domains.is_empty()
        || wanted.category.is_some()
        || wanted.kinds.len() < wanted.all_kinds.len();
    if found.nothing_fits && is_narrowed {
        let free =
            Question { kinds: wanted.all_kinds, statuses: &[], domains: &[], category: None, ..question };
        let unfiltered = find(&index, &free);
        if !unfiltered.nothing_fits {
            return Ok(filtered_out(unfiltered.hits.len()));
        }
    }
    let mut left = usize::try_from(budget).unwrap_or(usize::MAX);
    let (mut items, mut left_out) = (Vec::new(), 0);
    for hit in &found.hits {
        let row = rows.get(&(hit.kind, hit.id.clone()));
        // The database knows of a flag before the index does.
        let is_row = matches!(hit.kind, Kind::Value | Kind::Reference);
        if is_row && row.is_none_or(|row| row.status == Status::Quarantined.as_str()) {
            continue;
        }
        let item = shown(ask, &served, hit, row);
        let cost = tokens(&item.to_string());
        if left_out > 0 || (cost > left && !items.is_empty()) {
            left_out += 1;
            continue;
        }
        left = left.saturating_sub(cost);
        items.push(item);
    }
    let answer =
        json!({"items": items, "next": null, "nothing_fits": found.nothing_fits, "left_out": left_out});
    Ok(Answer::json(StatusCode::OK, answer, Cache::Minute))
}

/// The answer where what fits was not wanted.
fn filtered_out(count: usize) -> Answer {
    let help = "Something fits, and the filter leaves it out: ask again without it, or with another.";
    let answer = json!({
        "items": [], "next": null, "nothing_fits": false, "left_out": 0, "filtered_out": count, "help": help,
    });
    Answer::json(StatusCode::OK, answer, Cache::Minute)
}

/// The current rows of hits that are rows.
async fn rows_of(ask: &Ask, hits: &[Hit]) -> Result<HashMap<(Kind, String), CatalogueRow>, Rejection> {
    let prefix = |kind: Kind| match kind {
        Kind::Value => Some(Prefix::Value),
        Kind::Reference => Some(Prefix::Reference),
        Kind::Skill | Kind::Path => None,
    };
    let wanted: Vec<(Kind, Prefix, String)> =
        hits.iter().filter_map(|hit| Some((hit.kind, prefix(hit.kind)?, hit.id.clone()))).collect();
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let read = ask.app.db.read(move |tx| {
        let mut rows = HashMap::new();
        for (kind, prefix, name) in &wanted {
            let Some(uid) = catalogue::uid_of_name(tx, *prefix, name)? else { continue };
            rows.extend(catalogue::current(tx, &uid)?.map(|row| ((*kind, name.clone()), row)));
        }
        Ok(rows)
    });
    Ok(read.await?)
}

fn shown(ask: &Ask, served: &Served, hit: &Hit, row: Option<&CatalogueRow>) -> Value {
    let base = ask.app.config.server.public_url.trim_end_matches('/');
    let folder = match hit.kind {
        Kind::Skill => "skills",
        Kind::Path => "paths",
        Kind::Value => "values",
        Kind::Reference => "references",
    };
    let reasons: Vec<Value> = hit.reasons.iter().map(reason).collect();
    let mut item = json!({
        "type": hit.kind,
        "id": hit.id,
        "title": hit.title,
        "url": format!("{base}/{folder}/{}", hit.id),
        "score": hit.score,
        "reasons": reasons,
    });
    match hit.kind {
        Kind::Skill => {
            let skill = served.skill(&hit.id);
            let front = skill.as_ref().and_then(|skill| skill.front());
            item["status"] = json!(skill.as_ref().map(|skill| skill.status));
            item["summary"] = json!(front.and_then(|front| front.summary.as_ref()));
            item["origin"] = json!(front.map(|front| front.origin));
        }
        Kind::Path => item["status"] = json!(served.path(&hit.id).map(|path| path.status)),
        Kind::Value | Kind::Reference => {
            item["status"] = json!(row.map(|row| &row.status));
            for name in ["value", "value_type", "unit", "url"] {
                // A source's own address is where it is published; ours is where it is told about.
                let shown = if name == "url" { "source_url" } else { name };
                if let Some(value) = row.and_then(|row| row.content.get(name)) {
                    item[shown] = value.clone();
                }
            }
        }
    }
    item
}

/// A reason, in words and in parts.
fn reason(reason: &Reason) -> Value {
    let mut shown = serde_json::to_value(reason).unwrap_or_else(|_| json!({}));
    shown["said"] = json!(reason.to_string());
    shown
}
