//! Plots as SVG. Colours come from classes and from the colour of the text, so they fit light and dark; what they show stands in a
//! table beside them, so they are decoration to a screen reader.

use crate::dates;
use crate::words::Words;
use maud::{Markup, html};

const WIDTH: i64 = 640;
const HEIGHT: i64 = 160;
/// Room for the words above and below the bars.
const ROOM: i64 = 20;
const BAR: i64 = 22;
const ROW: i64 = 52;
/// A sign of the legend with the room after it, and about how wide a letter is.
const SIGN: i64 = 44;
const LETTER: i64 = 8;

/// One row of parts laid end to end.
pub struct Stack {
    /// What it is.
    pub label: String,
    /// Class, word and size of each part.
    pub parts: Vec<(&'static str, &'static str, i64)>,
}

/// Rows of parts, all on the scale of the longest.
pub fn stacks(rows: &[Stack]) -> String {
    let total = |row: &Stack| row.parts.iter().fold(0i64, |sum, part| sum.saturating_add(part.2.max(0)));
    let longest = rows.iter().map(total).max().unwrap_or(0).max(1);
    let foot = ROW * i64::try_from(rows.len()).unwrap_or(0);
    let height = foot + ROW / 2;
    let markup = html! {
        svg class="plot stacks" viewBox={ "0 0 " (WIDTH) " " (height) } xmlns="http://www.w3.org/2000/svg" aria-hidden="true" {
            @for (at, row) in rows.iter().zip(0i64..).map(|(row, at)| (at * ROW, row)) {
                text class="plot-label" x="0" y=(at + 16) fill="currentColor" { (row.label) " · " (total(row)) }
                (stack(row, at + 22, longest))
            }
            (legend(rows, foot + 4))
        }
    };
    markup.into_string()
}

/// What the colours mean: those that are there, in their order.
fn legend(rows: &[Stack], y: i64) -> Markup {
    let mut x = 0;
    let mut signs: Vec<(i64, &'static str, &'static str)> = Vec::new();
    let is_there = |class: &str| rows.iter().flat_map(|row| &row.parts).any(|it| it.0 == class && it.2 > 0);
    for (class, word, _) in rows.iter().take(1).flat_map(|row| &row.parts).filter(|it| is_there(it.0)) {
        signs.push((x, class, word));
        x += SIGN + LETTER * i64::try_from(word.chars().count()).unwrap_or(0);
    }
    html! {
        @for (x, class, word) in signs {
            rect class={ "plot-bar " (class) } x=(x) y=(y) width="14" height="14" fill="currentColor" {}
            text class="plot-label" x=(x + 20) y=(y + 12) fill="currentColor" { (word) }
        }
    }
}

fn stack(row: &Stack, y: i64, longest: i64) -> Markup {
    let mut x = 0;
    let mut bars = Vec::new();
    for (class, word, size) in row.parts.iter().filter(|part| part.2 > 0) {
        // Something is never drawn as nothing.
        let width = size.saturating_mul(WIDTH).div_euclid(longest).max(1);
        bars.push((x, width, *class, *word, *size));
        x += width;
    }
    html! {
        @for (x, width, class, word, size) in bars {
            rect class={ "plot-bar " (class) } x=(x) y=(y) width=(width) height=(BAR) fill="currentColor" { title { (word) " " (size) } }
        }
    }
}

/// A bar per day, with the first and the last day below and the highest number above.
pub fn days(class: &'static str, counts: &[(&str, i64)], words: &Words) -> String {
    let highest = counts.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    let step = WIDTH / i64::try_from(counts.len()).unwrap_or(1).max(1);
    let floor = HEIGHT - ROOM;
    let tall = |count: i64| match count {
        ..=0 => 0,
        some => some.saturating_mul(floor - ROOM).div_euclid(highest).max(2),
    };
    let bars = counts.iter().zip(0i64..).filter(|((_, count), _)| *count > 0);
    let markup = html! {
        svg class="plot days" viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } xmlns="http://www.w3.org/2000/svg" aria-hidden="true" {
            line class="plot-axis" x1="0" y1=(floor) x2=(WIDTH) y2=(floor) stroke="currentColor" {}
            @for ((day, count), at) in bars {
                rect class={ "plot-bar " (class) } x=(at * step) y=(floor - tall(*count))
                    width=((step - 3).max(1)) height=(tall(*count)) fill="currentColor" { title { (dates::in_words(day, words)) ": " (count) } }
            }
            text class="plot-label" x="0" y="14" fill="currentColor" { (highest) }
            @if let (Some((first, _)), Some((last, _))) = (counts.first(), counts.last()) {
                text class="plot-label" x="0" y=(HEIGHT - 4) fill="currentColor" { (dates::in_words(first, words)) }
                text class="plot-label" x=(WIDTH) y=(HEIGHT - 4) text-anchor="end" fill="currentColor" { (dates::in_words(last, words)) }
            }
        }
    };
    markup.into_string()
}
