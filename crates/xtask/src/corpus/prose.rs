//! Sentences and paragraphs.
//!
//! 1. A sentence is one of a dozen shapes, filled from [`super::words`].
//! 2. A paragraph is two to five of them, wrapped by nothing: one line, as authors write.
//!
//! The text is plausible and means nothing; it is there to be parsed.

use super::rng::Rng;
use super::words::{ACTS, OPENINGS, REASONS, SUBJECTS, THINGS, TIMES};

/// Appends one sentence, with its full stop.
pub fn sentence(rng: &mut Rng, out: &mut String) {
    let at = out.len();
    match rng.below(10) {
        0 => clause(rng, out, &[SUBJECTS, ACTS, THINGS, TIMES]),
        1 => clause(rng, out, &[OPENINGS, SUBJECTS, ACTS, THINGS]),
        2 => clause(rng, out, &[SUBJECTS, ACTS, THINGS, REASONS]),
        3 => clause(rng, out, &[OPENINGS, SUBJECTS, ACTS, THINGS, TIMES]),
        4 => joined(rng, out, ", and "),
        5 => joined(rng, out, "; meanwhile "),
        6 => joined(rng, out, ", whereas "),
        7 => clause(rng, out, &[SUBJECTS, ACTS, THINGS, TIMES, REASONS]),
        8 => {
            out.push_str("do not forget that ");
            clause(rng, out, &[SUBJECTS, ACTS, THINGS]);
        }
        _ => {
            out.push_str("suggest asking whether ");
            clause(rng, out, &[SUBJECTS, ACTS, THINGS, TIMES]);
        }
    }
    out.push('.');
    capitalise(out, at);
}

/// Appends two to five sentences on one line, without a line end.
pub fn paragraph(rng: &mut Rng, out: &mut String) {
    for index in 0..rng.between(2, 5) {
        if index > 0 {
            out.push(' ');
        }
        sentence(rng, out);
    }
}

fn clause(rng: &mut Rng, out: &mut String, banks: &[&[&str]]) {
    for (index, bank) in banks.iter().enumerate() {
        if index > 0 {
            out.push(' ');
        }
        out.push_str(rng.pick(bank));
    }
}

fn joined(rng: &mut Rng, out: &mut String, joint: &str) {
    clause(rng, out, &[SUBJECTS, ACTS, THINGS]);
    out.push_str(joint);
    clause(rng, out, &[SUBJECTS, ACTS, THINGS, TIMES]);
}

/// Every word we start with begins with an ASCII letter, or with `*` and then one.
fn capitalise(out: &mut str, at: usize) {
    if let Some(start) = out.get_mut(at..at + 1) {
        start.make_ascii_uppercase();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_one_line_without_tags_and_the_same_every_time() {
        let mut text = String::new();
        let mut rng = Rng::stream(1, 2, 3);
        for _ in 0..200 {
            paragraph(&mut rng, &mut text);
        }
        assert!(!text.contains(['\n', '<', '>', '{', '}', '[', ']', '|', '"']));
        let mut again = String::new();
        let mut rng = Rng::stream(1, 2, 3);
        paragraph(&mut rng, &mut again);
        assert!(text.starts_with(&again));
    }
}
