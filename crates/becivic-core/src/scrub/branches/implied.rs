//! Whether a lookahead says no more than what follows it anyhow. Engines that try one place after another are spared much by a
//! `(?=street )` that stands before something slow and then `street `; here it would only be asked in vain.
//!
//! 1. Whatever fits what follows has to begin with something that fits what is looked for. So each way through the former is gone, and
//!    with it one through the latter, part by part: parts that are alike take the same characters.
//! 2. Of a choice that follows every alternative has to do, of one that is looked for any.
//! 3. What follows may ask for more than characters. That makes it fit less often, and can be passed over.
//! 4. After so many steps it is said not to be implied, which costs time later but is not wrong.

use crate::jsregex::tree::Node;
use regex_syntax::hir::ClassUnicode;

/// Steps at most.
const MOST: usize = 4_000;

/// A part that is still to come.
#[derive(Clone, Copy)]
enum Part<'n> {
    Whole(&'n Node),
    /// What is left of a repetition.
    Left(Repeated<'n>),
}

/// Something so many times.
#[derive(Clone, Copy)]
struct Repeated<'n> {
    child: &'n Node,
    least: u32,
    most: Option<u32>,
}

/// Parts that are still to come, the next one last.
type Parts<'n> = Vec<Part<'n>>;

/// Whether what is looked for is found wherever all this follows.
pub(super) fn is_implied(looked_for: &Node, following: &[&Node]) -> bool {
    let given = following.iter().rev().map(|node| Part::Whole(node)).collect();
    begins_with(given, vec![Part::Whole(looked_for)], &mut { MOST })
}

/// Whether each way through what is given begins with one through what is wanted.
fn begins_with<'n>(mut given: Parts<'n>, mut wanted: Parts<'n>, steps: &mut usize) -> bool {
    while let Some(want) = wanted.pop() {
        let Some(left) = steps.checked_sub(1) else { return false };
        *steps = left;
        let give = given.pop();
        if give.is_some_and(|give| takes_no_more(give, want)) {
            continue;
        }
        if let Some(Part::Whole(Node::Look { .. } | Node::Edge(_))) = give {
            wanted.push(want);
            continue;
        }
        if let Some(ways) = give.and_then(ways) {
            wanted.push(want);
            return ways.into_iter().all(|way| begins_with(joined(&given, way), wanted.clone(), steps));
        }
        let Some(ways) = ways(want) else { return false };
        given.extend(give);
        return ways.into_iter().any(|way| begins_with(given.clone(), joined(&wanted, way), steps));
    }
    true
}

/// Whether all that a part takes is taken by the other one too.
fn takes_no_more(part: Part<'_>, other: Part<'_>) -> bool {
    match (part, other) {
        (Part::Whole(Node::One(class)), Part::Whole(Node::One(other))) => {
            let mut both = ClassUnicode::clone(class);
            both.intersect(other);
            both == **class
        }
        (Part::Whole(node), Part::Whole(other)) if node == other => true,
        _ => match (repeated(part), repeated(other)) {
            (Some(part), Some(other)) => {
                let is_at_most = other.most.is_none_or(|limit| part.most.is_some_and(|most| most <= limit));
                part.child == other.child && other.least <= part.least && is_at_most
            }
            _ => false,
        },
    }
}

fn repeated(part: Part<'_>) -> Option<Repeated<'_>> {
    match part {
        Part::Left(repeated) => Some(repeated),
        Part::Whole(Node::Repeat { child, least, most, .. }) => {
            Some(Repeated { child, least: *least, most: *most })
        }
        Part::Whole(_) => None,
    }
}

/// The ways through a part that is made of others.
fn ways(part: Part<'_>) -> Option<Vec<Parts<'_>>> {
    match part {
        Part::Whole(Node::Sequence(parts)) => Some(vec![parts.iter().rev().map(Part::Whole).collect()]),
        Part::Whole(Node::Choice(parts)) => Some(parts.iter().map(|part| vec![Part::Whole(part)]).collect()),
        _ => {
            let Repeated { child, least, most } = repeated(part)?;
            let left = Repeated {
                child,
                least: least.saturating_sub(1),
                most: most.map(|most| most.saturating_sub(1)),
            };
            let once_more = (most != Some(0)).then(|| vec![Part::Left(left), Part::Whole(child)]);
            let no_more = (least == 0).then(Vec::new);
            Some(once_more.into_iter().chain(no_more).collect())
        }
    }
}

/// What is still to come after one way through the next part.
fn joined<'n>(after: &[Part<'n>], way: Parts<'n>) -> Parts<'n> {
    after.iter().copied().chain(way).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jsregex::Regex;

    #[test]
    fn a_lookahead_is_implied_where_all_that_follows_begins_with_it() {
        let table = [
            ("a", "ab", true),
            ("ab", "a", false),
            ("[ab]c", "ac", true),
            ("ac", "[ab]c", false),
            ("(?:a|b) ", "(?:b|a) c", true),
            ("(?:a|b) ", "(?:b|c) c", false),
            ("[0-9]", "[0-9]{1,4} x", true),
            ("[0-9]{1,4} x", "[0-9]{1,4} xy", true),
            ("[0-9]{1,4} x", "[0-9]{2,3} x", true),
            ("[0-9]{2,3} x", "[0-9]{1,4} x", false),
            ("[0-9]{2,}", "[0-9]{2,9}", true),
            ("[0-9]{2,9}", "[0-9]{2,}", true),
            ("[0-9]{3,9}", "[0-9]{2,}", false),
            ("(?:ab)?c", "abc", true),
            ("(?:ab)?c", "c", true),
            ("abc", "(?:ab)?c", false),
            ("a(?:b|c)", "(?:ab|ac|abd)e", true),
            ("a b", "a(?!c)(?<=a) b", true),
            ("a(?!c)", "a(?!c)b", true),
            ("a(?!c)", "ab", false),
            (r"\p{Lu}[\p{L}'-]{1,30} x", r"\p{Lu}[\p{L}'-]{1,24} xy", true),
            ("", "a", true),
            ("a", "", false),
            ("a?", "", true),
        ];
        for (looked_for, following, expected) in table {
            let tree = |pattern: &str| Regex::with_tree(pattern, "u").expect("bounded").1;
            assert_eq!(
                is_implied(&tree(looked_for), &[&tree(following)]),
                expected,
                "{looked_for} {following}"
            );
        }
    }

    #[test]
    fn what_takes_too_long_to_tell_is_not_implied() {
        let (_, tree) = Regex::with_tree("(?:(?:a|b)(?:a|b)){30}", "u").expect("bounded");
        let (_, other) = Regex::with_tree("(?:(?:b|a)(?:b|a)){30}", "u").expect("bounded");
        assert!(!is_implied(&tree, &[&other]));
    }
}
