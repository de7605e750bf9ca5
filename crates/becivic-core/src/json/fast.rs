//! Strict JSON into a plain value, without places: for what is read often and rarely wrong.
//!
//! `serde_json` reads; a key written twice and values nested too deep are refused here. Whatever is refused is read again by
//! the reader with places, which says why; a test holds the two to the same answer. (A text long enough to hold too many
//! values is left to that reader from the start.)

use crate::node::{MAX_DEPTH, MAX_VALUES, integral};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads one document; `None` when anything is wrong with it.
pub fn read(text: &str) -> Option<Value> {
    if text.len() > MAX_VALUES {
        return None;
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Strict { depth: 0 }.deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    Some(value)
}

/// Most outermost values have fewer fields.
const USUAL_FIELDS: usize = 16;

/// One value at some depth.
#[derive(Clone, Copy)]
struct Strict {
    depth: usize,
}

impl Strict {
    fn deeper(self) -> Self {
        Self { depth: self.depth + 1 }
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        if self.depth > MAX_DEPTH {
            return Err(D::Error::custom("nested too deep"));
        }
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(integral(value.into())))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(integral(value.into())))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value).ok_or_else(|| E::custom("not a number"))?;
        Ok(Value::Number(integral(number)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self.deeper())? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        // Of the outermost there is one: room for its fields is made at once.
        let mut fields = if self.depth == 0 { Map::with_capacity(USUAL_FIELDS) } else { Map::new() };
        while let Some(name) = entries.next_key::<String>()? {
            if fields.insert(name, entries.next_value_seed(self.deeper())?).is_some() {
                return Err(A::Error::custom("a key is written twice"));
            }
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{read as placed, text as written, value};
    use super::*;
    use crate::node::Node;
    use proptest::prelude::*;

    /// Texts that are JSON, or nearly.
    fn texts() -> impl Strategy<Value = String> {
        let scalar = prop_oneof![
            Just("null".to_owned()),
            Just("true".to_owned()),
            any::<i64>().prop_map(|it| it.to_string()),
            any::<u64>().prop_map(|it| it.to_string()),
            any::<f64>().prop_map(|it| format!("{it:e}")),
            "-?[0-9]{1,25}(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,3})?",
            "\\PC{0,8}".prop_map(|it| Value::String(it).to_string()),
            Just("\"\\ud800\"".to_owned()),
            Just("\"\\ud83d\\ude00\"".to_owned()),
        ];
        scalar.prop_recursive(4, 40, 5, |inner| {
            let pair = ("[abc]", inner.clone()).prop_map(|(key, value)| format!("\"{key}\": {value}"));
            prop_oneof![
                proptest::collection::vec(inner, 0..5).prop_map(|items| format!("[{}]", items.join(", "))),
                proptest::collection::vec(pair, 0..5).prop_map(|pairs| format!("{{{}}}", pairs.join(", "))),
            ]
        })
    }

    proptest! {
        #[test]
        fn both_readers_agree(text in texts(), cut in 0_usize..60, spoil in any::<bool>()) {
            let text: String = if spoil { text.chars().take(cut).collect() } else { text };
            let slow = placed(&text).ok().map(Node::into_value);
            prop_assert_eq!(read(&text), slow.clone());
            prop_assert_eq!(value(&text).ok(), slow.clone());
            prop_assert_eq!(slow.as_ref().map(written), slow.map(|value| value.to_string()));
        }
    }

    #[test]
    fn depth_and_what_follows_are_judged_alike() {
        for depth in [MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1, MAX_DEPTH + 2, 127, 128, 129, 500] {
            let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            assert_eq!(read(&text).is_some(), placed(&text).is_ok(), "{depth} deep");
            let text = format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
            assert_eq!(read(&text).is_some(), placed(&text).is_ok(), "{depth} deep");
        }
        let odd = [
            "1 2",
            " 1 ",
            "\u{feff}1",
            "1\0",
            "\"\u{1}\"",
            "{\"a\":1,\"a\":1}",
            "[01]",
            "NaN",
            "-",
            "-0",
            "1e999",
        ];
        for text in odd {
            assert_eq!(read(text), placed(text).ok().map(Node::into_value), "{text:?}");
        }
    }
}
