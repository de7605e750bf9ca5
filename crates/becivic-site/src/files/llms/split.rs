//! A list as one file, or as several that lead from one to the next.

use super::LIMIT;
use becivic_core::site::OPENING_LINE;

/// Left for the heading and the line that leads on.
const AROUND: usize = 1_000;

/// The files of a list, by name: `skills-meta`, `skills-meta.2`, …
pub fn file(name: &str, title: &str, lines: &[String], base: &str) -> Vec<(String, String)> {
    let shares = shares(lines);
    let count = shares.len();
    let numbered = |number: usize| if number == 1 { name.to_owned() } else { format!("{name}.{number}") };
    let made = shares.into_iter().enumerate().map(|(at, share)| {
        let number = at + 1;
        let mut text = format!("# Be Civic: {title}");
        if count > 1 {
            text.push_str(&format!(" ({number}/{count})"));
        }
        text.push_str(&format!("\n\n> {OPENING_LINE}\n\n"));
        text.push_str(&share.concat());
        if number < count {
            text.push_str(&format!(
                "\nMore: [part {0}]({base}/llms/{1}.txt)\n",
                number + 1,
                numbered(number + 1)
            ));
        }
        (numbered(number), text)
    });
    made.collect()
}

/// Lines in runs that fit; a list without lines is one empty run.
fn shares(lines: &[String]) -> Vec<&[String]> {
    let mut shares = Vec::new();
    let (mut from, mut size) = (0, 0);
    for (at, line) in lines.iter().enumerate() {
        let length = line.chars().count();
        if at > from && size + length > LIMIT - AROUND {
            shares.extend(lines.get(from..at));
            (from, size) = (at, 0);
        }
        size += length;
    }
    shares.extend(lines.get(from..));
    shares
}
