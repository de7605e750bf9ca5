//! The Path Directory (§6.12).

use super::answer::{Answer, Cache};
use super::answered;
use super::ask::Ask;
use super::paging::{Page, word};
use crate::app::App;
use crate::rejection::{Category, Rejection};
use axum::http::StatusCode;
use becivic_core::corpus::Path;
use becivic_core::path::Theme;
use becivic_core::vocabulary::Status;
use serde_json::{Value, json};
use std::ops::Bound;

/// The paths.
pub async fn list(ask: Ask) -> Answer {
    answered(try_list(&ask))
}

fn try_list(ask: &Ask) -> Result<Answer, Rejection> {
    let page = Page::of(ask)?;
    let status = word(ask, "status", Status::named)?;
    let theme = word(ask, "theme", Theme::named)?;
    let live = ask.app.live.load();
    let fits = |path: &&Path| {
        status.is_none_or(|status| path.entry.status == status)
            && theme.is_none_or(|theme| path.entry.themes.contains(&theme))
    };
    let found: Vec<&Path> = match &live.corpus.paths {
        None => Vec::new(),
        Some(paths) => paths
            .entries
            .range::<str, _>((Bound::Excluded(page.after.as_str()), Bound::Unbounded))
            .map(|(_, path)| path)
            .filter(fits)
            .take(page.limit + 1)
            .collect(),
    };
    let answer = page.list(found, |path| path.key.clone(), |path| shown(&ask.app, path));
    Ok(Answer::json(StatusCode::OK, &answer, Cache::Minute))
}

/// One path.
pub async fn one(ask: Ask) -> Answer {
    let live = ask.app.live.load();
    match live.path(ask.param("id")) {
        Some(path) => Answer::json(StatusCode::OK, &shown(&ask.app, path), Cache::Minute),
        None => Answer::refused(&Rejection::new(Category::NotFound)),
    }
}

/// An entry as it is written; of a quarantined one only that it is, from the moment of the flag.
fn shown(app: &App, path: &Path) -> Value {
    if path.entry.status == Status::Quarantined || app.is_withheld("path", &path.key) {
        return json!({"id": path.key, "status": Status::Quarantined});
    }
    serde_json::to_value(&path.entry).unwrap_or_default()
}
