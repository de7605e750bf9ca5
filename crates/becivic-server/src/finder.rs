//! What can be found, kept ready: the index of the corpus that is served, with the current rows of the catalogue.
//!
//! 1. Another commit changes in the index what the commit changed.
//! 2. Rows live in the database, where other processes write too: whoever looks for them has them read again after a while, and what
//!    differs changes in the index.
//! 3. Whoever asks meanwhile waits for the one who does that; nobody does it twice.

use crate::app::App;
use crate::db::DbError;
use crate::db::catalogue::{self, CatalogueRow, Prefix};
use crate::live::Live;
use crate::served::Served;
use becivic_core::search::{Document, Index};
use becivic_core::vocabulary::Status;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How old rows may be.
const WHILE: Duration = Duration::from_secs(5);

/// The index, and what it was made of.
#[derive(Default)]
pub struct Finder {
    kept: Mutex<Option<Kept>>,
    making: tokio::sync::Mutex<()>,
}

#[derive(Clone)]
struct Kept {
    index: Index,
    live: Weak<Live>,
    /// When rows were read last; never, where nobody has looked for any.
    rows_at: Option<Instant>,
}

impl Kept {
    fn is_of(&self, live: &Arc<Live>, with_rows: bool) -> bool {
        let has_rows = self.rows_at.is_some_and(|at| at.elapsed() < WHILE);
        std::ptr::eq(self.live.as_ptr(), Arc::as_ptr(live)) && (!with_rows || has_rows)
    }
}

/// From so many skills on the first question would have to wait; before that it is answered in milliseconds.
const MANY: usize = 500;

/// Makes the index before anybody asks, where that takes long.
pub async fn make_early(app: &Arc<App>) {
    let served = app.served();
    if served.files().corpus.skills.len() >= MANY {
        // Whoever asks first tries again.
        let _made = index(app, &served, false).await;
    }
}

/// The index of what is served.
pub async fn index(app: &Arc<App>, served: &Served, with_rows: bool) -> Result<Index, DbError> {
    let live = served.files();
    let kept = || app.finder.kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some(kept) = kept().filter(|kept| kept.is_of(live, with_rows)) {
        return Ok(kept.index);
    }
    let _making = app.finder.making.lock().await;
    let before = kept();
    if let Some(kept) = before.as_ref().filter(|kept| kept.is_of(live, with_rows)) {
        return Ok(kept.index.clone());
    }
    let rows = match with_rows {
        true => Some(
            app.db
                .read(|tx| {
                    let mut rows = Vec::new();
                    catalogue::each(tx, |row| rows.extend(document(&row)))?;
                    Ok(rows)
                })
                .await?,
        ),
        false => None,
    };
    let (of, rows_at) = (Arc::clone(live), before.as_ref().and_then(|kept| kept.rows_at));
    let made = tokio::task::spawn_blocking(move || {
        let index = match before {
            Some(before) => before.index.updated(&of.corpus),
            None => Index::of(&of.corpus),
        };
        match rows {
            Some(rows) => (index.with_rows(rows), Some(Instant::now())),
            None => (index, rows_at),
        }
    });
    // A defect in the making is the store's fault to whoever asked: try again.
    let (index, rows_at) = made.await.map_err(|_| DbError::Unavailable)?;
    let made = Kept { index: index.clone(), live: Arc::downgrade(live), rows_at };
    *app.finder.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(made);
    Ok(index)
}

/// A row as it is looked for; nothing of one that is put away.
fn document(row: &CatalogueRow) -> Option<Document> {
    let status = Status::named(&row.status).filter(|status| *status != Status::Quarantined)?;
    let text = |name: &str| row.content.get(name).and_then(Value::as_str).unwrap_or_default();
    if Prefix::Value.is_uid(&row.uid) {
        let said = [text("unit"), text("description"), text("label"), text("source")];
        return Some(Document::of_value(&row.name, &said, Some(status)));
    }
    Some(Document::of_reference(&row.name, text("title"), text("url"), Some(status)))
}
