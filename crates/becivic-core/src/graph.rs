//! The composition graph: which skill needs which (§6.6, `requires` and `prerequisites`), and whether it is
//! acyclic.

use crate::corpus::Corpus;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

/// Skills and what they need, by id.
#[derive(Debug, Default)]
pub struct Composition<'a> {
    graph: DiGraph<&'a str, ()>,
    index: FxHashMap<&'a str, NodeIndex>,
}

impl<'a> Composition<'a> {
    /// The graph of a corpus: edges between skills that exist.
    pub fn of(corpus: &'a Corpus) -> Self {
        let mut this = Self::default();
        for id in corpus.skills.keys() {
            let node = this.graph.add_node(id);
            this.index.insert(id, node);
        }
        for (id, skill) in &corpus.skills {
            let fronts = || skill.front.iter();
            let requires = fronts().flat_map(|front| front.requires()).map(|edge| &edge.id);
            let before = fronts().flat_map(|front| front.prerequisites.iter().flatten());
            for needed in requires.chain(before) {
                if let (Some(from), Some(to)) = (this.index.get(id.as_str()), this.index.get(needed.as_str()))
                {
                    this.graph.update_edge(*from, *to, ());
                }
            }
        }
        this
    }

    /// One shortest cycle per knot of skills that require each other: ids in order, the smallest
    /// first, without repeating it at the end. Linear in skills and edges.
    pub fn cycles(&self) -> Vec<Vec<&'a str>> {
        let mut cycles: Vec<Vec<&'a str>> =
            kosaraju_scc(&self.graph).into_iter().filter_map(|knot| self.cycle_in(&knot)).collect();
        cycles.sort();
        cycles
    }

    fn cycle_in(&self, knot: &[NodeIndex]) -> Option<Vec<&'a str>> {
        let start = knot.iter().copied().min_by_key(|node| self.graph.node_weight(*node))?;
        let members: HashSet<NodeIndex> = knot.iter().copied().collect();
        let mut came_from: HashMap<NodeIndex, NodeIndex> = HashMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            for next in self.graph.neighbors(node).filter(|next| members.contains(next)) {
                if next == start {
                    return Some(self.way_back(start, node, &came_from));
                }
                if let Entry::Vacant(unseen) = came_from.entry(next) {
                    unseen.insert(node);
                    queue.push_back(next);
                }
            }
        }
        None
    }

    fn way_back(
        &self,
        start: NodeIndex,
        last: NodeIndex,
        came_from: &HashMap<NodeIndex, NodeIndex>,
    ) -> Vec<&'a str> {
        let mut cycle = vec![last];
        let mut node = last;
        while node != start {
            match came_from.get(&node) {
                Some(previous) => node = *previous,
                None => break,
            }
            cycle.push(node);
        }
        cycle.reverse();
        cycle.into_iter().filter_map(|node| self.graph.node_weight(node).copied()).collect()
    }
}
