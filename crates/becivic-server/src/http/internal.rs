//! What operators and their tools ask (§8.4b, §6.2.7, §6.11).

use super::answer::{Answer, Cache};
use super::ask::Ask;
use super::paging::word;
use super::{answered, operator};
use crate::db::catalogue::{self, Prefix};
use crate::db::{DbError, Tx, others, source_tallies, standings};
use crate::rejection::{Category, Rejection};
use crate::transparency;
use axum::http::StatusCode;
use becivic_core::schema::Schema;
use becivic_core::submission::{Kind, TargetType};
use serde_json::{Map, Value, json};

/// Distinct voters of an artefact in its current cohort.
pub async fn artefact_stats(ask: Ask) -> Answer {
    answered(try_artefact_stats(&ask).await)
}

async fn try_artefact_stats(ask: &Ask) -> Result<Answer, Rejection> {
    operator::check(ask).await?;
    let target_type = word(ask, "target_type", TargetType::named)?
        .filter(|it| Kind::Validation.targets().contains(it))
        .ok_or_else(|| {
            Rejection::at(Category::SchemaFail, "/target_type", "Name a type that takes validations.")
        })?;
    let missing = || Rejection::at(Category::SchemaFail, "/target_id", "Name the artefact.");
    let id = ask.query("target_id").filter(|id| !id.is_empty()).ok_or_else(missing)?;
    let counted = ask.app.db.read(move |tx| voters(tx, target_type, &id)).await?;
    let (voters, flaggers) = counted.ok_or_else(|| Rejection::new(Category::NotFound))?;
    let answer = json!({"distinct_ips": voters, "distinct_ips_with_injection_flag": flaggers});
    Ok(Answer::json(StatusCode::OK, answer, Cache::Never))
}

/// Voters of an artefact in its cohort, and how many of them flagged it; of a source, those of its path did.
fn voters(tx: &mut dyn Tx, target_type: TargetType, id: &str) -> Result<Option<(i64, i64)>, DbError> {
    if target_type == TargetType::Observation {
        let standing = standings::find(tx, target_type.as_str(), id)?;
        return Ok(Some(standing.map_or((0, 0), |it| (it.tally.voters, it.tally.flaggers))));
    }
    if target_type != TargetType::PathSource {
        let standing = standings::find(tx, target_type.as_str(), id)?;
        return Ok(standing.map(|it| (it.tally.voters, it.tally.flaggers)));
    }
    let (path, source) = id.split_once(':').unwrap_or((id, ""));
    let Some(standing) = standings::find(tx, TargetType::Path.as_str(), path)? else { return Ok(None) };
    let of_source = source_tallies::find(tx, path, source)?;
    let voters = of_source.map_or(0, |it| it.in_cohort(&standing.cohort).voters);
    Ok(Some((voters, standing.tally.flaggers)))
}

/// Stars by target.
pub async fn rating_stats(ask: Ask) -> Answer {
    answered(try_rating_stats(&ask).await)
}

async fn try_rating_stats(ask: &Ask) -> Result<Answer, Rejection> {
    operator::check(ask).await?;
    let asked = word(ask, "target_type", TargetType::named)?;
    let kinds: Vec<TargetType> = match asked {
        None => Kind::Rating.targets().to_vec(),
        Some(it) if Kind::Rating.targets().contains(&it) => vec![it],
        Some(_) => {
            return Err(Rejection::at(
                Category::SchemaFail,
                "/target_type",
                "Name skill, agent_protocol or session.",
            ));
        }
    };
    let rows = ask
        .app
        .db
        .read(move |tx| {
            let mut rows = Vec::new();
            for kind in &kinds {
                let stars = others::stars(tx, kind.as_str())?;
                rows.extend(stars.into_iter().map(|(id, count, sum)| (*kind, id, count, sum)));
            }
            Ok(rows)
        })
        .await?;
    let shown = |(kind, id, count, sum): &(TargetType, String, i64, i64)| {
        let average = (*sum as f64 / (*count).max(1) as f64 * 10.0).round() / 10.0;
        json!({"target_type": kind, "target_id": id, "ratings": count, "average": average})
    };
    let items: Vec<Value> = rows.iter().map(shown).collect();
    Ok(Answer::json(StatusCode::OK, json!({"items": items, "next": null}), Cache::Never))
}

/// The uid of a name.
pub async fn mint(mut ask: Ask) -> Answer {
    answered(try_mint(&mut ask).await)
}

async fn try_mint(ask: &mut Ask) -> Result<Answer, Rejection> {
    operator::check(ask).await?;
    let value = ask.json().await?;
    let (prefix, schema) = match value.get("type").and_then(Value::as_str) {
        Some("val") => (Prefix::Value, Schema::VolatileValue),
        Some("ref") => (Prefix::Reference, Schema::Reference),
        _ => return Err(Rejection::at(Category::SchemaFail, "/type", "`type` is val or ref.")),
    };
    let mut content: Map<String, Value> = value.as_object().cloned().unwrap_or_default();
    content.shift_remove("type");
    if let Some(given) =
        ["uid", "status", "committed_at"].into_iter().find(|field| content.contains_key(*field))
    {
        let help = "Leave it out: the uid is minted, the status is alpha, the time is now.";
        return Err(Rejection::at(Category::SchemaFail, &format!("/{given}"), help));
    }
    let name = content.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut whole = content.clone();
    for (field, filler) in [
        ("uid", format!("{}-00001", prefix.as_str())),
        ("status", "alpha".to_owned()),
        ("committed_at", ask.now.day().text()),
    ] {
        whole.insert(field.to_owned(), json!(filler));
    }
    let refusals = becivic_core::preflight::shape(schema, &Value::Object(whole));
    if !refusals.is_empty() {
        return Err(refusals.into());
    }
    content.shift_remove("name");
    let (content, now) = (Value::Object(content).to_string(), ask.now);
    let minted = ask.app.db.write(move |tx| {
        let (uid, new) = catalogue::mint(tx, prefix, &name, &content, now)?;
        if new {
            transparency::minted(tx, (prefix.target_type(), &uid), now)?;
        }
        Ok((uid, new))
    });
    let (uid, new) = minted.await?;
    let status = if new { StatusCode::CREATED } else { StatusCode::OK };
    Ok(Answer::json(status, json!({"uid": uid}), Cache::Never))
}
