//! Communes and regions by name, for a code that somebody sent or an author wrote.

use crate::doc::{Inline, text};
use crate::words::Words;
use crate::world::World;
use becivic_core::communes::Commune;
use becivic_core::vocabulary::Region;

/// A commune in the reader's language, else in the first of its own; nothing where no commune has that code or slug.
pub fn commune(world: &World<'_>, nis_or_slug: &str, words: &Words) -> Option<Inline> {
    let listed = world.corpus.communes.as_ref()?.value.get("communes")?.as_array()?;
    let is_it = |field| move |it: &serde_json::Value| it.get(field)?.as_str().map(|it| it == nis_or_slug);
    let found =
        listed.iter().find(|it| is_it("nis_code")(it) == Some(true) || is_it("slug")(it) == Some(true))?;
    let commune: Commune = serde_json::from_value(found.clone()).ok()?;
    let (language, name) = commune.named(words.language)?;
    Some(match language == words.language {
        true => text(name),
        false => Inline::In { language: language.as_str(), text: name.to_owned() },
    })
}

/// A region in the reader's language.
pub fn region(code: &str, words: &Words) -> Option<Inline> {
    Region::named(code).map(|region| text(words.path.region(region)))
}
