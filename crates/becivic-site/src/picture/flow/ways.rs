//! The ways between steps: curves that leave and arrive vertically, so that their heads are plain triangles.

use super::super::flowchart::Edge;
use super::{Sheet, WIDTH};
use crate::picture::tenths::Tenths;
use becivic_core::graph_view::layout::Place;
use std::fmt::Write;

/// A way, and where labels may stand on it.
pub struct Way {
    path: String,
    head: Option<Head>,
    /// The piece next to the step it leaves: from where to where.
    pub beginning: ((f64, f64), (f64, f64)),
}

#[derive(Clone, Copy)]
enum Head {
    Down(f64, f64),
    Up(f64, f64),
    Left(f64, f64),
}

/// The way of an edge, through the points of its route (which run downwards, also for one that leads up).
pub fn way(edge: &Edge, route: &[Place], sheet: &Sheet) -> Option<Way> {
    let (from_x, from_top, from_bottom) = sheet.step(edge.from)?;
    let (to_x, to_top, to_bottom) = sheet.step(edge.to)?;
    let (from, to) = (sheet.places.get(edge.from)?, sheet.places.get(edge.to)?);
    let head = |head: Head| edge.headed.then_some(head);
    if from.layer == to.layer {
        let (x, middle) = (from_x + WIDTH / 2.0, (from_top + from_bottom) / 2.0);
        let end_x = if edge.from == edge.to { x } else { to_x + WIDTH / 2.0 };
        let (start_y, end_y) = (middle - 8.0, middle + 8.0);
        let out_x = x.max(end_x) + 28.0;
        let path = format!(
            "M{} {}C{} {} {} {} {} {}",
            Tenths(x),
            Tenths(start_y),
            Tenths(out_x),
            Tenths(start_y),
            Tenths(out_x),
            Tenths(end_y),
            Tenths(end_x),
            Tenths(end_y)
        );
        let beginning = ((x, start_y), (out_x, middle));
        return Some(Way { path, head: head(Head::Left(end_x, end_y)), beginning });
    }
    let down = from.layer < to.layer;
    let (start, end) =
        if down { ((from_x, from_bottom), (to_x, to_top)) } else { ((to_x, to_bottom), (from_x, from_top)) };
    let (path, pieces) = curve(start, end, route, sheet);
    let beginning = if down { pieces.first().copied()? } else { pieces.last().map(|(a, b)| (*b, *a))? };
    let head = if down { head(Head::Down(to_x, to_top)) } else { head(Head::Up(to_x, to_bottom)) };
    Some(Way { path, head, beginning })
}

/// A piece of a way: from where to where.
type Piece = ((f64, f64), (f64, f64));

/// From one point down to another, straight through the rows between.
fn curve(start: (f64, f64), end: (f64, f64), route: &[Place], sheet: &Sheet) -> (String, Vec<Piece>) {
    let (mut x, mut y) = start;
    let mut path = format!("M{} {}", Tenths(x), Tenths(y));
    let mut pieces = Vec::with_capacity(route.len() + 1);
    let mut to = |next_x: f64, next_y: f64, below: f64| {
        let half = (next_y - y) / 2.0;
        let _ = write!(
            path,
            "C{} {} {} {} {} {}",
            Tenths(x),
            Tenths(y + half),
            Tenths(next_x),
            Tenths(next_y - half),
            Tenths(next_x),
            Tenths(next_y)
        );
        pieces.push(((x, y), (next_x, next_y)));
        if below > next_y {
            let _ = write!(path, "V{}", Tenths(below));
        }
        (x, y) = (next_x, below);
    };
    for place in route {
        let (top, bottom) = sheet.row(*place);
        to(sheet.x(*place), top, bottom);
    }
    to(end.0, end.1, end.1);
    (path, pieces)
}

impl Way {
    /// As SVG.
    pub fn svg(&self) -> String {
        let mut out = format!("<g class=\"way\"><path d=\"{}\"/>", self.path);
        if let Some(head) = self.head {
            let triangle = match head {
                Head::Down(x, y) => format!("M{} {}l-4.5 -8h9z", Tenths(x), Tenths(y)),
                Head::Up(x, y) => format!("M{} {}l-4.5 8h9z", Tenths(x), Tenths(y)),
                Head::Left(x, y) => format!("M{} {}l8 -4.5v9z", Tenths(x), Tenths(y)),
            };
            let _ =
                write!(out, "<path class=\"head\" fill=\"currentColor\" stroke=\"none\" d=\"{triangle}\"/>");
        }
        out.push_str("</g>");
        out
    }
}
