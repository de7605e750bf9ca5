//! Our engine against Node's `RegExp`.
//!
//! 1. The texts: every line of the fixtures, every example, and ten thousand made from them by cutting,
//!    joining and changing characters. They are folded first, so both sides read the same.
//! 2. Node lists every place where a match of a rule begins, and where it ends.
//! 3. From that list the hits follow: from left to right, each after the one before, without those the
//!    checksum refuses. They are the hits our engine gives.

use super::{benign, bundled, personal};
use becivic_core::scrub::{Folded, Scrubber};
use becivic_core::scrub_rules::{self, ScrubRules};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Texts made from others.
const MADE: usize = 10_000;

#[test]
fn hits_are_those_of_node() {
    let mut texts: Vec<String> = benign();
    texts.extend(personal().into_iter().map(|(_, text)| text));
    for rule in bundled().rules() {
        let examples = rule.examples.as_ref().expect("examples");
        texts.extend(examples.matching.iter().chain(&examples.not_matching).cloned());
    }
    let made = made(&texts);
    texts.extend(made);
    says_something(compare(bundled(), &texts));
}

fn says_something(hits: usize) {
    assert!(hits > 1_000, "only {hits} hits: the texts say nothing");
}

/// Syntax that our own rules do not use.
#[test]
fn other_patterns_mean_what_they_mean_in_node() {
    let patterns = [
        (r"\b\w+\b", ""),
        (r"\B.", ""),
        (r"[^\W\d]+", "i"),
        (r"\s+\S", "u"),
        (r"^\w+|\w+$", "m"),
        (r".{2}", "s"),
        (r"(?<=\d)[a-z]|(?<![a-z])\d", ""),
        (r"(?:ab|a)(?:c|bcd)(?:d*)", ""),
        (r"a{2,4}?b?", ""),
        (r"[é-ü]+", "i"),
        (r"\p{L}+?\p{N}", "u"),
        (r"\P{L}{2}", "u"),
        (r"[\p{Lu}_]", "iu"),
        (r"[^\p{Lu}]", "iu"),
        (r"\x41|\u0042|\cJ", ""),
        (r"\u{1F600}|\u{61}", "u"),
        (r"[\b\-\]]", ""),
        (r"(?=(?!b)\w)\w.", ""),
        (r"x*y+?|z{0,3}y", ""),
        (r"\w{3}(?=\d|$)", ""),
        (r"(?<=(?:^|\s)\w{1,3})\d+", "m"),
        (r"[\s\S]{3}", ""),
        (r"[^]", ""),
        (r"ſ|K", "i"),
        (r"ſ|K", "iu"),
        (r"µ", "i"),
        (r"ß|ǆ", "i"),
        (r"[\w-]+@[\w.]+", ""),
        (r"(?<!a|bc)\d", "u"),
        // Lookarounds on the way, one after the other, behind, in repetitions and in choices.
        (r"[a-z]+(?!b2|c3)(?=\d[a-z ])\d", "u"),
        (r"[a-z]{1,3}?(?=(?:[a-z]?\d){2})[a-z0-9]{2,4}", "iu"),
        (r"\w+(?<!a1|é.)[ .@]\w", "u"),
        (r"(?:\p{L}(?!a1|b2|É))+.(?<=[a-z] |\d.)", "u"),
        (r"x+(?:y(?!yx)|(?=yy)y|.(?<=x.))+", ""),
        (r"é?(?:a(?=b.)b|(?<!12)a)[bc1]*", ""),
        // Pivots: after a run that may be left out, one that may be empty, and with something before the run.
        (r"(?:[ab][^a]{0,2}1)?b\p{L}", "u"),
        (r"(?<!a|[ab]1)\p{L}{1,4}?a{0,2}", "u"),
        (r"(?<=\.\.?\w)\p{L}{1,4}?[y@]", "u"),
        // Branches tried in order after a part that ends by itself, or does not.
        (r"[.(]?(?:a(?!b1)\w|ab|1(?<!a1)[a-z])\d?", "u"),
        (r"[a.]?(?:a(?!b1)\w|ab|1(?<!a1)[a-z])\d?", "u"),
    ];
    let scrubber = Scrubber::unjudged(rules(patterns.into_iter())).expect("bounded");
    let seeds = [
        "abcd aab 12ab",
        "éÉüÜ ñ ß",
        "a1b2 c3",
        "ab\ncd\r\nef\u{2028}gh",
        "😀a😀1",
        "Kelvin K ſs S µ Μ μ",
        "x.y@host.be bc7 a8",
        "__A_b-]\u{8}",
        "zzzy xxyy",
        "Ǆ ǆ ǅ",
    ];
    let seeds: Vec<String> = seeds.iter().map(|seed| (*seed).to_owned()).collect();
    let mut texts = made(&seeds);
    texts.truncate(3_000);
    texts.extend(seeds);
    says_something(compare(&scrubber, &texts));
}

