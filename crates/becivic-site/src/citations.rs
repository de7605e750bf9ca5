//! Who cites what: skills by the entries of the catalogue in their texts and by the paths they require.
//!
//! One walk over the corpus makes the whole index, so that ten thousand pages that ask "which skills cite this?" cost ten thousand
//! look-ups. Whoever serves makes it once per commit and lets the [`crate::World`] carry it; a world without one walks the corpus
//! for the one question.

use becivic_core::corpus::{Corpus, Skill};
use becivic_core::mdx::tag::{Tag, TagKind};
use rustc_hash::FxHashMap;

/// What skills can cite.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cited {
    /// A value by its uid, or by its name where a tag has no uid yet.
    Value(String),
    /// A reference, alike.
    Reference(String),
    /// A path by its id.
    Path(String),
}

/// Skills by what they cite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Citations {
    /// By id, each once.
    skills: FxHashMap<Cited, Vec<String>>,
}

impl Citations {
    /// The index of a corpus.
    pub fn of(corpus: &Corpus) -> Self {
        let mut index = Self::default();
        for (id, skill) in &corpus.skills {
            for cited in cited_in(skill) {
                let citing = index.skills.entry(cited).or_default();
                if citing.last() != Some(id) {
                    citing.push(id.clone());
                }
            }
        }
        index
    }

    /// The skills that cite something, by id.
    pub fn citing(&self, cited: &Cited) -> impl Iterator<Item = &str> {
        self.skills.get(cited).into_iter().flatten().map(String::as_str)
    }
}

/// Everything a skill cites; the same thing may come twice.
fn cited_in(skill: &Skill) -> Vec<Cited> {
    let tags = skill.document.tags.iter().filter_map(|tag| in_tag(skill, tag));
    let required = skill.front.iter().flat_map(|front| front.requires_paths.iter().flatten());
    tags.chain(required.map(|path| Cited::Path(path.id.clone()))).collect()
}

fn in_tag(skill: &Skill, tag: &Tag) -> Option<Cited> {
    let written = |name: &str| {
        let value = tag.value(&skill.source, name).map(std::borrow::Cow::into_owned);
        value.filter(|value| !value.is_empty())
    };
    match tag.kind {
        TagKind::VV => written("uid").or_else(|| written("name")).map(Cited::Value),
        TagKind::Ref => written("uid").or_else(|| written("name")).map(Cited::Reference),
        TagKind::Path => written("id").map(Cited::Path),
        TagKind::Observations | TagKind::Skill | TagKind::Risk => None,
    }
}
