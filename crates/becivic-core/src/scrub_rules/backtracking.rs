//! Whether a pattern can make a backtracking engine run away (`^(a+)+$`).
//!
//! JavaScript engines backtrack, and ours has no step limit, so the question is asked before a pattern is
//! ever run on real text. Nothing is timed: a small matcher that tries alternatives in the order such an
//! engine does counts its own steps.
//!
//! 1. The pattern is parsed and becomes a tree of [`Node`]s over a small alphabet; a construct we do not
//!    model makes the pattern unjudged, which counts against it.
//! 2. For every repetition in it, a text is made that leads up to it, repeats what it repeats, and ends
//!    in a character that fits nothing. Runs of single characters and of pairs come on top.
//! 3. Each text of [`LENGTH`] characters may cost [`MAX_STEPS`]. Looking for a match from every start is
//!    about n²/2 visits of a few nodes: 64²/2 × 8 ≈ 16,000. Cubic costs (64³/6 ≈ 44,000 × 3) and everything
//!    exponential go over.

mod matcher;
mod texts;
mod tree;

use tree::Node;

/// Characters per text.
const LENGTH: usize = 64;

/// Steps a search of one text may take.
const MAX_STEPS: u32 = 60_000;

/// Why a pattern is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Some short text costs more steps than allowed.
    Explodes,
    /// The pattern uses something this check does not model.
    Unjudged,
}

/// Judges a pattern with its JavaScript flags.
pub fn judge(pattern: &str, flags: &str) -> Result<(), Verdict> {
    let root = Node::parse(pattern, flags).ok_or(Verdict::Unjudged)?;
    let bounded = texts::for_pattern(&root, LENGTH)
        .iter()
        .all(|text| matcher::search_is_bounded(&root, text, MAX_STEPS));
    if bounded { Ok(()) } else { Err(Verdict::Explodes) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            r"x(?=(z+)+y)",
        ] {
            assert_eq!(judge(evil, ""), Err(Verdict::Explodes), "{evil}");
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
            "",
        ] {
            assert_eq!(judge(fine, "iu"), Ok(()), "{fine}");
        }
        assert_eq!(judge(r"(a)\1", ""), Err(Verdict::Unjudged));
    }

    #[test]
    fn large_counts_cost_little_to_judge() {
        assert_eq!(judge(r"(?:a?){100000}x", ""), Err(Verdict::Explodes));
        assert_eq!(judge(r"(?:(?:(?:(?:(?:a{60}){60}){60}){60}){60})x", ""), Ok(()));
    }
}