/// Rules of these patterns with their flags.
pub(super) fn rules<'p>(patterns: impl Iterator<Item = (&'p str, &'p str)>) -> ScrubRules {
    let rule = |(index, (pattern, flags)): (usize, (&str, &str))| {
        json!({"name": format!("r{index}: {pattern}"), "description": "x", "pattern": pattern, "flags": flags,
               "checksum": null, "applies_to_fields": "all_strings", "category": "metadata"})
    };
    let rules: Vec<serde_json::Value> = patterns.enumerate().map(rule).collect();
    serde_json::from_value(json!({"schema_version": 2, "rules": rules})).expect("well-formed")
}

/// Asserts that hits are those of Node; gives how many there are.
pub(super) fn compare(scrubber: &Scrubber, texts: &[String]) -> usize {
    let texts: Vec<String> = texts.iter().map(|text| Folded::new(text).text().to_owned()).collect();
    let answers = node(scrubber, &texts);
    assert_eq!(answers.len(), texts.len());
    let mut hits = 0;
    for (text, matches) in texts.iter().zip(answers) {
        let expected = replay(scrubber, text, &matches);
        let ours: Vec<(usize, usize, usize)> =
            scrubber.scan(text).into_iter().map(|hit| (hit.span.start, hit.span.end, hit.rule)).collect();
        let names = |hits: &[(usize, usize, usize)]| -> Vec<(usize, usize, String)> {
            hits.iter()
                .map(|(start, end, rule)| (*start, *end, scrubber.rules()[*rule].name.clone()))
                .collect()
        };
        assert_eq!(names(&ours), names(&expected), "ours, then Node's, in {text:?}");
        hits += ours.len();
    }
    hits
}

/// The hits that follow from every match there is.
fn replay(scrubber: &Scrubber, text: &str, matches: &[[usize; 3]]) -> Vec<(usize, usize, usize)> {
    let mut hits = Vec::new();
    for (index, rule) in scrubber.rules().iter().enumerate() {
        let checksum = rule.checksum.as_deref().and_then(scrub_rules::checksum);
        let mut from = 0;
        for [_, start, end] in matches.iter().filter(|[rule, ..]| *rule == index) {
            // A pattern without `u` can begin and end inside a character; the hit holds all of it.
            let (first, last) = (borders(text, *start).0, borders(text, *end).1);
            let counts = checksum.is_none_or(|checksum| checksum.holds(&text[first..last]));
            if *start >= from && counts {
                hits.push((first, last, index));
                from = *end;
            }
        }
    }
    hits.sort_unstable();
    hits
}

/// The borders in bytes at or around a place in UTF-16 units.
fn borders(text: &str, units: usize) -> (usize, usize) {
    let mut seen = 0;
    for (at, c) in text.char_indices() {
        if seen >= units {
            return (at, at);
        }
        seen += c.len_utf16();
        if seen > units {
            return (at, at + c.len_utf8());
        }
    }
    (text.len(), text.len())
}

/// Runs the script; one list of [rule, start, end] per text.
fn node(scrubber: &Scrubber, texts: &[String]) -> Vec<Vec<[usize; 3]>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/regexp/matches.mjs");
    let mut child = Command::new("node")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node, which `cargo xtask test` installs");
    let rules: Vec<serde_json::Value> =
        scrubber.rules().iter().map(|rule| json!({"pattern": rule.pattern, "flags": rule.flags})).collect();
    let input = json!({"rules": rules, "texts": texts}).to_string();
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("an answer");
    writer.join().expect("no panic").expect("all written");
    assert!(output.status.success(), "node failed");
    let answer = String::from_utf8(output.stdout).expect("text");
    answer.lines().map(|line| serde_json::from_str(line).expect("a list of matches")).collect()
}

/// Texts made from others, always the same.
fn made(seeds: &[String]) -> Vec<String> {
    let mut random = Random(0x5DEE_CE66_D1CE_4E5B);
    (0..MADE).map(|_| random.text(seeds)).collect()
}

/// A small generator (xorshift64*): the same texts on every machine.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let mixed = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(mixed).unwrap_or(0) % limit.max(1)
    }

    pub(super) fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }

    /// One or two pieces of seeds, with a few characters changed.
    fn text(&mut self, seeds: &[String]) -> String {
        let mut text: Vec<char> = Vec::new();
        for _ in 0..=self.below(2) {
            let seed: Vec<char> = seeds[self.below(seeds.len())].chars().collect();
            let start = self.below(seed.len() / 2);
            text.extend(seed.iter().skip(start).take(8 + self.below(100)));
        }
        const CHANGES: &[char] = &[
            '0', '1', '7', '9', ' ', '.', '-', '/', '(', '+', '@', 'a', 'B', 'é', '😀', '\n', '_', ':', ',',
        ];
        for _ in 0..self.below(6) {
            let at = self.below(text.len());
            let with = *self.pick(CHANGES);
            match self.below(3) {
                0 => text.insert(at, with),
                1 if at < text.len() => text[at] = with,
                _ if at < text.len() => {
                    text.remove(at);
                }
                _ => {}
            }
        }
        text.into_iter().collect()
    }
}
