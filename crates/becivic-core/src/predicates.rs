//! Which sources of a path a person can use (§6.12.5, DECISIONS §10 and §14). Evaluated on the person's
//! machine only.
//!
//! 1. A predicate's field names a profile axis; old spellings are read, and `has_eID` means
//!    `has_id_card == "yes"`. `years_legal_residence` is computed (`predicates/residence.rs`).
//! 2. On list axes `eq` and `in` mean any element. `gte` and `lte` compare numbers, or months and days as
//!    written.
//! 3. All predicates must hold. One that does not settles the matter; otherwise the first axis without
//!    an answer is the question to ask; a source with an unanswered axis is not offered.
//! 4. Eligible sources come in the order to try: fallbacks last, then by priority, then as written.

pub mod residence;

use crate::path::{Op, PathEntry, PathSource, Predicate};
use crate::profile::Profile;
use serde_json::Value;
use std::cmp::Ordering;

/// A month: year, and month from 1 to 12.
pub type Month = (i32, u32);

/// Whether a source is for this person.
#[derive(Clone, Debug, PartialEq)]
pub enum Eligibility {
    /// It is.
    Eligible,
    /// It is not; the first predicate that says so.
    NotEligible(Predicate),
    /// Not known: the axis to ask about, without its `user.`.
    Missing(String),
}

/// Judges one source.
pub fn eligibility(source: &PathSource, profile: &Profile, today: Month) -> Eligibility {
    let axes = Axes::of(profile, today);
    let mut missing = None;
    for predicate in &source.audience.predicates {
        let axis = axis_of(&predicate.field);
        match axes.get(axis) {
            None => {
                missing.get_or_insert(axis);
            }
            Some(value) if holds(predicate, axis, &value) => {}
            Some(_) => return Eligibility::NotEligible(predicate.clone()),
        }
    }
    match missing {
        None => Eligibility::Eligible,
        Some(HAS_EID) => Eligibility::Missing("document_inventory.has_id_card".to_owned()),
        Some(YEARS) => Eligibility::Missing("residency_history".to_owned()),
        Some(axis) => Eligibility::Missing(axis.to_owned()),
    }
}

/// The sources a person can use, in the order to try.
pub fn eligible_sources<'p>(path: &'p PathEntry, profile: &Profile, today: Month) -> Vec<&'p PathSource> {
    let mut sources: Vec<&PathSource> = path
        .sources
        .iter()
        .filter(|source| eligibility(source, profile, today) == Eligibility::Eligible)
        .collect();
    // The sort is stable, so equal sources stay as written.
    sources.sort_by_key(|source| (source.fallback_only.unwrap_or(false), std::cmp::Reverse(source.priority)));
    sources
}

const HAS_EID: &str = "document_inventory.has_eID";
const YEARS: &str = "years_legal_residence";

/// The axis a field names, in present spelling.
pub(crate) fn axis_of(field: &str) -> &str {
    match field.strip_prefix("user.").unwrap_or(field) {
        "civil_status" => "civic_status",
        "commune.region" => "region",
        "document_inventory.has_eid" => HAS_EID,
        axis => axis,
    }
}

/// A profile as predicates see it.
struct Axes {
    profile: Value,
    years: Option<u32>,
}

impl Axes {
    fn of(profile: &Profile, today: Month) -> Self {
        let years = profile.residency_history.as_deref().map(|history| residence::years(history, today));
        Self { profile: serde_json::to_value(profile).unwrap_or_default(), years }
    }

    fn get(&self, axis: &str) -> Option<Value> {
        match axis {
            YEARS => self.years.map(Value::from),
            HAS_EID => self.get("document_inventory.has_id_card").map(|card| Value::Bool(card == "yes")),
            _ => axis.split('.').try_fold(&self.profile, |value, name| value.get(name)).cloned(),
        }
    }
}

fn holds(predicate: &Predicate, axis: &str, value: &Value) -> bool {
    let wanted = &predicate.value;
    let same = |wanted: &Value| {
        // The old axis was a flag; a predicate may ask for it in either spelling.
        let as_flag = axis == HAS_EID && *wanted == "yes";
        let wanted = if as_flag { &Value::Bool(true) } else { wanted };
        match value {
            Value::Array(items) => items.iter().any(|item| equal(item, wanted)),
            scalar => equal(scalar, wanted),
        }
    };
    match predicate.op {
        Op::Eq => same(wanted),
        Op::In => wanted.as_array().is_some_and(|options| options.iter().any(same)),
        Op::Gte => compare(value, wanted).is_some_and(Ordering::is_ge),
        Op::Lte => compare(value, wanted).is_some_and(Ordering::is_le),
        Op::Exists => !value.is_null(),
    }
}

