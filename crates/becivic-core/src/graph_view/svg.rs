//! The graph as a picture: boxes in layers, lines by kind, colours by status, everything explained in a
//! legend. Text is escaped; nothing is loaded from anywhere.

use super::layout::{Layout, Link, Place, lay_out};
use super::{Edge, EdgeKind, View};
use crate::vocabulary::Status;
use std::fmt::Write;

const BOX_WIDTH: f64 = 260.0;
const BOX_HEIGHT: f64 = 60.0;
/// From one layer to the next.
const LAYER: f64 = BOX_WIDTH + 84.0;
/// From one box to the next below it.
const ROW: f64 = BOX_HEIGHT + 16.0;
const MARGIN: f64 = 28.0;
/// The legend's height.
const HEAD: f64 = 64.0;
/// What fits into a line of a box: two lines of the title, one of the id.
const TITLE_LETTERS: usize = 34;
const ID_LETTERS: usize = 38;

/// Writes the picture.
pub fn write(view: &View<'_>) -> String {
    let edges = view.drawn();
    let links: Vec<Link> = edges.iter().map(link).collect();
    let layout = lay_out(view.nodes.len(), &links);
    let width = (layout.layers.max(1) as f64 * LAYER - (LAYER - BOX_WIDTH)).max(880.0) + 2.0 * MARGIN;
    let height = layout.height.max(1.0) * ROW + HEAD + MARGIN;
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" font-family=\"system-ui, 'Helvetica Neue', Arial, sans-serif\">\n<title>Skills graph: {} skills</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        view.nodes.len()
    );
    out.push_str(MARKERS);
    legend(&edges, &mut out);
    let empty = Vec::new();
    for (index, edge) in edges.iter().enumerate() {
        let route = layout.routes.get(index).unwrap_or(&empty);
        line(edge, route, &layout, &mut out);
    }
    for (front, place) in view.nodes.iter().zip(&layout.places) {
        let (left, top) = (left(*place), middle(*place) - BOX_HEIGHT / 2.0);
        let _ = writeln!(
            out,
            "<g><title>{} ({}, {})</title><rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{BOX_WIDTH}\" height=\"{BOX_HEIGHT}\" rx=\"6\" fill=\"{}\" stroke=\"{}\"/>{}<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"10.5\" fill=\"#4b5563\">{}</text></g>",
            escaped(&front.title),
            escaped(&front.id),
            front.status,
            fill(front.status),
            stroke(front.status),
            title(&front.title, left + 10.0, top),
            left + 10.0,
            top + 51.0,
            escaped(&cut(&front.id, ID_LETTERS)),
        );
    }
    out.push_str("</svg>\n");
    out
}

/// A title in one line or two.
fn title(title: &str, left: f64, top: f64) -> String {
    let (first, second) = two_lines(title, TITLE_LETTERS);
    let line = |text: &str, y: f64| {
        format!(
            "<text x=\"{left:.1}\" y=\"{y:.1}\" font-size=\"13\" fill=\"#111827\">{}</text>",
            escaped(text)
        )
    };
    match second {
        None => line(&first, top + 27.0),
        Some(second) => line(&first, top + 19.0) + &line(&second, top + 35.0),
    }
}

/// A text in lines of so many letters, broken between words where it can be.
fn two_lines(text: &str, letters: usize) -> (String, Option<String>) {
    if text.chars().count() <= letters {
        return (text.to_owned(), None);
    }
    let fits = |end: &usize| text.get(..*end).is_some_and(|start| start.chars().count() <= letters);
    let border = text.rmatch_indices(' ').map(|(at, _)| at).find(fits);
    let (first, rest) = text.split_at_checked(border.unwrap_or(0)).unwrap_or_default();
    if first.is_empty() {
        return (cut(text, letters), None);
    }
    (first.to_owned(), Some(cut(rest.trim_start(), letters)))
}

const MARKERS: &str = "<defs>\
<marker id=\"requires\" viewBox=\"0 0 8 8\" refX=\"7.5\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\"><path d=\"M0 0L8 4L0 8z\" fill=\"#374151\"/></marker>\
<marker id=\"prerequisites\" viewBox=\"0 0 8 8\" refX=\"7.5\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\"><path d=\"M0 0L8 4L0 8z\" fill=\"#b45309\"/></marker>\
</defs>\n";

fn link(edge: &Edge) -> Link {
    Link { from: edge.from, to: edge.to, firm: edge.kind != EdgeKind::Related }
}

fn left(place: Place) -> f64 {
    MARGIN + place.layer as f64 * LAYER
}

