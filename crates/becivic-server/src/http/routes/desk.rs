//! The review desk.

use super::super::review::{self, Which};
use super::{Auth, Route};
use axum::http::Method;

/// The review desk.
pub(super) fn routes() -> Vec<Route> {
    let page = |path: &str, about: &'static str, which: Which| {
        Route::get(path, about, move |ask| review::show(ask, which))
    };
    let form = |path: &str, about: &'static str, which: Which| {
        Route::new(Method::POST, path, about, move |ask| review::act(ask, which))
    };
    let routes = vec![
        page("/review", "What waits for a maintainer.", Which::Overview),
        page("/review/drafts", "Drafts.", Which::Drafts),
        page("/review/drafts/{number}", "One draft, as it would be.", Which::Draft),
        form("/review/drafts/{number}", "Merges or refuses a draft.", Which::Draft),
        page("/review/held", "Held submissions.", Which::Held),
        page("/review/held/{id}", "One held submission.", Which::OneHeld),
        form("/review/held/{id}", "Releases or discards a held submission.", Which::OneHeld),
        page("/review/flags", "Flags and quarantines.", Which::Flags),
        page("/review/artefacts", "One artefact, by its name.", Which::Look),
        page("/review/artefacts/{kind}/{id}", "One artefact.", Which::Artefact),
        form("/review/artefacts/{kind}/{id}", "Decides on an artefact.", Which::Artefact),
        page("/review/feedback", "Messages.", Which::Feedback),
        page("/review/feedback/{handle}", "One message.", Which::Message),
        form("/review/feedback/{handle}", "Moves a message.", Which::Message),
        page("/review/log", "What was done.", Which::Log),
        Route::get("/review/login", "The login form.", review::login),
        Route::new(Method::POST, "/review/login", "Begins a session.", review::log_in),
        Route::new(Method::POST, "/review/logout", "Ends a session.", review::log_out),
        Route::get("/review/style.css", "What the pages look like.", review::style),
        Route::get("/review/{*rest}", "Any other address of the desk.", review::missing),
    ];
    routes.into_iter().map(|route| Route { auth: Auth::Session, ..route }).collect()
}
