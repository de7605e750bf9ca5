//! Choices multiplied out: the branches that a rule becomes, in the order in which they are tried.
//!
//! 1. A choice is worth it if its alternatives hold lookarounds of their own, and what stands before it fits in one way only; or if it is
//!    the first thing there is, and one of its alternatives can begin at any word.
//! 2. A repetition of words at the beginning is taken apart too: its first word alone, so that what follows can be its pivot.

use super::super::pivots;
use super::{flat, is_hard};
use crate::jsregex::first::first;
use crate::jsregex::tree::Node;

/// Branches of one rule at most, before those that begin in two ways are taken apart.
const MOST: usize = 32;

/// Multiplies out the first choice that is worth it, and so on.
pub(super) fn multiply(parts: &[Node], whole: &mut Vec<Vec<Node>>) {
    let first = parts.iter().position(|part| part.most() != Some(0));
    if let Some(unrolled) = first.and_then(|index| unrolled(parts, index)) {
        unrolled.iter().for_each(|parts| multiply(parts, whole));
        return;
    }
    let is_worth_it = |(index, part): (usize, &Node)| match part {
        Node::Choice(alternatives) => {
            (is_hard(part) && keeps_order(parts, index))
                || (Some(index) == first && alternatives.iter().any(is_any_word))
        }
        _ => false,
    };
    let found = parts.iter().enumerate().position(is_worth_it);
    let groups = match found.and_then(|index| parts.get(index)) {
        Some(Node::Choice(alternatives)) => grouped(alternatives),
        _ => Vec::new(),
    };
    let Some(index) = found.filter(|_| whole.len() + groups.len() <= MOST) else {
        whole.push(parts.to_vec());
        return;
    };
    let (before, after) = (&parts[..index], &parts[index + 1..]);
    for group in groups {
        let joint: Vec<Node> =
            before.iter().cloned().chain(flat(&group)).chain(after.iter().cloned()).collect();
        multiply(&joint, whole);
    }
}

/// Whether what stands before a choice fits in one way only, so that its alternatives are tried in their order.
fn keeps_order(parts: &[Node], choice: usize) -> bool {
    (0..choice).all(|part| is_fixed(&parts[part]) || ends_by_itself(parts, part))
}

/// A repetition of words at this place, taken once out of the repetition: the ways this can go on, in order.
/// What follows the first word can be its pivot then.
fn unrolled(parts: &[Node], index: usize) -> Option<Vec<Vec<Node>>> {
    let Node::Repeat { child, least, most, greedy } = parts.get(index)? else { return None };
    if pivots::is_run(parts.get(index)?) || !is_any_word(child) || *most == Some(0) {
        return None;
    }
    let (before, after) = (&parts[..index], &parts[index + 1..]);
    let more = Node::Repeat {
        child: child.clone(),
        least: least.saturating_sub(1),
        most: most.map(|most| most - 1),
        greedy: *greedy,
    };
    let more = (*most != Some(1)).then_some(more);
    let with: Vec<Node> =
        before.iter().cloned().chain(flat(child)).chain(more).chain(after.iter().cloned()).collect();
    let mut ways = vec![with];
    if *least == 0 {
        let without = before.iter().chain(after).cloned().collect();
        ways.insert(usize::from(*greedy), without);
    }
    Some(ways)
}

/// Whether a part fits in one way only.
fn is_fixed(node: &Node) -> bool {
    match node {
        Node::One(_) | Node::Look { .. } | Node::Edge(_) => true,
        Node::Sequence(parts) => parts.iter().all(is_fixed),
        Node::Choice(parts) => parts.len() == 1 && parts.iter().all(is_fixed),
        Node::Repeat { child, least, most, .. } => *most == Some(*least) && is_fixed(child),
    }
}

/// Whether a part is a run of some characters that has to go on as far as these do: what follows begins with others.
fn ends_by_itself(parts: &[Node], index: usize) -> bool {
    let Some(Node::Repeat { child, .. }) = parts.get(index) else { return false };
    let follows: Vec<&Node> = parts.iter().skip(index + 1).collect();
    let ([ours], [others]) = (first::<1>(&[child]), first::<1>(&follows));
    matches!(**child, Node::One(_)) && ours.and(&others).count() == 0
}

/// Whether a part can begin at any word.
fn is_any_word(node: &Node) -> bool {
    let parts = flat(node);
    pivots::split(&parts.iter().collect::<Vec<&Node>>()).is_some()
}

/// Alternatives in order, neighbours without lookarounds together.
fn grouped(alternatives: &[Node]) -> Vec<Node> {
    let mut groups: Vec<Node> = Vec::new();
    let mut easy: Vec<Node> = Vec::new();
    for alternative in alternatives {
        if is_hard(alternative) || is_any_word(alternative) {
            if !easy.is_empty() {
                groups.push(Node::Choice(std::mem::take(&mut easy)));
            }
            groups.push(alternative.clone());
        } else {
            easy.push(alternative.clone());
        }
    }
    if !easy.is_empty() {
        groups.push(Node::Choice(easy));
    }
    groups
}
