//! The onboarding form.

use super::super::onboarding_form;
use super::Route;
use crate::rejection::Category;

/// What may be asked for in the address.
const FORMAT: &[(&str, &str)] = &[("format", "`html`: the form as a page; so does `Accept: text/html`.")];

/// The onboarding form.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(
            "/api/onboarding-form",
            "What a person is asked before a procedure, as JSON or as a page.",
            onboarding_form::show,
        )
        .asks(&[
            ("skill_id", "The skill; without one, only the universal questions."),
            ("app", "The host that shows it: `cowork`, `chatgpt` or `generic`."),
            ("locale", "`en`, `fr`, `nl` or `de`."),
            ("mode", "`first_contact`, `returning` or `continuing`."),
        ])
        .asks(FORMAT)
        .gives(200, "The form, with the JSON Schema of what it yields.")
        .refuses(&[Category::SchemaFail, Category::NotFound]),
        Route::post(
            "/api/onboarding-form",
            "The same, with what is known of the person. It is neither logged nor kept.",
            onboarding_form::compose,
        )
        .takes("#OnboardingFormRequest")
        .asks(FORMAT)
        .gives(200, "The form, with what is known filled in; never to be kept by anybody in between.")
        .refuses(&[Category::NotFound]),
    ]
}
