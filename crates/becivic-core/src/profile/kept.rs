//! Where the answer to an input stands in the profile, and whether it fits there (§6.1, §8.7.4).
//!
//! 1. An input is named like a field of the profile, alone or as the last part of a dotted one. The two metadata fields
//!    and the consent are nobody's input.
//! 2. Its options, and the columns of its rows with theirs, are words the profile's schema knows.
//! 3. Whatever its type can answer, the profile accepts: each kind of answer is tried on the schema itself. A day
//!    never fits, because the profile has months only.

use crate::schema::Schema;
use crate::skill::{Column, Input, IoType};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// The profile's schema.
static PROFILE: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(Schema::Profile.text()).unwrap_or_default());

/// The definitions it shares with other schemas.
static SHARED: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(Schema::Common.text()).unwrap_or_default());

/// What whoever writes a profile fills in without asking, and what has a question of its own.
const NOBODYS_INPUT: &[&str] = &["profile_schema_version", "last_updated_at", "consent"];

/// The keys that lead to a field of the profile, by its name or the last part of it.
pub fn place(name: &str) -> Option<Vec<&'static str>> {
    let fields = PROFILE.get("properties")?.as_object()?;
    if NOBODYS_INPUT.contains(&name) {
        return None;
    }
    if let Some((key, _)) = fields.get_key_value(name) {
        return Some(vec![key.as_str()]);
    }
    fields.iter().filter(|(outer, _)| !NOBODYS_INPUT.contains(&outer.as_str())).find_map(|(outer, field)| {
        let (inner, _) = field.get("properties")?.as_object()?.get_key_value(name)?;
        Some(vec![outer.as_str(), inner.as_str()])
    })
}

/// The schema of a field of the profile, by its name or the last part of it.
pub fn schema(name: &str) -> Option<&'static Value> {
    let mut found: &'static Value = &PROFILE;
    for key in place(name)? {
        found = followed(found.get("properties")?.get(key)?);
    }
    Some(found)
}

/// The schema of a column, where the field holds rows.
pub fn column<'s>(field: &'s Value, id: &str) -> Option<&'s Value>
where
    's: 'static,
{
    Some(followed(followed(field.get("items")?).get("properties")?.get(id)?))
}

/// The columns that every row of a field must have.
pub fn required_columns(field: &'static Value) -> Vec<&'static str> {
    let required = field.get("items").map(followed).and_then(|row| row.get("required")?.as_array());
    required.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// What of an input the profile does not know, and where.
pub fn misfit(input: &Input) -> Option<(String, String)> {
    let (Some(field), Some(place)) = (schema(&input.name), place(&input.name)) else {
        return Some(("/name".to_owned(), format!("the profile has no field `{}`", input.name)));
    };
    if let Some(option) = unknown_option(field, input.options.as_deref()) {
        return Some(("/options".to_owned(), format!("the profile does not know the answer `{option}`")));
    }
    for (i, asked) in input.columns.iter().flatten().enumerate() {
        let Some(property) = column(field, &asked.id) else {
            return Some((format!("/columns/{i}/id"), format!("the profile has no column `{}`", asked.id)));
        };
        if let Some(option) = unknown_option(property, asked.options.as_deref()) {
            let pointer = format!("/columns/{i}/options");
            return Some((pointer, format!("the profile does not know the answer `{option}`")));
        }
    }
    let answers = answers(input);
    let accepts = |answer: &Value| Schema::Profile.accepts(&profile_with(&place, answer.clone()));
    if answers.is_empty() || !answers.iter().all(accepts) {
        return Some(("/type".to_owned(), format!("the profile cannot hold a {} here", input.io_type)));
    }
    None
}

/// The definition that a schema points to.
fn followed(schema: &'static Value) -> &'static Value {
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|target| target.split_once('#'));
    let found = target.and_then(|(file, pointer)| match file {
        "" => PROFILE.pointer(pointer),
        _ => SHARED.pointer(pointer),
    });
    found.unwrap_or(schema)
}

fn unknown_option<'o>(schema: &Value, options: Option<&'o [String]>) -> Option<&'o String> {
    let words = schema.get("enum")?.as_array()?;
    options.unwrap_or_default().iter().find(|option| !words.iter().any(|word| word == option.as_str()))
}

