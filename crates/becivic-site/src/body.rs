//! The text of a skill or a page, printed as HTML and as markdown with its tags resolved.

use crate::facts::Facts;
use crate::words::Words;
use crate::world::World;
use becivic_core::corpus::Skill;
use becivic_core::mdx::tag::TagKind;
use std::collections::BTreeSet;

/// A text in both forms.
#[derive(Clone, Debug, Default)]
pub struct Printed {
    /// For people.
    pub html: String,
    /// For agents.
    pub markdown: String,
    /// Its headings of level 2: name and title.
    pub contents: Vec<(String, String)>,
}

/// A text without tags.
pub fn plain(text: &str) -> Printed {
    let html = maud::html! { pre { (text) } }.into_string();
    Printed { html, markdown: text.trim().to_owned(), contents: Vec::new() }
}

/// A skill's text.
pub fn skill(_world: &World<'_>, skill: &Skill, _facts: &Facts, _words: &Words) -> Printed {
    plain(skill.body())
}

/// The entries a skill cites: uids, or names where a tag has no uid yet.
pub fn cites(skill: &Skill) -> BTreeSet<String> {
    let entries = skill.document.tags.iter().filter(|tag| matches!(tag.kind, TagKind::VV | TagKind::Ref));
    let named = entries
        .filter_map(|tag| tag.value(&skill.source, "uid").or_else(|| tag.value(&skill.source, "name")));
    named.map(std::borrow::Cow::into_owned).collect()
}
