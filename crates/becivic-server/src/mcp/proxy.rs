//! `becivic mcp --server URL`: what comes on standard input goes to a server's `/mcp`, what it answers comes on standard output.
//!
//! 1. Each line is a message. It is sent with the headers that the protocol asks for: the version, the method, the name.
//! 2. `initialize` is waited for, because its answer settles the version of everything after it; all else is sent as it comes, a few at
//!    a time.
//! 3. An answer is one message, or a stream of them; each is a line. A server that cannot be reached is an error of that request.
//! 4. Somebody may look at each answer before it is passed back ([`Look`]). What they do not believe is asked for once more, since it
//!    may have moved in between; then it is refused, and its sender told why.
//! 5. What is cancelled is not answered any more, and its stream is let go when the next line comes on it. When the input ends, what is
//!    on its way may end too; streams that are only listened to end with it.

use super::over_http::AROUND;
use crate::outward::{self, ANSWERING, FOLLOWING};
use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The longest line that is passed on: what a server takes at most, a mebibyte and what stands around a body.
pub(super) const LONGEST: u64 = (1 << 20) + AROUND as u64;

/// What is said of a longer one.
pub(super) const TOO_LONG: &str = "The message is longer than a mebibyte.";

/// The longest answer that is passed back.
const LONGEST_ANSWER: u64 = 16 << 20;

/// Requests on their way at the same time: more wait.
const AT_ONCE: usize = 16;

/// Streams that are listened to at the same time, which have no end of their own: more are refused.
const LISTENING: usize = 16;

/// JSON-RPC's own numbers.
pub(super) const PARSE_ERROR: i32 = -32_700;
const INTERNAL: i32 = -32_603;

/// Looks at what was asked and what was answered; says why it is not to be believed.
pub type Look = Box<dyn Fn(&Value, &Value) -> Option<String> + Send + Sync>;

/// Passes messages on until the input ends.
pub fn pass_on(
    server: &str,
    look: Option<Look>,
    from: impl BufRead,
    to: impl Write + Send + 'static,
) -> anyhow::Result<()> {
    let line = Arc::new(Line::new(server, look, Box::new(to))?);
    let mut from = from;
    loop {
        let mut text = Vec::new();
        let read = (&mut from).take(LONGEST).read_until(b'\n', &mut text).context("cannot read the input")?;
        if read == 0 {
            break;
        }
        if read as u64 == LONGEST && text.last() != Some(&b'\n') {
            from.skip_until(b'\n').context("cannot read the input")?;
            line.say(&failed(&Value::Null, PARSE_ERROR, TOO_LONG));
            continue;
        }
        let Ok(message) = serde_json::from_slice::<Value>(&text) else {
            if !text.trim_ascii().is_empty() {
                line.say(&failed(&Value::Null, PARSE_ERROR, "The message is not JSON in UTF-8."));
            }
            continue;
        };
        line.take(message);
    }
    line.wait_for_all();
    Ok(())
}

/// The line between the two sides.
struct Line {
    agent: ureq::Agent,
    address: String,
    look: Option<Look>,
    to: Mutex<Box<dyn Write + Send>>,
    /// The version that `initialize` settled.
    version: Mutex<Option<String>>,
    under_way: Mutex<UnderWay>,
    ended: Condvar,
}

/// What was sent and has not ended.
#[derive(Default)]
struct UnderWay {
    asking: usize,
    listening: usize,
    /// Requests by their ids, and whether they were cancelled.
    cancelled: HashMap<String, bool>,
}

impl Line {
    fn new(server: &str, look: Option<Look>, to: Box<dyn Write + Send>) -> anyhow::Result<Self> {
        let agent = outward::agent(server)?;
        let server = server.trim_end_matches('/');
        let address = if server.ends_with("/mcp") { server.to_owned() } else { format!("{server}/mcp") };
        Ok(Self {
            agent,
            address,
            look,
            to: Mutex::new(to),
            version: Mutex::default(),
            under_way: Mutex::default(),
            ended: Condvar::new(),
        })
    }

