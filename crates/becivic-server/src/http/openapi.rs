//! `/openapi.json` (3.1), made from the list of routes, and the schemas it refers to.

use super::answer::{Answer, Cache};
use super::ask::Ask;
use super::routes::{Auth, ROUTES, Route};
use crate::rejection::{Category, Rejection};
use axum::http::StatusCode;
use becivic_core::schema::Schema;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The document.
pub async fn show(_: Ask) -> Answer {
    Answer::json(StatusCode::OK, document(), Cache::Minute)
}

/// The file of hosts that may be cited.
const SOURCE_CLASSES: &str = "source-classes.json";

/// The hosts, by what a citation of them is worth, as they are looked up.
fn source_classes(ask: &Ask) -> Answer {
    let served = ask.app.served();
    let classes = served.files().corpus.source_classes.as_ref().map(serde_json::to_value);
    match classes {
        Some(Ok(classes)) => Answer::json(StatusCode::OK, classes, Cache::Minute),
        Some(Err(_)) | None => Answer::refused(&Rejection::new(Category::NotFound)),
    }
}

/// A schema file.
pub async fn schema(ask: Ask) -> Answer {
    let file = ask.param("file");
    if file == SOURCE_CLASSES {
        return source_classes(&ask);
    }
    let found = Schema::ALL.iter().find(|schema| file.strip_suffix(".schema.json") == Some(schema.name()));
    match found {
        Some(schema) => Answer::text(StatusCode::OK, schema.text(), "application/schema+json", Cache::Minute),
        None => Answer::refused(&Rejection::new(Category::NotFound)),
    }
}

/// The scrub rules, as everybody runs them.
pub async fn scrub_rules(_: Ask) -> Answer {
    Answer::text(StatusCode::OK, becivic_core::scrub::BUNDLED, "application/json", Cache::Minute)
}

/// The document as JSON.
pub fn document() -> Value {
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    // Pages for people are no interface for programs: they promise nothing of their forms and their text.
    for route in ROUTES.iter().filter(|route| route.auth != Auth::Session) {
        let method = route.method.as_str().to_ascii_lowercase();
        paths.entry(route.path.as_str()).or_default().insert(method, operation(route));
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Be Civic",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Skills, paths, values and references of Belgian administration, and the door for anonymous feedback on them. No answer holds text from a submission that was refused.",
            "license": {"name": "CC BY 4.0", "identifier": "CC-BY-4.0"},
        },
        "paths": paths,
        "components": {
            "securitySchemes": {
                "cancel_token": {"type": "http", "scheme": "bearer", "description": "The token that came with the answer to the submission."},
                "operator_token": {"type": "http", "scheme": "bearer", "description": "Made by `becivic token create`."},
                "webhook_signature": {"type": "apiKey", "in": "header", "name": "X-Hub-Signature-256", "description": "GitHub signs what it sends with the secret of the webhook."},
            },
            "schemas": {"Error": error_schema(), "NewState": new_state_schema(), "CatalogueEntry": entry_schema(), "OnboardingFormRequest": form_schema(), "ForgeEvent": {"type": "object", "description": "A delivery as GitHub documents it."}},
        },
    });
    if let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut) {
        schemas.extend(shapes_apart());
    }
    document
}

/// Whether a shape refers to parts of itself: then it stands among the components, for within an operation nothing would find them.
fn has_parts(shape: &Value) -> bool {
    shape.get("$defs").is_some()
}

fn component_of(route: &Route) -> String {
    format!("#/components/schemas/{}", operation_id(route))
}

/// Shapes that stand among the components, with their references leading there.
fn shapes_apart() -> Map<String, Value> {
    let mut apart = Map::new();
    for route in ROUTES.iter().filter(|route| route.auth != Auth::Session) {
        let Some(mut shape) = route.shape.map(|shape| shape()).filter(has_parts) else { continue };
        lead(&mut shape, &component_of(route));
        apart.insert(operation_id(route), shape);
    }
    apart
}

