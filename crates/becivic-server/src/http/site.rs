//! The site: every address that is none of a program's.
//!
//! 1. An asset is sent as it is, to be kept for ever.
//! 2. Another spelling of an address leads to the right one.
//! 3. A page is sent in the form that the address names, or that the reader prefers (`Accept`), in the language that the address
//!    names (`?lang=`) or the reader prefers (`Accept-Language`).
//! 4. A reader who prefers JSON gets what the programs' address of the same thing answers.
//! 5. An entry of the catalogue may be asked for by its name, and leads to its number.
//! 6. What is nowhere gets a page that helps.
//! 7. Pages are read: whoever sends something to one is told what it takes.

mod preferred;

use super::answer::{Answer, Cache, options};
use super::ask::Ask;
use super::{catalogue, paths, skills};
use crate::app::App;
use crate::db::catalogue::Prefix;
use crate::pages::{self, Kept, Wanted};
use crate::rejection::{Category, Rejection};
use crate::sent::Sent;
use crate::served::Served;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use becivic_core::vocabulary::Language;
use becivic_site::address::{self, Form, Found, Which};
use becivic_site::assets;
use becivic_site::files::{self, Made};
use becivic_site::pages::activity::JSON_ADDRESS;
use bytes::Bytes;
use preferred::Media;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Assets are compressed once and sent often.
const SMALLEST: u32 = 9;

/// Nothing from elsewhere, nothing inline, in nobody's frame.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; \
     img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; \
     base-uri 'none'; frame-ancestors 'none'";

/// Where browsers look for an icon by themselves.
const ICON: &str = "/favicon.ico";

/// What pages take.
const ALLOWED: &str = "GET, HEAD, OPTIONS";

/// What is answered to whoever does not read: what the address takes, where there is something.
pub fn unread(app: &App, method: &Method, path: &str) -> Answer {
    let is_api = path == "/api" || path.starts_with("/api/");
    let served = app.served();
    let is_there = || {
        let found = address::read(&served.world(&app.config.server.public_url), path);
        path == ICON
            || path == JSON_ADDRESS
            || assets::at(path).is_some()
            || files::at(path).is_some()
            || found != Found::Missing
    };
    if is_api || !is_there() {
        return Answer::refused(&Rejection::new(Category::NotFound));
    }
    match *method {
        Method::OPTIONS => options(ALLOWED, true),
        _ => Answer::refused(&Rejection::new(Category::MethodNotAllowed)).with(header::ALLOW, ALLOWED),
    }
}

/// Answers an address of the site.
pub async fn answer(ask: Ask) -> Answer {
    let path = ask.path().to_owned();
    if path == "/api" || path.starts_with("/api/") {
        return Answer::refused(&Rejection::new(Category::NotFound));
    }
    if let Some((asset, media)) = asset(&path) {
        return encoded(&ask, StatusCode::OK, asset, media, Cache::Forever)
            .with(header::VARY, "Accept-Encoding");
    }
    if path == JSON_ADDRESS {
        return Box::pin(activity(&ask)).await;
    }
    if let Some(made) = files::at(&path) {
        return file(&ask, made).await;
    }
    let (language, chosen) = preferred::language(&ask);
    let served = ask.app.served();
    let found = address::read(&served.world(&ask.app.config.server.public_url), &path);
    let (which, form) = match found {
        Found::Missing if path == ICON => return moved(&ask, assets::address("favicon.svg")),
        Found::Missing => return Box::pin(missing(&ask, &path, language)).await,
        Found::Moved(to) => return moved(&ask, &to),
        Found::Page(which, form) => (which, form),
    };
    let form = match form {
        Form::Html => match preferred::media(&ask) {
            Media::Html => Form::Html,
            Media::Markdown => Form::Markdown,
            Media::Json => return Box::pin(json(ask, served, which, language, chosen)).await,
        },
        Form::Markdown | Form::Source => form,
    };
    page(&ask, served, Wanted { which, form, language, chosen }).await
}

async fn page(ask: &Ask, served: Served, wanted: Wanted) -> Answer {
    let form = wanted.form;
    let query = ask.query("q").unwrap_or_default();
    match pages::page(&ask.app, served, wanted, query).await {
        Ok(kept) => sent(ask, &kept, form),
        Err(error) => Answer::refused(&error.into()),
    }
}

fn sent(ask: &Ask, kept: &Kept, form: Form) -> Answer {
    guarded(ask, encoded(ask, status(kept), &kept.sent, media(form), Cache::Minute), form)
}

fn status(kept: &Kept) -> StatusCode {
    StatusCode::from_u16(kept.status).unwrap_or(StatusCode::OK)
}

/// The asset at an address, compressed once, and what it is.
fn asset(address: &str) -> Option<(&'static Sent, &'static str)> {
    static SENT: LazyLock<FxHashMap<&str, (Sent, &str)>> = LazyLock::new(|| {
        let sent = |asset: &assets::Asset| Sent::new(Bytes::from_static(asset.bytes), SMALLEST);
        assets::ALL.iter().map(|asset| (asset.address.as_str(), (sent(asset), asset.media))).collect()
    });
    SENT.get(address).map(|(sent, media)| (sent, *media))
}

