//! What the script has to know, as JSON that cannot end the element it stands in.

use crate::words::Words;
use becivic_core::country;
use becivic_core::form::{CommuneChoice, Form, Section, SectionId};
use serde_json::{Value, json};

/// The JSON.
pub(super) fn json(form: &Form, communes: &[CommuneChoice], words: &Words) -> String {
    let fields: Vec<Value> = form.sections.iter().flat_map(of_section).collect();
    let communes: Vec<Value> =
        communes.iter().map(|it| json!([it.nis5, it.name, it.region, it.also])).collect();
    let text = &words.form;
    json!({
        "app": form.app,
        "locale": form.locale,
        "fields": fields,
        "consent": {"version": form.consent.version, "given": form.consent.given},
        "languages": form.administration_languages,
        "communes": communes,
        "countries": country::CODES,
        "words": {
            "row": text.row, "remove_row": text.remove_row, "row_added": text.row_added, "row_removed": text.row_removed,
            "required": text.error_required, "month": text.error_month, "day": text.error_day, "number": text.error_number,
            "whole": text.error_whole, "range": text.error_range, "long": text.error_long, "letters": text.error_letters,
            "country": text.error_country, "commune": text.error_commune, "region": text.error_region, "rows": text.error_rows,
            "languages_now": text.languages_now, "handed": text.done_handed, "to_copy": text.done_copy, "copied": text.copied,
            "prompt": text.prompt,
        },
    })
    .to_string()
    // The only way out of a script element begins with this sign.
    .replace('<', "\\u003c")
}

/// The questions of a section; those that were answered before say so.
fn of_section(section: &Section) -> impl Iterator<Item = Value> {
    let is_known = section.id == SectionId::Known;
    section.fields.iter().map(move |field| {
        let mut value = serde_json::to_value(field).unwrap_or_default();
        if let (true, Some(field)) = (is_known, value.as_object_mut()) {
            field.insert("known".to_owned(), Value::Bool(true));
        }
        value
    })
}
