//! Who is in charge of a procedure: a public body of `data/authorities.json`, called as it calls itself in the reader's language.

use crate::doc::{Inline, code, link};
use crate::words::Words;
use crate::world::World;
use becivic_core::vocabulary::Language;
use serde_json::Value;

/// A public body, by its id: its name, and where it stands on the web. By its id alone where the file does not know it.
pub fn authority(world: &World<'_>, id: &str, words: &Words) -> Inline {
    let entry = entry(world, id);
    let field = |name: &str| entry.and_then(|entry| entry.get(name)).and_then(Value::as_str);
    let name = field(own_name(words.language)).or_else(|| field("name_en"));
    match (name, field("domain")) {
        (Some(name), Some(domain)) => link(format!("https://{domain}/"), name),
        (Some(name), None) => Inline::Text(name.to_owned()),
        (None, _) => code(id),
    }
}

fn own_name(language: Language) -> &'static str {
    match language {
        Language::En => "name_en",
        Language::Fr => "name_fr",
        Language::Nl => "name_nl",
        Language::De => "name_de",
    }
}

fn entry<'w>(world: &World<'w>, id: &str) -> Option<&'w Value> {
    let file = world.corpus.authorities.as_ref().filter(|file| file.fits)?;
    let listed = file.value.get("authorities").and_then(Value::as_array)?;
    listed.iter().find(|entry| entry.get("id").and_then(Value::as_str) == Some(id))
}
