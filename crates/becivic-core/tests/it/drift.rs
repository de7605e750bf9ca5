//! Schemas and Rust types say the same.
//!
//! 1. Every valid fixture of a schema with a Rust type is the start of many instances: each field dropped,
//!    lenient, of another type, with a wrong word, too long, emptied; each object with one field more.
//! 2. Whatever the schema accepts, the type reads, and writes back as an equal value.
//! 3. What the schema refuses only for plain reasons (an unknown field, a missing one, a wrong type or
//!    word, outside conditional branches), the type refuses too. The one branch that counts as plain is
//!    the one by which `target_type` or `event_type` chooses the shape of `content`. Two habits of serde are let pass, since
//!    neither brings the refused value back: a null is read as the absence of an optional field, and a
//!    list as the fields of a struct in order.

use crate::{folders, json_files, read_json, shown};
use becivic_core::authorities::Authorities;
use becivic_core::communes::Communes;
use becivic_core::corpus::PageFront;
use becivic_core::json;
use becivic_core::path::{PathEntry, PathSource, PathsIndex};
use becivic_core::profile::Profile;
use becivic_core::redirects::Redirect;
use becivic_core::schema::Schema;
use becivic_core::scrub_rules::ScrubRules;
use becivic_core::search::SynonymTable;
use becivic_core::skill::Frontmatter;
use becivic_core::skill_graph::SkillGraph;
use becivic_core::submission::{
    Amendment, Analytics, Concern, Draft, Envelope, Feedback, Rating, Validation,
};
use becivic_core::triggers::Triggers;
use jsonschema::{Registry, Validator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

type Through = fn(&Value) -> Option<Value>;

/// Reads a value as a type and writes it again.
fn through<T: DeserializeOwned + Serialize>(value: &Value) -> Option<Value> {
    let read = T::deserialize(value).ok()?;
    serde_json::to_value(read).ok()
}

fn rust_type(schema: Schema) -> Option<Through> {
    Some(match schema {
        Schema::Skill => through::<Frontmatter>,
        Schema::Concern => through::<Concern>,
        Schema::Amendment => through::<Amendment>,
        Schema::Validation => through::<Validation>,
        Schema::Draft => through::<Draft>,
        Schema::Feedback => through::<Feedback>,
        Schema::Rating => through::<Rating>,
        Schema::Analytics => through::<Analytics>,
        Schema::FeedbackEnvelope => through::<Envelope>,
        Schema::Path => through::<PathEntry>,
        Schema::PathSource => through::<PathSource>,
        Schema::PathsIndex => through::<PathsIndex>,
        Schema::Profile => through::<Profile>,
        Schema::Communes => through::<Communes>,
        Schema::Authorities => through::<Authorities>,
        Schema::Synonyms => through::<SynonymTable>,
        Schema::RegexRules => through::<ScrubRules>,
        Schema::Triggers => through::<Triggers>,
        Schema::Redirects => through::<Vec<Redirect>>,
        Schema::Page => through::<PageFront>,
        Schema::SkillGraph => through::<SkillGraph>,
        Schema::Common | Schema::VolatileValue | Schema::Reference => return None,
    })
}

#[test]
fn schemas_and_types_agree() {
    let registry = registry();
    let mut wrong = Vec::new();
    let mut counts = [0_usize; 3];
    for (folder, schema) in folders() {
        let read = rust_type(schema).expect("every fixture folder has a type");
        let validator = validator(schema, &registry);
        for file in json_files(&folder.join("valid")) {
            let start = read_json(&file);
            for instance in std::iter::once(Instance::whole(&start)).chain(mutations(&start)) {
                let value = as_read(&instance);
                let back = read(&value);
                let verdict = judge(&validator, schema, &instance);
                let fine = match verdict {
                    Verdict::Accepted => back.as_ref() == Some(&value),
                    Verdict::RefusedPlainly => {
                        back.is_none() || (instance.lenient && back.as_ref() != Some(&instance.value))
                    }
                    Verdict::RefusedOtherwise => true,
                };
                counts[verdict as usize] += 1;
                if !fine && !is_loose(schema, &instance) {
                    let reading = if back.is_some() { "read" } else { "not read" };
                    wrong.push(format!("{} {}: {verdict:?}, {reading}", shown(&file), instance.what));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(counts.iter().all(|count| *count > 1_000), "{counts:?}");
}

/// Instances with an integral float come through our reader, which makes integers of them.
fn as_read(instance: &Instance) -> Value {
    if !instance.what.starts_with(INTEGRAL) {
        return instance.value.clone();
    }
    json::read(&instance.value.to_string()).expect("JSON").to_value()
}

/// The mutation that writes 60 as 60.0: an integer to a schema.
const INTEGRAL: &str = "integral float";

/// Where the Rust type is looser on purpose.
fn is_loose(schema: Schema, Instance { what, .. }: &Instance) -> bool {
    // Predicates keep their field as written, because old spellings are still read.
    let predicate_field = what.contains("/predicates/") && what.ends_with("/field");
    // A proposed entry has no uid yet.
    let no_uid = what.starts_with("drop ") && what.ends_with("/uid");
    // The axes of a path's applies_to are only prompts.
    let prompts = what.contains("/applies_to");
    match schema {
        Schema::PathSource | Schema::Amendment => predicate_field,
        Schema::Path | Schema::PathsIndex => predicate_field || no_uid || prompts,
        Schema::Draft => predicate_field || prompts && what.contains("/entry/"),
        _ => false,
    }
}

struct Instance {
    what: String,
    value: Value,
    lenient: bool,
}

impl Instance {
    fn whole(value: &Value) -> Self {
        Self { what: "as it is".to_owned(), value: value.clone(), lenient: false }
    }
}

/// Every mutation of a document.
fn mutations(start: &Value) -> Vec<Instance> {
    let mut places = Vec::new();
    collect(start, String::new(), &mut places);
    let mut instances = Vec::new();
    for pointer in &places {
        let here = start.pointer(pointer).expect("a place of the document");
        let mut replace = |what: &str, with: Value| {
            let mut value = start.clone();
            *value.pointer_mut(pointer).expect("the same place") = with;
            let lenient = what == "null" || what == "list for object";
            instances.push(Instance { what: format!("{what} {pointer}"), value, lenient });
        };
        replace("null", Value::Null);
        match here {
            Value::String(_) => {
                replace("number", json!(17));
                replace("list", json!(["x"]));
                replace("wrong word", json!("wrong word zz"));
                replace("kebab word", json!("wrong-word-zz"));
                replace("long", json!("a".repeat(5_000)));
                replace("empty", json!(""));
            }
            Value::Number(_) => {
                replace("word", json!("seven"));
                replace("flag", json!(true));
                replace("fraction", json!(1.5));
                if let Some(whole) = here.as_i64() {
                    replace(INTEGRAL, json!(whole as f64));
                }
            }
            Value::Bool(flag) => {
                replace("word", json!("yes"));
                replace("flipped", json!(!flag));
            }
            Value::Array(_) => {
                replace("empty", json!([]));
                replace("object", json!({"zz": 1}));
                replace("word", json!("zz"));
            }
            Value::Object(fields) => {
                replace("list for object", json!([]));
                replace("word", json!("zz"));
                let mut more = fields.clone();
                more.insert("zz_unknown".to_owned(), json!(1));
                replace("unknown field", Value::Object(more));
            }
            Value::Null => replace("number", json!(17)),
        }
        instances.extend(dropped(start, pointer));
    }
    instances
}

fn dropped(start: &Value, pointer: &str) -> Option<Instance> {
    let (parent, name) = pointer.rsplit_once('/')?;
    let mut value = start.clone();
    match value.pointer_mut(parent)? {
        Value::Object(fields) => fields.remove(&name.replace("~1", "/").replace("~0", "~"))?,
        _ => return None,
    };
    Some(Instance { what: format!("drop {pointer}"), value, lenient: false })
}

/// The pointers of everything in a document; of long lists only the first entries, which are alike.
fn collect(value: &Value, pointer: String, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let name = name.replace('~', "~0").replace('/', "~1");
                collect(inner, format!("{pointer}/{name}"), places);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().take(3).enumerate() {
                collect(inner, format!("{pointer}/{index}"), places);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    places.push(pointer);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Accepted,
    RefusedPlainly,
    RefusedOtherwise,
}

fn judge(validator: &Validator, schema: Schema, instance: &Instance) -> Verdict {
    if validator.is_valid(&instance.value) {
        return Verdict::Accepted;
    }
    let dispatches =
        matches!(schema, Schema::Concern | Schema::Amendment | Schema::Draft | Schema::Analytics);
    let plainly = validator.iter_errors(&instance.value).all(|error| {
        let path = error.evaluation_path();
        let parts = path.as_str().split('/');
        let branches = parts.filter(|part| matches!(*part, "if" | "then" | "else")).count();
        let in_content = dispatches && error.instance_path().as_str().starts_with("/content");
        let keyword = error.kind().keyword();
        branches <= usize::from(in_content)
            && matches!(keyword, "additionalProperties" | "required" | "type" | "enum")
    });
    if plainly { Verdict::RefusedPlainly } else { Verdict::RefusedOtherwise }
}

fn registry() -> Registry<'static> {
    let resources = Schema::ALL.iter().map(|schema| {
        let value: Value = serde_json::from_str(schema.text()).expect("JSON");
        (uri(*schema), value)
    });
    let builder = Registry::new().extend(resources).expect("schemas");
    builder.prepare().expect("schemas refer to each other only")
}

fn validator(schema: Schema, registry: &Registry<'static>) -> Validator {
    let options = jsonschema::options().offline().with_registry(registry);
    options.build(&json!({ "$ref": uri(schema) })).expect("a schema that compiles")
}

fn uri(schema: Schema) -> String {
    format!("https://becivic.be/schemas/{}.schema.json", schema.name())
}
