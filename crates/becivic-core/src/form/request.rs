//! What is asked for: the same over HTTP and over MCP.

use super::FormError;
use crate::vocabulary::{Language, words};
use jsonschema::Validator;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::LazyLock;

words! {
    /// The host that shows the form, and with it how the answers get back to the agent.
    App {
        /// A widget that hands a text to the conversation through `sendPrompt`.
        Cowork = "cowork",
        /// A widget that hands a text to the conversation through `openai.sendFollowUpMessage`.
        Chatgpt = "chatgpt",
        /// A page of its own: the person copies or downloads the answers; an embedding page gets them as a message.
        Generic = "generic",
    }
}

words! {
    /// How well the person is known (§24.5).
    Mode {
        /// Not at all.
        FirstContact = "first_contact",
        /// From earlier sessions.
        Returning = "returning",
        /// In the middle of this procedure.
        Continuing = "continuing",
    }
}

/// A request for a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormRequest {
    /// The skill the form is for; without one, only the universal questions.
    #[serde(default)]
    pub skill_id: Option<String>,
    /// The host that shows it.
    #[serde(default = "generic")]
    pub app: App,
    /// The language of the form's own words.
    #[serde(default = "english")]
    pub locale: Language,
    /// How well the person is known.
    #[serde(default = "first_contact")]
    pub mode: Mode,
    /// What is known of the person: a profile. It is looked at and forgotten.
    #[serde(default)]
    pub profile_snapshot: Option<Value>,
}

fn generic() -> App {
    App::Generic
}

fn english() -> Language {
    Language::En
}

fn first_contact() -> Mode {
    Mode::FirstContact
}

impl Default for FormRequest {
    fn default() -> Self {
        Self {
            skill_id: None,
            app: generic(),
            locale: english(),
            mode: first_contact(),
            profile_snapshot: None,
        }
    }
}

impl FormRequest {
    /// Reads a request; what is wrong is named by its place, and never repeated.
    pub fn read(value: &Value) -> Result<Self, FormError> {
        static VALIDATOR: LazyLock<Option<Validator>> =
            LazyLock::new(|| jsonschema::options().offline().build(&request_schema()).ok());
        let wrong = |pointer: &str, help: &str| FormError::Request {
            pointer: pointer.to_owned(),
            help: help.to_owned(),
        };
        if let Some(Err(error)) = VALIDATOR.as_ref().map(|validator| validator.validate(value)) {
            // Only the first step of the path is ours; a field nobody knows is not named.
            let pointer = error.instance_path().as_str();
            let help = HELP.iter().find(|(field, _)| pointer == *field);
            return Err(match help {
                Some((field, help)) => wrong(field, help),
                None => {
                    wrong("", "Send an object with skill_id, app, locale, mode and profile_snapshot at most.")
                }
            });
        }
        Self::deserialize(value).map_err(|_| wrong("", "Send an object of the documented shape."))
    }
}

/// What to do about each field.
const HELP: &[(&str, &str)] = &[
    ("/skill_id", "The id of a skill, as /api/skills lists them."),
    ("/app", "One of cowork, chatgpt, generic."),
    ("/locale", "One of en, fr, nl, de."),
    ("/mode", "One of first_contact, returning, continuing."),
    ("/profile_snapshot", "A profile as profile.schema.json describes it."),
];

/// The JSON Schema of a request.
pub fn request_schema() -> Value {
    let names = |all: Vec<&'static str>| json!(all);
    let apps = names(App::ALL.iter().map(|it| it.as_str()).collect());
    let modes = names(Mode::ALL.iter().map(|it| it.as_str()).collect());
    let locales = names(Language::ALL.iter().map(|it| it.as_str()).collect());
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "skill_id": {"type": ["string", "null"], "maxLength": 80, "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "description": "The skill the form is for; without one, only the universal questions are asked."},
            "app": {"enum": apps, "default": "generic", "description": "The host that shows the form."},
            "locale": {"enum": locales, "default": "en", "description": "The language of the form's own words. Labels of a skill's inputs are in English."},
            "mode": {"enum": modes, "default": "first_contact", "description": "How well the person is known: first_contact asks everything, returning asks what is missing and shows the rest, continuing asks only what the skill still lacks."},
            "profile_snapshot": {"type": ["object", "null"], "description": "The person's profile as profile.schema.json describes it, to prefill the form. It is neither logged nor kept."},
        },
    })
}
