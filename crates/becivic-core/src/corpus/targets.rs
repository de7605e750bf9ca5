//! What submissions may refer to, as a corpus in memory knows it.

use super::Corpus;
use crate::catalogue::Catalogue;
use crate::preflight::Targets;
use crate::skill::Frontmatter;
use crate::vocabulary::Status;
use serde_json::Value;
use std::collections::BTreeSet;

/// A corpus, its catalogue, and the concerns that are known to be committed.
pub struct KnownTargets<'a> {
    /// The corpus.
    pub corpus: &'a Corpus,
    /// The catalogue.
    pub catalogue: &'a dyn Catalogue,
    /// Uids of committed concerns.
    pub concerns: &'a BTreeSet<String>,
}

impl KnownTargets<'_> {
    fn front(&self, id: &str) -> Option<&Frontmatter> {
        self.corpus.skills.get(id)?.front.as_ref()
    }

    fn listed(&self, data: Option<&super::DataFile>, list: &str, fields: &[&str], id: &str) -> bool {
        let items = data.and_then(|data| data.value.get(list)).and_then(Value::as_array);
        let named = |item: &Value| {
            let value = |field: &&str| item.get(*field).and_then(Value::as_str) == Some(id);
            fields.iter().any(value)
        };
        items.into_iter().flatten().any(named)
    }
}

impl Targets for KnownTargets<'_> {
    fn skill(&self, id: &str) -> Option<Status> {
        self.front(id).map(|front| front.status)
    }

    fn is_meta(&self, id: &str) -> bool {
        self.front(id).is_some_and(Frontmatter::is_meta)
    }

    fn contract_of(&self, skill: &str) -> Option<String> {
        self.front(skill).map(|front| front.submission_contract_version.clone())
    }

    fn applies_to_keys(&self, skill: &str) -> Vec<String> {
        let applies_to = self.front(skill).and_then(|front| front.applies_to.as_ref());
        match serde_json::to_value(applies_to) {
            Ok(Value::Object(keys)) => keys.keys().cloned().collect(),
            _ => Vec::new(),
        }
    }

    fn path(&self, id: &str) -> Option<Status> {
        Some(self.corpus.paths.as_ref()?.entries.get(id)?.entry.status)
    }

    fn has_source(&self, path: &str, source: &str) -> bool {
        let paths = self.corpus.paths.as_ref();
        let path = paths.and_then(|paths| paths.entries.get(path));
        path.is_some_and(|path| path.entry.sources.iter().any(|one| one.id == source))
    }

    fn value(&self, uid: &str) -> Option<Status> {
        self.catalogue.value(uid).and_then(|row| Status::named(&row.status))
    }

    fn reference(&self, uid: &str) -> Option<Status> {
        self.catalogue.reference(uid).and_then(|row| Status::named(&row.status))
    }

    fn concern(&self, uid: &str) -> bool {
        self.concerns.contains(uid)
    }

    fn contract(&self, version: &str) -> bool {
        self.corpus.has_contract(version)
    }

    fn commune(&self, nis_or_slug: &str) -> bool {
        self.listed(self.corpus.communes.as_deref(), "communes", &["nis_code", "slug"], nis_or_slug)
    }

    fn authority(&self, id: &str) -> bool {
        self.listed(self.corpus.authorities.as_deref(), "authorities", &["id"], id)
    }
}
