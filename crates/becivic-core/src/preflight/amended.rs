//! What an amendment would make of its target, before anything is stored.
//!
//! 1. A body diff is a unified diff, applies strictly to the current body, and leaves text as inert as any body
//!    (DECISIONS §9b, §14): a problem the body had before is not this amendment's.
//! 2. A field change leads to an artefact that still fits its schema as a whole.
//! 3. A tag with a uid names a current row of the catalogue by both its names.
//! 4. Addresses that were not there before are listed, for whoever decides which hosts need a look.

use super::{Category, Refusal};
use crate::addresses;
use crate::catalogue::Catalogue;
use crate::diff::{self, DiffError};
use crate::mdx;
use crate::schema::Schema;
use crate::text::Source;
use crate::url_policy;
use serde_json::Value;
use std::collections::BTreeSet;

const DIFF: &str = "/content/body_diff";

/// The body with the diff applied.
pub fn body(current: &str, body_diff: &str) -> Result<String, Refusal> {
    let amended = diff::apply(current, body_diff).map_err(|error| {
        let category = match error {
            DiffError::Mismatch(_) | DiffError::NoChange => Category::DiffApplyFailed,
            DiffError::Empty
            | DiffError::TooLong
            | DiffError::TooManyHunks
            | DiffError::CarriageReturn
            | DiffError::Binary
            | DiffError::Malformed
            | DiffError::NoHunk
            | DiffError::Stray => Category::SchemaFail,
        };
        let help = "Make the diff against the body as it is published now, with `diff -u`.";
        refusal(category, DIFF, error.to_string(), help)
    })?;
    let problems = |text: &str| mdx::parse(text, 0).1;
    let before: BTreeSet<(&str, String)> =
        problems(current).into_iter().map(|it| (it.rule, it.message)).collect();
    match problems(&amended).into_iter().find(|it| !before.contains(&(it.rule, it.message.clone()))) {
        None => Ok(amended),
        Some(problem) => Err(refusal(Category::SchemaFail, DIFF, problem.message, &problem.help)),
    }
}

/// An artefact with one field changed; it must fit its schema.
pub fn field(schema: Schema, artefact: &Value, field_path: &str, proposed: &Value) -> Result<Value, Refusal> {
    let pointer = "/content/frontmatter_change";
    let mut changed = artefact.clone();
    if !set(&mut changed, field_path, proposed.clone()) {
        return Err(refusal(
            Category::CrossRefFail,
            &format!("{pointer}/field_path"),
            "the target has nothing at this place".to_owned(),
            "Compare the path with the artefact as it is published now.",
        ));
    }
    match schema.violations(&changed).into_iter().next() {
        None if changed != *artefact => Ok(changed),
        None => Err(refusal(
            Category::CrossRefFail,
            &format!("{pointer}/proposed_value"),
            "the field has this value already".to_owned(),
            "There is nothing to change.",
        )),
        Some(violation) => Err(refusal(
            Category::CrossRefFail,
            &format!("{pointer}/proposed_value"),
            "the artefact would no longer fit its schema".to_owned(),
            &violation.help,
        )),
    }
}

/// Puts a value at a dotted path; false when something on the way is not there.
fn set(artefact: &mut Value, field_path: &str, value: Value) -> bool {
    let (first, rest) =
        field_path.split_once('.').map_or((field_path, None), |(first, rest)| (first, Some(rest)));
    match (artefact, rest) {
        (Value::Object(fields), None) => {
            fields.insert(first.to_owned(), value);
            true
        }
        (Value::Object(fields), Some(rest)) => {
            let inner = fields.entry(first).or_insert_with(|| Value::Object(serde_json::Map::new()));
            set(inner, rest, value)
        }
        (Value::Array(items), rest) => {
            let Some(inner) = first.parse::<usize>().ok().and_then(|index| items.get_mut(index)) else {
                return false;
            };
            match rest {
                Some(rest) => set(inner, rest, value),
                None => {
                    *inner = value;
                    true
                }
            }
        }
        (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_), _) => false,
    }
}

/// Tags whose uid is not the current row of the name beside it (DECISIONS §9b). A tag without a uid is left to the merge.
pub fn tags(body: &str, pointer: &str, catalogue: &dyn Catalogue) -> Option<Refusal> {
    let (document, _) = mdx::parse(body, 0);
    let source = Source::new("", body);
    let known = |name: &str, uid: &str| {
        let value = catalogue.value(uid).is_some_and(|row| row.name == name);
        value || catalogue.reference(uid).is_some_and(|row| row.name == name)
    };
    let forged = document.tags.iter().any(|tag| {
        let uid = tag.value(&source, "uid").unwrap_or_default();
        let name = tag.value(&source, "name").unwrap_or_default();
        !uid.is_empty() && !known(&name, &uid)
    });
    forged.then(|| {
        refusal(
            Category::CrossRefFail,
            pointer,
            "a tag's uid is not the current row of its name".to_owned(),
            "Leave the uid empty: it is filled in when the change is merged.",
        )
    })
}

