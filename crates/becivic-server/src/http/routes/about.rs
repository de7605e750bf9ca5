//! The server itself.

use super::super::{api_page, health, openapi};
use super::Route;
use crate::rejection::Category;

/// The server itself.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/healthz", "Whether the process lives.", health::live).gives(200, "It does."),
        Route::get("/readyz", "Whether it can do its work.", health::ready).gives(200, "It can.").stored(),
        Route::get("/metrics", "Counters, for monitoring.", health::metrics).gives(200, "OpenMetrics text."),
        Route::get("/openapi.json", "This list for machines.", openapi::show).gives(200, "OpenAPI 3.1."),
        Route::get("/api", "This list for people.", api_page::show).gives(200, "A page."),
        Route::get(
            "/schemas/{file}",
            "A JSON Schema; or `source-classes.json`, the hosts that may be cited.",
            openapi::schema,
        )
        .gives(200, "The schema, or the list.")
        .refuses(&[Category::NotFound]),
        Route::get("/scrub-rules.json", "The rules that find personal data.", openapi::scrub_rules)
            .gives(200, "The rules, as every scrubber of ours runs them."),
    ]
}
