//! Every value, or every reference, of the catalogue: what it is called, what it says, where it stands.
//!
//! What was put away says nothing here either.

use super::Shown;
use super::catalogue::{Kind, status};
use crate::doc::{Block, Inline, code, heading, link, outward, paragraph, text};
use crate::facts::{Entry, Facts, Needs};
use crate::words::Words;
use becivic_core::mdx::resolve::UNRESOLVED;

/// What it needs: every entry of the kind.
pub fn needs(kind: Kind) -> Needs {
    Needs { every_entry: Some(kind.target_type()), ..Needs::default() }
}

/// The page.
pub fn show(kind: Kind, facts: &Facts, words: &Words) -> Shown {
    let table = &words.catalogue;
    let (title, about, says) = match kind {
        Kind::Value => (table.values, table.values_about, table.value),
        Kind::Reference => (table.references, table.references_about, table.address),
    };
    let mut shown = Shown::new(title, about, words);
    shown.doc.push(heading(1, title));
    shown.doc.push(paragraph([text(about)]));
    let mut entries: Vec<&Entry> = facts.entries.values().collect();
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    if entries.is_empty() {
        shown.indexed = false;
        shown.doc.push(paragraph([text(table.nothing_here)]));
        return shown;
    }
    let head = [table.name, says, table.status].map(|name| vec![text(name)]).to_vec();
    let rows = entries.into_iter().map(|entry| row(kind, entry)).collect();
    shown.doc.push(Block::Table { caption: about.to_owned(), head, rows });
    shown
}

fn row(kind: Kind, entry: &Entry) -> Vec<Vec<Inline>> {
    let shown = entry.shown();
    let (room, said) = match kind {
        Kind::Value => ("values", shown.map(|row| text(row.text()))),
        Kind::Reference => {
            let title = |url: &str| shown.and_then(|row| row.title.clone()).unwrap_or_else(|| url.to_owned());
            ("references", shown.and_then(|row| row.url.as_deref()).map(|url| outward(url, title(url))))
        }
    };
    let stands = shown.unwrap_or(&entry.current);
    vec![
        vec![link(format!("/{room}/{}", entry.uid), entry.name.clone())],
        vec![said.unwrap_or_else(|| code(UNRESOLVED))],
        vec![status(&stands.status)],
    ]
}
