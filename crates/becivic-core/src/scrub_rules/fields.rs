//! Whether a dotted path leads to a field of some submission.
//!
//! 1. Each submission schema is a starting place.
//! 2. A place is opened: behind a `$ref`, and in every branch of `allOf`, `if`, `then` and `else`, there
//!    may be more properties. References are followed a bounded number of times.
//! 3. A name goes to the property of that name, unless the schema says the property may not be there;
//!    `[]` goes to the entries of a list.

use crate::schema::Schema;
use crate::submission::Kind;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// References nest two or three deep in the schemas; more than this is a circle.
const MAX_REFERENCES: usize = 12;

static TEXTS: LazyLock<BTreeMap<&'static str, Value>> = LazyLock::new(|| {
    let parse = |schema: &Schema| serde_json::from_str(schema.text()).unwrap_or_default();
    Schema::ALL.iter().map(|schema| (schema.name(), parse(schema))).collect()
});

/// A part of a schema, and the file it is in (for references).
#[derive(Clone, Copy)]
struct Place {
    file: &'static str,
    schema: &'static Value,
}

/// Whether the path leads somewhere.
pub fn resolves(path: &str) -> bool {
    Kind::ALL.iter().any(|kind| {
        let file = kind.schema().name();
        let start = TEXTS.get(file).map(|schema| Place { file, schema });
        let mut places: Vec<Place> = start.into_iter().collect();
        for part in path.split('.') {
            let name = part.strip_suffix("[]").unwrap_or(part);
            places = step(&places, |schema| schema.get("properties")?.get(name));
            if name.len() < part.len() {
                places = step(&places, |schema| schema.get("items"));
            }
        }
        !places.is_empty()
    })
}

fn step(places: &[Place], into: impl Fn(&'static Value) -> Option<&'static Value>) -> Vec<Place> {
    let mut opened = Vec::new();
    for place in places {
        open(*place, 0, &mut opened);
    }
    opened
        .into_iter()
        .filter_map(|place| into(place.schema).map(|schema| Place { schema, ..place }))
        .filter(|place| *place.schema != Value::Bool(false))
        .collect()
}

fn open(place: Place, references: usize, opened: &mut Vec<Place>) {
    opened.push(place);
    if let Some(target) =
        place.schema.get("$ref").and_then(Value::as_str).and_then(|to| follow(place.file, to))
        && references < MAX_REFERENCES
    {
        open(target, references + 1, opened);
    }
    for keyword in ["if", "then", "else"] {
        if let Some(schema) = place.schema.get(keyword) {
            open(Place { schema, ..place }, references, opened);
        }
    }
    for schema in place.schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        open(Place { schema, ..place }, references, opened);
    }
}

fn follow(file: &'static str, reference: &str) -> Option<Place> {
    let (name, pointer) = reference.split_once('#').unwrap_or((reference, ""));
    let (file, text) = match name.strip_suffix(".schema.json") {
        Some(other) => TEXTS.get_key_value(other)?,
        None => TEXTS.get_key_value(file)?,
    };
    Some(Place { file, schema: text.pointer(pointer)? })
}

#[cfg(test)]
mod tests {
    use super::resolves;

    #[test]
    fn paths_lead_into_branches_references_and_lists() {
        for good in [
            "rationale",
            "content.body",
            "content.observed_value",
            "context.commune",
            "provenance.research_notes_markdown",
            "provenance.research_sources[].claim",
            "content.frontmatter.title",
            "content.entry.sources[].procedure.steps[]",
            "content.source_add.actor.handoff.resumption",
            "would_be_5_stars",
        ] {
            assert!(resolves(good), "{good}");
        }
        for bad in [
            "",
            "nothing",
            "content.nothing",
            "submitter_name",
            "provenance.research_sources.claim",
            "rationale[]",
            "content.body.x",
        ] {
            assert!(!resolves(bad), "{bad}");
        }
    }
}
