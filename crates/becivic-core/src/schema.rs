//! The JSON Schemas of `corpus/schemas/`, compiled into the binary, and their errors in plain words.
//!
//! 1. Every schema file is embedded; relative `$ref`s resolve among them and nowhere else.
//! 2. A validator is compiled once, on first use.
//! 3. Each error becomes a JSON pointer, a sentence, and what to do (`schema/sentence.rs`). Values from
//!    the instance never appear in the sentence; caps and allowed words, which come from the schema, do.
//! 4. An instance has at most [`MAX_VIOLATIONS`]; of a very large one only the first is described, because
//!    the validator collects all errors before it hands out one.

mod alone;
mod sentence;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Registry, ValidationError, Validator};
use serde_json::Value;
use std::sync::{LazyLock, OnceLock};

macro_rules! schemas {
    ($($(#[$doc:meta])* $variant:ident = $name:literal),+ $(,)?) => {
        /// A data shape with a schema of its own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Schema { $($(#[$doc])* $variant),+ }

        impl Schema {
            /// Every schema.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name: `concern` for `concern.schema.json`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// The schema's text.
            pub fn text(self) -> &'static str {
                match self { $(Self::$variant => include_str!(concat!("../../../corpus/schemas/", $name, ".schema.json"))),+ }
            }
        }
    };
}

schemas! {
    /// Shared definitions.
    Common = "common",
    /// Skill frontmatter.
    Skill = "skill",
    /// A concern.
    Concern = "concern",
    /// An amendment.
    Amendment = "amendment",
    /// A validation.
    Validation = "validation",
    /// A draft.
    Draft = "draft",
    /// Feedback on Be Civic itself.
    Feedback = "feedback",
    /// A rating.
    Rating = "rating",
    /// An analytics event.
    Analytics = "analytics",
    /// Several submissions in one request.
    FeedbackEnvelope = "feedback-envelope",
    /// A path entry.
    Path = "path",
    /// A source of a path.
    PathSource = "path-source",
    /// `paths/index.json`.
    PathsIndex = "paths-index",
    /// The person's profile.
    Profile = "profile",
    /// `data/communes.json`.
    Communes = "communes",
    /// `data/authorities.json`.
    Authorities = "authorities",
    /// `data/synonyms.json`.
    Synonyms = "synonyms",
    /// `agents/triggers.json`.
    Triggers = "triggers",
    /// `redirects.json`.
    Redirects = "redirects",
    /// The frontmatter of a page.
    Page = "page",
    /// `scrub/regex-rules.json`.
    RegexRules = "regex-rules",
    /// The answer of the skill graph.
    SkillGraph = "skill-graph",
    /// A line of `catalogue/volatile-values.jsonl`.
    VolatileValue = "volatile-value",
    /// A line of `catalogue/references.jsonl`.
    Reference = "reference",
}

/// More violations than this are not described: one more than anyone is shown.
pub const MAX_VIOLATIONS: usize = 1_001;

/// An instance that may have more errors than this is very large: collecting them takes about 150 MB. (A
/// paths index of 1,000 entries stays below.)
const VERY_LARGE: usize = 300_000;

/// Fields that an object may lack, roughly: the shapes in lists require up to nine.
const REQUIRED: usize = 8;

/// One violation of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Where, as a JSON pointer. For a missing or unexpected field, the object it is missing from or
    /// in.
    pub pointer: String,
    /// The keyword that failed, e.g. `maxLength`.
    pub keyword: String,
    /// The field that is missing or should not be there.
    pub field: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl Violation {
    /// The pointer of the offending field itself.
    pub fn field_pointer(&self) -> String {
        match &self.field {
            None => self.pointer.clone(),
            Some(field) => {
                let escaped = field.replace('~', "~0").replace('/', "~1");
                format!("{}/{escaped}", self.pointer)
            }
        }
    }
}

impl Schema {
    /// Validates an instance; no violations means it fits. Quick when it does, and bounded when not.
    pub fn violations(self, instance: &Value) -> Vec<Violation> {
        let Some(validator) = self.validator() else {
            return Vec::new();
        };
        if validator.is_valid(instance) {
            return Vec::new();
        }
        if may_have_more_errors_than(instance, &mut { VERY_LARGE }) {
            return validator.validate(instance).err().map_or_else(Vec::new, |error| describe(&error));
        }
        validator.iter_errors(instance).flat_map(|error| describe(&error)).take(MAX_VIOLATIONS).collect()
    }

    /// Whether an instance fits.
    pub fn accepts(self, instance: &Value) -> bool {
        self.validator().is_some_and(|validator| validator.is_valid(instance))
    }

    fn validator(self) -> Option<&'static Validator> {
        let cell = VALIDATORS.get(self as usize)?;
        Some(cell.get_or_init(|| compile(self)))
    }

    /// The schema with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|schema| schema.name() == name)
    }
}

fn uri(schema: Schema) -> String {
    format!("https://becivic.be/schemas/{}.schema.json", schema.name())
}

static REGISTRY: LazyLock<Registry<'static>> = LazyLock::new(|| {
    let resources = Schema::ALL.iter().map(|schema| {
        let value: Value = serde_json::from_str(schema.text()).unwrap_or_default();
        (uri(*schema), value)
    });
    Registry::new()
        .extend(resources)
        .and_then(jsonschema::RegistryBuilder::prepare)
        .expect("a test compiles every embedded schema")
});

