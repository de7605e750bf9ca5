//! A server that answers as GitHub does where the emulated one does not: a function from requests to replies.

use crate::emulated::settings;
use becivic_server::forge::github::{GitHub, Patience, Settings};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// Quick, for tests: three attempts, with hardly a pause.
pub fn patience() -> Patience {
    Patience {
        connecting: Duration::from_secs(5),
        answering: Duration::from_secs(20),
        attempts: 3,
        pause: Duration::from_millis(1),
    }
}

/// A request.
#[derive(Clone, Debug)]
pub struct Asked {
    pub method: String,
    /// With the query, without the name of the repository before it.
    pub path: String,
    pub bearer: String,
    pub body: Value,
}

/// What is answered.
pub enum Reply {
    /// A status, headers and a body.
    Says(u16, Vec<(&'static str, String)>, String),
    /// Nothing, for as long as the client waits.
    Silence,
    /// The connection ends.
    Gone,
    /// The body ends before its length.
    Half,
}

/// A JSON reply.
pub fn says(status: u16, body: &Value) -> Reply {
    Reply::Says(status, Vec::new(), body.to_string())
}

/// The reply to whoever asks for a token.
pub fn token(name: &str, expires_at: &str) -> Reply {
    says(201, &serde_json::json!({"token": name, "expires_at": expires_at}))
}

type Handler = dyn Fn(&Asked) -> Reply + Send + Sync;

/// A running server.
pub struct Recorded {
    pub base: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Recorded {
    /// Answers for as long as the test runs.
    pub fn start(handler: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (handler, log): (Arc<Handler>, _) = (Arc::new(handler), Arc::clone(&asked));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (handler, log) = (Arc::clone(&handler), Arc::clone(&log));
                std::thread::spawn(move || answer(stream, &*handler, &log));
            }
        });
        Self { base, asked }
    }

    /// Answers token requests by itself, and the rest with the function.
    pub fn with_token(handler: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        Self::start(move |asked| {
            if asked.path.ends_with("/access_tokens") {
                return token("first", "2999-01-01T00:00:00Z");
            }
            handler(asked)
        })
    }

    /// A client of it.
    pub fn client(&self, change: impl FnOnce(&mut Settings)) -> GitHub {
        let mut settings = settings(&self.base, key(), "corpus");
        change(&mut settings);
        GitHub::new(settings).expect("sound settings")
    }

    /// Everything asked so far, but for tokens.
    pub fn asked(&self) -> Vec<Asked> {
        let all = self.asked.lock().unwrap().clone();
        all.into_iter().filter(|asked| !asked.path.ends_with("/access_tokens")).collect()
    }

    /// How often a token was asked for.
    pub fn tokens(&self) -> usize {
        self.asked.lock().unwrap().iter().filter(|asked| asked.path.ends_with("/access_tokens")).count()
    }
}

fn answer(mut stream: TcpStream, handler: &Handler, log: &Mutex<Vec<Asked>>) {
    let Some(asked) = read(&stream) else { return };
    log.lock().unwrap().push(asked.clone());
    let written = match handler(&asked) {
        Reply::Says(status, headers, body) => {
            let mut text =
                format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
            for (name, value) in headers {
                text.push_str(&format!("{name}: {value}\r\n"));
            }
            stream.write_all(format!("{text}\r\n{body}").as_bytes())
        }
        // Until the client goes.
        Reply::Silence => stream.read(&mut [0]).map(drop),
        Reply::Gone => Ok(()),
        Reply::Half => stream.write_all(b"HTTP/1.1 200 X\r\ncontent-length: 100\r\n\r\n{\"object\":"),
    };
    let _the_client_may_be_gone = written;
}

fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?);
    let path = path.strip_prefix("/repos/be-civic/corpus").unwrap_or(path).to_owned();
    let (mut length, mut bearer) = (0, String::new());
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(": ")?;
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().ok()?,
            "authorization" => bearer = value.strip_prefix("Bearer ")?.to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Asked { method, path, bearer, body: serde_json::from_slice(&body).unwrap_or(Value::Null) })
}

/// A private key of an App, made once.
pub fn key() -> &'static Path {
    static KEY: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, file) = KEY.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("app.pem");
        let script = "const {generateKeyPairSync} = require('crypto'); \
            const type = 'pkcs1', format = 'pem'; \
            const pair = generateKeyPairSync('rsa', {modulusLength: 2048, \
                publicKeyEncoding: {type, format}, privateKeyEncoding: {type, format}}); \
            process.stdout.write(pair.privateKey)";
        let made = Command::new("node").args(["-e", script]).output().expect("node runs");
        std::fs::write(&file, made.stdout).expect("written");
        (folder, file)
    });
    file
}
