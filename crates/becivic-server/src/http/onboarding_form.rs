//! The onboarding form over HTTP: as JSON for programs, as one page for people.
//!
//! 1. What is asked for is read as the core reads it, from the address or from a body.
//! 2. A skill that a flag has put away has no form, before its file says so.
//! 3. An answer to a body is nobody's to keep: it may show what the profile in it says.

use super::answer::{Answer, Cache};
use super::answered;
use super::ask::Ask;
use crate::rejection::{Category, Rejection};
use axum::http::{StatusCode, header};
use becivic_core::form::{self, FormError, FormRequest};
use becivic_core::vocabulary::Status;
use serde_json::{Map, Value, json};

/// The form for what the address says.
pub async fn show(ask: Ask) -> Answer {
    if ask.query("profile_snapshot").is_some() {
        let help =
            "A profile does not belong into an address, which others keep: send it in the body of a POST.";
        return Answer::refused(&Rejection::at(Category::SchemaFail, "/profile_snapshot", help));
    }
    let named = ["skill_id", "app", "locale", "mode"];
    let given = named.iter().filter_map(|name| Some(((*name).to_owned(), json!(ask.query(name)?))));
    let request = Value::Object(given.collect::<Map<String, Value>>());
    answered(answer(&ask, &request, Cache::Minute))
}

/// The form for what the body says.
pub async fn compose(mut ask: Ask) -> Answer {
    answered(match ask.json().await {
        Ok(request) => answer(&ask, &request, Cache::Never),
        Err(rejection) => Err(rejection),
    })
}

fn answer(ask: &Ask, request: &Value, cache: Cache) -> Result<Answer, Rejection> {
    let request = FormRequest::read(request).map_err(refused)?;
    let served = ask.app.served();
    let is_put_away = |id: &str| served.skill(id).is_some_and(|skill| skill.status == Status::Quarantined);
    if request.skill_id.as_deref().is_some_and(is_put_away) {
        return Err(refused(FormError::Quarantined));
    }
    let corpus = &served.files().corpus;
    let form = form::compose(corpus, &request).map_err(refused)?;
    if wants_page(ask) {
        let page = becivic_site::form::page(&form, &form::commune_choices(corpus, form.locale));
        let answer = Answer::text(StatusCode::OK, page, "text/html; charset=utf-8", cache);
        return Ok(answer
            .saying(header::CONTENT_SECURITY_POLICY, &becivic_site::form::POLICY)
            .with(header::VARY, "Accept"));
    }
    let value = serde_json::to_value(&form).map_err(|_| Rejection::new(Category::Internal))?;
    Ok(Answer::json(StatusCode::OK, value, cache).with(header::VARY, "Accept"))
}

/// Whether a page is asked for: by the address, else by `Accept`.
fn wants_page(ask: &Ask) -> bool {
    let named =
        |media: &str| media.split(';').next().is_some_and(|it| it.trim().eq_ignore_ascii_case("text/html"));
    match ask.query("format") {
        Some(format) => format == "html",
        None => ask.header("accept").unwrap_or_default().split(',').any(named),
    }
}

/// The refusal: where, and what to do; nothing of what was sent.
fn refused(error: FormError) -> Rejection {
    match &error {
        FormError::Request { pointer, help } => Rejection::at(Category::SchemaFail, pointer, help),
        FormError::Snapshot { pointer } => Rejection::at(
            Category::SchemaFail,
            &format!("/profile_snapshot{pointer}"),
            "Send a profile that fits profile.schema.json, or none.",
        ),
        FormError::UnknownSkill | FormError::Quarantined => {
            Rejection { help: Some(error.to_string()), ..Rejection::new(Category::NotFound) }
        }
    }
}
