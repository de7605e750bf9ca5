//! The questions that every procedure shares, in the words of the form.

use super::asked;
use super::shape::{Choice, Field, Keep};
use super::words::Words;
use crate::profile::{AdministrationLanguage, BrowserDriving, HasIdCard, ProfileRegion, kept};
use crate::skill::IoType;
use crate::vocabulary::Language;
use serde_json::json;

/// The universal questions.
pub(super) fn fields(words: &Words, locale: Language) -> Vec<Field> {
    let field = |name: &str, io_type: IoType, label: &str, hint: Option<&str>| {
        let path = kept::place(name);
        let field = Field {
            description: hint.map(str::to_owned),
            profile_path: path.map(|keys| keys.into_iter().map(str::to_owned).collect()),
            ..Field::new(name, io_type, label, locale, Keep::Profile)
        };
        asked::bounded_by_profile(field)
    };
    let choice =
        |value: &str, label: &str| Choice { value: value.to_owned(), label: label.to_owned(), lang: locale };
    let choices = |all: Vec<Choice>, field: Field| Field { options: all, ..field };
    use IoType::{Commune, SingleChoice, Text};
    vec![
        Field {
            required: true,
            ..choices(
                ProfileRegion::ALL.iter().map(|it| choice(it.as_str(), words.region_name(*it))).collect(),
                field("region", SingleChoice, words.region, None),
            )
        },
        field("commune_nis5", Commune, words.commune, Some(words.commune_hint)),
        choices(
            AdministrationLanguage::ALL
                .iter()
                .map(|it| choice(it.as_str(), words.administration_language_name(*it)))
                .collect(),
            field(
                "administration_language",
                SingleChoice,
                words.administration_language,
                Some(words.administration_language_hint),
            ),
        ),
        Field {
            required: true,
            value: Some(json!(words.conversation_language_own)),
            ..field(
                "conversation_language",
                Text,
                words.conversation_language,
                Some(words.conversation_language_hint),
            )
        },
        choices(
            HasIdCard::ALL.iter().map(|it| choice(it.as_str(), words.card(*it))).collect(),
            field("has_id_card", SingleChoice, words.has_id_card, None),
        ),
        choices(
            BrowserDriving::ALL.iter().map(|it| choice(it.as_str(), words.driving(*it))).collect(),
            field(
                "browser_driving_preference",
                SingleChoice,
                words.browser_driving,
                Some(words.browser_driving_hint),
            ),
        ),
    ]
}
