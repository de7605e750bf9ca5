//! Whether a pattern can make a backtracking engine run away (`^(a+)+$`).
//!
//! Our own engine cannot; those of the people who read our rules file can, so a pattern that would hurt
//! them is refused. Nothing is timed: a small matcher that tries alternatives in the order such an engine
//! does counts its own steps, so the answer is the same on every machine.
//!
//! 1. The pattern's tree becomes one of [`Node`]s over a small alphabet.
//! 2. For every repetition in it, a text is made that leads up to it, repeats what it repeats, and ends
//!    in a character that fits nothing. Runs of single characters and of pairs come on top.
//! 3. Each text of [`LENGTH`] characters may cost [`MAX_STEPS`]. Looking for a match from every start is
//!    about n²/2 visits of a few nodes: 64²/2 × 8 ≈ 16,000. Cubic costs (64³/6 ≈ 44,000 × 3) and everything
//!    exponential go over. A long list of alternatives gets [`STEPS_PER_PART`] for each on top.

mod matcher;
mod texts;
mod tree;

use super::Regex;
use tree::Node;

/// Characters per text.
const LENGTH: usize = 64;

/// Steps a search of one text may take.
const MAX_STEPS: u32 = 60_000;

/// Steps on top for each part of the pattern: every place of the text may ask each of them once.
const STEPS_PER_PART: u32 = 2 * LENGTH as u32;

/// Whether a search with the pattern stays bounded in an engine without memory.
pub fn is_bounded(regex: &Regex) -> bool {
    // It was read before: what cannot be read is no regex.
    let Ok(tree) = regex.tree() else { return false };
    let root = Node::new(&tree, false);
    let max_steps = MAX_STEPS.saturating_add(STEPS_PER_PART.saturating_mul(root.parts()));
    texts::for_pattern(&root, LENGTH).iter().all(|text| matcher::search_is_bounded(&root, text, max_steps))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(pattern: &str, flags: &str) -> bool {
        is_bounded(&Regex::new(pattern, flags).expect("readable"))
    }

    #[test]
    fn exploding_patterns_are_refused() {
        for evil in [
            r"^(a+)+$",
            r"(a|a)*b",
            r"(\w+\s?)+$",
            r"IBAN: (\d+)+x",
            r"^(?:\d{1,3}){1,}x$",
            r"(?:a|b|ab)*c",
            r"^([a-z]+)*\.$",
            r"\d+\d+\d+x",
            r"x(?=(?:z|z|y){20}x)",
        ] {
            assert!(!judge(evil, ""), "{evil}");
        }
    }

    #[test]
    fn ordinary_patterns_pass() {
        for fine in [
            r"\b\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}\b",
            r"[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}",
            r"\bBE\d{2}(?:[ .-]?\d{4}){3}\b",
            r"(?<![\d.])(?:\+32|0)[ ./-]?4\d{2}(?:[ ./-]?\d{2}){3}(?!\d)",
            r"\b[A-Z]{2}\d{6}\b",
            r"(?:rue|straat|laan)\s+\p{Lu}\p{L}+",
            r".*",
            &(0..700).map(|number| format!("a{number}")).collect::<Vec<String>>().join("|"),
            "",
        ] {
            assert!(judge(fine, "iu"), "{fine}");
        }
    }
}