fn middle(place: Place) -> f64 {
    HEAD + place.y * ROW
}

/// One edge: from a box's side, through its points, to the other box's side.
fn line(edge: &Edge, route: &[Place], layout: &Layout, out: &mut String) {
    let (Some(from), Some(to)) = (layout.places.get(edge.from), layout.places.get(edge.to)) else {
        return;
    };
    let mut path = String::new();
    if from.layer == to.layer {
        // Around the right side of the two boxes.
        let (x, y0, y1) = (left(*from) + BOX_WIDTH, middle(*from), middle(*to));
        let (y1, bend) = if edge.from == edge.to { (y0 + 14.0, 40.0) } else { (y1, 46.0) };
        let out_x = x + bend;
        let _ = write!(path, "M{x:.1} {y0:.1}C{out_x:.1} {y0:.1} {out_x:.1} {y1:.1} {x:.1} {y1:.1}");
    } else {
        let forward = from.layer < to.layer;
        let (first, last) = if forward { (from, to) } else { (to, from) };
        let (mut x, mut y) = (left(*first) + BOX_WIDTH, middle(*first));
        let _ = write!(path, "M{x:.1} {y:.1}");
        for place in route.iter().chain([last]) {
            let (next_x, next_y) = (left(*place), middle(*place));
            let half = (next_x - x) / 2.0;
            let _ = write!(
                path,
                "C{:.1} {y:.1} {:.1} {next_y:.1} {next_x:.1} {next_y:.1}",
                x + half,
                next_x - half
            );
            (x, y) = (next_x, next_y);
            if place != last {
                x += BOX_WIDTH;
                let _ = write!(path, "H{x:.1}");
            }
        }
    }
    let end = if from.layer <= to.layer { "marker-end" } else { "marker-start" };
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\"{}{}/>",
        colour(edge.kind),
        dashes(edge.kind),
        arrow(edge.kind, end)
    );
}

fn legend(edges: &[Edge], out: &mut String) {
    let mut x = MARGIN;
    for kind in EdgeKind::ALL {
        let count = edges.iter().filter(|edge| edge.kind == *kind).count();
        let _ = writeln!(
            out,
            "<path d=\"M{x:.0} 24H{:.0}\" stroke=\"{}\" stroke-width=\"1.4\"{}{}/><text x=\"{:.0}\" y=\"28\" font-size=\"12\" fill=\"#111827\">{kind} ({count})</text>",
            x + 36.0,
            colour(*kind),
            dashes(*kind),
            arrow(*kind, "marker-end"),
            x + 44.0,
        );
        x += 170.0;
    }
    for status in [Status::Draft, Status::Alpha, Status::Beta, Status::Stable] {
        let _ = writeln!(
            out,
            "<rect x=\"{x:.0}\" y=\"16\" width=\"16\" height=\"16\" rx=\"3\" fill=\"{}\" stroke=\"{}\"/><text x=\"{:.0}\" y=\"28\" font-size=\"12\" fill=\"#111827\">{status}</text>",
            fill(status),
            stroke(status),
            x + 22.0,
        );
        x += 80.0;
    }
}

/// The head of a line, at one of its ends; what is related has none.
fn arrow(kind: EdgeKind, end: &str) -> String {
    match kind {
        EdgeKind::Requires | EdgeKind::Prerequisites => format!(" {end}=\"url(#{kind})\""),
        EdgeKind::Related => String::new(),
    }
}

fn colour(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Requires => "#374151",
        EdgeKind::Prerequisites => "#b45309",
        EdgeKind::Related => "#6366f1",
    }
}

fn dashes(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Requires => "",
        EdgeKind::Prerequisites => " stroke-dasharray=\"7 4\"",
        EdgeKind::Related => " stroke-dasharray=\"1.5 4\" stroke-linecap=\"round\"",
    }
}

/// The colour of a box.
pub fn fill(status: Status) -> &'static str {
    match status {
        Status::Draft => "#f3f4f6",
        Status::Alpha => "#fef3c7",
        Status::Beta => "#dbeafe",
        Status::Stable => "#dcfce7",
        Status::Quarantined | Status::Deprecated => "#fee2e2",
    }
}

fn stroke(status: Status) -> &'static str {
    match status {
        Status::Draft => "#9ca3af",
        Status::Alpha => "#d97706",
        Status::Beta => "#2563eb",
        Status::Stable => "#16a34a",
        Status::Quarantined | Status::Deprecated => "#dc2626",
    }
}

/// The first letters of a text, with an ellipsis where it goes on.
fn cut(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(letters - 1).collect();
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}
