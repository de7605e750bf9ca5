//! A new path: a draft entry of `paths/index.json` with one source of the class asked for.
//!
//! 1. The source is a template of its class that fits the class's branch of the schema.
//! 2. The uid is the next free number: whoever edits the directory by hand is a maintainer.
//! 3. The entry goes where its key belongs; every other byte of the file stays.

use super::{NewFile, Refused, fits, usable_category, usable_id, words};
use crate::corpus::{Corpus, Paths};
use crate::path::SourceClass;
use crate::text::Source;
use crate::vocabulary::Role;
use serde_json::{Value, json};

/// What the author says about a new path.
#[derive(Clone, Debug)]
pub struct NewPath {
    /// Its id, which is its key in the directory.
    pub id: String,
    /// Its English title; made from the id when absent.
    pub title_en: Option<String>,
    /// The class of its first source.
    pub class: SourceClass,
    /// Who is responsible for what it leads to.
    pub authority: String,
    /// Its category.
    pub category: String,
    /// What it is to a procedure.
    pub purpose: Role,
    /// The day it is written, `YYYY-MM-DD`.
    pub today: String,
}

/// Where the Path Directory is.
const FILE: &str = "paths/index.json";

/// The Path Directory with the new entry.
pub fn path(corpus: &Corpus, new: &NewPath) -> Result<NewFile, Refused> {
    usable_id(&new.id)?;
    usable_category(corpus, &new.category)?;
    if corpus.paths_unreadable {
        return Err(Refused::Unreadable(FILE));
    }
    let paths = corpus.paths.as_deref();
    if paths.is_some_and(|paths| paths.has(&new.id)) {
        return Err(Refused::Taken { what: "path", id: new.id.clone() });
    }
    if !has_authority(corpus, &new.authority) {
        return Err(Refused::NoAuthority(new.authority.clone()));
    }
    let entry = entry(new, &next_uid(paths)?);
    let before = paths.map(|paths| &paths.source);
    let text = match paths {
        Some(paths) => inserted(paths, &new.id, &entry).ok_or(Refused::Unreadable(FILE))?,
        None => directory(new, &entry),
    };
    fits(NewFile { path: FILE.to_owned(), text }, before.map(Source::text))
}

fn has_authority(corpus: &Corpus, id: &str) -> bool {
    let listed = corpus.authorities.as_ref().and_then(|data| data.value.get("authorities"));
    let listed = listed.and_then(Value::as_array).into_iter().flatten();
    listed.filter_map(|authority| authority.get("id")?.as_str()).any(|known| known == id)
}

/// The number after the highest one in use. Numbers of removed paths are not given again while a later
/// one stands.
fn next_uid(paths: Option<&Paths>) -> Result<String, Refused> {
    let entries = paths.and_then(|paths| paths.node.get("paths")).map(|paths| paths.entries());
    let uids = entries.unwrap_or_default().iter().filter_map(|entry| {
        let uid = entry.value.get("uid")?.as_str()?.strip_prefix("pth-")?;
        uid.parse::<u32>().ok()
    });
    match uids.max().unwrap_or(0).saturating_add(1) {
        next @ ..=999_999 => Ok(format!("pth-{next:05}")),
        _ => Err(Refused::NoUidLeft),
    }
}

fn entry(new: &NewPath, uid: &str) -> Value {
    let title = new.title_en.clone().unwrap_or_else(|| words(&new.id));
    json!({
        "id": new.id,
        "uid": uid,
        "title": { "en": title },
        "description": {
            "en": "Say in one or two sentences what this leads to and who gives it."
        },
        "themes": [crate::path::Theme::IdentityCivilStatus],
        "authority_id": new.authority,
        "schema_version": 1,
        "version": "0.0.0",
        "status": "draft",
        "origin": "be-civic",
        "category": new.category,
        "purpose": new.purpose,
        "applies_to": {},
        "outputs": [{ "name": new.id.replace('-', "_"), "type": "document_artefact" }],
        "sources": [source(new.class)],
        "related_skills": [],
        "last_verified": new.today,
        "verification_notes": "Not walked yet; nothing here was checked against a live source."
    })
}

/// A source of a class that fits the class's rules; a test reads them all.
fn source(class: SourceClass) -> Value {
    let text = match class {
        SourceClass::BrusselsTier1Quicklink => {
            include_str!("sources/brussels-tier1-quicklink.json")
        }
        SourceClass::BrusselsTier2Inquiry => include_str!("sources/brussels-tier2-inquiry.json"),
        SourceClass::BrusselsTier3Noauth => include_str!("sources/brussels-tier3-noauth.json"),
        SourceClass::FlandersApiPage => include_str!("sources/flanders-api-page.json"),
        SourceClass::WalloniaSitemapPage => include_str!("sources/wallonia-sitemap-page.json"),
        SourceClass::FederalAnonymousForm => include_str!("sources/federal-anonymous-form.json"),
        SourceClass::FederalAuthHandoff => include_str!("sources/federal-auth-handoff.json"),
        SourceClass::PartnerPortal => include_str!("sources/partner-portal.json"),
        SourceClass::Offline => include_str!("sources/offline.json"),
    };
    serde_json::from_str(text).unwrap_or_default()
}

/// A directory with one entry.
fn directory(new: &NewPath, entry: &Value) -> String {
    let value = json!({
        "schema_version": 1,
        "version": "0.0.0",
        "generated_at": format!("{}T00:00:00Z", new.today),
        "paths": { new.id.clone(): entry }
    });
    format!("{value:#}\n")
}

/// The directory's text with an entry before the first key that comes after it.
fn inserted(paths: &Paths, id: &str, entry: &Value) -> Option<String> {
    let text = paths.source.text();
    let list = paths.node.get("paths")?;
    let laid = format!("{entry:#}").replace('\n', "\n    ");
    let written = format!("{}: {laid}", Value::String(id.to_owned()));
    let entries = list.entries();
    let (start, end, insert) = match entries.iter().find(|entry| *entry.key > *id) {
        Some(next) => {
            let at = next.key_span.start as usize;
            (at, at, format!("{written},\n    "))
        }
        None => match entries.last() {
            Some(last) => {
                let at = last.value.span.end as usize;
                (at, at, format!(",\n    {written}"))
            }
            None => {
                let span = list.span.range();
                (span.start, span.end, format!("{{\n    {written}\n  }}"))
            }
        },
    };
    Some(format!("{}{insert}{}", text.get(..start)?, text.get(end..)?))
}
