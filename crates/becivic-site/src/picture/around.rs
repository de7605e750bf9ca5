//! A neighbourhood as SVG: the skill in the middle, what needs it on the left, what it needs on the right, what is related below.
//!
//! Every neighbour is a link with its line in one group: where a pointer or the keyboard is on it, style sheets can bring out both.
//! Columns are cut at a few entries, and say how many more there are; the list has them.

use super::letters;
use super::near::{Around, Bond, Neighbour};
use crate::pages::AUTHORED;
use crate::picture::tenths::Tenths;
use crate::words::{Words, fill};
use std::fmt::Write;

/// A box, and the columns of boxes.
const WIDTH: f64 = 214.0;
const HEIGHT: f64 = 46.0;
const ROW: f64 = 58.0;
const LEFT: f64 = 4.0;
const MIDDLE: f64 = 273.0;
const RIGHT: f64 = 542.0;
const SHEET: f64 = 760.0;
/// Room for the names of the columns.
const HEAD: f64 = 30.0;
/// Letters in a line, and lines in a box.
const LETTERS: usize = 31;
const LINES: usize = 2;
/// How many are drawn beside the skill, and below it.
const BESIDE: usize = 10;
const BELOW: usize = 3;

/// Draws it.
pub fn draw(around: &Around, words: &Words) -> String {
    let left = around.with(&[Bond::NeededBy]);
    let right = around.with(&[Bond::First, Bond::Needs, Bond::Document]);
    let below = around.with(&[Bond::Related]);
    let rows = left.len().min(BESIDE).max(right.len().min(BESIDE)).max(1) as f64;
    // Where a column is cut, a line says so.
    let is_cut = left.len() > BESIDE || right.len() > BESIDE;
    let deep = HEAD + rows * ROW + if is_cut { 20.0 } else { 0.0 };
    let height = if below.is_empty() { deep } else { deep + 34.0 + ROW + 16.0 };
    let middle = HEAD + rows * ROW / 2.0 - ROW / 2.0 + HEIGHT / 2.0;
    let drawn = 1 + left.len().min(BESIDE) + right.len().min(BESIDE) + below.len().min(BELOW);
    let mut out = String::with_capacity(512 + drawn * 768);
    let _ = write!(
        out,
        "<svg class=\"around\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" font-size=\"13\" fill=\"none\" stroke=\"currentColor\">",
        Tenths(SHEET),
        Tenths(height),
        Tenths(SHEET),
        Tenths(height)
    );
    column(&left, LEFT, rows, words.picture.needed_by, words, &mut out, |top, out| {
        line((LEFT + WIDTH, top + HEIGHT / 2.0), (MIDDLE, middle), out);
    });
    column(&right, RIGHT, rows, words.picture.needs, words, &mut out, |top, out| {
        line((MIDDLE + WIDTH, middle), (RIGHT, top + HEIGHT / 2.0), out);
    });
    foot(&below, deep, middle, words, &mut out);
    out.push_str("<g class=\"this\">");
    boxed(MIDDLE, middle - HEIGHT / 2.0, &around.title, AUTHORED, &mut out);
    out.push_str("</g></svg>");
    out
}

/// Boxes one below the other, centred; `to` draws the line of the box whose upper edge is there.
fn column(
    those: &[&Neighbour],
    x: f64,
    rows: f64,
    name: &str,
    words: &Words,
    out: &mut String,
    to: impl Fn(f64, &mut String),
) {
    if those.is_empty() {
        return;
    }
    note(x, 18.0, name, out);
    let drawn = those.len().min(BESIDE);
    let first = HEAD + (rows - drawn as f64) * ROW / 2.0;
    for (at, neighbour) in those.iter().take(drawn).enumerate() {
        let top = first + at as f64 * ROW;
        near(neighbour, x, top, |out| to(top, out), out);
    }
    if those.len() > drawn {
        let more = fill(words.picture.more, &[&(those.len() - drawn).to_string()]);
        note(x, HEAD + rows * ROW + 8.0, &more, out);
    }
}

