//! Skills, paths and triggers for machines: what the tree says, and for the rollups what was counted (§6.5, §6.5.1).
//!
//! What is put away shows its id and its status, in rollups its version too. `last_used` and `origin_diversity_30d` are not
//! there, because nobody collects them (DECISIONS §14). `generated_at` is the newest time among what was counted, so that the
//! same inputs give the same bytes; there is none where nothing was counted.

use super::json;
use crate::facts::{Facts, Standing};
use crate::world::World;
use becivic_core::path::SourceClass;
use becivic_core::vocabulary::Status;
use serde_json::{Map, Value, json as value};
use std::collections::BTreeMap;

/// The versions of the shapes (§6.5, §6.5.1).
const SKILLS_VERSION: u32 = 3;
const PATHS_VERSION: u32 = 1;

/// `/agents/triggers.json`: as authored, without skills that readers cannot have.
pub fn triggers(world: &World<'_>) -> Option<String> {
    let file = world.corpus.triggers.as_ref()?;
    let is_away = |id: &str| world.skill(id).is_none_or(|skill| skill.status == Status::Quarantined);
    let mut value = file.value.clone();
    let skills = value.get_mut("skills").and_then(Value::as_object_mut)?;
    let all = skills.len();
    skills.retain(|id, _| !is_away(id));
    Some(if skills.len() == all { file.source.text().to_owned() } else { json(&value) })
}

/// `/paths/index.json`: as authored, where nothing of it is put away.
pub fn paths_index(world: &World<'_>) -> Option<String> {
    let directory = world.corpus.paths.as_ref()?;
    let is_shown = |id: &str| world.path(id).is_some_and(|path| path.status != Status::Quarantined);
    let mut value = directory.node.to_value();
    let paths = value.get_mut("paths").and_then(Value::as_object_mut)?;
    if paths.keys().all(|id| is_shown(id)) {
        return Some(directory.source.text().to_owned());
    }
    for (id, entry) in paths.iter_mut().filter(|(id, _)| !is_shown(id)) {
        *entry = value!({"id": id, "status": Status::Quarantined});
    }
    Some(json(&value))
}

/// `/skills/index.json`.
pub fn skills_index(world: &World<'_>, facts: &Facts) -> String {
    let mut newest = None;
    let skills: Vec<Value> = world
        .skills()
        .map(|skill| {
            let standing = facts.standing("skill", skill.id());
            let skill = skill.beside(standing.map(|it| it.status));
            let mut entry = Map::new();
            let mut put = |name: &str, value: Value| entry.insert(name.to_owned(), value);
            put("id", value!(skill.id()));
            let Some(front) = skill.front() else {
                put("version", value!(skill.version()));
                put("status", value!(skill.status));
                return Value::Object(entry);
            };
            put("title", value!(front.title));
            put("version", value!(front.version));
            put("status", value!(skill.status));
            put("origin", value!(front.origin));
            put("commit", value!(world.commit));
            put("category", value!(front.category));
            put("applies_to", value!(front.applies_to.clone().unwrap_or_default()));
            put("last_verified", value!(front.last_verified));
            put("summary", value!(front.summary));
            counted(facts, "skill", skill.id(), standing, &mut newest, &mut entry);
            Value::Object(entry)
        })
        .collect();
    rollup(SKILLS_VERSION, newest, "skills", skills)
}

/// `/paths/rollup.json`.
pub fn paths_rollup(world: &World<'_>, facts: &Facts) -> String {
    let mut newest = None;
    let paths: Vec<Value> = world
        .paths()
        .map(|path| {
            let standing = facts.standing("path", path.id());
            let path = path.beside(standing.map(|it| it.status));
            let mut entry = Map::new();
            let mut put = |name: &str, value: Value| entry.insert(name.to_owned(), value);
            put("id", value!(path.id()));
            let Some(authored) = path.entry() else {
                put("version", value!(path.version()));
                put("status", value!(path.status));
                return Value::Object(entry);
            };
            put("uid", value!(authored.uid));
            put("title", value!(authored.title));
            put("version", value!(authored.version));
            put("status", value!(path.status));
            put("origin", value!(authored.origin));
            put("commit", value!(world.commit));
            put("category", value!(authored.category));
            put("purpose", value!(authored.purpose));
            put("last_verified", value!(authored.last_verified));
            let mut by_class: BTreeMap<SourceClass, usize> = BTreeMap::new();
            for source in &authored.sources {
                *by_class.entry(source.source_class).or_default() += 1;
            }
            put("sources_summary", value!({"count": authored.sources.len(), "by_class": by_class}));
            counted(facts, "path", path.id(), standing, &mut newest, &mut entry);
            Value::Object(entry)
        })
        .collect();
    rollup(PATHS_VERSION, newest, "paths", paths)
}

/// Verdicts of the current cohort and concerns; nothing where nobody counted.
fn counted(
    facts: &Facts,
    target_type: &str,
    id: &str,
    standing: Option<&Standing>,
    newest: &mut Option<String>,
    entry: &mut Map<String, Value>,
) {
    let Some(standing) = standing else { return };
    let cohort = &standing.cohort;
    for time in std::iter::once(&cohort.cohort_started_at).chain(&cohort.last_validation_at) {
        if !time.is_empty() && newest.as_ref().is_none_or(|newest| newest < time) {
            *newest = Some(time.clone());
        }
    }
    let validation = value!({
        "confirms": cohort.affirms,
        "rejects": cohort.rejects,
        "distinct_ips": cohort.distinct_ips,
        "cohort_started_at": cohort.cohort_started_at,
    });
    let concerns = facts.concerns.get(&format!("{target_type}:{id}")).copied().unwrap_or_default();
    let activity = value!({"total_concerns": concerns.total, "concerns_30d": concerns.last_30_days});
    entry.insert("validation".to_owned(), validation);
    entry.insert("activity".to_owned(), activity);
}

fn rollup(version: u32, newest: Option<String>, name: &str, entries: Vec<Value>) -> String {
    let mut file = Map::new();
    file.insert("schema_version".to_owned(), value!(version));
    if let Some(newest) = newest {
        file.insert("generated_at".to_owned(), value!(newest));
    }
    file.insert(name.to_owned(), Value::Array(entries));
    json(&file)
}
