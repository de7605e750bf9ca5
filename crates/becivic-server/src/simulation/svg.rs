//! A chart as SVG: curves over a cost, legible on light and on dark paper, and told in words for who does not see it.
//!
//! Lines differ by colour and by dash, so that nobody needs to tell colours apart. Numbers are written with one digit, so that
//! every machine writes the same bytes.

use std::fmt::Write as _;

/// A chart.
pub struct Chart {
    /// Its title.
    pub title: String,
    /// What it shows, in words.
    pub description: String,
    /// What goes across.
    pub across: &'static str,
    /// What goes up: a share.
    pub up: &'static str,
    /// The lines.
    pub lines: Vec<Line>,
}

/// A line.
pub struct Line {
    /// Its name.
    pub name: String,
    /// What stands beside the name.
    pub note: String,
    /// From left to right; what goes up is a share from 0 to 1.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 560.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 344.0;

/// Colours on light and on dark paper (each at least 4.5 to 1 against it), and dashes.
const STYLES: [(&str, &str, &str); 6] = [
    ("#0059b3", "#79b8ff", "none"),
    ("#b03a00", "#ffa07a", "9 4"),
    ("#00704a", "#63d3a6", "2 4"),
    ("#7b3f98", "#d8a8ec", "12 4 2 4"),
    ("#6b5500", "#e3c65b", "5 3"),
    ("#4d4d4d", "#c8c8c8", "1 3 6 3"),
];

/// Draws a chart.
pub fn chart(it: &Chart) -> String {
    let most = it.lines.iter().flat_map(|line| &line.points).map(|(cost, _)| *cost).fold(1.0, f64::max);
    let step = tick(most);
    let end = (most / step).ceil() * step;
    let x = |cost: f64| LEFT + (RIGHT - LEFT) * cost / end;
    let y = |share: f64| BOTTOM - (BOTTOM - TOP) * share;
    let mut svg = head(it);
    for percent in (0..=100).step_by(25) {
        let at = y(f64::from(percent) / 100.0);
        let _ =
            writeln!(svg, r#"<line class="grid" x1="{LEFT:.1}" y1="{at:.1}" x2="{RIGHT:.1}" y2="{at:.1}"/>"#);
        let _ = writeln!(
            svg,
            r#"<text class="end" x="{:.1}" y="{:.1}">{percent} %</text>"#,
            LEFT - 8.0,
            at + 4.0
        );
    }
    let ticks = (end / step).round() as u32;
    for number in 0..=ticks {
        let cost = f64::from(number) * step;
        let _ = writeln!(
            svg,
            r#"<text class="middle" x="{:.1}" y="{:.1}">{cost:.0}</text>"#,
            x(cost),
            BOTTOM + 20.0
        );
    }
    let middle = (LEFT + RIGHT) / 2.0;
    let _ = writeln!(
        svg,
        r#"<text class="middle" x="{middle:.1}" y="{:.1}">{}</text>"#,
        BOTTOM + 42.0,
        escaped(it.across)
    );
    let _ = writeln!(svg, r#"<text x="{LEFT:.1}" y="{:.1}">{}</text>"#, TOP - 12.0, escaped(it.up));
    for (number, line) in it.lines.iter().enumerate() {
        let style = number % STYLES.len();
        let points: Vec<String> =
            line.points.iter().map(|(cost, share)| format!("{:.1},{:.1}", x(*cost), y(*share))).collect();
        let _ = writeln!(svg, r#"<polyline class="line s{style}" points="{}"/>"#, points.join(" "));
        let at = TOP + 8.0 + 46.0 * number as f64;
        let from = RIGHT + 22.0;
        let _ = writeln!(
            svg,
            r#"<line class="line s{style}" x1="{from:.1}" y1="{at:.1}" x2="{:.1}" y2="{at:.1}"/>"#,
            from + 34.0
        );
        let text = from + 42.0;
        let _ = writeln!(svg, r#"<text x="{text:.1}" y="{:.1}">{}</text>"#, at + 4.0, escaped(&line.name));
        let _ = writeln!(
            svg,
            r#"<text class="note" x="{text:.1}" y="{:.1}">{}</text>"#,
            at + 20.0,
            escaped(&line.note)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn head(it: &Chart) -> String {
    let mut style = String::from(
        "text{font:13px sans-serif;fill:#1b1f24}.note{font-size:12px}.end{text-anchor:end}.middle{text-anchor:middle}\
         .paper{fill:#fff}.grid{stroke:#d5dae0}.line{fill:none;stroke-width:2.5;stroke-linejoin:round}",
    );
    let mut dark = String::from("text{fill:#e6e9ed}.paper{fill:#14171b}.grid{stroke:#3a4048}");
    for (number, (on_light, on_dark, dashes)) in STYLES.iter().enumerate() {
        let _ = write!(style, ".s{number}{{stroke:{on_light};stroke-dasharray:{dashes}}}");
        let _ = write!(dark, ".s{number}{{stroke:{on_dark}}}");
    }
    let (title, description) = (escaped(&it.title), escaped(&it.description));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH:.0} {HEIGHT:.0}\" role=\"img\" \
         aria-labelledby=\"title description\">\n<title id=\"title\">{title}</title>\n\
         <desc id=\"description\">{description}</desc>\n\
         <style>{style}@media (prefers-color-scheme:dark){{{dark}}}</style>\n\
         <rect class=\"paper\" width=\"{WIDTH:.0}\" height=\"{HEIGHT:.0}\"/>\n"
    )
}

/// The distance between numbers below a chart: 1, 2 or 5 times a power of ten, and at most ten of them.
fn tick(most: f64) -> f64 {
    let mut step = 1.0;
    loop {
        for times in [1.0, 2.0, 5.0] {
            if most / (step * times) <= 10.0 {
                return step * times;
            }
        }
        step *= 10.0;
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_is_well_formed_and_told_in_words() {
        let line = Line {
            name: "a<b".to_owned(),
            note: "half: 7".to_owned(),
            points: vec![(1.0, 0.0), (320.0, 1.0)],
        };
        let chart = chart(&Chart {
            title: "What it costs".to_owned(),
            description: "One & two".to_owned(),
            across: "addresses × days",
            up: "targets",
            lines: vec![line],
        });
        assert!(chart.starts_with("<svg ") && chart.ends_with("</svg>\n"));
        for part in [
            "<title id=\"title\">What it costs</title>",
            "One &amp; two</desc>",
            "a&lt;b",
            "prefers-color-scheme:dark",
        ] {
            assert!(chart.contains(part), "{part}");
        }
        assert!(chart.contains(r#"points="63.4,344.0 "#), "{chart}");
        assert_eq!(chart.matches("<text").count(), chart.matches("</text>").count());
    }

    #[test]
    fn numbers_below_are_round_and_few() {
        for (most, step) in [(1.0, 1.0), (10.0, 1.0), (11.0, 2.0), (320.0, 50.0), (1_000_000.0, 100_000.0)] {
            assert_eq!(tick(most), step, "{most}");
        }
    }
}
