//! What a form keeps in the profile fits the profile (§6.1, §8.7.4).
//!
//! An input with `render: profile` is named like a field of the profile, alone or as the last part of a dotted one;
//! its options, and the columns of its rows with theirs, are words the profile's schema knows. An answer that does not
//! fit could not be written.
//!
//! Example of a violation: `name: shoe_size` with `render: profile`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::schema::Schema;
use crate::skill::{Input, Render};
use serde_json::Value;
use std::sync::LazyLock;

/// The rule.
pub const RULE: Rule = Rule {
    id: "profile_input",
    severity: Severity::Error,
    file: include_str!("profile_input.rs"),
    check: Check::Skill(check),
};

/// The profile's schema.
static PROFILE: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(Schema::Profile.text()).unwrap_or_default());

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    for (i, input) in cx.front.inputs().iter().enumerate() {
        if input.render == Some(Render::Profile)
            && let Some((pointer, message)) = misfit(input)
        {
            let place = cx.skill.place(&format!("/inputs/{i}{pointer}"));
            report.at(cx.source(), place, message, "Name it as profile.schema.json does, or leave `render` out.");
        }
    }
}

/// What of an input the profile does not know, and where.
fn misfit(input: &Input) -> Option<(String, String)> {
    let Some(field) = field(&input.name) else {
        return Some(("/name".to_owned(), format!("the profile has no field `{}`", input.name)));
    };
    if let Some(option) = unknown_option(field, &input.options) {
        return Some(("/options".to_owned(), format!("the profile does not know the answer `{option}`")));
    }
    let row = field.get("items").map(followed);
    for (i, column) in input.columns.iter().flatten().enumerate() {
        let Some(property) = row.and_then(|row| row.get("properties")?.get(&column.id)).map(followed) else {
            return Some((format!("/columns/{i}/id"), format!("the profile has no column `{}`", column.id)));
        };
        if let Some(option) = unknown_option(property, &column.options) {
            let pointer = format!("/columns/{i}/options");
            return Some((pointer, format!("the profile does not know the answer `{option}`")));
        }
    }
    None
}

/// The schema of a field of the profile, by its name or the last part of it.
fn field(name: &str) -> Option<&'static Value> {
    let fields = PROFILE.get("properties")?.as_object()?;
    let nested = || fields.values().find_map(|field| field.get("properties")?.get(name));
    fields.get(name).or_else(nested).map(followed)
}

/// The definition that a schema of this file points to.
fn followed(schema: &'static Value) -> &'static Value {
    let pointer = schema.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#'));
    pointer.and_then(|pointer| PROFILE.pointer(pointer)).unwrap_or(schema)
}

fn unknown_option<'o>(schema: &Value, options: &'o Option<Vec<String>>) -> Option<&'o String> {
    let words = schema.get("enum")?.as_array()?;
    options.iter().flatten().find(|option| !words.iter().any(|word| word == option.as_str()))
}
