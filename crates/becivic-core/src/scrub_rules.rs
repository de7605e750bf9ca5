//! `scrub/regex-rules.json` (§6.8) as types, and what a schema cannot say of it.
//!
//! 1. Names are unique.
//! 2. Each pattern with its flags compiles under a JavaScript engine, as its consumers run it.
//! 3. No match is empty: such a pattern finds something everywhere.
//! 4. Each field path leads to a field of at least one submission schema (`scrub_rules/fields.rs`).
//! 5. No pattern backtracks without bound (`scrub_rules/backtracking.rs`): counted in steps on inputs made
//!    from the pattern itself, never timed, so the answer is the same on every machine.

pub mod backtracking;
pub mod fields;

use crate::finding::PointedProblem;
use crate::vocabulary::words;
use serde::{Deserialize, Deserializer, Serialize};
use serde_with::skip_serializing_none;
use std::collections::BTreeSet;

/// The rules file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // field names are the specification's
pub struct ScrubRules {
    pub schema_version: u32,
    pub rules: Vec<Rule>,
}

/// One pattern that stops an identifier.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Rule {
    pub name: String,
    pub description: String,
    /// JavaScript-flavoured.
    pub pattern: String,
    pub flags: String,
    /// The algorithm that confirms a match; null where there is none.
    #[serialize_always]
    #[serde(deserialize_with = "required_nullable")]
    pub checksum: Option<String>,
    pub applies_to_fields: Fields,
    pub category: RuleCategory,
    pub examples: Option<Examples>,
}

/// A field that must be written, be it as null.
fn required_nullable<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(from)
}

/// Where a rule looks: one word or a list, which JSON keeps apart by type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Fields {
    /// Everywhere.
    Everywhere(Everywhere),
    /// At dotted paths into the submission schemas; `[]` enters a list.
    Paths(Vec<String>),
}

words! {
    /// The word for everywhere.
    Everywhere {
        /// Every string of a submission.
        AllStrings = "all_strings",
    }
}

words! {
    /// What kind of trace a rule stops.
    RuleCategory {
        /// Points at one person.
        DirectIdentifier = "direct_identifier",
        /// Points at one person together with something else.
        IndirectIdentifier = "indirect_identifier",
        /// Says something about the device or the session.
        Metadata = "metadata",
    }
}

/// A rule's proof: synthetic texts it must and must not fire on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Examples {
    #[serde(rename = "match")]
    pub matching: Vec<String>,
    #[serde(rename = "no_match")]
    pub not_matching: Vec<String>,
}

/// Everything the schema cannot say.
pub fn check(rules: &ScrubRules) -> Vec<PointedProblem> {
    let mut problems = Vec::new();
    let mut names = BTreeSet::new();
    for (index, rule) in rules.rules.iter().enumerate() {
        let mut say = |field: &str, message: String, help: &str| {
            problems.push((format!("/rules/{index}/{field}"), message, help.to_owned()));
        };
        if !names.insert(rule.name.as_str()) {
            say(
                "name",
                format!("the name `{}` is used twice", rule.name),
                "Give each rule a name of its own.",
            );
        }
        match regress::Regex::with_flags(&rule.pattern, rule.flags.as_str()) {
            Err(_) => say(
                "pattern",
                format!("the pattern of `{}` does not compile as JavaScript", rule.name),
                "Try it with new RegExp(pattern, flags).",
            ),
            Ok(pattern) => match backtracking::judge(&rule.pattern, &rule.flags) {
                Ok(()) if finds_nothing(&pattern, rule.examples.as_ref()) => say(
                    "pattern",
                    format!(
                        "the pattern of `{}` matches the empty text: it finds something everywhere",
                        rule.name
                    ),
                    "Make it ask for at least one character: + instead of *, and no ? around the whole.",
                ),
                Ok(()) => {}
                Err(backtracking::Verdict::Explodes) => say(
                    "pattern",
                    format!("the pattern of `{}` can take unbounded time on a short text", rule.name),
                    "Do not repeat what already repeats; bound the repetitions, or make what follows exclude them.",
                ),
                Err(backtracking::Verdict::Unjudged) => say(
                    "pattern",
                    format!("the pattern of `{}` uses a construct whose cost cannot be judged", rule.name),
                    "Keep to groups, classes, repetitions, alternatives and lookaround.",
                ),
            },
        }
        if let Fields::Paths(paths) = &rule.applies_to_fields {
            for (at, path) in paths.iter().enumerate() {
                if !fields::resolves(path) {
                    say(
                        &format!("applies_to_fields/{at}"),
                        format!("no submission has a field `{path}`"),
                        "Write the dotted path as it is in the submission schema, with [] after a list.",
                    );
                }
            }
        }
    }
    problems
}

/// Whether some match is empty, in no text, in a few short ones, or in what the rule says it matches.
fn finds_nothing(pattern: &regress::Regex, examples: Option<&Examples>) -> bool {
    let own = examples.into_iter().flat_map(|examples| &examples.matching).map(String::as_str);
    let mut texts = ["", "a", "A1 b-2."].into_iter().chain(own);
    texts.any(|text| pattern.find_iter(text).any(|found| found.range().is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rule(name: &str, pattern: &str, fields: serde_json::Value) -> serde_json::Value {
        json!({"name": name, "description": "x", "pattern": pattern, "flags": "i", "checksum": null,
               "applies_to_fields": fields, "category": "metadata"})
    }

    #[test]
    fn problems_are_found_where_they_are() {
        let value = json!({"schema_version": 2, "rules": [
            rule("fine", r"\b\d{2}\.\d{2}\b", json!("all_strings")),
            rule("fine", "x", json!(["content.body", "provenance.research_sources[].claim"])),
            rule("broken", "(", json!("all_strings")),
            rule("evil", "^(a+)+$", json!(["content.nowhere"])),
            rule("everywhere", "[0-9]*", json!("all_strings")),
            rule("between", r"\b", json!("all_strings")),
        ]});
        let rules: ScrubRules = serde_json::from_value(value).expect("well-formed");
        let found: Vec<String> = check(&rules).into_iter().map(|(pointer, ..)| pointer).collect();
        assert_eq!(
            found,
            [
                "/rules/1/name",
                "/rules/2/pattern",
                "/rules/3/pattern",
                "/rules/3/applies_to_fields/0",
                "/rules/4/pattern",
                "/rules/5/pattern",
            ]
        );
    }
}
