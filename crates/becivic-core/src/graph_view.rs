//! The skills graph as people and programs see it (§24.2, §6.6).
//!
//! 1. Nodes are the skills that pass the filters; retired skills are never among them, and the fallback
//!    skill always is: it is where an agent goes when nothing else fits.
//! 2. Edges are what the frontmatter says, between nodes that are shown: `requires`, `prerequisites`,
//!    `related`.
//! 3. Written as the answer of §24.2 ([`View::answer`]: prerequisites and related only, as the schema has
//!    it), as DOT, or as a picture.
//!
//! The same corpus and the same arguments give the same bytes.

mod answer;
mod dot;
pub mod layout;
mod svg;

use crate::corpus::Corpus;
use crate::skill::{FALLBACK, Frontmatter};
use crate::vocabulary::{Domain, Status, words};
use std::collections::{BTreeMap, BTreeSet};

/// Which skills are shown; empty lists show all.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Statuses.
    pub status: Vec<Status>,
    /// Domains, shown as `applies_to`.
    pub domain: Vec<Domain>,
    /// Skills that are never shown, whatever their files say.
    pub withheld: Vec<String>,
}

/// A graph ready to be written.
#[derive(Debug)]
pub struct View<'a> {
    filter: Filter,
    nodes: Vec<&'a Frontmatter>,
    edges: Vec<Edge>,
}

words! {
    /// What an edge says.
    EdgeKind {
        /// One skill is composed of another.
        Requires = "requires",
        /// One must be completed before the other.
        Prerequisites = "prerequisites",
        /// One may be of interest beside the other.
        Related = "related",
    }
}

/// An edge between two nodes, by their index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edge {
    from: usize,
    to: usize,
    kind: EdgeKind,
}

impl<'a> View<'a> {
    /// The graph of a corpus.
    pub fn of(corpus: &'a Corpus, filter: Filter) -> Self {
        let fronts = corpus.skills.values().filter_map(|skill| skill.front.as_ref());
        let nodes: Vec<&Frontmatter> = fronts.filter(|front| filter.shows(front)).collect();
        let index: BTreeMap<&str, usize> =
            nodes.iter().enumerate().map(|(at, front)| (front.id.as_str(), at)).collect();
        let mut edges = Vec::new();
        for (from, front) in nodes.iter().enumerate() {
            let required = front.requires().iter().map(|required| required.id.as_str());
            let before = front.prerequisites.iter().flatten().map(String::as_str);
            let related = front.related.iter().flatten().map(String::as_str);
            let named = required
                .map(|id| (id, EdgeKind::Requires))
                .chain(before.map(|id| (id, EdgeKind::Prerequisites)))
                .chain(related.map(|id| (id, EdgeKind::Related)));
            edges.extend(named.filter_map(|(id, kind)| index.get(id).map(|to| Edge { from, to: *to, kind })));
        }
        Self { filter, nodes, edges }
    }

    /// The edges of a picture. What is related is so in both directions: it is drawn once, and only between skills
    /// that nothing firmer joins.
    fn drawn(&self) -> Vec<Edge> {
        let pair = |edge: &Edge| (edge.from.min(edge.to), edge.from.max(edge.to));
        let firm = self.edges.iter().filter(|edge| edge.kind != EdgeKind::Related);
        let mut joined: BTreeSet<(usize, usize)> = firm.map(pair).collect();
        let once = |edge: &&Edge| edge.kind != EdgeKind::Related || joined.insert(pair(edge));
        self.edges.iter().filter(once).copied().collect()
    }

    /// The graph as DOT.
    pub fn dot(&self) -> String {
        dot::write(self)
    }

    /// The graph as a picture.
    pub fn svg(&self) -> String {
        svg::write(self)
    }
}

impl Filter {
    fn shows(&self, front: &Frontmatter) -> bool {
        if front.status.is_retired() || self.withheld.contains(&front.id) {
            return false;
        }
        let status = self.status.is_empty() || self.status.contains(&front.status);
        let domain =
            self.domain.is_empty() || front.domain.is_some_and(|domain| self.domain.contains(&domain));
        front.id == FALLBACK || (status && domain)
    }
}

#[cfg(test)]
mod tests;
