//! The corpus for `git clone`.

use super::super::{git, notices};
use super::Route;
use crate::rejection::Category;
use axum::http::Method;

/// The corpus for `git clone`.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(
            "/corpus-notices.json",
            "What whoever keeps a copy of the corpus must know.",
            notices::list,
        )
        .gives(200, "Notices, newest first; `refresh` means: remove the copy and make another."),
        Route::get(
            "/corpus.git/info/refs",
            "Where `git clone` begins: branches and pull requests.",
            git::refs,
        )
        .asks(&[("service", "`git-upload-pack`, the only one served.")])
        .gives(200, "The names and their commits, in the lines of Git's protocol.")
        .speaks_git(None)
        .refuses(&[Category::NotFound, Category::StagingUnavailable]),
        Route::new(Method::POST, "/corpus.git/git-upload-pack", "What `git` lacks, as a pack.", git::upload)
            .gives(200, "What both have, then the pack.")
            .speaks_git(Some("application/x-git-upload-pack-request"))
            .refuses(&[
                Category::PayloadTooLarge,
                Category::UnsupportedMediaType,
                Category::StagingUnavailable,
            ]),
    ]
}