/// What was made, in the encoding that the reader takes.
fn encoded(ask: &Ask, status: StatusCode, sent: &Sent, media: &'static str, cache: Cache) -> Answer {
    match sent.gzip.as_ref().filter(|_| preferred::takes_gzip(ask)) {
        Some(gzip) => Answer::tagged(status, gzip, media, cache).with(header::CONTENT_ENCODING, "gzip"),
        None => Answer::tagged(status, &sent.plain, media, cache),
    }
}

async fn file(ask: &Ask, made: Made) -> Answer {
    let media = made.media();
    match pages::file(&ask.app, made).await {
        Ok(kept) if kept.status == 200 => encoded(ask, status(&kept), &kept.sent, media, Cache::Minute)
            .with(header::VARY, "Accept-Encoding"),
        Ok(_) => Answer::refused(&Rejection::new(Category::NotFound)),
        Err(error) => Answer::refused(&error.into()),
    }
}

/// The numbers of the dashboard.
async fn activity(ask: &Ask) -> Answer {
    match pages::activity(&ask.app).await {
        Ok(numbers) => Answer::json(StatusCode::OK, numbers, Cache::Minute),
        Err(error) => Answer::refused(&error.into()),
    }
}

/// What every page has in its head: the first of these in any form, the others for browsers.
static OF_PAGES: [(HeaderName, HeaderValue); 4] = [
    (header::VARY, HeaderValue::from_static("Accept, Accept-Encoding, Accept-Language")),
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("permissions-policy"), HeaderValue::from_static("interest-cohort=()")),
];

fn guarded(ask: &Ask, answer: Answer, form: Form) -> Answer {
    let answer = match form {
        Form::Html => answer.with_all(&OF_PAGES),
        Form::Markdown | Form::Source => answer.with_all(&OF_PAGES[..1]),
    };
    match ask.is_https() {
        true => answer.with(header::STRICT_TRANSPORT_SECURITY, "max-age=31536000; includeSubDomains"),
        false => answer,
    }
}

fn media(form: Form) -> &'static str {
    match form {
        Form::Html => "text/html; charset=utf-8",
        Form::Markdown | Form::Source => "text/markdown; charset=utf-8",
    }
}

/// What the programs' address of the same thing answers.
async fn json(ask: Ask, served: Served, which: Which, language: Language, chosen: bool) -> Answer {
    match which {
        Which::Skill(id) => skills::one(ask.about("id", id)).await,
        Which::Path(id) => paths::one(ask.about("id", id)).await,
        Which::Skills => skills::list(ask).await,
        Which::Paths => paths::list(ask).await,
        Which::Value(uid) => catalogue::one(ask.about("uid", uid), Prefix::Value).await,
        Which::Reference(uid) => catalogue::one(ask.about("uid", uid), Prefix::Reference).await,
        Which::Values => catalogue::list(ask, Prefix::Value).await,
        Which::References => catalogue::list(ask, Prefix::Reference).await,
        Which::Activity => activity(&ask).await,
        which @ (Which::Authored(_)
        | Which::Folder(_)
        | Which::SkillAt(..)
        | Which::SkillHistory(_)
        | Which::SkillChange(..)
        | Which::CategoryOf(..)
        | Which::ThemeOf(_)
        | Which::Log
        | Which::Search) => page(&ask, served, Wanted { which, form: Form::Html, language, chosen }).await,
    }
}

fn moved(ask: &Ask, to: &str) -> Answer {
    let query = ask.place().split_once('?').map(|(_, query)| format!("?{query}")).unwrap_or_default();
    Answer::text(StatusCode::PERMANENT_REDIRECT, "", "text/plain; charset=utf-8", Cache::Minute)
        .saying(header::LOCATION, &format!("{to}{query}"))
}

async fn missing(ask: &Ask, path: &str, language: Language) -> Answer {
    match pages::named(&ask.app, path).await {
        Ok(Some(to)) => return moved(ask, &to),
        Ok(None) => {}
        Err(error) => return Answer::refused(&error.into()),
    }
    let form = match preferred::media(ask) {
        Media::Json => return Answer::refused(&Rejection::new(Category::NotFound)),
        Media::Markdown => Form::Markdown,
        Media::Html if path.ends_with(".md") => Form::Markdown,
        Media::Html => Form::Html,
    };
    let is_gone = match pages::is_gone(&ask.app, path).await {
        Ok(is_gone) => is_gone,
        Err(error) => return Answer::refused(&error.into()),
    };
    let (status, text) = pages::missing(&ask.app, &ask.app.served(), path, is_gone, (form, language));
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::NOT_FOUND);
    guarded(ask, Answer::text(status, text, media(form), Cache::Never), form)
}