/// Hosts of addresses in `after` that are not in `before`; an address that may not be cited at all is a refusal.
pub fn new_hosts(before: &[&str], after: &[&str], pointer: &str) -> Result<BTreeSet<String>, Refusal> {
    let known: BTreeSet<&str> = before.iter().flat_map(|text| addresses::written(text)).collect();
    let mut hosts = BTreeSet::new();
    for address in
        after.iter().flat_map(|text| addresses::written(text)).filter(|address| !known.contains(address))
    {
        match url_policy::host(address) {
            Ok(host) => {
                hosts.insert(host.into_owned());
            }
            Err(error) => {
                let help = "Cite an https address with a named host, and no user or port.";
                return Err(refusal(Category::SchemaFail, pointer, error.to_string(), help));
            }
        }
    }
    Ok(hosts)
}

/// Every string in a value that may hold addresses: the pattern of a `…-matches-pattern` signal looks like one and is none.
pub fn strings(value: &Value) -> Vec<&str> {
    let is_pattern = |fields: &serde_json::Map<String, Value>| {
        fields.get("check").and_then(Value::as_str).is_some_and(|check| check.ends_with("-matches-pattern"))
    };
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(strings).collect(),
        Value::Object(fields) => {
            let skipped = is_pattern(fields).then_some("value");
            fields
                .iter()
                .filter(|(name, _)| Some(name.as_str()) != skipped)
                .flat_map(|(_, inner)| strings(inner))
                .collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

fn refusal(category: Category, pointer: &str, message: String, help: &str) -> Refusal {
    Refusal {
        category,
        pointer: pointer.to_owned(),
        missing: None,
        detectors: Vec::new(),
        message,
        help: help.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_diff_applies_strictly_and_leaves_the_text_inert() {
        let current = "One.\n\nTwo.\n";
        let diff = |line: &str| format!("@@ -1,3 +1,3 @@\n One.\n \n-Two.\n+{line}\n");
        assert_eq!(body(current, &diff("Three.")).as_deref(), Ok("One.\n\nThree.\n"));
        let category = |line: &str| body(current, &diff(line)).map_err(|it| it.category);
        assert_eq!(category("<script>x</script>"), Err(Category::SchemaFail));
        assert_eq!(category("<Skill id=\"x\">"), Err(Category::SchemaFail));
        assert_eq!(
            body("Other.\n", &diff("Three.")).map_err(|it| it.category),
            Err(Category::DiffApplyFailed)
        );
        assert_eq!(body(current, "nonsense").map_err(|it| it.category), Err(Category::SchemaFail));
    }

    #[test]
    fn new_addresses_are_found_wherever_they_stand() {
        let hosts = |text: &str| new_hosts(&["https://a.be/x"], &[text], "/x");
        assert_eq!(hosts("see https://a.be/x."), Ok(BTreeSet::new()));
        let both = hosts("<Ref url=\"https://b.be/y\"> (https://c.be), [x](https://b.be/z)").expect("fine");
        assert_eq!(both.into_iter().collect::<Vec<_>>(), ["b.be", "c.be"]);
        assert!(hosts("http://b.be").is_err() && hosts("é javascript://b.be").is_err());
        assert!(hosts("https://10.0.0.1/").is_err());
    }

    #[test]
    fn a_pattern_is_no_address() {
        let signals = json!([
            {"check": "redirect-chain-matches-pattern", "value": "^https://[a-z.]+[.]be/"},
            {"check": "redirects-to", "value": "https://a.be/"},
        ]);
        let strings = strings(&signals);
        assert!(
            strings.contains(&"https://a.be/") && !strings.iter().any(|it| it.starts_with('^')),
            "{strings:?}"
        );
    }

    #[test]
    fn a_field_is_set_at_its_place() {
        let mut value = json!({"a": {"b": [1, 2]}});
        assert!(set(&mut value, "a.b.1", json!(3)) && set(&mut value, "a.c.d", json!(4)));
        assert_eq!(value, json!({"a": {"b": [1, 3], "c": {"d": 4}}}));
        assert!(!set(&mut value, "a.b.7", json!(3)) && !set(&mut value, "a.b.1.x", json!(3)));
    }
}