    /// Takes a message from the input.
    fn take(self: &Arc<Self>, message: Value) {
        let method = message.get("method").and_then(Value::as_str).unwrap_or_default();
        if method == "notifications/cancelled"
            && let Some(id) = message.pointer("/params/requestId")
        {
            if let Some(cancelled) = held(&self.under_way).cancelled.get_mut(&id.to_string()) {
                *cancelled = true;
            }
            return;
        }
        if method == "initialize" {
            self.send(&message);
            return;
        }
        let id = message.get("id").cloned();
        let listens = method == "subscriptions/listen";
        let mut under_way = held(&self.under_way);
        if listens && under_way.listening >= LISTENING {
            drop(under_way);
            self.say(&failed(
                &id.unwrap_or_default(),
                INTERNAL,
                "There are 16 streams already; end one first.",
            ));
            return;
        }
        while !listens && under_way.asking >= AT_ONCE {
            under_way = self.ended.wait(under_way).unwrap_or_else(PoisonError::into_inner);
        }
        *under_way.count(listens) += 1;
        under_way.cancelled.extend(id.iter().map(|id| (id.to_string(), false)));
        drop(under_way);
        let line = Arc::clone(self);
        std::thread::spawn(move || {
            line.send(&message);
            let mut under_way = held(&line.under_way);
            *under_way.count(listens) -= 1;
            under_way.cancelled.remove(&id.unwrap_or_default().to_string());
            line.ended.notify_all();
        });
    }

    fn wait_for_all(&self) {
        let under_way = held(&self.under_way);
        let all = self.ended.wait_timeout_while(under_way, ANSWERING, |under_way| under_way.asking > 0);
        drop(all);
    }

    /// Sends one message, and passes its answer on.
    fn send(&self, message: &Value) {
        let id = message.get("id").cloned();
        let mut sent = self.try_send(message, id.as_ref(), Try::First);
        if let Ok(Passed::NotBelieved) = sent {
            std::thread::sleep(FOLLOWING);
            sent = self.try_send(message, id.as_ref(), Try::Last);
        }
        if let (Err(why), Some(id)) = (sent, id) {
            self.say(&failed(&id, INTERNAL, why));
        }
    }

    fn try_send(&self, message: &Value, id: Option<&Value>, which: Try) -> Result<Passed, &'static str> {
        const UNREACHED: &str = "The server cannot be reached, or does not answer. Try again later.";
        let mut request = self
            .agent
            .post(&self.address)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream");
        for (name, value) in headers(message, held(&self.version).as_deref()) {
            request = request.header(name, value);
        }
        let response = request.send(message.to_string()).map_err(|_| UNREACHED)?;
        let media =
            response.headers().get("content-type").and_then(|it| it.to_str().ok()).unwrap_or_default();
        let is_stream = media.starts_with("text/event-stream");
        let is_json = media.starts_with("application/json");
        if !is_stream && !is_json {
            return if response.status().is_success() {
                Ok(Passed::On)
            } else {
                Err("There is no MCP server at this address.")
            };
        }
        let mut reader = BufReader::new(response.into_body().into_reader());
        if is_json {
            let mut text = Vec::new();
            reader.take(LONGEST_ANSWER).read_to_end(&mut text).map_err(|_| UNREACHED)?;
            let mut answer: Value = serde_json::from_slice(&text).map_err(|_| UNREACHED)?;
            // The door itself refuses without having read whose message it was.
            if let (Some(id), Some(Value::Null)) = (id, answer.get("id")) {
                answer["id"] = id.clone();
            }
            self.settle(message, &answer);
            return Ok(self.pass_back(message, id, &answer, which));
        }
        let mut text = String::new();
        loop {
            text.clear();
            let read = (&mut reader).take(LONGEST_ANSWER).read_line(&mut text);
            match read {
                Ok(0) => return Ok(Passed::On),
                Ok(_) if self.is_cancelled(id) => return Ok(Passed::On),
                Ok(_) => {
                    let data = text.strip_prefix("data:").map(str::trim).filter(|data| !data.is_empty());
                    if let Some(told) = data.and_then(|data| serde_json::from_str::<Value>(data).ok()) {
                        self.settle(message, &told);
                        if let Passed::NotBelieved = self.pass_back(message, id, &told, which) {
                            return Ok(Passed::NotBelieved);
                        }
                    }
                }
                Err(_) => return Err(UNREACHED),
            }
        }
    }

    /// Remembers the version that both sides agreed on.
    fn settle(&self, message: &Value, answer: &Value) {
        if message.get("method").and_then(Value::as_str) == Some("initialize") {
            let version = answer.pointer("/result/protocolVersion").and_then(Value::as_str);
            *held(&self.version) = version.map(str::to_owned);
        }
    }

    fn is_cancelled(&self, id: Option<&Value>) -> bool {
        let cancelled = |id: &Value| held(&self.under_way).cancelled.get(&id.to_string()).copied();
        id.and_then(cancelled).unwrap_or(false)
    }

    /// Passes an answer back as it is, or says why it is not believed; the first time it is let go, to be asked for again.
    fn pass_back(&self, asked: &Value, id: Option<&Value>, answer: &Value, which: Try) -> Passed {
        let why = self.look.as_ref().and_then(|look| look(asked, answer));
        match (why, which) {
            _ if self.is_cancelled(id) => {}
            (None, _) => self.say(answer),
            (Some(_), Try::First) => return Passed::NotBelieved,
            (Some(why), Try::Last) => self.say(&refused(asked, &why)),
        }
        Passed::On
    }

    fn say(&self, message: &Value) {
        let mut to = held(&self.to);
        // Whoever does not listen any more has ended the input too.
        let _gone = writeln!(to, "{message}").and_then(|()| to.flush());
    }
}

