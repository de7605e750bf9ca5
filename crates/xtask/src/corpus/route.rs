//! `paths/index.json`: every path of the plan, keyed by id.
//!
//! 1. An entry is the plan's name and status with texts in four languages, themes and sources.
//! 2. The catalogue's version line is that of its highest entry; deprecated ones do not count.

use serde_json::{Map, Value, json};

use super::dates;
use super::plan::{Plan, Status, stream};
use super::rng::Rng;
use super::source::sources;

const THEMES: &[&str] = &[
    "identity-civil-status",
    "residency-and-immigration",
    "family",
    "housing-and-property",
    "mobility-and-vehicles",
    "work-and-self-employment",
    "social-protection-and-pensions",
    "health-and-care",
    "education-and-training",
    "taxation-and-finance",
    "justice-and-civic-life",
    "environment-and-energy",
];

const PURPOSES: &[&str] = &["submission", "preparation", "check-only", "informational", "tool"];

/// The whole file.
pub fn index_file(plan: &Plan) -> serde_json::Result<String> {
    let mut paths = Map::new();
    for index in 0..plan.routes.len() {
        paths.insert(plan.routes[index].id.clone(), entry(plan, index));
    }
    let file = json!({
        "schema_version": 1, "version": version(plan),
        "generated_at": "2026-05-28T12:00:00Z", "paths": paths,
    });
    Ok(serde_json::to_string_pretty(&file)? + "\n")
}

fn version(plan: &Plan) -> &'static str {
    let any = |status| plan.routes.iter().any(|route| route.status == status);
    if any(Status::Stable) {
        "1.0.0"
    } else if any(Status::Beta) {
        "0.2.0"
    } else {
        "0.1.0"
    }
}

fn entry(plan: &Plan, index: usize) -> Value {
    let route = &plan.routes[index];
    let mut rng = Rng::stream(plan.seed, stream::SOURCES, index);
    let title = &route.title;
    let theme = rng.below(THEMES.len() - 1);
    let themes = &THEMES[theme..=theme + rng.below(2)];
    let purpose = rng.pick(PURPOSES);
    let output = json!([{"name": route.id.replace('-', "_"), "type": "document_artefact"}]);
    let related: Vec<_> = route.related.iter().map(|skill| &plan.skills[*skill].id).collect();
    let mut entry = json!({
        "id": route.id,
        "uid": format!("pth-{:05}", index + 1),
        "title": {"fr": format!("Démarche {}", index + 1), "nl": format!("Stap {}", index + 1),
                  "de": format!("Schritt {}", index + 1), "en": title},
        "description": {
            "fr": format!("Données générées : démarche {} du répertoire.", index + 1),
            "nl": format!("Gegenereerde gegevens: stap {} van de lijst.", index + 1),
            "de": format!("Erzeugte Daten: Schritt {} des Verzeichnisses.", index + 1),
            "en": format!("Generated data: {title}.")},
        "themes": themes,
        "authority_id": rng.pick(super::data::AUTHORITIES).0,
        "schema_version": 1,
        "version": route.status.version(&mut rng),
        "status": route.status.name(),
        "origin": if rng.chance(60) { "be-civic" } else { "community" },
        "category": "belgium-federal",
        "purpose": purpose,
        "applies_to": {"residency_status": ["registered", "EU-citizen", "non-EU-permit"],
                       "audience_summary": "anyone registered at a Belgian address"},
        "outputs": if purpose == "tool" { json!([]) } else { output },
        "sources": sources(index, &route.id, &mut rng),
        "related_skills": related,
        "last_verified": dates::day(&mut rng),
    });
    let successor = plan.routes.iter().find(|other| other.status != Status::Deprecated);
    if let (Status::Deprecated, Some(successor)) = (route.status, successor) {
        entry["superseded_by"] = successor.id.as_str().into();
    }
    entry
}
