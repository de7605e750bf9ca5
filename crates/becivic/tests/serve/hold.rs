//! What names somebody, or leads to a host that nobody listed, waits for a person: at the door (`hold/door.rs`), verdicts with their
//! counts (`hold/verdicts.rs`), what was committed before (`hold/committed.rs`), and what is left of a text that was discarded (`hold/erased.rs`).

mod committed;
mod door;
mod erased;
mod verdicts;

use crate::harness::{Reply, Server};
use serde_json::{Value, json};

/// A note that names somebody.
pub const NAMED: &str = "Mme Fatiha El Amrani au guichet 3 m'a dit de revenir.";

/// The state of what waits.
pub const HELD: &str = "ner_held_for_review";

/// Sends something that is held; gives back where it can be asked for, and the answer.
pub fn held(server: &Server, endpoint: &str, submission: &Value) -> (String, Reply) {
    held_from(server, "127.0.0.1", endpoint, submission)
}

/// The same, from an address.
pub fn held_from(server: &Server, address: &str, endpoint: &str, submission: &Value) -> (String, Reply) {
    let reply = match address {
        "127.0.0.1" => server.post(endpoint, submission),
        _ => server.post_from(address, endpoint, submission),
    };
    assert_eq!(reply.status, 202, "{submission}: {reply:?}");
    let answer = reply.json();
    assert_eq!(answer["state"], HELD, "{answer}");
    assert!(!reply.text.contains("Amrani"), "{}", reply.text);
    let fields = answer.as_object().expect("an object");
    let id = fields.iter().find(|(name, _)| name.ends_with("_id")).expect("an id").1;
    let path = format!("{endpoint}/{}", id.as_str().expect("text"));
    assert_eq!(server.get(&path).json(), json!({"state": HELD}));
    (path, reply)
}

/// Moves a submission to a state.
pub fn to(server: &Server, token: &str, path: &str, state: &str) {
    let reply = server.patch(&format!("{path}/status"), token, &json!({"state": state}));
    assert_eq!((reply.status, &reply.json()["state"]), (200, &json!(state)), "{reply:?}");
}
