//! The transparency log.

use super::super::log;
use super::Route;
use crate::rejection::Category;

/// The transparency log.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(
            "/log/checkpoint",
            "The state of the transparency log, signed (C2SP tlog-checkpoint).",
            log::state,
        )
        .gives(200, "Whose log, how many entries, the root over them, and the signature.")
        .stored(),
        Route::get("/log/key", "The key that checkpoints are signed with (C2SP signed-note).", log::key)
            .gives(200, "Its name, its id and itself."),
        Route::get(
            log::TILES,
            "A tile of the transparency log (C2SP tlog-tiles): hashes of a level, or `entries`.",
            log::tile,
        )
        .gives(200, "32 bytes a hash, or entries behind their lengths; it never changes.")
        .refuses(&[Category::NotFound])
        .stored(),
    ]
}