fn equal(left: &Value, right: &Value) -> bool {
    left == right || compare(left, right) == Some(Ordering::Equal) && left.is_number()
}

/// Numbers by size; months and days as written, at the precision both have.
fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64()?.partial_cmp(&right.as_f64()?),
        (Value::String(left), Value::String(right)) => {
            let length = left.len().min(right.len());
            Some(left.get(..length)?.cmp(right.get(..length)?))
        }
        (_, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn profile(fields: Value) -> Profile {
        let mut value = json!({"profile_schema_version": "1", "last_updated_at": "2026-05-12T10:00:00Z"});
        for (name, field) in fields.as_object().into_iter().flatten() {
            value[name] = field.clone();
        }
        Profile::read(&value).expect("well-formed").0
    }

    fn verdict(profile_fields: Value, field: &str, op: Op, wanted: Value) -> Option<bool> {
        let axes = Axes::of(&profile(profile_fields), (2026, 5));
        let predicate = Predicate { field: field.to_owned(), op, value: wanted };
        let axis = axis_of(&predicate.field);
        axes.get(axis).map(|value| holds(&predicate, axis, &value))
    }

    #[test]
    fn each_operator_on_each_kind_of_axis() {
        let person = || {
            json!({
                "region": "Wallonia",
                "civic_status": "married",
                "dependents": {"minor_children_count": 2},
                "document_inventory": {"has_id_card": "yes", "has_NN": false},
                "transitions_in_progress": ["divorce", "address-change"],
                "active_procedures": [],
                "residency_history": [{"start": "2019-01", "end": "current"}],
            })
        };
        let cases = [
            ("user.region", Op::Eq, json!("Wallonia"), Some(true)),
            ("user.commune.region", Op::Eq, json!("Wallonia"), Some(true)),
            ("user.region", Op::In, json!(["Flanders", "Wallonia"]), Some(true)),
            ("user.region", Op::Eq, json!("wallonia"), Some(false)),
            ("user.civil_status", Op::Eq, json!("married"), Some(true)),
            ("user.dependents.minor_children_count", Op::Gte, json!(2), Some(true)),
            ("user.dependents.minor_children_count", Op::Lte, json!(1.5), Some(false)),
            ("user.dependents.minor_children_count", Op::Eq, json!(2.0), Some(true)),
            ("user.dependents.spouse_abroad", Op::Eq, json!(true), None),
            ("user.document_inventory.has_eID", Op::Eq, json!(true), Some(true)),
            ("user.document_inventory.has_eID", Op::Eq, json!(false), Some(false)),
            ("user.commune.region", Op::In, json!(["Flanders", "Wallonia"]), Some(true)),
            ("user.commune.region", Op::Exists, json!(true), Some(true)),
            ("user.civil_status", Op::In, json!(["single", "divorced"]), Some(false)),
            ("user.document_inventory.has_eid", Op::Eq, json!(true), Some(true)),
            ("user.document_inventory.has_eID", Op::Exists, json!(true), Some(true)),
            ("user.document_inventory.has_NN", Op::Exists, json!(true), Some(true)),
            ("user.document_inventory.has_NN", Op::Eq, json!(true), Some(false)),
            ("user.transitions_in_progress", Op::Eq, json!("divorce"), Some(true)),
            ("user.transitions_in_progress", Op::In, json!(["adoption", "address-change"]), Some(true)),
            ("user.active_procedures", Op::Eq, json!("x"), Some(false)),
            ("user.years_legal_residence", Op::Gte, json!(7), Some(true)),
            ("user.years_legal_residence", Op::Gte, json!(8), Some(false)),
            ("user.region", Op::Gte, json!(3), Some(false)),
        ];
        for (field, op, wanted, expected) in cases {
            assert_eq!(verdict(person(), field, op, wanted.clone()), expected, "{field} {op} {wanted}");
        }
    }

    #[test]
    fn months_compare_at_the_precision_both_have() {
        assert_eq!(compare(&json!("2026-05"), &json!("2026-05-12")), Some(Ordering::Equal));
        assert_eq!(compare(&json!("2026-06"), &json!("2026-05-12")), Some(Ordering::Greater));
    }
}
