//! A process in words: every step with its number and the group it is in, and below it where it leads.

use super::flowchart::Flowchart;
use crate::doc::{Block, Inline, paragraph, text, woven};
use crate::pages::authored;
use crate::words::Words;

/// The steps, in the order the author named them.
pub fn tell(chart: &Flowchart, words: &Words) -> Block {
    let items = chart.nodes.iter().enumerate().map(|(at, node)| {
        let mut step = vec![authored(&line(&node.label))];
        // The innermost group: outer ones come first.
        if let Some(group) = chart.groups.iter().rev().find(|group| group.nodes.contains(&at)) {
            step.extend([text(" ("), authored(&line(&group.label)), text(")")]);
        }
        let mut item = vec![paragraph(step)];
        let ways: Vec<Vec<Block>> = ways(chart, at, words).map(|way| vec![paragraph(way)]).collect();
        if !ways.is_empty() {
            item.push(Block::List { ordered: false, items: ways });
        }
        item
    });
    Block::List { ordered: true, items: items.collect() }
}

/// Where a step leads: when, and to which other step.
fn ways<'c>(chart: &'c Flowchart, from: usize, words: &'c Words) -> impl Iterator<Item = Vec<Inline>> + 'c {
    chart.edges.iter().filter(move |edge| edge.from == from).map(|edge| {
        let number = (edge.to + 1).to_string();
        let label = chart.nodes.get(edge.to).map(|node| line(&node.label)).unwrap_or_default();
        let there = woven(words.picture.to_step, [text(number), authored(&label)]);
        let mut way = match edge.label.is_empty() {
            true => vec![text("→ ")],
            false => vec![Inline::Strong(vec![authored(&line(&edge.label))]), text(" → ")],
        };
        way.extend(there);
        way
    })
}

/// A label on one line.
fn line(label: &str) -> String {
    label.replace('\n', ", ")
}
