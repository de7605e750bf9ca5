//! Values and references.

use super::super::catalogue;
use super::{PAGE, Route};
use crate::db::catalogue::Prefix;
use crate::rejection::Category;

/// Values and references.
pub(super) fn routes() -> Vec<Route> {
    let of = |folder: &str, prefix: Prefix, abouts: [&'static str; 3]| {
        let [list, one, history] = abouts;
        [
            Route::get(&format!("/api/{folder}"), list, move |ask| catalogue::list(ask, prefix))
                .asks(&[("status", "Only rows of this status.")])
                .asks(PAGE)
                .gives(200, "A page of current rows.")
                .refuses(&[Category::SchemaFail])
                .stored(),
            Route::get(&format!("/api/{folder}/{{uid}}"), one, move |ask| catalogue::one(ask, prefix))
                .gives(200, "The current row, its cohort, and `previous_stable` while it is not stable.")
                .refuses(&[Category::NotFound])
                .stored(),
            Route::get(&format!("/api/{folder}/{{uid}}/history"), history, move |ask| {
                catalogue::history(ask, prefix)
            })
            .gives(200, "Every row.")
            .refuses(&[Category::NotFound])
            .stored(),
        ]
    };
    let values = [
        "Fees, deadlines and other values, by uid.",
        "One value, by uid or name.",
        "Every version of a value, newest first.",
    ];
    let references =
        ["Sources, by uid.", "One source, by uid or name.", "Every version of a source, newest first."];
    let values = of("volatile-values", Prefix::Value, values);
    values.into_iter().chain(of("references", Prefix::Reference, references)).collect()
}
