//! A form in a browser, filled in by the names of its questions.

use crate::desk::chromium::Browser;
use becivic_core::schema::Schema;
use serde_json::{Value, json};

/// What finds questions and answers them as a person does: events and all.
const HANDS: &str = r#"
    window.T = {
      box: (name) => document.querySelector(`[data-name="${name}"]`),
      tell: (it) => { it.dispatchEvent(new Event("input", {bubbles: true})); it.dispatchEvent(new Event("change", {bubbles: true})); },
      type: (name, text) => { const it = T.box(name).querySelector("input[type=text], input[type=date]"); it.value = text; T.tell(it); },
      pick: (name, value) => [...T.box(name).querySelectorAll("input[type=radio]")].find((it) => it.value === value).click(),
      way: (name, value) => T.pick(name, value),
      row: (name) => { T.box(name).querySelector(".add").click(); },
      cell: (name, row, column, text) => {
        const it = T.box(name).querySelectorAll(".row")[row].querySelector(`[data-column="${column}"]`);
        if (text === true) { it.querySelector("input[type=checkbox]").click(); return; }
        const field = it.querySelector("input, select"); field.value = text; T.tell(field);
      },
    }; null"#;

/// A form that is open in a browser.
pub struct Sheet<'b> {
    pub browser: &'b mut Browser,
    schema: Value,
}

impl<'b> Sheet<'b> {
    /// Opens a page whose payload has this schema.
    pub fn open(browser: &'b mut Browser, address: &str, schema: Value) -> Self {
        browser.open(address);
        browser.eval(HANDS);
        Self { browser, schema }
    }

    /// Does something with the hands.
    pub fn hand(&mut self, what: &str, arguments: Value) {
        let arguments: Vec<String> =
            arguments.as_array().expect("a list").iter().map(Value::to_string).collect();
        self.browser.eval(&format!("T.{what}({}); null", arguments.join(", ")));
    }

    /// Presses the button, and says what is wrong; empty when nothing is.
    pub fn send(&mut self) -> Vec<String> {
        self.browser.eval("document.getElementById('form').requestSubmit(); null");
        let errors = self
            .browser
            .eval("[...document.querySelectorAll('#errors:not([hidden]) li')].map((it) => it.innerText)");
        serde_json::from_value(errors).expect("a list")
    }

    /// What was made; it fits the form's schema, and its profile the profile's.
    pub fn payload(&mut self) -> Value {
        let errors = self.send();
        assert!(errors.is_empty(), "{errors:?}");
        let shown = self.browser.eval(
            "new Promise((done) => { const look = () => document.getElementById('done').hidden ? \
             requestAnimationFrame(look) : done(document.getElementById('payload').value); look(); })",
        );
        let payload: Value = serde_json::from_str(shown.as_str().expect("a text")).expect("JSON");
        let schema = jsonschema::validator_for(&self.schema).expect("a schema");
        let wrong: Vec<String> = schema.iter_errors(&payload).map(|it| it.to_string()).collect();
        assert!(wrong.is_empty(), "{wrong:?} {payload:#}");
        let violations = Schema::Profile.violations(&payload["profile"]);
        assert!(violations.is_empty(), "{violations:?} {payload:#}");
        payload
    }

    /// Which languages of the administration can be chosen.
    pub fn languages(&mut self) -> Vec<String> {
        let open = self.browser.eval(
            "[...T.box('administration_language').querySelectorAll('input')].filter((it) => it.offsetParent && \
             !it.disabled).map((it) => it.value)",
        );
        serde_json::from_value(open).expect("a list")
    }

    /// How many communes are offered.
    pub fn communes(&mut self) -> u64 {
        let offered = self.browser.eval("document.getElementById('communes-here').options.length");
        offered.as_u64().unwrap_or_default()
    }
}

/// What the marker of a way is.
pub fn marker(way: &str) -> Value {
    json!({"__mode": way, "__status": "pending"})
}