fn lead(part: &mut Value, to: &str) {
    match part {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value.as_str().and_then(|it| it.strip_prefix('#')).filter(|_| name == "$ref") {
                    Some(place) => *value = json!(format!("{to}{place}")),
                    None => lead(value, to),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| lead(item, to)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn error_schema() -> Value {
    let names: Vec<&str> = Category::ALL.iter().map(|category| category.as_str()).collect();
    json!({
        "type": "object",
        "required": ["error"],
        "properties": {
            "error": {"enum": names},
            "schema_pointer": {"type": "string", "description": "Where in the submission, as a JSON pointer."},
            "missing": {"type": "string"},
            "retry_after": {"type": "integer", "description": "Seconds."},
            "rule": {"type": "string", "description": "The rule of the corpus that would be broken."},
            "help": {"type": "string", "description": "What to do."},
        },
    })
}

fn new_state_schema() -> Value {
    let states = ["ner_held_for_review", "held_for_review", "released", "released_after_edit", "discarded"];
    json!({
        "type": "object",
        "required": ["state"],
        "properties": {"state": {"enum": states}},
        "additionalProperties": false,
    })
}

fn entry_schema() -> Value {
    json!({
        "type": "object",
        "required": ["type", "name"],
        "description": "A volatile value or a reference without uid, status and time, which the answer brings.",
        "properties": {"type": {"enum": ["val", "ref"]}, "name": {"type": "string"}},
    })
}

/// As the core reads it, without the name of the dialect, which is the document's.
fn form_schema() -> Value {
    let mut schema = becivic_core::form::request_schema();
    schema.as_object_mut().map(|fields| fields.remove("$schema"));
    schema
}

fn operation(route: &Route) -> Value {
    let mut operation = Map::new();
    operation.insert("summary".to_owned(), json!(route.about));
    operation.insert("operationId".to_owned(), json!(operation_id(route)));
    let mut parameters: Vec<Value> = route
        .in_path()
        .map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}))
        .collect();
    parameters.extend(route.query.iter().map(|it| {
        json!({"name": it.name, "in": "query", "required": it.required, "description": it.about, "schema": it.in_query()})
    }));
    if !parameters.is_empty() {
        operation.insert("parameters".to_owned(), Value::Array(parameters));
    }
    if let Some(name) = route.takes {
        let place = match name.strip_prefix('#') {
            Some(own) => format!("#/components/schemas/{own}"),
            None => format!("/schemas/{name}.schema.json"),
        };
        let schema = json!({"$ref": place});
        let body = json!({"required": true, "content": {"application/json": {"schema": schema}}});
        operation.insert("requestBody".to_owned(), body);
    }
    if let Some(media) = route.media {
        operation
            .insert("requestBody".to_owned(), json!({"required": true, "content": {media: {"schema": {}}}}));
    }
    match route.auth {
        Auth::Nothing | Auth::Session => {}
        Auth::CancelToken => {
            operation.insert("security".to_owned(), json!([{"cancel_token": []}]));
        }
        Auth::OperatorToken => {
            operation.insert("security".to_owned(), json!([{"operator_token": []}]));
        }
        Auth::Signature => {
            operation.insert("security".to_owned(), json!([{"webhook_signature": []}]));
        }
    }
    operation.insert("responses".to_owned(), responses(route));
    Value::Object(operation)
}

fn responses(route: &Route) -> Value {
    let mut responses = Map::new();
    for (status, about) in &route.gives {
        let mut answer = json!({"description": about});
        if let Some(shape) = route.shape {
            let shape = match shape() {
                shape if has_parts(&shape) => json!({"$ref": component_of(route)}),
                shape => shape,
            };
            answer["content"] = json!({"application/json": {"schema": shape}});
        }
        responses.insert(status.to_string(), answer);
    }
    let mut refusals: BTreeMap<u16, Vec<String>> = BTreeMap::new();
    let always = [Category::MethodNotAllowed, Category::Internal];
    for category in route.refuses.iter().chain(&always) {
        let words = format!("`{}`: {}", category.as_str(), category.about());
        refusals.entry(category.status().as_u16()).or_default().push(words);
    }
    for (status, words) in refusals {
        let schema = json!({"$ref": "#/components/schemas/Error"});
        let answer =
            json!({"description": words.join("\n\n"), "content": {"application/json": {"schema": schema}}});
        responses.insert(status.to_string(), answer);
    }
    Value::Object(responses)
}

fn operation_id(route: &Route) -> String {
    let words = route.path.split(['/', '-', '.']).filter(|part| !part.is_empty());
    let words = words.map(|part| part.trim_matches(['{', '}', '_']));
    std::iter::once(route.method.as_str().to_ascii_lowercase().as_str())
        .chain(words)
        .collect::<Vec<_>>()
        .join("_")
}
