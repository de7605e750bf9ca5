//! Texts that are hard on a pattern, made from the pattern.

use super::tree::{Node, STRANGER, alphabet};
use std::collections::BTreeSet;

/// At most so many ways of writing one part are tried.
const MAX_SAMPLES: usize = 6;

/// No sample is longer, so that nested repetitions cannot multiply into huge texts.
const MAX_SAMPLE: usize = 64;

/// Characters whose runs and pairs are tried on every pattern.
const RUNS: usize = 6;

/// The texts for a pattern, each at most `length` characters and the stranger.
pub(super) fn for_pattern(root: &Node, length: usize) -> Vec<Vec<char>> {
    let mut texts = BTreeSet::new();
    pump(root, &[], length, &mut texts);
    let common: Vec<char> = alphabet().take(RUNS).collect();
    for first in &common {
        for second in &common {
            texts.insert(ending(&[], &[*first, *second], length));
        }
    }
    texts.into_iter().collect()
}

/// For every repetition below `node`: what leads up to it, then what it repeats, again and again.
fn pump(node: &Node, before: &[char], length: usize, texts: &mut BTreeSet<Vec<char>>) {
    match node {
        Node::One { .. } | Node::Edge(_) => {}
        Node::Sequence(parts) => {
            let mut before = before.to_vec();
            for part in parts {
                pump(part, &before, length, texts);
                before.extend(samples(part).into_iter().next().unwrap_or_default());
            }
        }
        Node::Choice(parts) => parts.iter().for_each(|part| pump(part, before, length, texts)),
        Node::Repeat { child, .. } => {
            for sample in samples(child) {
                texts.insert(ending(before, &sample, length));
            }
            pump(child, before, length, texts);
        }
        Node::Look { child, .. } => pump(child, before, length, texts),
    }
}

fn ending(before: &[char], repeated: &[char], length: usize) -> Vec<char> {
    let run = repeated.iter().copied().cycle().take(if repeated.is_empty() { 0 } else { length });
    before.iter().copied().chain(run).chain([STRANGER]).collect()
}

/// Short texts that fit a node: the shortest way of each alternative.
fn samples(node: &Node) -> Vec<Vec<char>> {
    match node {
        Node::One { members, .. } => members.iter().take(2).map(|c| vec![*c]).collect(),
        Node::Edge(_) | Node::Look { .. } => vec![Vec::new()],
        Node::Choice(parts) => parts.iter().flat_map(samples).take(MAX_SAMPLES).collect(),
        Node::Repeat { child, least, .. } => {
            // Once rather than never: what may be absent is still tried.
            let rounds = (*least).clamp(1, 64);
            let whole = |sample: Vec<char>| {
                let length = sample.len() * rounds;
                sample.into_iter().cycle().take(length.min(MAX_SAMPLE)).collect()
            };
            samples(child).into_iter().map(whole).collect()
        }
        Node::Sequence(parts) => {
            let mut whole = vec![Vec::new()];
            for part in parts {
                let options = samples(part);
                let longer = whole.iter().flat_map(|start: &Vec<char>| {
                    options.iter().map(move |option| [start.as_slice(), option].concat())
                });
                whole = longer.take(MAX_SAMPLES).collect();
            }
            whole
        }
    }
}
