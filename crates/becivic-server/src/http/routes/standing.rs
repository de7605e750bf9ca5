//! Single submissions and sessions, after they were sent.

use super::super::{sessions, shapes, status};
use super::{Auth, BODY, Route};
use crate::rejection::Category;
use axum::http::Method;
use becivic_core::submission::Kind;

/// Single submissions and sessions, after they were sent.
pub(super) fn routes() -> Vec<Route> {
    let mut routes = Vec::new();
    for kind in [Kind::Concern, Kind::Amendment, Kind::Draft, Kind::Validation, Kind::Feedback, Kind::Rating]
    {
        let path = format!("/api/{}/{{id}}", kind.folder());
        let show = move |ask| status::show(ask, kind);
        routes.push(
            Route::get(&path, "Where a submission stands; nothing of its text.", show)
                .gives(200, "The state, and while staged `commit_eta`.")
                .shaped(shapes::state)
                .refuses(&[Category::NotFound])
                .stored(),
        );
        // A verdict applies at once: there is nothing to take back.
        if kind != Kind::Validation {
            let cancel = move |ask| status::cancel(ask, kind);
            routes.push(
                Route::new(
                    Method::DELETE,
                    &path,
                    "Takes a submission back, while it is staged or held.",
                    cancel,
                )
                .for_holders_of(Auth::CancelToken)
                .gives(200, "`cancelled: true`")
                .shaped(shapes::cancelled)
                .stored(),
            );
        }
        let change = move |ask| status::change(ask, kind);
        routes.push(
            Route::new(
                Method::PATCH,
                &format!("{path}/status"),
                "Moves a submission to another state.",
                change,
            )
            .takes("#NewState")
            .for_holders_of(Auth::OperatorToken)
            .gives(200, "The state now, and the one before.")
            .refuses(BODY)
            .refuses(&[Category::InvalidTransition, Category::NotFound])
            .stored(),
        );
    }
    let about = "What was sent in a session, for whoever knows its id.";
    routes.push(
        Route::get("/api/feedback/sessions/{session_id}", about, sessions::list)
            .gives(200, "`items`: staged submissions and verdicts of the session.")
            .refuses(&[Category::NotFound])
            .stored(),
    );
    routes
}
