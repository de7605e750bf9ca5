//! A form filled in, as a page would do it.

use becivic_core::form::{Choice, Field, Form, Keep};
use becivic_core::skill::IoType;
use serde_json::{Map, Value, json};

/// What a form yields when everything is answered and rows are given in one way.
pub fn filled(form: &Form, way: &str) -> Value {
    let mut payload = json!({
        "profile": {
            "profile_schema_version": "1",
            "last_updated_at": "2026-11-15T09:00:00.000Z",
            "consent": {"alpha_bundle": true, "version": form.consent.version, "signed_at": "2026-11-15"},
        },
        "answers": {},
        "pending": {},
    });
    for field in fields(form) {
        if field.io_type == IoType::RowList && way != "form" {
            payload["pending"][&field.name] = json!({"__mode": way, "__status": "pending"});
            continue;
        }
        let answer = answer(field);
        match (field.keep, field.profile_path.as_deref()) {
            (Keep::Profile, Some([key])) => payload["profile"][key] = answer,
            (Keep::Profile, Some([outer, inner])) => payload["profile"][outer][inner] = answer,
            (Keep::Profile, other) => unreachable!("{other:?} leads nowhere"),
            (Keep::Session, _) => payload["answers"][&field.name] = answer,
        }
    }
    payload
}

/// The same without each of the answers that are needed, and with rows that have a marker as well.
pub fn missing(form: &Form, payload: &Value) -> Vec<Value> {
    let mut wrong = Vec::new();
    let without = |place: &str, name: &str| {
        let mut payload = payload.clone();
        payload[place].as_object_mut().expect("an object").remove(name);
        payload
    };
    for field in fields(form) {
        let home = if field.keep == Keep::Profile { "profile" } else { "answers" };
        let is_pending = !payload["pending"][&field.name].is_null();
        if field.required {
            wrong.push(without(if is_pending { "pending" } else { home }, &field.name));
        }
        if field.io_type == IoType::RowList {
            let mut both = payload.clone();
            both["pending"][&field.name] = json!({"__mode": "chat", "__status": "pending"});
            both[home][&field.name] = answer(field);
            wrong.push(both);
        }
    }
    wrong
}

fn fields(form: &Form) -> impl Iterator<Item = &Field> {
    form.sections.iter().flat_map(|section| &section.fields)
}

fn answer(field: &Field) -> Value {
    if field.io_type == IoType::DocumentArtefact {
        return json!({"name": field.name, "obtained_in": "2026-10"});
    }
    if field.io_type != IoType::RowList {
        return value(field.io_type, &field.options);
    }
    let row = || {
        let cells =
            field.columns.iter().map(|column| (column.id.clone(), value(column.io_type, &column.options)));
        Value::Object(cells.collect::<Map<String, Value>>())
    };
    let bounds = field.bounds.expect("bounds");
    Value::Array((0..bounds.max_rows).map(|_| row()).collect())
}

fn value(io_type: IoType, options: &[Choice]) -> Value {
    match io_type {
        IoType::CountryCode => json!("ma"),
        IoType::Commune => json!("21009"),
        IoType::String | IoType::Text => json!("Tagalog"),
        IoType::Number => json!(3),
        IoType::Date => json!("2026-11-15"),
        IoType::Bool | IoType::YesNo => json!(true),
        IoType::SingleChoice => json!(options.last().expect("an option").value),
        IoType::MonthYear => json!("2026-11"),
        IoType::MonthYearOrCurrent => json!("current"),
        IoType::DocumentArtefact | IoType::RowList => Value::Null,
    }
}
