//! A small HTTP server for one author: a thread per connection, one request each, `GET` and `HEAD`.

use super::answer::{self, Answer};
use super::watch::Watched;
use crate::Outcome;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A request line and its headers are not longer.
const LARGEST_HEAD: usize = 16 * 1024;
/// A browser opens six; more tabs than this wait.
const AT_ONCE: usize = 200;
/// How long somebody may take to ask, and to take an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often somebody who waits for a change hears that nothing happened.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// What pages may load: nothing but from here.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Answers until the process ends.
pub fn serve(listener: &TcpListener, base: &str, watched: &Arc<Watched>) -> anyhow::Result<Outcome> {
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        // One that went away before it was let in is no reason to stop.
        let Ok(stream) = stream else { continue };
        if open.fetch_add(1, Ordering::SeqCst) >= AT_ONCE {
            open.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        let (base, watched, counted) = (base.to_owned(), Arc::clone(watched), Arc::clone(&open));
        let spawned = std::thread::Builder::new().spawn(move || {
            // Whoever hangs up has nobody to be told.
            let _gone = one(stream, &base, &watched);
            counted.fetch_sub(1, Ordering::SeqCst);
        });
        if spawned.is_err() {
            open.fetch_sub(1, Ordering::SeqCst);
        }
    }
    Ok(Outcome::Fine)
}

fn one(mut stream: TcpStream, base: &str, watched: &Watched) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let head = head(&mut stream)?;
    let mut words = head.split_ascii_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let path = target.split(['?', '#']).next().unwrap_or_default();
    match (method, path) {
        ("GET", "/preview/events") => {
            let after = target.split_once("?after=").and_then(|(_, number)| number.parse().ok());
            events(&mut stream, watched, after)
        }
        ("GET" | "HEAD", path) if path.starts_with('/') => {
            let answer = answer::answer(&watched.now(), base, path);
            send(&mut stream, &answer, method == "HEAD")
        }
        _ => {
            let body = b"Only GET is answered here.\n".to_vec();
            send(&mut stream, &Answer { status: 405, media: "text/plain", body, to: None }, false)
        }
    }
}

/// The request line and the headers.
fn head(stream: &mut TcpStream) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut piece = [0; 2048];
    while !bytes.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = stream.read(&mut piece)?;
        bytes.extend(piece.iter().take(read));
        if read == 0 || bytes.len() > LARGEST_HEAD {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn send(stream: &mut TcpStream, answer: &Answer, head_only: bool) -> io::Result<()> {
    let reason = match answer.status {
        200 => "OK",
        308 => "Permanent Redirect",
        404 => "Not Found",
        405 => "Method Not Allowed",
        _ => "Answer",
    };
    let to = answer.to.as_ref().map(|to| format!("Location: {to}\r\n")).unwrap_or_default();
    let head = format!(
        "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{to}Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n",
        answer.status,
        answer.media,
        answer.body.len()
    );
    stream.write_all(head.as_bytes())?;
    if !head_only {
        stream.write_all(&answer.body)?;
    }
    stream.flush()
}

/// Word of every reading after one, until whoever listens hangs up.
fn events(stream: &mut TcpStream, watched: &Watched, after: Option<u64>) -> io::Result<()> {
    let mut number = after.unwrap_or_else(|| watched.now().number);
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n";
    stream.write_all(head.as_bytes())?;
    loop {
        let next = watched.after(number, HEARTBEAT).number;
        if next > number {
            stream.write_all(format!("event: changed\ndata: {next}\n\n").as_bytes())?;
        } else {
            stream.write_all(b": nothing new\n\n")?;
        }
        number = next.max(number);
    }
}
