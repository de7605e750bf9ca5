//! The values, or the references, of the catalogue: what each is called, what it says, where it stands. With many of them the first,
//! and where programs find all.
//!
//! What was put away says nothing here either.

use super::Shown;
use super::catalogue::{Kind, status};
use crate::doc::{Block, Inline, code, heading, link, outward, paragraph, text, woven};

use crate::facts::{Entry, Facts, Needs};
use crate::words::Words;
use becivic_core::mdx::resolve::UNRESOLVED;

/// A page lists this many.
const LISTED: usize = 200;

/// What it needs: the first entries of the kind, and one more, to know that there are more.
pub fn needs(kind: Kind) -> Needs {
    Needs { first_entries: Some((kind.target_type(), LISTED + 1)), ..Needs::default() }
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
    let mut entries: Vec<&Entry> = facts.entries.values().take(LISTED).map(|entry| &**entry).collect();
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    if entries.is_empty() {
        shown.indexed = false;
        shown.doc.push(paragraph([text(table.nothing_here)]));
        return shown;
    }
    let head = [table.name, says, table.status].map(|name| vec![text(name)]).to_vec();
    let rows = entries.into_iter().map(|entry| row(kind, entry)).collect();
    shown.doc.push(Block::Table { caption: title.to_owned(), head, rows });
    if facts.entries.len() > LISTED {
        shown.doc.push(paragraph(woven(table.first_of, [link(kind.api(), kind.api())])));
    }
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
