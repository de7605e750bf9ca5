//! Where tags begin and end, and where brackets stand, in the order of the text. Offsets are those of the body.

use super::shelf::Shelf;
use becivic_core::corpus::Skill;
use becivic_core::mdx::resolve::{Resolution, Resolved};
use becivic_core::mdx::scan;
use becivic_core::mdx::tag::{Form, Tag};
use becivic_core::text::Span;
use std::ops::Range;

/// What stands somewhere. The number is that of the tag in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The begin of a tag, or all of it.
    Tag(usize),
    /// Its end.
    End(usize),
    /// A bracket that leads to this first citation.
    Bracket(usize),
}

/// Something and where it stands.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where, within the body.
    pub at: Range<usize>,
    /// What.
    pub what: What,
}

/// What is resolved of a skill.
pub type Found<'f, 's> = Resolution<'f, 's, Shelf<'f>>;

/// Every tag that stands for something, and every bracket that leads to one.
pub fn places(skill: &Skill, found: &Found<'_, '_>) -> Vec<Place> {
    let document = &skill.document;
    let base = document.body.start as usize;
    let within =
        |span: Span| (span.start as usize).saturating_sub(base)..(span.end as usize).saturating_sub(base);
    let mut places = Vec::with_capacity(document.tags.len() + document.brackets.len());
    for (index, tag) in meant(skill, found) {
        places.push(Place { at: within(tag.open), what: What::Tag(index) });
        if let Form::Wrapper { close } = &tag.form {
            places.push(Place { at: within(*close), what: What::End(index) });
        }
    }
    for bracket in &document.brackets {
        let name = skill.source.slice(*bracket);
        if let Some(first) = found.first.get(name) {
            let inner = within(*bracket);
            places.push(Place {
                at: inner.start.saturating_sub(1)..inner.end + 1,
                what: What::Bracket(*first),
            });
        }
    }
    places.sort_unstable_by_key(|place| place.at.start);
    places
}

/// The body with filler where its tags stand.
pub fn masked(skill: &Skill, found: &Found<'_, '_>) -> String {
    scan::masked(skill.source.text(), skill.document.body, meant(skill, found).map(|(_, tag)| tag))
}

fn meant<'k>(skill: &'k Skill, found: &'k Found<'_, '_>) -> impl Iterator<Item = (usize, &'k Tag)> + Clone {
    let both = skill.document.tags.iter().zip(&found.tags).enumerate();
    both.filter(|(_, (_, resolved))| !matches!(resolved, Resolved::Text))
        .map(|(index, (tag, _))| (index, tag))
}