impl UnderWay {
    fn count(&mut self, listens: bool) -> &mut usize {
        if listens { &mut self.listening } else { &mut self.asking }
    }
}

/// Whether it is the last time that something is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Try {
    First,
    Last,
}

/// What became of a message.
enum Passed {
    /// It was answered, or wants no answer.
    On,
    /// Its answer is not believed, and nothing was passed back.
    NotBelieved,
}

/// In the place of an answer that is not believed: of a tool a result that says so, which agents read; else an error.
fn refused(asked: &Value, why: &str) -> Value {
    let id = asked.get("id").cloned().unwrap_or_default();
    if asked.get("method").and_then(Value::as_str) != Some("tools/call") {
        return failed(&id, INTERNAL, why);
    }
    let content = json!([{"type": "text", "text": why}]);
    json!({"jsonrpc": "2.0", "id": id, "result": {"content": content, "isError": true}})
}

/// The headers that say what the message is.
fn headers(message: &Value, settled: Option<&str>) -> Vec<(&'static str, String)> {
    let own =
        message.pointer("/params/_meta/io.modelcontextprotocol~1protocolVersion").and_then(Value::as_str);
    let method = message.get("method").and_then(Value::as_str);
    let mut headers = Vec::new();
    if let Some(version) = own.or(settled.filter(|_| method != Some("initialize"))) {
        headers.push(("Mcp-Protocol-Version", as_header(version)));
    }
    if own.is_some()
        && let Some(method) = method
    {
        headers.push(("Mcp-Method", as_header(method)));
        let named = match method {
            "tools/call" | "prompts/get" => message.pointer("/params/name"),
            "resources/read" => message.pointer("/params/uri"),
            _ => None,
        };
        headers.extend(named.and_then(Value::as_str).map(|name| ("Mcp-Name", as_header(name))));
    }
    headers
}

/// A text as a header can hold it.
fn as_header(text: &str) -> String {
    let is_plain = text.bytes().all(|b| (0x20..=0x7e).contains(&b))
        && text.trim() == text
        && !text.starts_with("=?base64?");
    if is_plain { text.to_owned() } else { format!("=?base64?{}?=", STANDARD.encode(text)) }
}

pub(super) fn failed(id: &Value, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_say_what_the_message_says() {
        let current = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "find_skill", "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}});
        let of = |message: &Value, settled| {
            headers(message, settled)
                .into_iter()
                .map(|(name, value)| format!("{name}: {value}"))
                .collect::<Vec<_>>()
        };
        let expected = ["Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: find_skill"];
        assert_eq!(of(&current, None), expected);
        let older = json!({"method": "tools/list"});
        assert_eq!(of(&older, Some("2025-11-25")), ["Mcp-Protocol-Version: 2025-11-25"]);
        assert!(of(&json!({"method": "initialize"}), Some("2025-11-25")).is_empty());
        assert_eq!(as_header("é"), "=?base64?w6k=?=");
    }
}
