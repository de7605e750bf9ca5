//! The graph as DOT, for Graphviz and its relatives.

use super::{EdgeKind, View};
use std::fmt::Write;

/// Writes the graph.
pub fn write(view: &View<'_>) -> String {
    let mut out = String::from(
        "digraph skills {\n  rankdir=LR;\n  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\"];\n",
    );
    for front in &view.nodes {
        let label = format!("{}\n{} · {}", front.title, front.id, front.status);
        let fill = super::svg::fill(front.status);
        let (id, label) = (quoted(&front.id), quoted(&label));
        let _ = writeln!(out, "  {id} [label={label}, fillcolor=\"{fill}\"];");
    }
    for edge in &view.drawn() {
        let (Some(from), Some(to)) = (view.nodes.get(edge.from), view.nodes.get(edge.to)) else {
            continue;
        };
        let style = match edge.kind {
            EdgeKind::Requires => "style=solid",
            EdgeKind::Prerequisites => "style=dashed",
            EdgeKind::Related => "style=dotted, dir=none, constraint=false",
        };
        let (from, to) = (quoted(&from.id), quoted(&to.id));
        let _ = writeln!(out, "  {from} -> {to} [{style}];");
    }
    out.push_str("}\n");
    out
}

/// A quoted string: quotes and backslashes escaped, line breaks as `\n`.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{text}\"")
}
