//! Flowcharts of Mermaid, as far as procedures need them.
//!
//! 1. The first line says `flowchart` or `graph`, with a direction that is not looked at: pictures run from top to bottom.
//! 2. A statement is a chain of nodes and arrows: `a[Text] --> b{Question?} -->|yes| c & d`. Arrows have their label between
//!    bars or inside (`-- yes -->`). Statements about looks (`style`, `classDef` …) and `click` say nothing about the process.
//! 3. `subgraph` and `end` put the steps between them into a group ([`group`]); a step is in the first one that names it.
//! 4. Anything else (other diagrams, arrows with two heads or to a group) is not read at all: half a process would mislead.
//! 5. Sizes are limited, so that a hostile diagram costs no more than a large honest one.

mod arrow;
mod group;
mod node;

pub use group::Group;
use std::collections::{HashMap, HashSet};

/// A diagram is not read beyond these: a procedure of more steps is not one anybody follows in a picture.
const MAX_NODES: usize = 200;
const MAX_EDGES: usize = 400;
const MAX_BYTES: usize = 64 * 1024;
const MAX_GROUPS: usize = 20;

/// Statements about looks and actions.
const LOOKS: &[&str] = &["classDef ", "class ", "style ", "linkStyle ", "click ", "accTitle", "accDescr:"];

/// A process.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Flowchart {
    /// The steps, in the order they are named.
    pub nodes: Vec<Node>,
    /// What leads where.
    pub edges: Vec<Edge>,
    /// Groups of steps, an outer one before those inside it.
    pub groups: Vec<Group>,
}

/// A step.
#[derive(Debug, PartialEq, Eq)]
pub struct Node {
    /// What it says; lines are kept.
    pub label: String,
    /// What it is.
    pub kind: Kind,
}

/// What a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Something to do.
    Step,
    /// Something to decide.
    Choice,
    /// Where it begins or ends.
    End,
}

/// A way from one step to another.
#[derive(Debug, PartialEq, Eq)]
pub struct Edge {
    /// The step it leaves.
    pub from: usize,
    /// The step it leads to.
    pub to: usize,
    /// When it is taken.
    pub label: String,
    /// Whether it has a head.
    pub headed: bool,
}

impl Flowchart {
    /// Reads a diagram; nothing where it is none that can be drawn.
    pub fn read(source: &str) -> Option<Self> {
        if source.len() > MAX_BYTES {
            return None;
        }
        let mut lines =
            source.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("%%"));
        let mut first = lines.next()?.split_whitespace();
        if !matches!(first.next()?, "flowchart" | "graph") {
            return None;
        }
        let directed = first
            .next()
            .is_none_or(|it| matches!(it.trim_end_matches(';'), "TD" | "TB" | "BT" | "LR" | "RL"));
        if !directed || first.next().is_some() {
            return None;
        }
        let mut reading = Reading::default();
        for line in lines.filter(|line| !LOOKS.iter().any(|looks| line.starts_with(looks))) {
            match group::read(line) {
                Some(bound) => reading.group(bound)?,
                None => reading.statements(line)?,
            }
        }
        reading.finish()
    }
}

#[derive(Default)]
struct Reading {
    chart: Flowchart,
    by_id: HashMap<String, usize>,
    /// The ids of groups, those that are open, and the steps that have one.
    groups: HashSet<String>,
    open: Vec<usize>,
    grouped: HashSet<usize>,
}

impl Reading {
    fn group(&mut self, bound: group::Line<'_>) -> Option<()> {
        match bound {
            group::Line::Begin(id, label) => {
                if self.chart.groups.len() == MAX_GROUPS {
                    return None;
                }
                self.groups.insert(id.to_owned());
                self.open.push(self.chart.groups.len());
                self.chart.groups.push(Group { label, nodes: Vec::new() });
            }
            group::Line::End => {
                self.open.pop()?;
            }
            group::Line::Direction => {}
        }
        Some(())
    }

    /// The chart, where every group has ended and none stands in the place of a step.
    fn finish(self) -> Option<Flowchart> {
        let is_whole = self.open.is_empty() && !self.groups.iter().any(|id| self.by_id.contains_key(id));
        Some(self.chart).filter(|chart| is_whole && !chart.nodes.is_empty())
    }

    fn statements(&mut self, line: &str) -> Option<()> {
        let mut rest = line;
        while !rest.is_empty() {
            rest = self.chain(rest)?.trim_start();
            rest = match rest.strip_prefix(';') {
                Some(after) => after.trim_start(),
                None if rest.is_empty() => rest,
                None => return None,
            };
        }
        Some(())
    }

    /// Nodes with arrows between them; gives what comes after.
    fn chain<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let (mut from, mut rest) = self.nodes(text)?;
        loop {
            rest = rest.trim_start();
            if rest.is_empty() || rest.starts_with(';') {
                return Some(rest);
            }
            let (arrow, after) = arrow::read(rest)?;
            let (to, after) = self.nodes(after.trim_start())?;
            for (from, to) in from.iter().flat_map(|from| to.iter().map(move |to| (*from, *to))) {
                if self.chart.edges.len() == MAX_EDGES {
                    return None;
                }
                let label = arrow.label.clone();
                self.chart.edges.push(Edge { from, to, label, headed: arrow.headed });
            }
            (from, rest) = (to, after);
        }
    }

    /// `a` or `a & b`.
    fn nodes<'t>(&mut self, text: &'t str) -> Option<(Vec<usize>, &'t str)> {
        let mut found = Vec::new();
        let mut rest = text;
        loop {
            let (named, after) = node::read(rest)?;
            found.push(self.know(named)?);
            match after.trim_start().strip_prefix('&') {
                Some(more) => rest = more.trim_start(),
                None => return Some((found, after)),
            }
        }
    }

    /// A node by its id; what it says may come with any of its mentions.
    fn know(&mut self, named: node::Named<'_>) -> Option<usize> {
        let at = match self.by_id.get(named.id) {
            Some(at) => *at,
            None if self.chart.nodes.len() == MAX_NODES => return None,
            None => {
                let at = self.chart.nodes.len();
                self.by_id.insert(named.id.to_owned(), at);
                self.chart.nodes.push(Node { label: named.id.to_owned(), kind: Kind::Step });
                at
            }
        };
        if let (Some((label, kind)), Some(node)) = (named.says, self.chart.nodes.get_mut(at)) {
            *node = Node { label, kind };
        }
        if !self.open.is_empty() && self.grouped.insert(at) {
            for group in &self.open {
                self.chart.groups.get_mut(*group)?.nodes.push(at);
            }
        }
        Some(at)
    }
}

/// A label as people read it: breaks are line ends.
fn plain(text: &str) -> String {
    let broken = text.replace("<br>", "\n").replace("<br/>", "\n").replace("<br />", "\n");
    broken.split('\n').map(str::trim).collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests;
