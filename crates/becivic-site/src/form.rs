//! The onboarding form as one page that needs nothing else (§24.6.1).
//!
//! 1. The questions are printed as real inputs with their labels, so that keyboards and screen readers find what they know
//!    (`form/question.rs`); rows are a template that the script copies (`form/rows.rs`).
//! 2. What the script has to know stands beside them as JSON (`form/data.rs`). The script fills in what is known, filters,
//!    checks, and hands over; it asks nobody anything.
//! 3. Style and script stand in the page, and a policy allows these two and nothing else: no request can leave the page.
//! 4. All authored text is escaped.

mod data;
mod question;
mod rows;

use crate::words::{self, Words};
use becivic_core::form::{App, CommuneChoice, Form, Section};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

const STYLE: &str = include_str!("../assets/form.css");
const SCRIPT: &str = include_str!("../assets/form.js");

/// What the page may do: be styled and run by what stands in it. For the page itself and for whoever sends it.
pub static POLICY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; form-action 'none'; base-uri 'none'",
        digest(STYLE),
        digest(SCRIPT)
    )
});

/// The page.
pub fn page(form: &Form, communes: &[CommuneChoice]) -> String {
    let words = words::of(form.locale);
    let mut before = 0;
    let numbered = form.sections.iter().map(|section| {
        let first = before;
        before += section.fields.len();
        (first, section)
    });
    let sections: Vec<(usize, &Section)> = numbered.collect();
    let body = html! {
        main {
            h1 { (form.title) }
            @if let Some(skill) = &form.skill { p.skill lang="en" { (skill.title) } }
            p { (form.intro) }
            (promise(form, words))
            noscript { p.care { (words.form.needs_script) } }
            div #errors tabindex="-1" hidden { h2 { (words.form.errors_title) } ul {} }
            form #form novalidate autocomplete="off" {
                @for (first, it) in sections { (section(it, first, words)) }
                (consent(form))
                button #send .main type="submit" disabled {
                    @match form.app {
                        App::Cowork | App::Chatgpt => (words.form.hand_over),
                        App::Generic => (words.form.show_answers),
                    }
                }
            }
            (done(words))
            (trust(form))
            p #status .unseen role="status" {}
            datalist #communes {}
            datalist #communes-here {}
            datalist #countries {}
        }
    };
    html! {
        (DOCTYPE)
        html lang=(form.locale.as_str()) {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(*POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                meta name="robots" content="noindex";
                title { (form.title) " · Be Civic" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (body)
                script #data type="application/json" { (PreEscaped(data::json(form, communes, words))) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
    .into_string()
}

/// Where answers go, and that they go nowhere before.
fn promise(form: &Form, words: &Words) -> Markup {
    let then = match form.app {
        App::Cowork | App::Chatgpt => words.form.goes_to_chat,
        App::Generic => words.form.goes_to_you,
    };
    html! { p.note { (words.form.stays_here) " " (then) " " (words.form.no_personal) } }
}

/// A section; its questions are numbered from the first on.
fn section(section: &Section, first: usize, words: &Words) -> Markup {
    html! {
        fieldset.section {
            legend { h2 { (section.title) } }
            p.hint { (section.hint) }
            @for (at, field) in section.fields.iter().enumerate() { (question::field(field, first + at, words)) }
        }
    }
}

fn consent(form: &Form) -> Markup {
    html! {
        div.consent {
            label.tick { input #consent type="checkbox" aria-describedby="consent-about"; span { (form.consent.label) } }
            p #consent-about .hint { (form.consent.description) }
        }
    }
}

fn trust(form: &Form) -> Markup {
    html! {
        details.trust open[form.trust.open] {
            summary { (form.trust.title) }
            dl { @for clause in &form.trust.clauses { dt { (clause.title) } dd { (clause.text) } } }
        }
    }
}

fn done(words: &Words) -> Markup {
    html! {
        section #done aria-labelledby="done-title" hidden {
            h2 #done-title tabindex="-1" { (words.form.done_title) }
            p #done-how {}
            textarea #payload readonly rows="12" spellcheck="false" aria-labelledby="done-title" {}
            div.actions {
                button #copy type="button" { (words.form.copy) }
                button #download type="button" { (words.form.download) }
            }
        }
    }
}

/// A digest as policies write it.
fn digest(text: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letter = |bits: u32| LETTERS.get((bits & 63) as usize).copied().map_or('=', char::from);
    let mut out = String::new();
    for bytes in Sha256::digest(text).chunks(3) {
        let byte = |at: usize| u32::from(bytes.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for (place, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            out.push(if place <= bytes.len() { letter(bits >> shift) } else { '=' });
        }
    }
    out
}
