//! Markdown in pieces, for readers who can take only so much at a time.
//!
//! 1. [`sections`] lists the headings of a text with what stands under each: up to the next heading of its level or a higher one.
//! 2. [`piece`] cuts what fits a budget of tokens, at the last blank line within it, else at a line, else at a character; and says
//!    where to go on.
//!
//! A token is counted as [`BYTES_PER_TOKEN`] bytes. No two models count alike; the languages of the corpus take three and a half to
//! four and a half bytes a token in common vocabularies, tables and links more tokens than prose.

use crate::site::slug;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use serde::Serialize;
use std::collections::HashMap;
use std::ops::Range;

/// What a token is counted as.
pub const BYTES_PER_TOKEN: usize = 4;

/// A heading and what stands under it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    /// By which it is asked for.
    pub id: String,
    /// The text of the heading.
    pub title: String,
    /// 1 to 6.
    pub level: u8,
    /// What it costs to read it whole.
    pub tokens: usize,
    /// Where it stands.
    #[serde(skip)]
    pub range: Range<usize>,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<'t> {
    /// What fits.
    pub text: &'t str,
    /// Where the rest begins; nothing when there is none.
    pub next: Option<usize>,
}

/// What a text costs.
pub fn tokens(text: &str) -> usize {
    text.len().div_ceil(BYTES_PER_TOKEN)
}

/// The sections of a text, in order. Two with the same title get different ids.
pub fn sections(text: &str) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    let mut taken = HashMap::new();
    let mut open: Option<(u8, usize, String)> = None;
    for (event, place) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                open = Some((level as u8, place.start, String::new()))
            }
            Event::End(TagEnd::Heading(_)) => {
                let Some((level, start, title)) = open.take() else { continue };
                let title = title.trim().to_owned();
                let id = unique(&mut taken, slug(&title));
                found.push(Section { id, title, level, tokens: 0, range: start..text.len() });
            }
            Event::Text(words) | Event::Code(words) => {
                if let Some((_, _, title)) = &mut open {
                    title.push_str(&words);
                }
            }
            _ => {}
        }
    }
    // Ends from the back: what is open at a level ends where the next of that level or a higher one begins.
    let mut next = [text.len(); 7];
    for section in found.iter_mut().rev() {
        let level = usize::from(section.level).min(6);
        let end = next.iter().take(level + 1).copied().min().unwrap_or(text.len());
        section.range.end = end;
        section.tokens = (end - section.range.start).div_ceil(BYTES_PER_TOKEN);
        if let Some(place) = next.get_mut(level) {
            *place = section.range.start;
        }
        next.iter_mut().skip(level + 1).for_each(|place| *place = section.range.start);
    }
    found
}

/// The piece that begins at a place; that must be one that a piece before named, or 0.
pub fn piece(text: &str, from: usize, budget: usize) -> Option<Piece<'_>> {
    let rest = text.get(from..)?;
    let most = budget.saturating_mul(BYTES_PER_TOKEN);
    if rest.len() <= most {
        return Some(Piece { text: rest, next: None });
    }
    let mut end = most;
    while !rest.is_char_boundary(end) {
        end -= 1;
    }
    let fits = rest.get(..end)?;
    // A cut that would leave less than half of what fits is worse than one within a paragraph.
    let far = |at: &usize| *at > end / 2;
    let blank = fits.rfind("\n\n").map(|at| at + 2).filter(far);
    let line = || fits.rfind('\n').map(|at| at + 1).filter(far);
    let word = || fits.rfind(' ').map(|at| at + 1).filter(far);
    let end = blank.or_else(line).or_else(word).unwrap_or(end).max(first_character(rest));
    Some(Piece { text: rest.get(..end)?, next: Some(from + end).filter(|next| *next < text.len()) })
}

/// Even a budget of nothing goes on.
fn first_character(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

/// The id of a title; from the second time on with a number.
fn unique(taken: &mut HashMap<String, usize>, slug: String) -> String {
    let mut id = slug.clone();
    while taken.contains_key(&id) {
        let times = taken.entry(slug.clone()).or_insert(1);
        *times += 1;
        id = format!("{slug}-{times}");
    }
    taken.insert(id.clone(), 1);
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Moving\n\nIntro.\n\n## Steps\n\n1. Go.\n\n### At the desk\n\nWait.\n\n```\n## no heading\n```\n\n## Steps\n\nAgain.\n";

    #[test]
    fn sections_end_where_the_next_of_their_rank_begins() {
        let found = sections(TEXT);
        let ids: Vec<&str> = found.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(ids, ["moving", "steps", "at-the-desk", "steps-2"]);
        let text = |at: usize| &TEXT[found[at].range.clone()];
        assert_eq!(text(0), TEXT);
        assert!(
            text(1).starts_with("## Steps") && text(1).contains("no heading") && !text(1).contains("Again")
        );
        assert!(text(2).starts_with("### At the desk") && text(2).ends_with("```\n\n"));
        assert_eq!(text(3), "## Steps\n\nAgain.\n");
    }

    #[test]
    fn pieces_make_the_whole_whatever_the_budget() {
        let text = format!("{TEXT}é€𝄞 {}", "word ".repeat(50));
        for budget in [0, 1, 2, 3, 5, 10, 40, 1_000_000_000, usize::MAX] {
            let (mut from, mut whole, mut rounds) = (0, String::new(), 0);
            loop {
                let part = piece(&text, from, budget).expect("a place that was named");
                assert!(part.text.len() <= budget.saturating_mul(4).max(4));
                whole.push_str(part.text);
                rounds += 1;
                match part.next {
                    Some(next) => from = next,
                    None => break,
                }
            }
            assert_eq!(whole, text, "{budget}");
            assert!(rounds <= text.len());
        }
        assert_eq!(piece("é", 1, 10), None);
        assert_eq!(piece("e", 9, 10), None);
    }

    #[test]
    fn a_cut_is_where_a_paragraph_ends() {
        let part = piece("One two.\n\nThree four.\n\nFive.", 0, 6).expect("a piece");
        assert_eq!((part.text, part.next), ("One two.\n\nThree four.\n\n", Some(23)));
    }
}
