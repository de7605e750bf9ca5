//! What a page is made of, as a digest: the same digest, the same page.
//!
//! 1. Everything is made by this program, in a language, for an address.
//! 2. A page may name any skill, path or page: titles, statuses and edges of all of them count for every page.
//! 3. A skill's page has its own text and diagram besides, an authored page its own text. Of the other pages some look into every
//!    text (who cites a value?), so for them all texts count; making a list again is cheap, and nothing is written that is the same.
//! 4. Entries of the catalogue count where a page asks for them.
//! 5. A file that holds pages is made of what those are made of.

use super::list;
use becivic_core::corpus::Skill;
use becivic_core::text::Source;
use becivic_core::vocabulary::Language;
use becivic_site::address::Which;
use becivic_site::{Facts, World, assets};
use blake3::Hasher;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// What all pages have in common.
pub struct Inputs {
    around: [u8; 32],
    texts: [u8; 32],
    /// The text of each skill by its id, where all were looked at.
    skills: FxHashMap<String, [u8; 32]>,
}

impl Inputs {
    /// Looks at a world once.
    pub fn of(world: &World<'_>, language: Language) -> Self {
        let mut around = Hasher::new();
        around.update(&key(language, world.base));
        let corpus = world.corpus;
        for (id, skill) in &corpus.skills {
            part(&mut around, id);
            part(&mut around, front(skill));
        }
        for (address, page) in &corpus.pages {
            part(&mut around, address);
            part(&mut around, &format!("{:?}", page.front));
        }
        for (id, files) in &corpus.templates {
            part(&mut around, id);
            for (name, text) in files {
                part(&mut around, name);
                part(&mut around, text.as_deref().unwrap_or_default());
            }
        }
        let data = [&corpus.communes, &corpus.authorities, &corpus.scrub_rules, &corpus.triggers];
        let files = data.into_iter().flatten().map(|file| &file.source);
        let lists = corpus.paths.iter().map(|paths| &paths.source);
        let lists = lists.chain(corpus.categories.iter().map(|it| &it.0));
        files.chain(lists).for_each(|source| part(&mut around, source.text()));
        let (skills, texts) = texts(world);
        Self { around: around.finalize().into(), texts, skills }
    }

    /// As they were remembered.
    pub fn remembered([around, texts]: [[u8; 32]; 2]) -> Self {
        Self { around, texts, skills: FxHashMap::default() }
    }

    /// To be remembered.
    pub fn digests(&self) -> [[u8; 32]; 2] {
        [self.around, self.texts]
    }

    /// What every page is made of.
    pub fn around(&self) -> list::Inputs {
        short(Hasher::new().update(&self.around))
    }

    /// What a file for agents or machines is made of: everything but values.
    pub fn file(&self) -> list::Inputs {
        short(Hasher::new().update(&self.around).update(&self.texts))
    }

    /// What a file is made of that holds pages made of these.
    pub fn volume(&self, pages: impl Iterator<Item = list::Inputs>) -> list::Inputs {
        let mut hash = Hasher::new();
        hash.update(&self.around);
        pages.for_each(|page| {
            hash.update(&page);
        });
        short(&hash)
    }

    /// What something is made of whose name tells it.
    pub fn named(name: &str) -> list::Inputs {
        short(Hasher::new().update(name.as_bytes()))
    }

    /// What a page is made of.
    pub fn page(&self, world: &World<'_>, which: &Which, facts: &Facts) -> list::Inputs {
        let mut hash = Hasher::new();
        hash.update(&self.around);
        hash.update(&facts.digest());
        match which {
            Which::Skill(id) => {
                let text = || world.corpus.skills.get(id).map(|skill| of_skill(skill));
                hash.update(&self.skills.get(id).copied().or_else(text).unwrap_or_default());
                diagram(world, id).iter().for_each(|text| part(&mut hash, text));
            }
            Which::Authored(address) => {
                let text = world.corpus.pages.get(address).map(|page| page.source.text());
                part(&mut hash, text.unwrap_or_default());
            }
            Which::Folder(_)
            | Which::Values
            | Which::References
            | Which::Skills
            | Which::CategoryOf(..)
            | Which::SkillAt(..)
            | Which::SkillHistory(_)
            | Which::SkillChange(..)
            | Which::Paths
            | Which::ThemeOf(_)
            | Which::Path(_)
            | Which::Value(_)
            | Which::Reference(_)
            | Which::Activity
            | Which::Log
            | Which::Search => {
                hash.update(&self.texts);
            }
        }
        short(&hash)
    }
}

/// The program, and what it was told to do.
pub fn key(language: Language, base: &str) -> list::Inputs {
    let mut hash = Hasher::new();
    part(&mut hash, &program());
    part(&mut hash, language.as_str());
    part(&mut hash, base);
    assets::ALL.iter().for_each(|asset| part(&mut hash, &asset.address));
    short(&hash)
}

fn short(hash: &Hasher) -> list::Inputs {
    let whole: [u8; 32] = hash.finalize().into();
    whole.first_chunk().copied().unwrap_or_default()
}

fn diagram<'w>(world: &World<'w>, id: &str) -> Option<&'w str> {
    world.corpus.diagrams.get(id)?.as_deref().map(Source::text)
}

/// What stands before a skill's text; all of it where it cannot be read.
fn front(skill: &Skill) -> &str {
    let text = skill.source.text();
    match skill.front {
        Some(_) => text.get(..skill.document.body.start as usize).unwrap_or(text),
        None => text,
    }
}

/// The text of each skill, and all texts.
fn texts(world: &World<'_>) -> (FxHashMap<String, [u8; 32]>, [u8; 32]) {
    let skills: Vec<[u8; 32]> = world.corpus.skills.par_iter().map(|(_, skill)| of_skill(skill)).collect();
    let mut hash = Hasher::new();
    skills.iter().for_each(|digest| {
        hash.update(digest);
    });
    for page in world.corpus.pages.values() {
        part(&mut hash, page.source.text());
    }
    (world.corpus.skills.keys().cloned().zip(skills).collect(), hash.finalize().into())
}

/// A skill's text.
fn of_skill(skill: &Skill) -> [u8; 32] {
    list::content(skill.source.text().as_bytes())
}

/// This program: its version, and which build of it, where the system tells.
fn program() -> String {
    let file = std::env::current_exe().and_then(|path| path.metadata()).ok();
    let built = file.and_then(|it| Some((it.len(), it.modified().ok()?)));
    format!("{} {built:?}", env!("CARGO_PKG_VERSION"))
}

/// A part and its length, so that no two lists of parts look the same.
fn part(hash: &mut Hasher, text: &str) {
    hash.update(&(text.len() as u64).to_le_bytes());
    hash.update(text.as_bytes());
}
