//! Patterns nobody would write, against Node's `RegExp`: what an engine takes apart it can put together wrongly, and only odd patterns
//! show it.
//!
//! 1. A pattern is a few parts in a row, some repeated, some choices, some lookarounds of several characters; always the same ones,
//!    drawn from numbers that are.
//! 2. The texts are short and of the same few characters, so that much of them matches.

use super::node::{Random, compare, rules};
use becivic_core::jsregex::Regex;
use becivic_core::scrub::Scrubber;

/// Patterns that are made; of some of them a match may be empty, which no rule can be.
const PATTERNS: usize = 400;

/// Patterns that run together, as rules do.
const TOGETHER: usize = 20;

/// Texts for each of these.
const TEXTS: usize = 60;

/// Choices and lookarounds within others.
const DEPTH: usize = 2;

#[test]
fn made_patterns_mean_what_they_mean_in_node() {
    agree(&mut Random(0x0B5E_55ED_CAFE_F00D), |random| parts(random, DEPTH));
}

#[test]
fn made_patterns_that_go_on_by_strides_mean_what_they_mean_in_node() {
    agree(&mut Random(0x57E9_B757_E9BE_5701), strides);
}

/// Checks that patterns find in texts what they find in Node.
fn agree(random: &mut Random, make: fn(&mut Random) -> String) {
    let mut patterns: Vec<String> = (0..PATTERNS).map(|_| make(random)).collect();
    patterns.retain(|pattern| Regex::new(pattern, "u").is_ok_and(|regex| !regex.may_be_empty()));
    assert!(patterns.len() > PATTERNS / 2, "most patterns say nothing");
    let mut hits = 0;
    for some in patterns.chunks(TOGETHER) {
        let flagged = some.iter().map(|pattern| (pattern.as_str(), "u"));
        let scrubber = Scrubber::unjudged(rules(flagged)).expect("bounded");
        let texts: Vec<String> = (0..TEXTS).map(|_| text(random)).collect();
        hits += compare(&scrubber, &texts);
    }
    assert!(hits > 10_000, "only {hits} hits: the texts say nothing");
}

fn text(random: &mut Random) -> String {
    let length = 5 + random.below(60);
    (0..length).map(|_| *random.pick(&['a', 'a', 'b', '1', '1', '.', ' ', 'é'])).collect()
}

fn parts(random: &mut Random, depth: usize) -> String {
    (0..=random.below(5)).map(|_| part(random, depth)).collect()
}

/// What may go on for so long that it is walked in pieces. Some of these pieces end at one place only, others do not.
fn strides(random: &mut Random) -> String {
    let before =
        random.pick(&["a", "b", "1", "[ab]", "(?:a|ab)", "(?:1|b1)", "(?<!b)a", "a(?!1)", r"\d{1,2}"]);
    let stride = random.pick(&[
        " ?a{0,500}b",
        "[ab]{0,500}1",
        "[a1]{1,500} ",
        r"[^.]{0,500}\.",
        "a{1,500}|b",
        "1{1,500}?",
        "(?:(?<= )[^ ]{0,500}|[.b]{0,3}) ",
    ]);
    let count = random.pick(&["{0,1}?", "{0,3}?", "{1,4}?", "{0,9}?", "{2,3}?"]);
    format!("{before}(?:{stride}){count}{}", parts(random, DEPTH))
}

fn part(random: &mut Random, depth: usize) -> String {
    let kinds = if depth == 0 { 5 } else { 10 };
    let one = match random.below(kinds) {
        0..=5 => random
            .pick(&["a", "b", "1", r"\.", "é", " ", "[ab]", "[^a]", "[a1]", r"\d", r"\p{L}"])
            .to_string(),
        6 | 7 => {
            let ways: Vec<String> = (0..=random.below(3)).map(|_| parts(random, depth - 1)).collect();
            format!("(?:{})", ways.join("|"))
        }
        _ => return looked_for(random),
    };
    one + *random.pick(&["", "", "", "", "?", "??", "{2}", "{1,3}", "{0,2}", "{1,4}?"])
}

fn looked_for(random: &mut Random) -> String {
    let kind = *random.pick(&["(?=", "(?!", "(?<=", "(?<!"]);
    let mut way = || -> String {
        let one = |random: &mut Random| {
            let what = *random.pick(&["a", "b", "1", r"\.", "é", "[ab]", r"\d", "[^b]"]);
            format!("{what}{}", random.pick(&["", "", "?", "{1,3}"]))
        };
        (0..=random.below(3)).map(|_| one(random)).collect()
    };
    format!("{kind}{}|{})", way(), way())
}
