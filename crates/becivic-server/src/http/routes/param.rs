//! Query parameters: their names, what they mean, what they take. The same list reads a request, describes it in
//! `/openapi.json`, and is the arguments of the tool that asks the same over MCP.

use becivic_core::form::{App, Mode};
use becivic_core::path::Theme;
use becivic_core::search::Kind;
use becivic_core::skill_graph::{Locale, ShownStatus};
use becivic_core::vocabulary::{Domain, Language, Status};
use serde_json::{Value, json};

/// The longest text: more is no question, no name and no cursor.
const LONGEST: usize = 1_000;

/// A query parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// Whether nothing is answered without it.
    pub required: bool,
}

/// A word of a closed list.
pub trait Named: Copy {
    /// As it is written.
    fn as_written(self) -> &'static str;
}

macro_rules! named {
    ($($of:ty),+ $(,)?) => {
        $(impl Named for $of {
            fn as_written(self) -> &'static str {
                self.as_str()
            }
        })+
    };
}

named!(App, Domain, Kind, Language, Locale, Mode, ShownStatus, Status, Theme);

/// The words of a closed list.
pub fn words<T: Named>(all: &[T]) -> Vec<&'static str> {
    all.iter().map(|it| it.as_written()).collect()
}

/// What a parameter takes.
#[derive(Clone, Debug)]
pub enum Takes {
    /// Any text.
    Text,
    /// One word of a closed list.
    Word(Vec<&'static str>),
    /// Several words of a closed list, joined by commas.
    Words(Vec<&'static str>),
    /// A whole number, from and to.
    Count(u64, u64),
}

impl Param {
    /// One that may be left out.
    pub fn new(name: &'static str, about: &'static str, takes: Takes) -> Self {
        Self { name, about, takes, required: false }
    }

    /// One that may not.
    pub fn required(name: &'static str, about: &'static str, takes: Takes) -> Self {
        Self { required: true, ..Self::new(name, about, takes) }
    }

    /// The schema of its text in a query.
    pub fn in_query(&self) -> Value {
        match &self.takes {
            Takes::Text => json!({"type": "string", "maxLength": LONGEST}),
            Takes::Words(_) => json!({"type": "string"}),
            Takes::Word(words) => json!({"type": "string", "enum": words}),
            Takes::Count(least, most) => json!({"type": "integer", "minimum": least, "maximum": most}),
        }
    }

    /// The schema of it as an argument of a tool: several words are a list there.
    pub fn as_argument(&self) -> Value {
        let mut schema = match &self.takes {
            Takes::Words(words) => {
                json!({"type": "array", "items": {"type": "string", "enum": words}, "uniqueItems": true})
            }
            Takes::Text | Takes::Word(_) | Takes::Count(..) => self.in_query(),
        };
        schema["description"] = json!(self.about);
        schema
    }

    /// An argument as the text that a query would hold; none where it is not what is taken.
    pub fn text_of(&self, argument: &Value) -> Option<String> {
        match (&self.takes, argument) {
            (Takes::Text | Takes::Word(_), Value::String(text)) => Some(text.clone()),
            (Takes::Count(..), Value::Number(number)) => {
                // Some clients know only one kind of number: 5.0 is 5.
                let whole = number.as_f64().filter(|it| it.fract() == 0.0 && (0.0..9e15).contains(it));
                number.as_u64().or(whole.map(|it| it as u64)).map(|it| it.to_string())
            }
            (Takes::Words(_), Value::Array(words)) => {
                let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
                words.map(|words| words.join(","))
            }
            // One word of several may come without its list.
            (Takes::Words(_), Value::String(word)) => Some(word.clone()),
            _ => None,
        }
    }

    /// Whether a text is what is taken.
    pub fn takes_text(&self, text: &str) -> bool {
        match &self.takes {
            Takes::Text => text.chars().count() <= LONGEST,
            Takes::Word(words) => words.contains(&text),
            Takes::Words(words) => text.split(',').all(|word| words.contains(&word.trim())),
            Takes::Count(least, most) => text.parse().is_ok_and(|number| (*least..=*most).contains(&number)),
        }
    }

    /// What to send instead, for whoever sent something else.
    pub fn help(&self) -> String {
        let name = self.name;
        match &self.takes {
            Takes::Text => format!("`{name}` is a text of at most {LONGEST} characters."),
            Takes::Word(words) => format!("`{name}` is one of {}.", words.join(", ")),
            Takes::Words(words) => format!("`{name}` is a list of some of {}.", words.join(", ")),
            Takes::Count(least, most) => format!("`{name}` is a whole number from {least} to {most}."),
        }
    }
}
