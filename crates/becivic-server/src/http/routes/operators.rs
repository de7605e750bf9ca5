//! What operators and their tools ask.

use super::super::{forge, internal};
use super::{Auth, Route};
use crate::rejection::Category;
use axum::http::Method;

/// What operators and their tools ask.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(
            "/api/_internal/artefact-stats",
            "Distinct voters of an artefact.",
            internal::artefact_stats,
        )
        .for_holders_of(Auth::OperatorToken)
        .asks(&[("target_type", "What it is."), ("target_id", "Which.")])
        .gives(200, "Counts in the current cohort.")
        .refuses(&[Category::SchemaFail, Category::NotFound])
        .stored(),
        Route::get("/api/_internal/rating-stats", "Stars by target.", internal::rating_stats)
            .for_holders_of(Auth::OperatorToken)
            .asks(&[("target_type", "skill, agent_protocol or session.")])
            .gives(200, "How many ratings, and their average.")
            .refuses(&[Category::SchemaFail])
            .stored(),
        Route::post(
            "/api/_internal/catalogue-entries",
            "The uid of a name, minted where it is new.",
            internal::mint,
        )
        .takes("#CatalogueEntry")
        .for_holders_of(Auth::OperatorToken)
        .gives(201, "The new uid; its first row is alpha.")
        .gives(200, "The uid it has.")
        .stored(),
        Route::new(
            Method::POST,
            "/api/_forge/webhook",
            "What GitHub tells by itself, where the corpus lives there.",
            forge::webhook,
        )
        .takes("#ForgeEvent")
        .for_holders_of(Auth::Signature)
        .gives(200, "`looking`: whether it is a reason to look again.")
        .refuses(&[Category::MalformedJson, Category::PayloadTooLarge, Category::NotFound]),
    ]
}
