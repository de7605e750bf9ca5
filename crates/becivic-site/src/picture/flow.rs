//! A flowchart as SVG, from top to bottom.
//!
//! 1. Labels are broken into lines: they say how high a step is, and the highest step of a row how high the row is.
//! 2. Rows and the order within them come from the layered layout; below a row is room for the labels of the ways that leave it.
//! 3. A way runs straight down or bends between rows; one that leads back up has its head at the lower side of its step.
//! 4. Around the steps of a group is a box with its name ([`groups`]).
//! 5. A label stands on its way, at the first of a few places where it covers no other label.

mod groups;
mod labels;
mod ways;

use super::flowchart::{Flowchart, Kind};
use super::letters;
use crate::pages::AUTHORED;
use crate::picture::tenths::Tenths;
use becivic_core::graph_view::layout::{self, Layout, Link, Place};
use std::fmt::Write;

/// A step is this wide, and this far from the next.
const WIDTH: f64 = 160.0;
const COLUMN: f64 = 178.0;
const MARGIN: f64 = 12.0;
/// A line of a step's label.
const LINE: f64 = 17.0;
/// Letters in a line: about 6.4 units each in 13 units high text, with room at the sides.
const LETTERS: usize = 22;
/// A choice is pointed at its sides, which leaves less room.
const LETTERS_OF_CHOICE: usize = 18;
/// More lines are cut; the words have them.
const LINES: usize = 9;
/// Between rows, without labels.
const GAP: f64 = 44.0;

/// Draws it.
pub fn draw(chart: &Flowchart) -> String {
    let links: Vec<Link> =
        chart.edges.iter().map(|edge| Link { from: edge.from, to: edge.to, firm: true }).collect();
    let layout = layout::lay_out(chart.nodes.len(), &links);
    let sheet = Sheet::of(chart, &layout);
    let (width, height) = (sheet.width(&layout), sheet.height());
    let mut out = format!(
        "<svg class=\"flow\" lang=\"{}\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" font-size=\"13\" fill=\"none\" stroke=\"currentColor\">",
        AUTHORED,
        Tenths(width),
        Tenths(height),
        Tenths(width),
        Tenths(height)
    );
    let routed = chart.edges.iter().zip(&layout.routes);
    let ways: Vec<_> =
        routed.filter_map(|(edge, route)| Some((edge, ways::way(edge, route, &sheet)?))).collect();
    let boxes = groups::boxes(chart, &sheet);
    groups::write(&boxes, &mut out);
    for (_, way) in &ways {
        out.push_str(&way.svg());
    }
    for at in 0..chart.nodes.len() {
        step(chart, at, &sheet, &mut out);
    }
    labels::write(&ways, &mut out);
    groups::names(&boxes, &mut out);
    out.push_str("</svg>");
    out
}

/// Where everything is.
struct Sheet {
    places: Vec<Place>,
    /// The lines of each step.
    lines: Vec<Vec<String>>,
    /// Upper and lower edge of each row.
    rows: Vec<(f64, f64)>,
}

impl Sheet {
    fn of(chart: &Flowchart, layout: &Layout) -> Self {
        let lines: Vec<Vec<String>> = chart
            .nodes
            .iter()
            .map(|node| match node.kind {
                Kind::Choice => letters::lines(&node.label, LETTERS_OF_CHOICE, LINES),
                Kind::Step | Kind::End => letters::lines(&node.label, LETTERS, LINES),
            })
            .collect();
        let places = layout.places.clone();
        let count = places.iter().map(|place| place.layer + 1).max().unwrap_or(0);
        let mut heights = vec![0.0_f64; count];
        for (place, lines) in places.iter().zip(&lines) {
            if let Some(height) = heights.get_mut(place.layer) {
                *height = height.max(box_height(lines));
            }
        }
        let mut rows = Vec::with_capacity(count);
        let mut top = if chart.groups.is_empty() { MARGIN } else { MARGIN + groups::HEAD };
        for (layer, height) in heights.iter().enumerate() {
            rows.push((top, top + height));
            top += height + GAP + labels::room_below(chart, &places, layer);
        }
        Self { places, lines, rows }
    }

    fn width(&self, layout: &Layout) -> f64 {
        // A way around the side of a step needs room too.
        MARGIN * 4.0 + layout.height.max(1.0) * COLUMN
    }

    fn height(&self) -> f64 {
        self.rows.last().map_or(0.0, |(_, bottom)| bottom + MARGIN)
    }

    /// The middle of a place.
    fn x(&self, place: Place) -> f64 {
        MARGIN + place.y * COLUMN
    }

    /// Upper and lower edge of the row of a place.
    fn row(&self, place: Place) -> (f64, f64) {
        self.rows.get(place.layer).copied().unwrap_or_default()
    }

    /// Middle, upper and lower edge of a step.
    fn step(&self, at: usize) -> Option<(f64, f64, f64)> {
        let place = *self.places.get(at)?;
        let height = box_height(self.lines.get(at)?);
        let (top, bottom) = self.row(place);
        let middle = (top + bottom) / 2.0;
        Some((self.x(place), middle - height / 2.0, middle + height / 2.0))
    }
}

fn box_height(lines: &[String]) -> f64 {
    lines.len() as f64 * LINE + 18.0
}

fn step(chart: &Flowchart, at: usize, sheet: &Sheet, out: &mut String) {
    let (Some(node), Some(lines), Some((x, top, bottom))) =
        (chart.nodes.get(at), sheet.lines.get(at), sheet.step(at))
    else {
        return;
    };
    let (left, right, middle) = (x - WIDTH / 2.0, x + WIDTH / 2.0, (top + bottom) / 2.0);
    let height = bottom - top;
    let (class, shape) = match node.kind {
        Kind::Step => (
            "step",
            format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/>",
                Tenths(left),
                Tenths(top),
                Tenths(WIDTH),
                Tenths(height)
            ),
        ),
        Kind::End => {
            let round = (height / 2.0).min(24.0);
            (
                "end",
                format!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
                    Tenths(left),
                    Tenths(top),
                    Tenths(WIDTH),
                    Tenths(height),
                    Tenths(round)
                ),
            )
        }
        Kind::Choice => (
            "choice",
            format!(
                "<path d=\"M{} {}H{}L{} {}L{} {}H{}L{} {}z\"/>",
                Tenths(left + 14.0),
                Tenths(top),
                Tenths(right - 14.0),
                Tenths(right),
                Tenths(middle),
                Tenths(right - 14.0),
                Tenths(bottom),
                Tenths(left + 14.0),
                Tenths(left),
                Tenths(middle)
            ),
        ),
    };
    let _ = write!(out, "<g class=\"{class}\">{shape}");
    text(x, top + 9.0 + 13.0, LINE, lines, out);
    out.push_str("</g>");
}

/// Lines around a middle; `y` is where the first one stands.
fn text(x: f64, y: f64, height: f64, lines: &[String], out: &mut String) {
    out.push_str("<text text-anchor=\"middle\" fill=\"currentColor\" stroke=\"none\">");
    for (at, line) in lines.iter().enumerate() {
        let y = y + at as f64 * height;
        let _ =
            write!(out, "<tspan x=\"{}\" y=\"{}\">{}</tspan>", Tenths(x), Tenths(y), letters::escaped(line));
    }
    out.push_str("</text>");
}
