//! The review desk as pages: server-rendered, without a script, for whoever holds an operator token.
//!
//! 1. [`show`] answers a page, [`act`] a form; both ask first who sits there (`review/session.rs`). Whoever does not is sent to
//!    the login form and comes back to where they were.
//! 2. What is shown and what is done comes from the library (`crate::review`); templates lie in `review/templates/`
//!    (`review/page.rs`).
//! 3. No answer is kept by anybody, framed by anybody, or found by a search engine; nothing is loaded from elsewhere.

mod forms;
mod page;
pub mod session;
mod shown;

use super::answer::{Answer, Cache};
use super::ask::Ask;
use super::operator;
use crate::rejection::Rejection;
use crate::review::Refused;
use axum::http::{HeaderName, StatusCode, header};
use page::{Page, Typed};
use session::Session;

/// The pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// How much waits.
    Overview,
    /// Pull requests.
    Drafts,
    /// One of them.
    Draft,
    /// Held submissions.
    Held,
    /// One of them.
    OneHeld,
    /// Flags and quarantines.
    Flags,
    /// An artefact that is looked for by name.
    Look,
    /// One artefact.
    Artefact,
    /// Messages.
    Feedback,
    /// One of them.
    Message,
    /// The audit log.
    Log,
}

/// Answers a page.
pub async fn show(ask: Ask, which: Which) -> Answer {
    match Session::of(&ask).await {
        Ok(Some(session)) => {
            let made = shown::page(&ask, which, &Typed::default()).await;
            finish(&session, &ask, made)
        }
        Ok(None) => to_login(&ask),
        Err(rejection) => failed(None, &rejection.into()),
    }
}

/// Answers a form, which stands on the page at the same address.
pub async fn act(mut ask: Ask, which: Which) -> Answer {
    if session::is_foreign(&ask) {
        return foreign();
    }
    let session = match Session::of(&ask).await {
        Ok(Some(session)) => session,
        Ok(None) => return to_login(&ask),
        Err(rejection) => return failed(None, &rejection.into()),
    };
    let fields = match ask.form().await {
        Ok(fields) => fields,
        Err(rejection) => return failed(Some(&session), &rejection.into()),
    };
    if !session.sent(value(&fields, "form")) {
        return foreign();
    }
    match forms::act(&ask, &session, which, &fields).await {
        Ok(place) => redirect(&place),
        Err(refused) => {
            // The page again, with what was typed and why it was not done.
            let typed = Typed {
                why: value(&fields, "why").to_owned(),
                edited: Some(forms::edited(&fields)).filter(|text| !text.is_empty()),
                error: Some(refused.to_string()),
            };
            match shown::page(&ask, which, &typed).await {
                Ok(page) => finish(&session, &ask, Ok(Page { status: status(&refused), ..page })),
                Err(_) => failed(Some(&session), &refused),
            }
        }
    }
}

fn value<'f>(fields: &'f [(String, String)], name: &str) -> &'f str {
    fields.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
}

/// The login form.
pub async fn login(ask: Ask) -> Answer {
    let next = ask.query("next").unwrap_or_default();
    let page = Page::login(session::place_within(&next), None);
    dressed(StatusCode::OK, page::render(None, &page))
}

/// Takes a token and begins a session.
pub async fn log_in(mut ask: Ask) -> Answer {
    if session::is_foreign(&ask) {
        return foreign();
    }
    match try_log_in(&mut ask).await {
        Ok(answer) => answer,
        Err(rejection) => failed(None, &rejection.into()),
    }
}

async fn try_log_in(ask: &mut Ask) -> Result<Answer, Rejection> {
    let address = ask.sender().await?.today;
    let fields = ask.form().await?;
    let next = session::place_within(value(&fields, "next")).to_owned();
    let again = |status: StatusCode, why: &str| {
        dressed(status, page::render(None, &Page::login(&next, Some(why.to_owned()))))
    };
    if let Some(until) = ask.app.attempts.wait(&address, ask.now) {
        let seconds = ask.now.seconds_until(until).to_string();
        let why = "Too many wrong tokens; wait a quarter of an hour.";
        return Ok(again(StatusCode::TOO_MANY_REQUESTS, why).saying(header::RETRY_AFTER, &seconds));
    }
    match operator::of_token(ask, value(&fields, "token").trim().to_owned()).await? {
        Some(operator) => {
            ask.app.attempts.succeeded(&address);
            Ok(redirect(&next).saying(header::SET_COOKIE, &session::begin(ask, operator.name())))
        }
        None => {
            ask.app.attempts.failed(address, ask.now);
            Ok(again(StatusCode::UNAUTHORIZED, "That is no valid operator token."))
        }
    }
}

