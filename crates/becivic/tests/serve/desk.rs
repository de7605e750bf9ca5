//! The review desk: who gets in (`desk/entry.rs`), what is done there (`desk/work.rs`, `desk/artefacts.rs`), the same by command
//! (`desk/command.rs`), and all of it in a browser (`desk/chromium.rs`, `desk/browser.rs`).

mod artefacts;
mod browser;
pub mod chromium;
mod command;
mod entry;
mod work;

use crate::harness::{Place, Reply, Server, make};
use becivic_server::db::audit;
use serde_json::{Value, json};

/// A maintainer with a session.
pub struct Desk<'s> {
    server: &'s Server,
    cookie: String,
    seal: String,
}

/// A request without following where it leads.
pub fn ask(server: &Server, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
    let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0);
    let agent: ureq::Agent = config.max_redirects_will_error(false).build().into();
    let mut request = ureq::http::Request::builder().method(method).uri(format!("{}{path}", server.base()));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut answer = agent.run(request.body(body.to_owned()).expect("a request")).expect("an answer");
    let headers = answer.headers().iter();
    let headers = headers
        .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    let text = answer.body_mut().read_to_string().expect("text");
    Reply { status: answer.status().as_u16(), headers, text }
}

/// A form as a browser sends it.
pub fn form(fields: &[(&str, &str)]) -> String {
    let encoded = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    let pairs = fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
    pairs.collect::<Vec<_>>().join("&")
}

pub const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

/// Sends the login form.
pub fn log_in(server: &Server, token: &str, next: &str, more: &[(&str, &str)]) -> Reply {
    let headers: Vec<(&str, &str)> = [FORM].into_iter().chain(more.iter().copied()).collect();
    ask(server, "POST", "/review/login", &headers, &form(&[("token", token), ("next", next)]))
}

impl<'s> Desk<'s> {
    /// Logs in with a token.
    pub fn with(server: &'s Server, token: &str) -> Self {
        let reply = log_in(server, token, "/review", &[]);
        assert_eq!(reply.status, 303, "{reply:?}");
        let set = reply.header("set-cookie").expect("a cookie");
        let cookie = set.split(';').next().expect("a value").to_owned();
        let mut desk = Self { server, cookie, seal: String::new() };
        let page = desk.get("/review");
        assert_eq!(page.status, 200, "{page:?}");
        let mark = "name=\"form\" value=\"";
        let seal = page.text.split(mark).nth(1).and_then(|rest| rest.split('"').next()).expect("a seal");
        desk.seal = seal.to_owned();
        desk
    }

    /// Logs in with the first token.
    pub fn open(server: &'s Server, place: &Place) -> Self {
        Self::with(server, &place.operator_token())
    }

    /// A page.
    pub fn get(&self, path: &str) -> Reply {
        ask(self.server, "GET", path, &[("cookie", &self.cookie)], "")
    }

    /// A form, with its seal.
    pub fn post(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let fields: Vec<(&str, &str)> =
            [("form", self.seal.as_str())].into_iter().chain(fields.iter().copied()).collect();
        ask(self.server, "POST", path, &[FORM, ("cookie", &self.cookie)], &form(&fields))
    }

    /// A form that must lead on.
    pub fn does(&self, path: &str, fields: &[(&str, &str)]) {
        let reply = self.post(path, fields);
        assert_eq!(reply.status, 303, "{path} {fields:?}: {reply:?}");
    }
}

/// A concern that is held; its id and its address.
pub fn held(server: &Server, place: &Place, text: &str) -> (String, String) {
    let concern = make::concern("arrival-declaration", text);
    let reply = server.post("/api/concerns", &concern);
    assert_eq!(reply.status, 201, "{reply:?}");
    let id = concern["concern_id"].as_str().expect("an id").to_owned();
    let path = format!("/api/concerns/{id}");
    let moved = server.patch(
        &format!("{path}/status"),
        &place.operator_token(),
        &json!({"state": "held_for_review"}),
    );
    assert_eq!(moved.status, 200, "{moved:?}");
    (id, path)
}

/// The newest lines of the log: who, action, subject, why.
pub fn log(place: &Place, count: usize) -> Vec<(String, String, String, String)> {
    let entries = place.write(|tx| audit::list(tx, i64::MAX, 50));
    entries.into_iter().take(count).map(|it| (it.who, it.action, it.subject, it.why)).collect()
}

/// The state of a submission.
pub fn state(server: &Server, path: &str) -> Value {
    server.get(path).json()["state"].clone()
}
