//! The JSON Schemas of `corpus/schemas/`, compiled into the binary, and their errors in plain words.
//!
//! 1. Every schema file is embedded; relative `$ref`s resolve among them and nowhere else.
//! 2. A validator is compiled once, on first use.
//! 3. Each error becomes a JSON pointer, a sentence, and what to do. Values from the instance never
//!    appear in the sentence; caps and allowed words, which come from the schema, do.

use jsonschema::error::{TypeKind, ValidationErrorKind};
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
    /// `scrub/regex-rules.json`.
    RegexRules = "regex-rules",
    /// The answer of the skill graph.
    SkillGraph = "skill-graph",
    /// A line of `catalogue/volatile-values.jsonl`.
    VolatileValue = "volatile-value",
    /// A line of `catalogue/references.jsonl`.
    Reference = "reference",
}

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
    /// Validates an instance; no violations means it fits. Quick when it does.
    pub fn violations(self, instance: &Value) -> Vec<Violation> {
        let Some(validator) = self.validator() else {
            return Vec::new();
        };
        if validator.is_valid(instance) {
            return Vec::new();
        }
        validator.iter_errors(instance).flat_map(|error| describe(&error)).collect()
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
        kind => {
            let (message, help) = sentence(kind, &at);
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

fn sentence(kind: &ValidationErrorKind, at: &str) -> (String, String) {
    use ValidationErrorKind as K;
    let (message, help): (String, String) = match kind {
        K::FalseSchema => (format!("{at} is not allowed here"), "Remove the field.".into()),
        K::Constant { expected_value } => {
            (format!("{at} has the wrong value"), format!("It must be {expected_value}."))
        }
        K::Enum { options } => {
            let words: Vec<String> = options.as_array().into_iter().flatten().map(word).collect();
            (format!("{at} is none of the allowed values"), format!("Use one of: {}.", words.join(", ")))
        }
        K::Type { kind } => {
            (format!("{at} has the wrong type"), format!("It must be of type {}.", type_name(kind)))
        }
        K::MaxLength { limit } => (format!("{at} is too long"), format!("Keep it to {limit} characters.")),
        K::MinLength { limit } => {
            (format!("{at} is too short"), format!("Give it at least {limit} characters."))
        }
        K::MaxItems { limit } => {
            (format!("{at} has too many entries"), format!("At most {limit} are allowed."))
        }
        K::MinItems { limit } => {
            (format!("{at} has too few entries"), format!("At least {limit} are needed."))
        }
        K::MaxProperties { limit } => {
            (format!("{at} has too many fields"), format!("At most {limit} are allowed."))
        }
        K::MinProperties { limit } => {
            (format!("{at} has too few fields"), format!("At least {limit} are needed."))
        }
        K::Minimum { limit } => (format!("{at} is too small"), format!("It must be at least {limit}.")),
        K::Maximum { limit } => (format!("{at} is too large"), format!("It must be at most {limit}.")),
        K::Pattern { pattern } => {
            (format!("{at} is not written in the expected form"), format!("It must match {pattern}"))
        }
        K::UniqueItems => (format!("{at} holds the same entry twice"), "Remove the repetition.".into()),
        K::Contains | K::Not { .. } => (
            format!("{at} lacks an entry its kind requires"),
            "Compare it with the schema's list for this kind.".into(),
        ),
        K::PropertyNames { .. } => {
            (format!("{at} has a field whose name is not allowed"), "Rename or remove it.".into())
        }
        other => (
            format!("{at} does not fit the schema ({})", other.keyword()),
            "Compare it with the schema.".into(),
        ),
    };
    (message, help)
}

fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn type_name(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => kind.to_string(),
        TypeKind::Multiple(kinds) => {
            let names: Vec<String> = kinds.iter().map(|kind| kind.to_string()).collect();
            names.join(" or ")
        }
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
}
