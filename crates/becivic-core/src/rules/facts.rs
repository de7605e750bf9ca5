//! Sets the rules look things up in, built once per check from the data files.

use crate::corpus::{Corpus, Hosts};
use serde_json::Value;
use std::collections::HashSet;

/// What is known from the data files.
pub struct Facts {
    /// NIS codes of communes; `None` when there is no readable list.
    pub communes: Option<HashSet<String>>,
    /// Hosts that may be cited; `None` when there is no readable list.
    pub citable: Option<Hosts>,
    /// Hosts that are never cited; `None` when there is no readable list.
    pub refused: Option<Hosts>,
    /// Ids of authorities; `None` when there is no readable list.
    pub authorities: Option<HashSet<String>>,
}

impl Facts {
    pub fn of(corpus: &Corpus) -> Self {
        let ids = |data: Option<&crate::corpus::DataFile>, list: &str, field: &str| {
            let data = data.as_ref().filter(|data| data.fits)?;
            let items = data.value.get(list).and_then(Value::as_array)?;
            let ids = items.iter().filter_map(|item| item.get(field)?.as_str().map(str::to_owned));
            Some(ids.collect())
        };
        Self {
            communes: ids(corpus.communes.as_deref(), "communes", "nis_code"),
            citable: corpus.source_classes.as_ref().map(|classes| classes.citable()),
            refused: corpus.source_classes.as_ref().map(|classes| classes.refused()),
            authorities: ids(corpus.authorities.as_deref(), "authorities", "id"),
        }
    }
}
