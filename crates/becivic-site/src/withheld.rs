//! The file of a skill as readers may have it: without the author's copies of what was put away (DECISIONS §8).
//!
//! 1. Where an entry shows nothing, its page says so and so does every tag that cites it: the copies in the file go too.
//! 2. Where an entry shows something, a copy goes if it says what a row said that somebody's flag ended: an earlier value that came
//!    back does not bring that one with it.
//! 3. Copies of entries nobody has heard of stay: nothing was put away.

use crate::facts::{Entry, Facts, Row};
use becivic_core::corpus::Skill;
use becivic_core::mdx::tag::{Tag, TagKind};
use becivic_core::mdx::withhold::withhold;
use std::borrow::Cow;

/// The file, byte for byte but for what was put away.
pub fn file<'s>(skill: &'s Skill, facts: &Facts) -> Cow<'s, str> {
    withhold(&skill.source, &skill.document, |tag| {
        let key = tag.value(&skill.source, "uid").or_else(|| tag.value(&skill.source, "name"));
        let entry = key.and_then(|key| facts.entries.get(key.as_ref()));
        entry.is_some_and(|entry| entry.shown().is_none() || copies_flagged(skill, tag, entry))
    })
}

fn copies_flagged(skill: &Skill, tag: &Tag, entry: &Entry) -> bool {
    let wrapped = tag.children().map(|it| skill.source.slice(it)).unwrap_or_default();
    let attribute = |name| tag.value(&skill.source, name).unwrap_or_default();
    let is_copy = |row: &Row| match tag.kind {
        TagKind::VV => is_the_same(wrapped, &row.text()),
        TagKind::Ref => {
            let said =
                |it: &Option<String>, text: &str| it.as_deref().is_some_and(|it| is_the_same(it, text));
            said(&row.url, &attribute("url"))
                || said(&row.title, &attribute("title"))
                || said(&row.title, wrapped)
        }
        TagKind::Observations | TagKind::Path | TagKind::Skill | TagKind::Risk => false,
    };
    entry.flagged.iter().any(is_copy)
}

/// Whether two texts say the same: signs, marks and spaces do not make another value of it.
fn is_the_same(a: &str, b: &str) -> bool {
    let said = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (a, b) = (said(a), said(b));
    !a.is_empty() && a == b
}

#[cfg(test)]
mod tests {
    use super::is_the_same;

    #[test]
    fn signs_make_no_other_value() {
        assert!(is_the_same("€ 185", "185"));
        assert!(is_the_same("**8 working days**", "8 Working Days"));
        assert!(!is_the_same("€185", "€18"));
        assert!(!is_the_same("", "€"));
    }
}
