//! The graph as the answer of §24.2 (`skill-graph.schema.json`).

use super::{EdgeKind, View};
use crate::skill::Frontmatter;
use crate::skill_graph::{EdgeType, Filters, GraphEdge, GraphNode, ShownStatus, SkillGraph};
use crate::vocabulary::Status;

impl View<'_> {
    /// The answer, made at `generated_at` (RFC 3339).
    pub fn answer(&self, generated_at: &str) -> SkillGraph {
        let id = |at: usize| self.nodes.get(at).map_or_else(String::new, |front| front.id.clone());
        let edges = self.edges.iter().filter_map(|edge| {
            let kind = match edge.kind {
                EdgeKind::Requires => return None,
                EdgeKind::Prerequisites => EdgeType::Prerequisites,
                EdgeKind::Related => EdgeType::Related,
            };
            Some(GraphEdge { from: id(edge.from), to: id(edge.to), kind })
        });
        let status: Vec<ShownStatus> =
            self.filter.status.iter().filter_map(|status| shown(*status)).collect();
        let domain = self.filter.domain.clone();
        SkillGraph {
            generated_at: generated_at.to_owned(),
            filters_applied: Filters {
                applies_to: Some(domain).filter(|list| !list.is_empty()),
                status: Some(status).filter(|list| !list.is_empty()),
                ..Filters::default()
            },
            nodes: self.nodes.iter().filter_map(|front| node(front)).collect(),
            edges: edges.collect(),
        }
    }
}

fn node(front: &Frontmatter) -> Option<GraphNode> {
    Some(GraphNode {
        id: front.id.clone(),
        title: front.title.clone(),
        summary: front.summary.clone(),
        summary_missing: front.summary.is_none().then_some(true),
        description: front.description.clone(),
        status: shown(front.status)?,
        version: Some(front.version.clone()),
        canonical_url: format!("https://becivic.be/skills/{}", front.id),
        tags: front.tags.clone().unwrap_or_default(),
        applies_to: front.domain,
        prerequisites: front.prerequisites.clone().unwrap_or_default(),
        related: front.related.clone().unwrap_or_default(),
        profile_requirements: front.profile_requirements.clone().unwrap_or_default(),
        pending: None,
    })
}

/// The status as the graph names it; retired skills have none.
fn shown(status: Status) -> Option<ShownStatus> {
    match status {
        Status::Draft => Some(ShownStatus::Draft),
        Status::Alpha => Some(ShownStatus::Alpha),
        Status::Beta => Some(ShownStatus::Beta),
        Status::Stable => Some(ShownStatus::Stable),
        Status::Quarantined | Status::Deprecated => None,
    }
}
