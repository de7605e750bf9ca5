//! What pages need to know, from the seed files of a corpus: entries of the catalogue. Standings, verdicts and concerns are a
//! database's, and days a clock's: of those nothing is said.

use becivic_core::catalogue::{Catalogue, ReferenceRow, SeedCatalogue, ValueRow};
use becivic_site::facts::{Entry, Facts, Needs, Row, Shared};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// The seed files, as pages ask for them.
pub struct Seeds<'c> {
    catalogue: &'c SeedCatalogue,
    /// Entries that are made already, where many are asked for.
    made: Option<Made<'c>>,
}

/// All entries.
struct Made<'c> {
    /// By what they can be asked for with: uids of values, else names of values, else uids of references, else their names.
    asked: FxHashMap<&'c str, Shared>,
    /// References by name.
    references: FxHashMap<&'c str, Shared>,
}

impl<'c> Seeds<'c> {
    /// Of a catalogue, of which little is asked.
    pub fn of(catalogue: &'c SeedCatalogue) -> Self {
        Self { catalogue, made: None }
    }

    /// Of a catalogue, all of which will be asked for.
    pub fn made(catalogue: &'c SeedCatalogue) -> Self {
        let (values, references): (Vec<Shared>, Vec<Shared>) = rayon::join(
            || catalogue.values().par_iter().map(|row| of_value(row).into()).collect(),
            || catalogue.references().par_iter().map(|row| of_reference(row).into()).collect(),
        );
        let values = || catalogue.values().iter().zip(&values);
        let references = || catalogue.references().iter().zip(&references);
        // Of those with the same key the last one is kept.
        let asked = (references().map(|(row, made)| (row.name.as_str(), made.clone())))
            .chain(references().map(|(row, made)| (row.uid.as_str(), made.clone())))
            .chain(values().map(|(row, made)| (row.name.as_str(), made.clone())))
            .chain(values().map(|(row, made)| (row.uid.as_str(), made.clone())))
            .collect();
        let references = references().map(|(row, made)| (row.name.as_str(), made.clone())).collect();
        Self { catalogue, made: Some(Made { asked, references }) }
    }

    /// The facts for what a page needs.
    pub fn facts(&self, needs: &Needs) -> Facts {
        let mut facts = Facts::default();
        for asked in &needs.entries {
            let Some(entry) = self.entry(asked) else { continue };
            // Whoever shows a value may say where it was taken from.
            if let Some(name) = &entry.current.source
                && let Some(source) = self.reference_named(name)
            {
                facts.entries.entry(name.clone()).or_insert(source);
            }
            facts.entries.insert(asked.clone(), entry);
        }
        if let Some((kind, most)) = needs.first_entries {
            let mut uids: Vec<&String> = match kind {
                "volatile_value" => self.catalogue.values().iter().map(|row| &row.uid).collect(),
                _ => self.catalogue.references().iter().map(|row| &row.uid).collect(),
            };
            uids.sort_unstable();
            let first = uids.into_iter().take(most);
            facts.entries.extend(first.filter_map(|uid| Some((uid.clone(), self.entry(uid)?))));
        }
        if let Some(entry) = needs.rows_of.as_ref().and_then(|uid| self.entry(uid)) {
            facts.rows = vec![entry.current.clone()];
        }
        facts
    }

    /// An entry by its uid, or by its name.
    fn entry(&self, asked: &str) -> Option<Shared> {
        if let Some(made) = &self.made {
            return made.asked.get(asked).cloned();
        }
        let all = self.catalogue;
        let value = all.value(asked).or_else(|| all.value_named(asked));
        let reference = || all.reference(asked).or_else(|| all.reference_named(asked));
        value.map(of_value).or_else(|| reference().map(of_reference)).map(Shared::from)
    }

    fn reference_named(&self, name: &str) -> Option<Shared> {
        match &self.made {
            Some(made) => made.references.get(name).cloned(),
            None => Some(of_reference(self.catalogue.reference_named(name)?).into()),
        }
    }
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