/// Ends a session.
pub async fn log_out(mut ask: Ask) -> Answer {
    if session::is_foreign(&ask) {
        return foreign();
    }
    let sent = match (Session::of(&ask).await, ask.form().await) {
        (Ok(Some(session)), Ok(fields)) => session.sent(value(&fields, "form")),
        (Ok(None), _) => true,
        (Err(_), _) | (_, Err(_)) => false,
    };
    if !sent {
        return foreign();
    }
    redirect("/review/login").saying(header::SET_COOKIE, &session::end(&ask))
}

/// What the pages look like.
pub async fn style(_: Ask) -> Answer {
    with_headers(Answer::text(StatusCode::OK, page::STYLE, "text/css; charset=utf-8", Cache::Never))
}

/// Any other address under `/review`.
pub async fn missing(ask: Ask) -> Answer {
    let session = Session::of(&ask).await.ok().flatten();
    failed(session.as_ref(), &Refused::Missing("There is no such page.".to_owned()))
}

fn finish(session: &Session, ask: &Ask, made: Result<Page, Refused>) -> Answer {
    match made {
        Ok(mut page) => {
            page.done = ask.query("done").and_then(|name| forms::said(&name));
            dressed(page.status, page::render(Some(session), &page))
        }
        Err(refused) => failed(Some(session), &refused),
    }
}

fn status(refused: &Refused) -> StatusCode {
    match refused {
        Refused::Missing(_) => StatusCode::NOT_FOUND,
        Refused::Conflict(_) => StatusCode::CONFLICT,
        Refused::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
        Refused::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

fn failed(session: Option<&Session>, refused: &Refused) -> Answer {
    let title = match refused {
        Refused::Missing(_) => "Not found",
        Refused::Conflict(_) | Refused::Invalid(_) => "That did not work",
        Refused::Unavailable => "Not available",
    };
    dressed(status(refused), page::render(session, &Page::words(title, &refused.to_string())))
}

/// A form that did not come from a page of this session.
fn foreign() -> Answer {
    let text = "This form did not come from a page of the desk, or the page is older than your session. \
                Nothing was done; open the page again.";
    dressed(StatusCode::FORBIDDEN, page::render(None, &Page::words("Not accepted", text)))
}

fn to_login(ask: &Ask) -> Answer {
    let place = ask.place().split("?done=").next().unwrap_or_default();
    redirect(&format!("/review/login?next={}", page::encoded(session::place_within(place))))
}

fn redirect(place: &str) -> Answer {
    let answer = Answer::text(StatusCode::SEE_OTHER, "", "text/html; charset=utf-8", Cache::Never);
    with_headers(answer).saying(header::LOCATION, place)
}

fn dressed(status: StatusCode, html: Result<String, minijinja::Error>) -> Answer {
    let (status, html) = match html {
        Ok(html) => (status, html),
        Err(error) => {
            tracing::error!(error = %error, "a page of the desk cannot be rendered");
            (StatusCode::INTERNAL_SERVER_ERROR, "<!doctype html><title>Be Civic</title><p>Defect.".to_owned())
        }
    };
    with_headers(Answer::text(status, html, "text/html; charset=utf-8", Cache::Never))
}

/// Nothing is loaded from elsewhere, no script runs, no form goes elsewhere, nobody frames it.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

fn with_headers(answer: Answer) -> Answer {
    answer
        .with(header::CONTENT_SECURITY_POLICY, POLICY)
        .with(header::X_FRAME_OPTIONS, "DENY")
        .with(HeaderName::from_static("cross-origin-opener-policy"), "same-origin")
        .with(HeaderName::from_static("cross-origin-resource-policy"), "same-origin")
        .with(HeaderName::from_static("x-robots-tag"), "noindex, nofollow")
}

/// Before this number stands everything: a list that begins with the newest.
const NEWEST: i64 = i64::MAX;
