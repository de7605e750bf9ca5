//! One question: a group of pills, or a labelled input. The number of the question makes its ids: `f-3` is the input, `h-3`
//! what to know before, `e-3` what is wrong with the answer.

use super::rows;
use crate::words::Words;
use becivic_core::form::{Choice, Field};
use becivic_core::skill::IoType;
use becivic_core::vocabulary::Language;
use maud::{Markup, html};

/// The question.
pub(super) fn field(field: &Field, number: usize, words: &Words) -> Markup {
    let text = &words.form;
    match field.io_type {
        IoType::SingleChoice => {
            group(field, number, words, pills(&format!("f-{number}"), &field.options, words.language))
        }
        IoType::YesNo | IoType::Bool => {
            let options = [("true", text.yes), ("false", text.no)].map(|it| choice(it, words.language));
            group(field, number, words, pills(&format!("f-{number}"), &options, words.language))
        }
        IoType::DocumentArtefact => {
            let options =
                [("true", text.have_it), ("false", text.not_yet)].map(|it| choice(it, words.language));
            let month = html! {
                (pills(&format!("f-{number}"), &options, words.language))
                div.part {
                    label for=(format!("f-{number}-month")) { (text.obtained_in) }
                    input type="text" id=(format!("f-{number}-month")) inputmode="numeric" placeholder="2024-05";
                }
            };
            group(field, number, words, month)
        }
        IoType::RowList => group(field, number, words, rows::rows(field, number, words)),
        IoType::CountryCode
        | IoType::Commune
        | IoType::String
        | IoType::Number
        | IoType::Date
        | IoType::Text
        | IoType::MonthYear
        | IoType::MonthYearOrCurrent => line(field, number, words),
    }
}

fn choice((value, label): (&str, &str), lang: Language) -> Choice {
    Choice { value: value.to_owned(), label: label.to_owned(), lang }
}

/// A question with several inputs.
fn group(field: &Field, number: usize, words: &Words, inputs: Markup) -> Markup {
    let may_be_cleared = !field.required && field.io_type != IoType::RowList;
    html! {
        fieldset.question id=(format!("q-{number}")) data-name=(field.name) aria-describedby=(described(number)) {
            legend { (label(field, words)) }
            (hint(field, number, words))
            (inputs)
            @if may_be_cleared { button.clear type="button" hidden { (words.form.clear) } }
            p.error id=(format!("e-{number}")) hidden {}
        }
    }
}

/// A question with one input.
fn line(field: &Field, number: usize, words: &Words) -> Markup {
    let id = format!("f-{number}");
    html! {
        div.question id=(format!("q-{number}")) data-name=(field.name) {
            label for=(id) { (label(field, words)) }
            (hint(field, number, words))
            (input(field.io_type, &id, &described(number), field.name == "commune_nis5"))
            @if field.io_type == IoType::MonthYearOrCurrent { (still_running(&id, words)) }
            p.error id=(format!("e-{number}")) hidden {}
        }
    }
}

/// The input of a line; one that takes the commune offers those of the chosen region.
pub(super) fn input(io_type: IoType, id: &str, described: &str, is_own_commune: bool) -> Markup {
    let list = match io_type {
        IoType::CountryCode => Some("countries"),
        IoType::Commune if is_own_commune => Some("communes-here"),
        IoType::Commune => Some("communes"),
        _ => None,
    };
    let mode = match io_type {
        IoType::MonthYear | IoType::MonthYearOrCurrent => Some("numeric"),
        IoType::Number => Some("decimal"),
        _ => None,
    };
    let kind = if io_type == IoType::Date { "date" } else { "text" };
    let example = mode.filter(|it| *it == "numeric").map(|_| "2024-05");
    html! {
        input type=(kind) id=(id) list=[list] inputmode=[mode] placeholder=[example] aria-describedby=(described);
    }
}

/// The tick that stands for a month which is not over.
pub(super) fn still_running(id: &str, words: &Words) -> Markup {
    html! { label.tick { input type="checkbox" id=(format!("{id}-current")); span { (words.form.still_running) } } }
}

/// Choices as pills, which are radio buttons.
pub(super) fn pills(name: &str, options: &[Choice], page: Language) -> Markup {
    html! {
        div.pills {
            @for (at, option) in options.iter().enumerate() {
                label.pill {
                    input type="radio" name=(name) id=(format!("{name}-{at}")) value=(option.value);
                    span lang=[other(option.lang, page)] { (option.label) }
                }
            }
        }
    }
}

/// A language that is not the page's.
pub(super) fn other(lang: Language, page: Language) -> Option<&'static str> {
    (lang != page).then(|| lang.as_str())
}

fn label(field: &Field, words: &Words) -> Markup {
    html! {
        span lang=[other(field.lang, words.language)] { (field.label) }
        @if field.required { " " span.required { "(" (words.form.required) ")" } }
    }
}

fn hint(field: &Field, number: usize, words: &Words) -> Markup {
    let month = matches!(field.io_type, IoType::MonthYear | IoType::MonthYearOrCurrent);
    html! {
        p.hint id=(format!("h-{number}")) {
            @if let Some(text) = &field.description { span lang=[other(field.lang, words.language)] { (text) } " " }
            @if month { (words.form.month_hint) }
        }
    }
}

/// What describes an input.
fn described(number: usize) -> String {
    format!("h-{number} e-{number}")
}
