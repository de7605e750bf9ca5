//! Rows in three ways: typed here, or a marker that says where they will come from. The script copies the template for each row
//! and puts its number where `ROW` stands.

use super::question::{input, other, pills, still_running};
use crate::words::{Words, fill};
use becivic_core::form::{Choice, Field, FieldColumn, Way};
use becivic_core::skill::IoType;
use maud::{Markup, html};

/// The ways, the rows, and the template of a row.
pub(super) fn rows(field: &Field, number: usize, words: &Words) -> Markup {
    let text = &words.form;
    let ways: Vec<Choice> = field
        .capture_modes
        .iter()
        .map(|it| Choice { value: it.mode.to_string(), label: it.label.clone(), lang: words.language })
        .collect();
    let later = |way: Way, says: &str| html! { p.later data-way=(way) hidden { (says) } };
    html! {
        div role="radiogroup" aria-label=(text.how) { (pills(&format!("f-{number}-way"), &ways, words.language)) }
        div.rows { p.none { (text.no_rows) } }
        button.add type="button" { (text.add_row) }
        (later(Way::FolderDrop, text.later_folder))
        (later(Way::Chat, text.later_chat))
        template {
            fieldset.row {
                legend { (fill(text.row, &["1"])) }
                @for column in &field.columns { (cell(column, number, words)) }
                button.remove type="button" { (fill(text.remove_row, &["1"])) }
            }
        }
    }
}

fn cell(column: &FieldColumn, number: usize, words: &Words) -> Markup {
    let text = &words.form;
    let id = format!("f-{number}-ROW-{}", column.id);
    let error = format!("{id}-error");
    let yes_no = [("true", text.yes), ("false", text.no)];
    html! {
        div.cell data-column=(column.id) {
            label for=(id) {
                span lang=[other(column.lang, words.language)] { (column.label) }
                @if column.required { " " span.required { "(" (text.required) ")" } }
            }
            @match column.io_type {
                IoType::SingleChoice => {
                    select id=(id) aria-describedby=(error) {
                        option value="" { (text.choose) }
                        @for option in &column.options {
                            option value=(option.value) lang=[other(option.lang, words.language)] { (option.label) }
                        }
                    }
                }
                IoType::YesNo | IoType::Bool => {
                    select id=(id) aria-describedby=(error) {
                        option value="" { (text.choose) }
                        @for (value, label) in yes_no { option value=(value) { (label) } }
                    }
                }
                IoType::MonthYearOrCurrent => {
                    (input(column.io_type, &id, &error, false))
                    (still_running(&id, words))
                }
                other => (input(other, &id, &error, false)),
            }
            p.error id=(error) hidden {}
        }
    }
}
