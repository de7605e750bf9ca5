//! The numbers of a decision as they are kept and published: one JSON object, written once and copied from there on.
//!
//! Measured spans are whole days, since a finer one would tell at which minute a cohort began; thresholds stay as they are.

use super::entry::Figures;
use crate::consensus::Decision;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

const DAY: i64 = 24 * 60 * 60 * 1000;

/// Numbers by their names, as text.
#[derive(Clone, Debug, Default)]
pub struct Numbers(Option<Box<RawValue>>);

impl Numbers {
    /// Those that a decision looked at, in its order.
    pub fn of(decision: &Decision) -> Self {
        Self(to_raw_value(&Looked(decision)).ok().filter(|_| !decision.numbers.is_empty()))
    }

    /// The object, as text.
    pub fn as_str(&self) -> &str {
        self.0.as_ref().map_or("{}", |text| text.get())
    }
}

impl Figures for &Numbers {
    fn are_none(&self) -> bool {
        self.0.is_none()
    }
}

impl PartialEq for Numbers {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(text) => text.serialize(serializer),
            None => serializer.collect_map(std::iter::empty::<((), ())>()),
        }
    }
}

struct Looked<'a>(&'a Decision);

impl Serialize for Looked<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.numbers_by_name().map(|(name, value)| (name, public(name, value))))
    }
}

/// Numbers that were kept to the millisecond, as they are published.
pub fn public_numbers(mut numbers: Map<String, Value>) -> Map<String, Value> {
    for (name, value) in &mut numbers {
        *value = public(name, value.take());
    }
    numbers
}

fn public(name: &str, value: Value) -> Value {
    match value.as_i64() {
        Some(span) if name.ends_with("_ms") => (span.div_euclid(DAY) * DAY).into(),
        Some(_) | None => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consensus::{Artefact, Kind, Policy, Tally, decide};
    use crate::vocabulary::Status;
    use serde_json::json;

    #[test]
    fn measured_spans_are_whole_days_and_thresholds_stay() {
        let numbers =
            json!({"confirms": 3, "age_ms": 180_000_123, "age_ms_needed": 172_800_000, "rate": 0.9});
        let shown = public_numbers(numbers.as_object().cloned().expect("an object"));
        let expected = json!({"confirms": 3, "age_ms": 2 * DAY, "age_ms_needed": 172_800_000, "rate": 0.9});
        assert_eq!(Value::Object(shown), expected);
    }

    #[test]
    fn numbers_are_written_once_and_read_back_as_they_are_published() {
        let artefact = Artefact {
            kind: Kind::Skill,
            status: Status::Alpha,
            cohort_started_at: 0,
            base: (0, 0),
            last_sign_of_life: None,
            sources: Vec::new(),
            revived: false,
        };
        let decision = decide(&artefact, &Tally::default(), &Policy::default(), 2 * DAY + 123);
        let numbers = Numbers::of(&decision);
        let published = public_numbers(decision.numbers_json());
        assert_eq!(published.get("age_ms"), Some(&json!(2 * DAY)));
        assert_eq!(numbers.as_str(), Value::Object(published).to_string());
        assert_eq!(json!({"in": numbers}).to_string(), format!("{{\"in\":{}}}", numbers.as_str()));
        let none = Numbers::of(&crate::consensus::Decision { numbers: Vec::new(), ..decision });
        assert_eq!((none.as_str(), &none), ("{}", &Numbers::default()));
        assert_eq!(serde_json::to_string(&none).expect("JSON"), "{}");
    }
}
