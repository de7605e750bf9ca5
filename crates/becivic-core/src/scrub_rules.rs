//! `scrub/regex-rules.json` (§6.8) as types, and what a schema cannot say of it.
//!
//! 1. Names are unique.
//! 2. Each pattern is JavaScript that our engine can run in bounded time (`jsregex.rs`).
//! 3. No match is empty: such a pattern finds something everywhere.
//! 4. No pattern backtracks without bound in an engine that does (`jsregex/backtracking.rs`).
//! 5. Each field path leads to a field of at least one submission schema (`scrub_rules/fields.rs`).
//! 6. A checksum is one we know (`scrub/checksum.rs`).
//! 7. Each example behaves: the rule finds it, or does not.

pub mod fields;

use crate::finding::PointedProblem;
use crate::jsregex::{Refused, Regex, backtracking};
use crate::scrub::{Checksum, Scrubber};
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

/// The checksum of this name, if we know it.
pub fn checksum(name: &str) -> Option<Checksum> {
    Checksum::ALL.iter().copied().find(|checksum| checksum.as_str() == name)
}

/// Everything the schema cannot say.
pub fn check(rules: &ScrubRules) -> Vec<PointedProblem> {
    let mut problems = Vec::new();
    let mut names = BTreeSet::new();
    for (index, rule) in rules.rules.iter().enumerate() {
        if !names.insert(rule.name.as_str()) {
            let message = format!("the name `{}` is used twice", rule.name);
            problems.push(at(index, "name", message, "Give each rule a name of its own."));
        }
        problems.extend(pattern_problem(index, rule));
        if let Fields::Paths(paths) = &rule.applies_to_fields {
            for (place, path) in paths.iter().enumerate().filter(|(_, path)| !fields::resolves(path)) {
                problems.push(at(
                    index,
                    &format!("applies_to_fields/{place}"),
                    format!("no submission has a field `{path}`"),
                    "Write the dotted path as it is in the submission schema, with [] after a list.",
                ));
            }
        }
    }
    if problems.is_empty() { example_problems(rules) } else { problems }
}

/// Checksums we do not know. They are no reason to refuse a file, because then every match counts.
pub fn unknown_checksums(rules: &ScrubRules) -> Vec<PointedProblem> {
    let known: Vec<&str> = Checksum::ALL.iter().map(|checksum| checksum.as_str()).collect();
    let help = format!("Use one of {}, or null.", known.join(", "));
    let name = |rule: &Rule| rule.checksum.clone().filter(|name| checksum(name).is_none());
    let rules = rules.rules.iter().enumerate();
    rules
        .filter_map(|(index, rule)| {
            let message = format!("the checksum `{}` of `{}` is not known", name(rule)?, rule.name);
            Some(at(index, "checksum", message, &help))
        })
        .collect()
}

/// A problem of one field of one rule.
fn at(index: usize, field: &str, message: String, help: &str) -> PointedProblem {
    (format!("/rules/{index}/{field}"), message, help.to_owned())
}

/// A pattern that our engine does not take.
pub fn refusal(index: usize, rule: &Rule, refused: Refused) -> PointedProblem {
    let field = if refused == Refused::Flags { "flags" } else { "pattern" };
    at(index, field, format!("the pattern of `{}` {refused}", rule.name), refused.help())
}

/// A pattern with a checksum and no longest match.
pub fn too_long(index: usize, rule: &Rule) -> PointedProblem {
    let message = format!("the pattern of `{}` has a checksum, and matches of any length", rule.name);
    at(index, "pattern", message, "Bound its repetitions: an identifier has at most so many characters.")
}

fn pattern_problem(index: usize, rule: &Rule) -> Option<PointedProblem> {
    let (fault, help) = match Regex::new(&rule.pattern, &rule.flags) {
        Err(refused) => return Some(refusal(index, rule, refused)),
        Ok(pattern) if pattern.may_be_empty() => (
            "matches the empty text: it finds something everywhere",
            "Make it ask for at least one character: + instead of *, and no ? around the whole.",
        ),
        Ok(pattern) if !backtracking::is_bounded(&pattern) => (
            "can take unbounded time on a short text in an engine that backtracks",
            "Do not repeat what already repeats; bound the repetitions, or make what follows exclude them.",
        ),
        Ok(_) => return None,
    };
    Some(at(index, "pattern", format!("the pattern of `{}` {fault}", rule.name), help))
}

/// Examples that do not behave, once everything else is right.
fn example_problems(rules: &ScrubRules) -> Vec<PointedProblem> {
    let scrubber = match Scrubber::unjudged(rules.clone()) {
        Ok(scrubber) => scrubber,
        Err(problems) => return problems,
    };
    let mut problems = Vec::new();
    for (index, rule) in rules.rules.iter().enumerate() {
        let Some(examples) = &rule.examples else { continue };
        let mut judge = |list: &str, texts: &[String], expected: bool| {
            for (place, text) in texts.iter().enumerate() {
                if scrubber.scan_with(text, |asked| asked == index).is_empty() == expected {
                    let verb = if expected { "does not find" } else { "finds" };
                    let message = format!("`{}` {verb} this example", rule.name);
                    let field = format!("examples/{list}/{place}");
                    problems.push(at(
                        index,
                        &field,
                        message,
                        "Mend the pattern, the checksum or the example.",
                    ));
                }
            }
        };
        judge("match", &examples.matching, true);
        judge("no_match", &examples.not_matching, false);
    }
    problems
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
            rule("backwards", r"(a)\1", json!("all_strings")),
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
                "/rules/6/pattern",
            ]
        );
    }
}
