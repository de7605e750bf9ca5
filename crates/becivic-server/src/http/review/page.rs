//! Templates, and what they are filled with. Every text is escaped, and what would not show in it is written out.

use super::session::Session;
use crate::review::rendered;
use axum::http::StatusCode;
use minijinja::value::{Serde, Value};
use minijinja::{Environment, Error, Output, State, UndefinedBehavior, escape_formatter};
use serde_json::{Map, json};
use std::sync::LazyLock;

/// What the pages look like.
pub const STYLE: &str = include_str!("templates/style.css");

/// Every template.
const TEMPLATES: &[(&str, &str)] = &[
    ("base.html", include_str!("templates/base.html")),
    ("parts.html", include_str!("templates/parts.html")),
    ("login.html", include_str!("templates/login.html")),
    ("overview.html", include_str!("templates/overview.html")),
    ("drafts.html", include_str!("templates/drafts.html")),
    ("draft.html", include_str!("templates/draft.html")),
    ("held.html", include_str!("templates/held.html")),
    ("one_held.html", include_str!("templates/one_held.html")),
    ("flags.html", include_str!("templates/flags.html")),
    ("artefact.html", include_str!("templates/artefact.html")),
    ("feedback.html", include_str!("templates/feedback.html")),
    ("message.html", include_str!("templates/message.html")),
    ("audit.html", include_str!("templates/audit.html")),
    ("words.html", include_str!("templates/words.html")),
];

/// The parts of the desk, as the header links them.
pub const NAV: &[(&str, &str)] =
    &[("drafts", "Drafts"), ("held", "Held"), ("flags", "Flags"), ("feedback", "Feedback"), ("log", "Log")];

static ENVIRONMENT: LazyLock<Result<Environment<'static>, Error>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_formatter(formatted);
    environment.add_filter("page", |body: String| Value::from_safe_string(rendered::html(&body)));
    for (name, text) in TEMPLATES {
        environment.add_template(name, text)?;
    }
    Ok(environment)
});

/// Text is escaped and made visible; what is safe by its making stays as it is.
fn formatted(out: &mut Output<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    match value.as_str().filter(|_| !value.is_safe()) {
        Some(text) => Ok(out.write_str(&rendered::escaped(text))?),
        None => escape_formatter(out, state, value),
    }
}

/// What somebody typed into a form that was not accepted.
#[derive(Clone, Debug, Default)]
pub struct Typed {
    /// The reason.
    pub why: String,
    /// An edited submission.
    pub edited: Option<String>,
    /// Why it was not accepted.
    pub error: Option<String>,
}

/// A page before it is rendered.
#[derive(Clone, Debug)]
pub struct Page {
    /// The status of the answer.
    pub status: StatusCode,
    /// The template.
    pub template: &'static str,
    /// What it is called.
    pub title: String,
    /// Which part of the desk it belongs to.
    pub here: &'static str,
    /// What was done just now.
    pub done: Option<&'static str>,
    /// What was not done, and why.
    pub error: Option<String>,
    /// What else the template asks for.
    pub content: serde_json::Value,
}

impl Page {
    /// A page of the desk.
    pub fn new(template: &'static str, title: &str, here: &'static str, content: serde_json::Value) -> Self {
        let title = title.to_owned();
        Self { status: StatusCode::OK, template, title, here, done: None, error: None, content }
    }

    /// The login form.
    pub fn login(next: &str, error: Option<String>) -> Self {
        Self { error, ..Self::new("login.html", "Log in", "", json!({"next": next})) }
    }

    /// A page of words.
    pub fn words(title: &str, text: &str) -> Self {
        Self::new("words.html", title, "", json!({"text": text}))
    }
}

/// Renders a page.
pub fn render(session: Option<&Session>, page: &Page) -> Result<String, Error> {
    let nav: Vec<_> = NAV.iter().map(|(name, label)| json!({"name": name, "label": label})).collect();
    let mut context: Map<String, serde_json::Value> = page.content.as_object().cloned().unwrap_or_default();
    for (name, value) in [
        ("title", json!(page.title)),
        ("here", json!(page.here)),
        ("done", json!(page.done)),
        ("error", json!(page.error)),
        ("who", json!(session.map(|session| &session.who))),
        ("form", json!(session.map(|session| &session.form))),
        ("nav", json!(nav)),
    ] {
        context.insert(name.to_owned(), value);
    }
    let environment = ENVIRONMENT.as_ref().map_err(|error| Error::new(error.kind(), error.to_string()))?;
    environment.get_template(page.template)?.render(Value::from(Serde(&context)))
}

/// A text as a part of a query.
pub fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/' | b'~');
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match plain(byte) {
            true => out.push(char::from(byte)),
            false => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests;
