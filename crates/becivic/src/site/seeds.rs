//! What pages need to know, from the seed files of a corpus: entries of the catalogue. Standings, verdicts and concerns are a
//! database's, and days a clock's: of those nothing is said.

use becivic_core::catalogue::{Catalogue, ReferenceRow, SeedCatalogue, ValueRow};
use becivic_site::facts::{Entry, Facts, Needs, Row};

/// The facts for what a page needs.
pub fn facts(catalogue: &SeedCatalogue, needs: &Needs) -> Facts {
    let mut facts = Facts::default();
    for asked in &needs.entries {
        let Some(entry) = entry(catalogue, asked) else { continue };
        // Whoever shows a value may say where it was taken from.
        let source = entry.current.source.clone();
        if let Some((name, row)) =
            source.and_then(|name| Some((name.clone(), catalogue.reference_named(&name)?)))
        {
            facts.entries.entry(name).or_insert_with(|| of_reference(row));
        }
        facts.entries.insert(asked.clone(), entry);
    }
    if let Some((kind, most)) = needs.first_entries {
        let mut uids: Vec<&String> = match kind {
            "volatile_value" => catalogue.values().iter().map(|row| &row.uid).collect(),
            _ => catalogue.references().iter().map(|row| &row.uid).collect(),
        };
        uids.sort_unstable();
        let first = uids.into_iter().take(most);
        facts.entries.extend(first.filter_map(|uid| Some((uid.clone(), entry(catalogue, uid)?))));
    }
    if let Some(entry) = needs.rows_of.as_ref().and_then(|uid| entry(catalogue, uid)) {
        facts.rows = vec![entry.current];
    }
    facts
}

/// An entry by its uid, or by its name.
fn entry(catalogue: &SeedCatalogue, asked: &str) -> Option<Entry> {
    let value = catalogue.value(asked).or_else(|| catalogue.value_named(asked)).map(of_value);
    value
        .or_else(|| catalogue.reference(asked).or_else(|| catalogue.reference_named(asked)).map(of_reference))
}

fn of_value(row: &ValueRow) -> Entry {
    let current = Row {
        status: row.status.clone(),
        value: Some(row.value.clone()),
        value_type: Some(row.value_type.clone()),
        source: row.source.clone(),
        as_of: row.as_of.clone(),
        committed_at: row.committed_at.clone(),
        ..Row::default()
    };
    Entry { uid: row.uid.clone(), name: row.name.clone(), current, stable: None, flagged: Vec::new() }
}

fn of_reference(row: &ReferenceRow) -> Entry {
    let current = Row {
        status: row.status.clone(),
        title: Some(row.title.clone()),
        url: Some(row.url.clone()),
        archived_url: row.archived_url.clone(),
        last_verified: row.last_verified.clone(),
        committed_at: row.committed_at.clone(),
        ..Row::default()
    };
    Entry { uid: row.uid.clone(), name: row.name.clone(), current, stable: None, flagged: Vec::new() }
}
