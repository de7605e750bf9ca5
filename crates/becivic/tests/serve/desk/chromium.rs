//! A browser without a window, driven over a pipe in the DevTools protocol: messages are JSON, each ended by a NUL.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::TempDir;

/// How long anything in the browser may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    page: String,
    sent: u64,
    _profile: TempDir,
}

impl Browser {
    /// Starts one with an empty profile.
    pub fn start() -> Self {
        let profile = TempDir::new().expect("a folder");
        // The browser reads commands from 3 and writes answers to 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec chromium \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null", "sh"])
            .args([
                "--headless",
                "--remote-debugging-pipe",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
            ])
            .args(["--disable-dev-shm-usage", "--disable-background-networking", "--disable-extensions"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let (to, from) = (child.stdin.take().expect("its input"), child.stdout.take().expect("its output"));
        let (said, heard) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(from).split(0).map_while(Result::ok) {
                let value = serde_json::from_slice(&message).expect("JSON from the browser");
                if said.send(value).is_err() {
                    break;
                }
            }
        });
        let mut browser = Self { child, to, from: heard, page: String::new(), sent: 0, _profile: profile };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let target = target["targetId"].as_str().expect("a page").to_owned();
        let attached = browser.call("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        browser.page = attached["sessionId"].as_str().expect("a session").to_owned();
        browser.call("Page.enable", json!({}));
        browser
    }

    /// Asks the browser something and waits for the answer.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        loop {
            let message = self.next(method);
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
        }
    }

    fn send(&mut self, method: &str, params: Value) -> u64 {
        self.sent += 1;
        let mut message = json!({"id": self.sent, "method": method, "params": params});
        if !self.page.is_empty() {
            message["sessionId"] = json!(self.page);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).expect("the browser listens");
        self.sent
    }

    fn next(&mut self, waiting_for: &str) -> Value {
        match self.from.recv_timeout(PATIENCE) {
            Ok(message) => message,
            Err(error) => {
                panic!("the browser says nothing to {waiting_for}: {error}; is chromium installed?")
            }
        }
    }

    /// Does something that leads to another page, and waits until that is there.
    fn leads_on(&mut self, method: &str, params: Value) {
        let id = self.send(method, params);
        let (mut answered, mut loaded) = (false, false);
        while !(answered && loaded) {
            let message = self.next(method);
            if message["id"] == id {
                assert!(
                    message["error"].is_null() && message["result"]["exceptionDetails"].is_null(),
                    "{message}"
                );
                answered = true;
            }
            loaded |= message["method"] == "Page.loadEventFired";
        }
    }

    /// Opens an address.
    pub fn open(&mut self, address: &str) {
        self.leads_on("Page.navigate", json!({"url": address}));
    }

    /// Evaluates an expression on the page; of a promise, what it comes to.
    pub fn eval(&mut self, expression: &str) -> Value {
        let answer = self.call(
            "Runtime.evaluate",
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true}),
        );
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Clicks something that leads to another page.
    pub fn click(&mut self, selector: &str) {
        let there = self.eval(&format!("document.querySelector({}) !== null", json!(selector)));
        assert_eq!(there, true, "{selector} is not on {}: {}", self.place(), self.text());
        let expression = format!("document.querySelector({}).click()", json!(selector));
        self.leads_on("Runtime.evaluate", json!({"expression": expression}));
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            "ArrowDown" => 40,
            other => panic!("nobody needs {other}"),
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code});
            if key == "Enter" && kind == "keyDown" {
                event["text"] = json!("\r");
            }
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Types into a field.
    pub fn fill(&mut self, selector: &str, text: &str) {
        self.eval(&format!("document.querySelector({}).value = {}; null", json!(selector), json!(text)));
    }

    /// The text of the page, as a person sees it.
    pub fn text(&mut self) -> String {
        self.eval("document.body.innerText").as_str().unwrap_or_default().to_owned()
    }

    /// The address of the page.
    pub fn place(&mut self) -> String {
        self.eval("location.href").as_str().unwrap_or_default().to_owned()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _ended_already = self.child.wait();
    }
}
