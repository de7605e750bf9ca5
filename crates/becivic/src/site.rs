//! A corpus folder as a site: its pages, with the seeds for a catalogue and no clock.
//!
//! 1. The world is the files; no flag is ahead of them, for there is no database.
//! 2. What a page needs besides comes from the seed files ([`seeds`]); where nobody was asked, nothing is said.
//! 3. The same files give the same bytes.

mod seeds;

pub use seeds::Seeds;

use becivic_core::corpus::Corpus;
use becivic_core::path::Theme;
use becivic_core::vocabulary::Language;
use becivic_site::address::{self, Form, Which};
use becivic_site::citations::Citations;
use becivic_site::files::Made;
use becivic_site::pages::{self, Shown};
use becivic_site::{Facts, World, doc, frame, words};
use std::borrow::Cow;

/// Where the site stands unless somebody says otherwise.
pub const BASE: &str = "https://becivic.be";

/// The world of a corpus.
pub fn world<'w>(corpus: &'w Corpus, citations: &'w Citations, base: &'w str) -> World<'w> {
    World { citations: Some(citations), is_live: false, ..World::new(corpus, base) }
}

/// Every page that files alone can fill, whether or not it turns out to be there. History is Git's, and a page of it is made where
/// somebody asks for it.
pub fn pages(world: &World<'_>) -> Vec<Which> {
    let corpus = world.corpus;
    let mut all: Vec<Which> = corpus.pages.keys().cloned().map(Which::Authored).collect();
    all.extend(address::folders(world));
    all.extend([Which::Skills, Which::Paths, Which::Values, Which::References]);
    // What was counted, and what changed, a server knows.
    all.push(Which::Search);
    all.extend(pages::category::all(world));
    all.extend(world.skills().map(|skill| Which::Skill(skill.id().to_owned())));
    all.extend(Theme::ALL.iter().copied().map(Which::ThemeOf));
    all.extend(world.paths().map(|path| Which::Path(path.id().to_owned())));
    all.extend(corpus.catalogue.values().iter().map(|row| Which::Value(row.uid.clone())));
    all.extend(corpus.catalogue.references().iter().map(|row| Which::Reference(row.uid.clone())));
    all
}

/// A file for agents or machines; nothing where this world has none of it.
pub fn file(world: &World<'_>, made: &Made, language: Language) -> Option<Vec<u8>> {
    let seeds = Seeds::of(&world.corpus.catalogue);
    let mut markdown = |which: &Which| {
        let facts = seeds.facts(&pages::needs(world, which));
        let shown = pages::show(world, which, &facts, words::of(language));
        let text = print(world, which, (&shown, &facts), Form::Markdown, language);
        text.filter(|_| shown.status == 200)
    };
    let facts = seeds.facts(&made.needs());
    made.make(world, &facts, &mut markdown)
}

/// A page in one of its forms; nothing where it has none such.
pub fn print(
    world: &World<'_>,
    which: &Which,
    (shown, facts): (&Shown, &Facts),
    form: Form,
    language: Language,
) -> Option<String> {
    let words = words::of(language);
    match form {
        Form::Html => {
            let place = frame::Place::of(world, Some(which));
            Some(frame::page(shown, &place, words))
        }
        Form::Markdown => Some(doc::markdown::blocks(&shown.doc.blocks, words)),
        Form::Source => pages::source(world, which, facts).map(Cow::into_owned),
    }
}