/// What is related, in a row.
fn foot(those: &[&Neighbour], deep: f64, middle: f64, words: &Words, out: &mut String) {
    if those.is_empty() {
        return;
    }
    let top = deep + 34.0;
    let mut name = words.picture.related.to_owned();
    if those.len() > BELOW {
        let more = fill(words.picture.more, &[&(those.len() - BELOW).to_string()]);
        name = format!("{name} ({more})");
    }
    // A single one stands under the skill itself.
    let places: &[f64] = if those.len() == 1 { &[MIDDLE] } else { &[LEFT, MIDDLE, RIGHT] };
    for (neighbour, x) in those.iter().zip(places) {
        let (from, to) = ((MIDDLE + WIDTH / 2.0, middle + HEIGHT / 2.0), (x + WIDTH / 2.0, top));
        let bend = deep;
        let path = |out: &mut String| {
            let _ = write!(
                out,
                "<path class=\"line\" stroke-dasharray=\"2 4\" d=\"M{} {}V{}C{} {} {} {} {} {}\"/>",
                Tenths(from.0),
                Tenths(from.1),
                Tenths(bend),
                Tenths(from.0),
                Tenths(to.1),
                Tenths(to.0),
                Tenths(bend),
                Tenths(to.0),
                Tenths(to.1)
            );
        };
        near(neighbour, *x, top, path, out);
    }
    note(LEFT, top + ROW + 8.0, &name, out);
}

/// A neighbour and its line. The link is called by the letters in its box; the whole title stands in the list beside the picture.
fn near(it: &Neighbour, x: f64, top: f64, line: impl FnOnce(&mut String), out: &mut String) {
    let class = match it.bond {
        Bond::First => "first",
        Bond::Needs => "needs",
        Bond::Document => "document",
        Bond::NeededBy => "needed-by",
        Bond::Related => "related",
    };
    for part in ["<g class=\"near ", class, " ", it.status.as_str(), "\">"] {
        out.push_str(part);
    }
    line(out);
    for part in ["<a href=\"", &letters::escaped(&it.to), "\">"] {
        out.push_str(part);
    }
    boxed(x, top, &it.title, it.language, out);
    out.push_str("</a></g>");
}

fn boxed(x: f64, top: f64, title: &str, language: &str, out: &mut String) {
    let lines = letters::lines(title, LETTERS, LINES);
    let _ = write!(
        out,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/><text lang=\"{}\" text-anchor=\"middle\" fill=\"currentColor\" stroke=\"none\">",
        Tenths(x),
        Tenths(top),
        Tenths(WIDTH),
        Tenths(HEIGHT),
        language
    );
    let first = top + HEIGHT / 2.0 + 4.5 - (lines.len() as f64 - 1.0) * 8.0;
    for (at, line) in lines.iter().enumerate() {
        let y = first + at as f64 * 16.0;
        // Words of two lines are two words to whoever hears them.
        if at > 0 {
            out.push(' ');
        }
        let _ = write!(
            out,
            "<tspan x=\"{}\" y=\"{}\">{}</tspan>",
            Tenths(x + WIDTH / 2.0),
            Tenths(y),
            letters::escaped(line)
        );
    }
    out.push_str("</text>");
}

/// A line from left to right with a head.
fn line(from: (f64, f64), to: (f64, f64), out: &mut String) {
    let half = (to.0 - from.0) / 2.0;
    let _ = write!(
        out,
        "<path class=\"line\" d=\"M{} {}C{} {} {} {} {} {}\"/><path class=\"head\" fill=\"currentColor\" stroke=\"none\" d=\"M{} {}l-8 -4.5v9z\"/>",
        Tenths(from.0),
        Tenths(from.1),
        Tenths(from.0 + half),
        Tenths(from.1),
        Tenths(to.0 - half),
        Tenths(to.1),
        Tenths(to.0),
        Tenths(to.1),
        Tenths(to.0),
        Tenths(to.1)
    );
}

/// A word beside the boxes.
fn note(x: f64, y: f64, words: &str, out: &mut String) {
    let _ = write!(
        out,
        "<text class=\"note\" x=\"{}\" y=\"{}\" font-size=\"12\" fill=\"currentColor\" stroke=\"none\">{}</text>",
        Tenths(x),
        Tenths(y),
        letters::escaped(words)
    );
}
