//! An amount, a delay or a threshold is a `<VV>` (§6.3, §16).
//!
//! With `--strict`: a number before a unit of money, time or share (`8 days`, `€20`, `three months`) stands in a
//! `<VV>`, so that it can be corrected once for every text that states it. What a `<Ref>` wraps is the source's
//! own title and may hold one.
//!
//! Example of a violation: `Declare it within 8 working days.`

use super::{Check, Report, Rule, SkillCx, prose};
use crate::finding::Severity;
use crate::text::Span;

/// The rule.
pub const RULE: Rule = Rule {
    id: "untagged_value",
    severity: Severity::Error,
    file: include_str!("untagged_value.rs"),
    check: Check::Strict(&Check::Skill(check)),
};

/// What is counted.
const UNITS: &[&str] = &[
    "day", "days", "week", "weeks", "month", "months", "year", "years", "hour", "hours", "minute", "minutes",
    "quarter", "quarters", "euro", "euros", "eur", "€", "%", "percent",
];

/// What may stand between a number and its unit.
const BETWEEN: &[&str] = &["working", "calendar", "consecutive", "full", "whole", "business", "school", "more"];

/// Numbers in words. `one` is left out: it is an article as often as a number.
const WORDS: &[&str] = &[
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "fifteen",
    "eighteen", "twenty", "thirty", "sixty", "ninety", "hundred",
];

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if !super::has_fixed_sections(cx) {
        return;
    }
    for block in prose::blocks(cx) {
        for at in amounts(&block.untagged) {
            report.at(
                cx.source(),
                block.span.start + Span::at(at).start,
                "this value changes over time and is not tagged",
                "Put it in the catalogue and write <VV name=\"…\">…</VV>, or ask the reader to look it up.",
            );
        }
    }
}

/// Where a number with a unit begins.
fn amounts(text: &str) -> Vec<usize> {
    let words: Vec<(usize, &str)> = words(text).collect();
    let mut found = Vec::new();
    for (index, (at, word)) in words.iter().enumerate() {
        let after = words.iter().skip(index + 1).map(|(_, word)| word.to_lowercase());
        let mut after = after.skip_while(|word| BETWEEN.contains(&word.as_str()));
        let mut counted = || after.next().is_some_and(|next| UNITS.contains(&next.as_str()));
        if is_whole(word) || (is_number(word) && counted()) {
            found.push(*at);
        }
    }
    found
}

/// Words without the punctuation around them, each with its place.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let around = |c: char| c.is_ascii_punctuation() && !matches!(c, '%' | '-') || matches!(c, '’' | '“' | '”');
    text.split_whitespace().map(move |word| {
        let word = word.trim_matches(around);
        (word.as_ptr() as usize - text.as_ptr() as usize, word)
    })
}

/// A number and its unit in one word: `€20`, `50%`, `5-year`.
fn is_whole(word: &str) -> bool {
    let money = word.strip_prefix('€').or(word.strip_suffix('€')).or(word.strip_suffix('%'));
    let joined = word.split_once('-').is_some_and(|(number, unit)| {
        is_number(number) && UNITS.contains(&unit.to_lowercase().as_str())
    });
    joined || money.is_some_and(is_number)
}

fn is_number(word: &str) -> bool {
    let digits = word.starts_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '–'));
    digits || WORDS.contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::amounts;

    #[test]
    fn numbers_with_a_unit_are_amounts() {
        for text in ["8 days", "within 8 working days.", "€20", "20 €", "1,000 euros", "three months", "a 5-year stay", "(50%)"] {
            assert_eq!(amounts(text).len(), 1, "{text}");
        }
        for text in ["article 12bis", "since 2018-02-19", "Annex 15", "the four languages", "one day", "model 596.2", "A2"] {
            assert!(amounts(text).is_empty(), "{text}");
        }
    }
}
