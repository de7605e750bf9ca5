//! The onboarding form.

use super::super::onboarding_form;
use super::Route;
use super::param::{Param, Takes, words};
use crate::rejection::Category;
use becivic_core::form::{self, App, Mode};
use becivic_core::vocabulary::Language;

/// What may be asked for in the address.
fn format() -> Vec<Param> {
    let about = "`html`: the form as a page; so does `Accept: text/html`.";
    vec![Param::new("format", about, Takes::Word(vec!["json", "html"]))]
}

/// The onboarding form.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(
            "/api/onboarding-form",
            "What a person is asked before a procedure, as JSON or as a page.",
            onboarding_form::show,
        )
        .asks_for(vec![
            Param::new("skill_id", "The skill; without one, only the universal questions.", Takes::Text),
            Param::new("app", "The host that shows it.", Takes::Word(words(App::ALL))),
            Param::new("locale", "The language of the form.", Takes::Word(words(Language::ALL))),
            Param::new("mode", "How well the person is known already.", Takes::Word(words(Mode::ALL))),
        ])
        .asks_for(format())
        .gives(200, "The form, with the JSON Schema of what it yields.")
        .shaped(form::answer_schema)
        .refuses(&[Category::SchemaFail, Category::NotFound]),
        Route::post(
            "/api/onboarding-form",
            "The same, with what is known of the person. It is neither logged nor kept.",
            onboarding_form::compose,
        )
        .takes("#OnboardingFormRequest")
        .asks_for(format())
        .bodied(form::request_schema)
        .shaped(form::answer_schema)
        .gives(200, "The form, with what is known filled in; never to be kept by anybody in between.")
        .refuses(&[Category::NotFound]),
    ]
}
