//! Groups of steps: a box with a name around them.
//!
//! The layout knows of no groups, so the steps of one may stand apart. A box is drawn where no other step stands in it: one around
//! strangers would say what is not so. The words name the group of every step in any case.

use super::super::flowchart::{Flowchart, Group};
use super::super::letters;
use super::{Sheet, WIDTH};
use crate::picture::tenths::Tenths;
use std::fmt::Write;

/// Between a box and its steps; above them is room for its name.
const SIDE: f64 = 7.0;
pub const HEAD: f64 = 24.0;
/// Letters of a name, and how wide one is about.
const LETTERS: usize = 24;
const LETTER: f64 = 6.6;

/// A rectangle: left, top, right, bottom.
type Frame = (f64, f64, f64, f64);

/// Boxes that may be drawn, with their names.
pub fn boxes<'c>(chart: &'c Flowchart, sheet: &Sheet) -> Vec<(&'c str, Frame)> {
    let drawn = chart.groups.iter().filter_map(|group| {
        let frame = around(group, sheet)?;
        let others = (0..chart.nodes.len()).filter(|at| !group.nodes.contains(at));
        let is_free = !others.filter_map(|at| step(at, sheet)).any(|other| meet(frame, other));
        is_free.then_some((group.label.as_str(), frame))
    });
    let mut boxes: Vec<(&str, Frame)> = Vec::new();
    for (label, frame) in drawn {
        // Two that cover the same steps, or half of each other, would be unreadable: the outer one stays.
        if !boxes.iter().any(|(_, other)| meet(frame, *other)) {
            boxes.push((label, frame));
        }
    }
    boxes
}

fn step(at: usize, sheet: &Sheet) -> Option<Frame> {
    let (x, top, bottom) = sheet.step(at)?;
    Some((x - WIDTH / 2.0, top, x + WIDTH / 2.0, bottom))
}

fn around(group: &Group, sheet: &Sheet) -> Option<Frame> {
    let steps = group.nodes.iter().filter_map(|at| step(*at, sheet));
    let whole = steps.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1), a.2.max(b.2), a.3.max(b.3)))?;
    Some((whole.0 - SIDE, whole.1 - HEAD, whole.2 + SIDE, whole.3 + SIDE))
}

fn meet(a: Frame, b: Frame) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}

/// The boxes themselves, below everything else.
pub fn write(boxes: &[(&str, Frame)], out: &mut String) {
    for (_, (left, top, right, bottom)) in boxes {
        let (width, height) = (right - left, bottom - top);
        let _ = write!(
            out,
            "<g class=\"group\"><rect stroke-dasharray=\"2 3\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\"/></g>",
            Tenths(*left),
            Tenths(*top),
            Tenths(width),
            Tenths(height)
        );
    }
}

/// Their names, above everything else.
pub fn names(boxes: &[(&str, Frame)], out: &mut String) {
    for (label, (left, top, ..)) in boxes {
        let lines = letters::lines(&label.replace('\n', " "), LETTERS, 1);
        let width = lines.iter().map(|line| letters::room(line)).max().unwrap_or(0) as f64 * LETTER + 8.0;
        let _ = write!(
            out,
            "<g class=\"label\" font-size=\"12\" font-weight=\"700\"><rect class=\"ground\" stroke=\"none\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"16\"/>",
            Tenths(left + 6.0),
            Tenths(top + 3.0),
            Tenths(width)
        );
        super::text(left + 6.0 + width / 2.0, top + 15.0, 15.0, &lines, out);
        out.push_str("</g>");
    }
}
