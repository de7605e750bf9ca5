//! An input of a skill as a question.
//!
//! 1. It is kept in the profile where the skill says so and the profile can hold it; otherwise it is for the session.
//! 2. What the profile says of a field bounds the question: which numbers, which characters, which columns a row needs.
//! 3. Authored words are in English and are marked so. An input without a label is asked by its name.

use super::shape::{CaptureMode, Choice, Field, FieldColumn, Keep, Range};
use super::words::Words;
use crate::profile::kept;
use crate::skill::{Column, Input, IoType, Render, RowBounds};
use crate::vocabulary::Language;
use serde_json::Value;

/// The most rows that types.json allows.
const MOST_ROWS: u32 = 50;

/// The most characters of a line that types.json allows.
const LONGEST_LINE: u64 = 500;

/// The question.
pub(super) fn field(input: &Input, words: &Words) -> Field {
    let is_kept = input.render == Some(Render::Profile) && kept::misfit(input).is_none();
    let keep = if is_kept { Keep::Profile } else { Keep::Session };
    let label = input.label.clone().unwrap_or_else(|| input.name.replace('_', " "));
    let options = choices(input.options.as_deref());
    let path = kept::place(&input.name).filter(|_| is_kept);
    let is_rows = input.io_type == IoType::RowList;
    let asked = Field {
        description: input.description.clone(),
        options,
        profile_path: path.map(|keys| keys.into_iter().map(str::to_owned).collect()),
        max_length: matches!(input.io_type, IoType::String | IoType::Text).then_some(LONGEST_LINE),
        capture_modes: if is_rows { CaptureMode::all(words) } else { Vec::new() },
        columns: if is_rows { columns(input, is_kept) } else { Vec::new() },
        ..Field::new(&input.name, kind(input), &label, Language::En, keep)
    };
    let asked = bounded_by_profile(asked);
    match is_rows {
        true => with_bounds(asked, input.defaults),
        false => asked,
    }
}

/// A choice among nothing is a line to type.
fn kind(input: &Input) -> IoType {
    match input.io_type {
        IoType::SingleChoice if input.options.as_ref().is_none_or(Vec::is_empty) => IoType::Text,
        other => other,
    }
}

fn with_bounds(field: Field, asked: Option<RowBounds>) -> Field {
    let bounds = asked.unwrap_or(RowBounds { min_rows: 0, max_rows: MOST_ROWS });
    let kept = kept::schema(&field.name).filter(|_| field.keep == Keep::Profile);
    let most = kept.and_then(|schema| u32::try_from(schema.get("maxItems")?.as_u64()?).ok());
    let max_rows = bounds.max_rows.min(most.unwrap_or(MOST_ROWS)).min(MOST_ROWS);
    let bounds = RowBounds { min_rows: bounds.min_rows.min(max_rows), max_rows };
    Field { required: bounds.min_rows > 0, bounds: Some(bounds), ..field }
}

/// The field with what the profile's schema says of its values.
pub(super) fn bounded_by_profile(field: Field) -> Field {
    let Some(schema) = kept::schema(&field.name).filter(|_| field.keep == Keep::Profile) else {
        return field;
    };
    let number = |name: &str| schema.get(name).and_then(Value::as_i64);
    let range = || Range {
        minimum: number("minimum"),
        maximum: number("maximum"),
        whole: schema.get("type").and_then(Value::as_str) == Some("integer"),
    };
    let is_text = matches!(field.io_type, IoType::String | IoType::Text);
    let pattern = schema.get("pattern").and_then(Value::as_str).filter(|_| is_text);
    let length = schema.get("maxLength").and_then(Value::as_u64).filter(|_| is_text);
    Field {
        range: (field.io_type == IoType::Number).then(range),
        pattern: pattern.map(str::to_owned),
        max_length: length.or(field.max_length),
        ..field
    }
}

fn columns(input: &Input, is_kept: bool) -> Vec<FieldColumn> {
    let schema = kept::schema(&input.name).filter(|_| is_kept);
    let required = schema.map(kept::required_columns).unwrap_or_default();
    let column = |column: &Column| FieldColumn {
        id: column.id.clone(),
        io_type: column.io_type,
        label: column.label.clone(),
        lang: Language::En,
        options: choices(column.options.as_deref()),
        required: required.contains(&column.id.as_str()),
    };
    input.columns.iter().flatten().map(column).collect()
}

/// Authored options stand for themselves.
fn choices(options: Option<&[String]>) -> Vec<Choice> {
    let choice =
        |option: &String| Choice { value: option.clone(), label: option.clone(), lang: Language::En };
    options.unwrap_or_default().iter().map(choice).collect()
}

impl Field {
    /// A question that nothing more is known of.
    pub(super) fn new(name: &str, io_type: IoType, label: &str, lang: Language, keep: Keep) -> Self {
        Self {
            name: name.to_owned(),
            io_type,
            label: label.to_owned(),
            description: None,
            lang,
            options: Vec::new(),
            required: false,
            keep,
            profile_path: None,
            value: None,
            columns: Vec::new(),
            bounds: None,
            capture_modes: Vec::new(),
            range: None,
            max_length: None,
            pattern: None,
        }
    }
}
