//! Labels of ways: small text on the way, on a ground of its own.

use super::super::flowchart::{Edge, Flowchart};
use super::super::letters;
use super::ways::Way;
use crate::picture::tenths::Tenths;
use becivic_core::graph_view::layout::Place;
use std::fmt::Write;

/// Letters in a line, lines at most, and how high a line is.
const LETTERS: usize = 20;
const LINES: usize = 4;
const LINE: f64 = 15.0;
/// How wide a letter of 12 units is, about.
const LETTER: f64 = 6.3;

/// Where on its piece of the way a label may stand, the best first: near the next step, where ways have parted.
const STANDS: [f64; 6] = [0.72, 0.5, 0.6, 0.38, 0.84, 0.28];

/// The room that labels need below a row.
pub fn room_below(chart: &Flowchart, places: &[Place], layer: usize) -> f64 {
    let row = |at: usize| places.get(at).map(|place| place.layer);
    // Of a way that leads up, the first piece is above its step.
    let below = chart.edges.iter().filter(|edge| match (row(edge.from), row(edge.to)) {
        (Some(from), Some(to)) if from < to => from == layer,
        (Some(from), Some(_)) => from == layer + 1,
        (None, _) | (_, None) => false,
    });
    let lines = below.filter(|edge| !edge.label.is_empty()).map(|edge| broken(&edge.label).len()).max();
    lines.map_or(0.0, |lines| lines as f64 * LINE + 14.0)
}

fn broken(label: &str) -> Vec<String> {
    letters::lines(label, LETTERS, LINES)
}

/// Writes every label.
pub fn write(ways: &[(&Edge, Way)], out: &mut String) {
    let mut taken: Vec<Ground> = Vec::new();
    for (edge, way) in ways.iter().filter(|(edge, _)| !edge.label.is_empty()) {
        let lines = broken(&edge.label);
        let grounds = STANDS.map(|stand| Ground::at(way, stand, &lines));
        let free = |ground: &&Ground| !taken.iter().any(|other| other.covers(ground));
        let Some(ground) = grounds.iter().find(free).or(grounds.first()).copied() else { continue };
        let _ = write!(
            out,
            "<g class=\"label\" font-size=\"12\"><rect class=\"ground\" stroke=\"none\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\"/>",
            Tenths(ground.x),
            Tenths(ground.y),
            Tenths(ground.width),
            Tenths(ground.height)
        );
        super::text(ground.x + ground.width / 2.0, ground.y + 12.0, LINE, &lines, out);
        out.push_str("</g>");
        taken.push(ground);
    }
}

/// The rectangle a label stands on.
#[derive(Clone, Copy)]
struct Ground {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Ground {
    fn at(way: &Way, stand: f64, lines: &[String]) -> Self {
        let ((x0, y0), (x1, y1)) = way.beginning;
        // A curve that is vertical at both ends: x follows 3t² − 2t³, y is near the straight line.
        let x = x0 + (x1 - x0) * stand * stand * (3.0 - 2.0 * stand);
        let y = y0 + (y1 - y0) * stand;
        let longest = lines.iter().map(|line| letters::room(line)).max().unwrap_or(0);
        let (width, height) = (longest as f64 * LETTER + 8.0, lines.len() as f64 * LINE + 2.0);
        Self { x: x - width / 2.0, y: y - height / 2.0, width, height }
    }

    fn covers(&self, other: &Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }
}