/// One compiled validator per schema, made when it is first needed.
static VALIDATORS: [OnceLock<Validator>; Schema::ALL.len()] = [const { OnceLock::new() }; Schema::ALL.len()];

fn compile(schema: Schema) -> Validator {
    let reference = serde_json::json!({ "$ref": uri(schema) });
    jsonschema::options()
        .offline()
        .with_registry(&REGISTRY)
        .build(&reference)
        .expect("a test compiles every embedded schema")
}

/// Whether a value may have more errors than are left to count: one per value, and one more per field that
/// a small object may lack.
fn may_have_more_errors_than(value: &Value, left: &mut usize) -> bool {
    let lacking = value.as_object().map_or(0, |fields| REQUIRED.saturating_sub(fields.len()));
    let Some(fewer) = left.checked_sub(1 + lacking) else {
        return true;
    };
    *left = fewer;
    match value {
        Value::Array(items) => items.iter().any(|item| may_have_more_errors_than(item, left)),
        Value::Object(fields) => fields.values().any(|field| may_have_more_errors_than(field, left)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// One error of the validator, as violations: one per unexpected field, one for anything else.
fn describe(error: &ValidationError<'_>) -> Vec<Violation> {
    let pointer = error.instance_path().as_str().to_owned();
    let one = |field: Option<String>, message: String, help: String| Violation {
        pointer: pointer.clone(),
        keyword: error.kind().keyword().to_owned(),
        field,
        message,
        help,
    };
    let at = place(&pointer);
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => unexpected
            .iter()
            .take(MAX_VIOLATIONS)
            .map(|field| {
                let shown: String = field.chars().take(60).collect();
                let message = format!("{at} has no field `{shown}`");
                one(
                    Some(field.clone()),
                    message,
                    "Remove it, or check its spelling against the schema.".into(),
                )
            })
            .collect(),
        ValidationErrorKind::Required { property } => {
            let field = property.as_str().unwrap_or_default().to_owned();
            let message = format!("{at} lacks the required field `{field}`");
            let help = format!("Add `{field}`.");
            vec![one(Some(field), message, help)]
        }
        _ => {
            let (message, help) = sentence::of(error, &at);
            vec![one(None, message, help)]
        }
    }
}

fn place(pointer: &str) -> String {
    if pointer.is_empty() {
        "the document".to_owned()
    } else {
        let shown: String = pointer.trim_start_matches('/').replace('/', ".").chars().take(120).collect();
        format!("`{shown}`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_schema_compiles_and_refuses_nonsense() {
        for schema in Schema::ALL {
            let parsed: Value = serde_json::from_str(schema.text()).expect("schema is JSON");
            assert_eq!(parsed["$id"], json!(uri(*schema)));
            if *schema != Schema::Common {
                assert!(!schema.accepts(&json!(17)), "{}", schema.name());
            }
        }
    }

    #[test]
    fn violations_name_the_place_and_what_to_do() {
        let violations = Schema::Skill.violations(&json!({"id": "x", "colour": "red"}));
        let extra = violations.iter().find(|v| v.keyword == "additionalProperties").expect("reported");
        assert_eq!(extra.field_pointer(), "/colour");
        assert!(violations.iter().any(|v| v.message.contains("lacks the required field `title`")));
    }

    #[test]
    fn violations_are_bounded() {
        let keys: serde_json::Map<String, Value> =
            (0..100_000).map(|n| (format!("k{n}"), json!(1))).collect();
        let unknown = Schema::Communes.violations(&Value::Object(keys));
        assert_eq!(unknown.len(), MAX_VIOLATIONS);

        let million = json!({"communes": vec![json!(1); 1_000_000]});
        let violations = Schema::Communes.violations(&million);
        assert!((1..=MAX_VIOLATIONS).contains(&violations.len()), "{}", violations.len());
        let many = json!({"communes": vec![json!(1); 100_000]});
        assert_eq!(Schema::Communes.violations(&many).len(), MAX_VIOLATIONS);
    }

    #[test]
    fn text_refuses_what_a_body_refuses() {
        let validator = |name: &str| {
            let reference = json!({ "$ref": format!("{}#/$defs/{name}", uri(Schema::Common)) });
            jsonschema::options().offline().with_registry(&REGISTRY).build(&reference).expect("a definition")
        };
        let (plain, lines, diff) =
            (validator("plain_text"), validator("multiline_text"), validator("diff_text"));
        let characters = ('\u{0}'..='\u{1ffff}').chain('\u{dff00}'..='\u{e01ff}');
        for character in characters {
            let allowed = crate::mdx::inert::allowed(character);
            let text = json!(character.to_string());
            let at = u32::from(character);
            assert_eq!(plain.is_valid(&text), allowed && !matches!(character, '\t' | '\n'), "U+{at:04X}");
            assert_eq!(lines.is_valid(&text), allowed && character != '\t', "U+{at:04X}");
            assert_eq!(diff.is_valid(&text), allowed, "U+{at:04X}");
        }
    }
}
