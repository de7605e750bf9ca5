//! `/agents/manifest.json` (§13.1): what an agent loads once per session. Everything in it comes from the tables that the
//! checks themselves run on: capabilities, schemas, contracts; routes and limits from whoever serves.

use super::json;
use crate::facts::{Api, Facts};
use crate::world::World;
use becivic_core::capability;
use becivic_core::schema::Schema;
use becivic_core::skill::FALLBACK;
use becivic_core::submission::Kind;
use becivic_core::vocabulary::Capability;
use serde_json::{Map, Value, json as value};

/// The version of this shape.
const VERSION: u32 = 1;

/// Fields of an envelope that belong to one request; the others are settled when a session starts.
const OF_ONE_REQUEST: &[&str] = &["schema_version", "submitted_at", "mode", "items"];

/// The file.
pub fn text(world: &World<'_>, facts: &Facts) -> String {
    let api = facts.api.as_ref();
    let mut manifest = value!({
        "schema_version": VERSION,
        "name": "Be Civic",
        "base": world.base,
        "corpus_commit": world.commit,
        "licence": "CC-BY-4.0",
        "read_first": "/agents",
        "llms_txt": "/llms.txt",
        "routing_floor": FALLBACK,
        "session_start": session_start(),
        "capabilities": Capability::ALL,
        "submissions": Kind::ALL.iter().map(|kind| submission(world, api, *kind)).collect::<Vec<_>>(),
        "submission_contract": contracts(world),
        "scrub_rules": "/scrub-rules.json",
        "schemas": schemas(),
        "retry": retry(),
    });
    let more = api.into_iter().flat_map(|api| of_server(world, api));
    if let Some(manifest) = manifest.as_object_mut() {
        manifest.extend(more);
    }
    json(&manifest)
}

/// What to load, in this order, and what every request of the session will declare.
fn session_start() -> Value {
    let envelope: Value = serde_json::from_str(Schema::FeedbackEnvelope.text()).unwrap_or_default();
    let required = envelope.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let settled = |field: &Value| field.as_str().is_some_and(|field| !OF_ONE_REQUEST.contains(&field));
    value!({
        "load": ["/agents", "/scrub-rules.json", "/api/skill-graph", "/api/paths"],
        "without_scrub_rules": "send nothing",
        "required_fields": required.into_iter().filter(settled).collect::<Vec<_>>(),
    })
}

/// One type: where it goes, what it looks like, what an agent must be able to do for each target (§6.7).
fn submission(world: &World<'_>, api: Option<&Api>, kind: Kind) -> Value {
    let schema = schema_address(kind.schema());
    let endpoints = api.into_iter().flat_map(|api| &api.endpoints);
    let sends = |method: &str, of: &Option<String>| method == "POST" && of.as_ref() == Some(&schema);
    let endpoint = endpoints.filter(|it| sends(&it.method, &it.schema)).map(|it| it.path.as_str()).next();
    let page = format!("/agents/submit/{kind}");
    let mut requires = Map::new();
    for target in kind.targets() {
        requires.insert(target.to_string(), value!(capability::required(kind, Some(*target))));
    }
    if kind.targets().is_empty() {
        requires.insert("any".to_owned(), value!(capability::required(kind, None)));
    }
    let mut shown = value!({
        "type": kind,
        "schema": schema,
        "id_field": kind.id_field(),
        "id_prefix": kind.id_prefix(),
        "requires_capabilities": requires,
    });
    if let Some(shown) = shown.as_object_mut() {
        shown.extend(endpoint.map(|path| ("endpoint".to_owned(), value!(path))));
        let page = world.corpus.pages.contains_key(&page).then_some(page);
        shown.extend(page.map(|page| ("page".to_owned(), value!(page))));
    }
    shown
}

fn contracts(world: &World<'_>) -> Vec<Value> {
    let contract = |(major, versions): (&u64, &Vec<String>)| value!({"versions": versions, "page": format!("/docs/submission-contract-v{major}")});
    world.corpus.contracts.iter().map(contract).collect()
}

fn schemas() -> Map<String, Value> {
    Schema::ALL.iter().map(|schema| (schema.name().to_owned(), value!(schema_address(*schema)))).collect()
}

fn schema_address(schema: Schema) -> String {
    format!("/schemas/{}.schema.json", schema.name())
}

/// When a request may be sent again, and how (DECISIONS §7; `/agents/feedback-template#retries`).
fn retry() -> Value {
    value!({
        "statuses": [429, 503],
        "wait": "the seconds in Retry-After or retry_after; otherwise the backoff",
        "backoff": {"first_seconds": 60, "factor": 2, "longest_seconds": 3600, "jitter": true},
        "same_id": true,
        "other_refusals": "are not sent again unchanged",
        "about": "/agents/feedback-template#retries",
    })
}

/// What only whoever serves knows.
fn of_server(world: &World<'_>, api: &Api) -> Vec<(String, Value)> {
    let mut limits = Map::new();
    limits.insert("body_bytes".to_owned(), value!(api.body_limit));
    limits.extend(api.limits.iter().map(|(name, limit)| (name.clone(), value!(limit))));
    let mut known = vec![
        ("openapi".to_owned(), value!("/openapi.json")),
        ("staging_window_hours".to_owned(), value!(api.staging_window_hours)),
        ("limits".to_owned(), Value::Object(limits)),
        ("endpoints".to_owned(), value!(api.endpoints)),
    ];
    if !api.tools.is_empty() {
        let url = format!("{}/mcp", world.base);
        known.push((
            "mcp".to_owned(),
            value!({"url": url, "transport": "streamable-http", "tools": api.tools}),
        ));
    }
    known
}
