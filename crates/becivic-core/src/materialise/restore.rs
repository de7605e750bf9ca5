//! What the state machine makes of an artefact's file: another status, earlier content, an observation about a source.
//!
//! Status and version are not content: the digest leaves them out, and with them the mark of where a stable version is found.

use super::{Artefact, PATHS, Texts, edited_index, fields, gone, set_in_entry};
use crate::corpus::Corpus;
use crate::frontmatter;
use crate::preflight::Refusal;
use crate::vocabulary::Status;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Fields that say where an artefact stands and not what it says.
const STANDING: [&str; 3] = ["status", "version", "previous_stable_sha"];

/// The file of an artefact with another status.
pub fn with_status(corpus: &Corpus, artefact: &Artefact, status: Status) -> Result<Texts, Refusal> {
    let (file, text) = match artefact {
        Artefact::Skill(id) => {
            let skill = corpus.skills.get(id).ok_or_else(gone)?;
            let text = fields::set(skill.source.text(), "status", &json!(status)).ok_or_else(gone)?;
            (skill.source.path().to_owned(), text)
        }
        Artefact::Path(id) => {
            let paths = corpus.paths.as_ref().filter(|paths| paths.entries.contains_key(id));
            let text = paths.ok_or_else(gone)?.source.text();
            (PATHS.to_owned(), set_in_entry(text, id, &[("status", json!(status))])?)
        }
    };
    Ok(Texts::from([(file, text)]))
}

/// The file of an artefact with the content it had in an earlier text of that file, and a status.
pub fn with_content(
    corpus: &Corpus,
    artefact: &Artefact,
    earlier: &str,
    status: Status,
) -> Result<Texts, Refusal> {
    let (file, text) = match artefact {
        Artefact::Skill(id) => {
            let skill = corpus.skills.get(id).ok_or_else(gone)?;
            let text = fields::set(earlier, "status", &json!(status)).ok_or_else(gone)?;
            (skill.source.path().to_owned(), text)
        }
        Artefact::Path(id) => {
            let paths = corpus.paths.as_ref().filter(|paths| paths.entries.contains_key(id));
            let text = paths.ok_or_else(gone)?.source.text();
            let mut entry = entry_in(earlier, id).ok_or_else(gone)?;
            if let Some(fields) = entry.as_object_mut() {
                fields.insert("status".to_owned(), json!(status));
            }
            let text = edited_index(text, |paths| {
                paths.insert(id.clone(), entry);
            })?;
            (PATHS.to_owned(), text)
        }
    };
    Ok(Texts::from([(file, text)]))
}

/// The Path Directory with one field of one source set.
pub fn with_source_field(
    corpus: &Corpus,
    path: &str,
    source: &str,
    field: &str,
    value: &Value,
) -> Result<Texts, Refusal> {
    let paths = corpus.paths.as_ref().filter(|paths| paths.entries.contains_key(path));
    let text = edited_index(paths.ok_or_else(gone)?.source.text(), |paths| {
        let sources = paths.get_mut(path).and_then(|entry| entry.get_mut("sources"));
        let sources = sources.and_then(Value::as_array_mut).into_iter().flatten();
        for entry in sources.filter_map(Value::as_object_mut) {
            if entry.get("id").and_then(Value::as_str) == Some(source) {
                entry.insert(field.to_owned(), value.clone());
            }
        }
    })?;
    Ok(Texts::from([(PATHS.to_owned(), text)]))
}

/// What a text of an artefact's file says of it: the status it had and the digest of its content; `None` when it is not in it.
pub fn content_of(artefact: &Artefact, text: &str) -> Option<(Status, String)> {
    let (mut fields, body) = match artefact {
        Artefact::Skill(_) => {
            let (node, parts) = frontmatter::read(text).ok()?;
            (node.to_value(), text.get(parts.body.range())?.to_owned())
        }
        Artefact::Path(id) => (entry_in(text, id)?, String::new()),
    };
    let fields = fields.as_object_mut()?;
    let status = fields.get("status").and_then(Value::as_str).and_then(Status::named)?;
    for name in STANDING {
        fields.shift_remove(name);
    }
    let digest = Sha256::new().chain_update(json!(fields).to_string()).chain_update([0]).chain_update(body);
    let digest: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Some((status, digest))
}

fn entry_in(text: &str, id: &str) -> Option<Value> {
    let mut index: Value = serde_json::from_str(text).ok()?;
    Some(index.get_mut("paths")?.get_mut(id)?.take())
}