/// One answer of every kind that the input can give.
fn answers(input: &Input) -> Vec<Value> {
    let Some(columns) = input.columns.as_ref().filter(|_| input.io_type == IoType::RowList) else {
        return samples(input.io_type, input.options.as_deref());
    };
    let cells: Vec<(&Column, Vec<Value>)> =
        columns.iter().map(|it| (it, samples(it.io_type, it.options.as_deref()))).collect();
    let rows = cells.iter().map(|(_, samples)| samples.len()).max().unwrap_or_default();
    let row = |number: usize| {
        let cell = |(column, samples): &(&Column, Vec<Value>)| {
            Some((column.id.clone(), samples.iter().cycle().nth(number)?.clone()))
        };
        cells.iter().filter_map(cell).collect::<Map<String, Value>>()
    };
    (0..rows).map(|number| json!([row(number)])).collect()
}

fn samples(io_type: IoType, options: Option<&[String]>) -> Vec<Value> {
    match io_type {
        IoType::CountryCode => vec![json!("be")],
        IoType::Commune => vec![json!("21009")],
        IoType::DocumentArtefact => vec![json!({"name": "passport"})],
        IoType::String | IoType::Text => vec![json!("Tagalog")],
        IoType::Number => vec![json!(1)],
        IoType::Date => vec![json!("2020-01-31")],
        IoType::Bool | IoType::YesNo => vec![json!(true), json!(false)],
        IoType::SingleChoice => options.unwrap_or_default().iter().map(|it| json!(it)).collect(),
        IoType::MonthYear => vec![json!("2020-01")],
        IoType::MonthYearOrCurrent => vec![json!("2020-01"), json!("current")],
        IoType::RowList => Vec::new(),
    }
}

/// A profile that holds nothing else.
fn profile_with(place: &[&str], answer: Value) -> Value {
    let mut value = answer;
    for key in place.iter().rev() {
        value = json!({ *key: value });
    }
    let mut profile = json!({"profile_schema_version": "1", "last_updated_at": "2020-01-01T00:00:00Z"});
    if let (Some(fields), Value::Object(more)) = (profile.as_object_mut(), value) {
        fields.extend(more);
    }
    profile
}

#[cfg(test)]
mod tests {
    use super::*;

    fn misfit_at(input: Value) -> Option<String> {
        misfit(&serde_json::from_value(input).expect("an input")).map(|(pointer, _)| pointer)
    }

    #[test]
    fn fields_are_found_by_their_name_or_its_last_part() {
        assert_eq!(place("region"), Some(vec!["region"]));
        assert_eq!(place("has_id_card"), Some(vec!["document_inventory", "has_id_card"]));
        assert_eq!(place("minor_children_count"), Some(vec!["dependents", "minor_children_count"]));
        for name in ["shoe_size", "consent", "device_id", "last_updated_at", "profile_schema_version"] {
            assert_eq!(place(name), None, "{name}");
        }
    }

    #[test]
    fn what_the_profile_cannot_hold_does_not_fit() {
        let rows =
            |columns: Value| json!({"name": "employment_history", "type": "row_list", "columns": columns});
        let start = json!({"id": "start", "type": "month_year", "label": "From"});
        let end = json!({"id": "end", "type": "month_year_or_current", "label": "Until"});
        let kind = json!({"id": "type", "type": "single_choice", "label": "Kind", "options": ["FT", "PT"]});
        for (input, expected) in [
            (json!({"name": "region", "type": "single_choice", "options": ["Flanders"]}), None),
            (json!({"name": "region", "type": "single_choice", "options": ["Mars"]}), Some("/options")),
            (json!({"name": "region", "type": "text"}), Some("/type")),
            (json!({"name": "shoe_size", "type": "number"}), Some("/name")),
            (json!({"name": "consent", "type": "text"}), Some("/name")),
            (json!({"name": "validity_end_id_card", "type": "month_year"}), None),
            (json!({"name": "validity_end_id_card", "type": "date"}), Some("/type")),
            (json!({"name": "spouse_abroad", "type": "yes_no"}), None),
            (json!({"name": "minor_children_count", "type": "number"}), None),
            (json!({"name": "commune_nis5", "type": "commune"}), None),
            (json!({"name": "conversation_language", "type": "text"}), None),
            (json!({"name": "dependents", "type": "text"}), Some("/type")),
            (rows(json!([start, end, kind])), None),
            (rows(json!([start, end])), Some("/type")),
            (
                rows(json!([end, kind, {"id": "start", "type": "month_year_or_current", "label": "From"}])),
                Some("/type"),
            ),
            (
                rows(json!([start, end, {"id": "pay", "type": "number", "label": "Pay"}])),
                Some("/columns/2/id"),
            ),
        ] {
            assert_eq!(misfit_at(input.clone()).as_deref(), expected, "{input}");
        }
    }
}
