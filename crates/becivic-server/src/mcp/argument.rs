//! Arguments of a tool, as whoever calls it wrote them: what is missing, unknown or of another kind is refused with its name.

use crate::http::routes::param::Param;
use crate::rejection::{Category, Rejection};
use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// Paths are long: an agent that does not say how many it can take gets a few.
pub const PATHS: &str = "/api/paths";
/// So many.
pub const FEW_PATHS: &str = "5";

/// The schema of an argument that a route takes.
pub fn schema_of(path: &str, param: &Param) -> Value {
    let mut schema = param.as_argument();
    if (path, param.name) == (PATHS, "limit") {
        schema["description"] = json!(format!("At most this many; {FEW_PATHS} when left out."));
    }
    schema
}

/// The arguments of one call; each is taken once, and what is left is unknown.
pub struct Arguments(JsonObject);

impl Arguments {
    /// The arguments of a call.
    pub fn new(given: JsonObject) -> Self {
        Self(given)
    }

    /// An argument that may be left out; `null` is left out.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        self.0.shift_remove(name).filter(|value| !value.is_null())
    }

    /// A text.
    pub fn text(&mut self, name: &str) -> Result<String, Rejection> {
        match self.take(name) {
            Some(Value::String(text)) => Ok(text),
            Some(_) => Err(wrong(name, &format!("`{name}` is a text."))),
            None => Err(missing(name)),
        }
    }

    /// An object.
    pub fn object(&mut self, name: &str) -> Result<JsonObject, Rejection> {
        match self.take(name) {
            Some(Value::Object(object)) => Ok(object),
            Some(_) => Err(wrong(name, &format!("`{name}` is an object."))),
            None => Err(missing(name)),
        }
    }

    /// All that is left.
    pub fn rest(self) -> JsonObject {
        self.0
    }

    /// Nothing may be left.
    pub fn end(self, known: &[&str]) -> Result<(), Rejection> {
        match self.0.keys().next() {
            // Its name is the caller's own text, and is not said back.
            Some(_) => Err(wrong("", &format!("There are only these arguments: {}.", known.join(", ")))),
            None => Ok(()),
        }
    }
}

/// An argument is not what it should be.
pub fn wrong(name: &str, help: &str) -> Rejection {
    let pointer = if name.is_empty() { String::new() } else { format!("/{name}") };
    Rejection::at(Category::SchemaFail, &pointer, help)
}

/// An argument is not there.
pub fn missing(name: &str) -> Rejection {
    Rejection { missing: Some(name.to_owned()), ..wrong("", &format!("Give `{name}` too.")) }
}
