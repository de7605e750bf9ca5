//! What is known of the person: a profile that came with the request.
//!
//! 1. Old spellings are moved to their new names; then it has to fit the profile's schema.
//! 2. Where it does not, the place is named as far as the schema names it: keys that somebody made up are not repeated.
//! 3. A field is filled with what the profile says, where that is an answer the form can show.

use super::shape::{Field, Keep};
use super::{CONSENT_VERSION, FormError};
use crate::profile::Profile;
use crate::schema::Schema;
use crate::skill::IoType;
use serde_json::Value;

/// A valid profile, or nothing.
pub(super) struct Known(Option<Value>);

impl Known {
    pub(super) fn of(snapshot: Option<&Value>) -> Result<Self, FormError> {
        let Some(snapshot) = snapshot.filter(|it| !it.is_null()) else { return Ok(Self(None)) };
        let profile = Profile::current(snapshot);
        match Schema::Profile.violations(&profile).first() {
            None => Ok(Self(Some(profile))),
            Some(violation) => Err(FormError::Snapshot { pointer: ours(&violation.pointer) }),
        }
    }

    /// Whether the profile answers a field.
    pub(super) fn answers(&self, field: &Field) -> bool {
        self.answer(field).is_some()
    }

    /// The field with what is known.
    pub(super) fn filled(&self, field: Field) -> Field {
        match self.answer(&field) {
            Some(value) => Field { value: Some(value.clone()), ..field },
            None => field,
        }
    }

    /// A field of the profile that is one word.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.as_ref()?.get(name)?.as_str()
    }

    /// Whether the person agreed to the words of the consent as they are.
    pub(super) fn agreed(&self) -> bool {
        let consent = self.0.as_ref().and_then(|profile| profile.get("consent"));
        let says = |name: &str| consent.and_then(|it| it.get(name));
        says("alpha_bundle") == Some(&Value::Bool(true))
            && says("version").and_then(Value::as_str) == Some(CONSENT_VERSION)
    }

    fn answer(&self, field: &Field) -> Option<&Value> {
        let (Some(profile), Keep::Profile) = (&self.0, field.keep) else { return None };
        let found = field.profile_path.iter().flatten().try_fold(profile, |value, key| value.get(key))?;
        shows(field, found).then_some(found)
    }
}

/// Whether a form can show a value: an option it has, rows with the columns it has.
fn shows(field: &Field, value: &Value) -> bool {
    match field.io_type {
        IoType::SingleChoice => field.options.iter().any(|option| value == option.value.as_str()),
        IoType::RowList => value.as_array().is_some_and(|rows| {
            let fits = |row: &Value| {
                let cells = row.as_object();
                cells.is_some_and(|cells| {
                    cells.iter().all(|(id, cell)| {
                        field.columns.iter().any(|column| {
                            let known = column.options.iter().any(|option| cell == option.value.as_str());
                            column.id == *id && (column.options.is_empty() || known)
                        })
                    })
                })
            };
            let most = field.bounds.map_or(0, |bounds| bounds.max_rows as usize);
            rows.len() <= most && rows.iter().all(fits)
        }),
        IoType::CountryCode
        | IoType::Commune
        | IoType::DocumentArtefact
        | IoType::String
        | IoType::Number
        | IoType::Date
        | IoType::Bool
        | IoType::Text
        | IoType::YesNo
        | IoType::MonthYear
        | IoType::MonthYearOrCurrent => true,
    }
}

/// A pointer, up to the first key that is neither a place in a list nor a name of the profile's schema.
fn ours(pointer: &str) -> String {
    let quoted = |key: &str| format!("\"{key}\"");
    let known = pointer.split('/').skip(1).take_while(|key| {
        let is_number = !key.is_empty() && key.len() < 6 && key.bytes().all(|it| it.is_ascii_digit());
        let is_name = key.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
        is_number || (is_name && Schema::Profile.text().contains(&quoted(key)))
    });
    known.map(|key| format!("/{key}")).collect()
}
