//! What people said of a skill and of everything it cites (§6.10), for pages, the API and MCP alike.
//!
//! 1. [`aggregates`] names what it is asked of: the skill, the values and references its text cites, the paths it names or
//!    requires, and their sources. Skills it names speak for themselves.
//! 2. [`groups`] sorts what was said into one group for each kind of target, in a fixed order; within it, the best rated first, then
//!    the newest.
//! 3. [`block`] is the same as JSON, [`blocks()`] the same as a part of a page.

mod blocks;

pub use blocks::{Asked, blocks};

use crate::facts::{Cohort, Facts, Said};
use crate::world::{SeenSkill, World};
use becivic_core::corpus::Skill;
use becivic_core::mdx::tag::TagKind;
use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The kinds of targets, in the order of their groups.
pub const TARGET_TYPES: [&str; 5] = ["skill", "volatile_value", "reference", "path", "path_source"];

/// The skill and everything it cites, as `(type, id)`; of one that is put away, the skill alone.
pub fn aggregates(world: &World<'_>, seen: &SeenSkill<'_>) -> BTreeSet<(&'static str, String)> {
    match seen.skill() {
        Some(skill) => aggregates_of(world, seen.id(), skill),
        None => BTreeSet::from([("skill", seen.id().to_owned())]),
    }
}

/// The same of a text, be it the current one or an older one.
pub fn aggregates_of(world: &World<'_>, id: &str, skill: &Skill) -> BTreeSet<(&'static str, String)> {
    let mut targets = BTreeSet::from([("skill", id.to_owned())]);
    let mut add_path = |id: &str| {
        let written = || world.corpus.paths.as_ref().and_then(|paths| paths.entries.get(id));
        if let Some(path) = world.path(id).and_then(|_| written()) {
            targets.insert(("path", id.to_owned()));
            let sources =
                path.entry.sources.iter().map(|source| ("path_source", format!("{id}:{}", source.id)));
            targets.extend(sources);
        }
    };
    let required = skill.front.iter().flat_map(|front| front.requires_paths());
    required.for_each(|required| add_path(&required.id));
    let tags = &skill.document.tags;
    for tag in tags.iter().filter(|tag| tag.kind == TagKind::Path) {
        tag.value(&skill.source, "id").iter().for_each(|id| add_path(id));
    }
    for tag in tags {
        let kind = match tag.kind {
            TagKind::VV => "volatile_value",
            TagKind::Ref => "reference",
            TagKind::Observations | TagKind::Path | TagKind::Skill | TagKind::Risk => continue,
        };
        targets.extend(tag.value(&skill.source, "uid").map(|uid| (kind, uid.into_owned())));
    }
    targets
}

/// What was said of these targets, by their kind.
pub fn groups<'f>(
    targets: &BTreeSet<(&'static str, String)>,
    facts: &'f Facts,
) -> Vec<(&'static str, Vec<&'f Said>)> {
    let mut groups: Vec<(&'static str, Vec<&Said>)> = TARGET_TYPES.map(|kind| (kind, Vec::new())).into();
    for said in &facts.said {
        let group = groups.iter_mut().find(|(kind, _)| *kind == said.target_type);
        if let Some((kind, items)) = group
            && targets.contains(&(*kind, said.target_id.clone()))
        {
            items.push(said);
        }
    }
    for (_, items) in &mut groups {
        items.sort_by_key(|it| (Reverse(it.net_score), Reverse(it.committed_at.as_str()), it.uid.as_str()));
    }
    groups
}

/// What was said of a skill, as it is published in JSON.
pub fn block(world: &World<'_>, seen: &SeenSkill<'_>, facts: &Facts) -> Value {
    let groups: Vec<Value> = groups(&aggregates(world, seen), facts)
        .into_iter()
        .map(|(kind, items)| {
            let items: Vec<Value> = items.into_iter().map(item).collect();
            json!({ "target_type": kind, "items": items })
        })
        .collect();
    let stats: Map<String, Value> = stats(facts, "skill", seen.id()).into_iter().map(named).collect();
    json!({ "skill_id": seen.id(), "cohort_stats": stats, "groups": groups })
}

fn named((name, value): (&'static str, Value)) -> (String, Value) {
    (name.to_owned(), value)
}

fn item(said: &Said) -> Value {
    let mut item = json!({
        "uid": said.uid,
        "type": said.kind,
        "target_id": said.target_id,
        "score": said.net_score,
        "net_score": said.net_score,
        "up": said.up,
        "down": said.down,
        "hidden": said.hidden,
        "body": words(said),
        "committed_at": said.committed_at,
    });
    let more = [
        ("scope", said.scope.clone().map(Value::from)),
        ("specifier", said.specifier.clone().map(Value::from)),
        ("observed_value", said.observed_value.clone()),
        ("evidence_month", said.evidence_month.clone().map(Value::from)),
    ];
    if let Some(item) = item.as_object_mut() {
        item.extend(more.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    }
    item
}

/// What somebody wrote: a report, a value they saw, why something should change.
pub fn words(said: &Said) -> String {
    let observed = said.observed_value.as_ref().filter(|value| !value.is_null()).map(|value| match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.to_string()
        }
    });
    let parts = [said.text.clone(), observed, said.rationale.clone()];
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// What an artefact's cohort adds up to, as the attributes of `<CohortStats>`. Where nobody has counted yet, nothing was counted.
pub fn stats(facts: &Facts, target_type: &str, id: &str) -> Vec<(&'static str, Value)> {
    let nobody = Cohort::default();
    let cohort = facts.standing(target_type, id).map_or(&nobody, |standing| &standing.cohort);
    let counts = [
        ("affirms", cohort.affirms),
        ("rejects", cohort.rejects),
        ("distinct_ips", cohort.distinct_ips),
        ("injection_flags", cohort.injection_flags),
    ];
    let mut stats: Vec<(&'static str, Value)> =
        counts.into_iter().map(|(name, count)| (name, json!(count))).collect();
    if !cohort.cohort_started_at.is_empty() {
        stats.push(("cohort_started_at", json!(cohort.cohort_started_at)));
    }
    stats.extend(cohort.last_validation_at.as_ref().map(|at| ("last_validation_at", json!(at))));
    stats.push(("n", json!(cohort.n)));
    stats.extend(cohort.skill_quality_avg.map(|average| ("skill_quality_avg", json!(average))));
    stats.extend(cohort.skill_quality_n.map(|n| ("skill_quality_n", json!(n))));
    stats
}
