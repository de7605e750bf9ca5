//! Lines of standard input and output, before the library sees them: it passes over what is no message without a word, and whoever wrote
//! that would wait for an answer.
//!
//! 1. A line that is too long or is not JSON is answered with JSON-RPC's error of parsing, one that is JSON and no message with its
//!    error of a bad request, with its id where it has one. Empty lines are nothing.
//! 2. Every other line goes on to the library; what the library says is written line by line between those answers.

use super::proxy::{LONGEST, PARSE_ERROR, TOO_LONG, failed};
use serde_json::Value;
use std::sync::Arc;
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, duplex,
};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

/// JSON-RPC's own number.
const INVALID_REQUEST: i32 = -32_600;

/// So much waits between the library and the line.
const WAITING: usize = 64 << 10;

/// The ends for the library, and the task that writes what it says.
pub struct Lines {
    /// What it reads.
    pub input: DuplexStream,
    /// What it writes.
    pub output: DuplexStream,
    /// Ends when everything is written.
    pub written: JoinHandle<()>,
}

/// Stands between a line and the library.
pub fn guarded<R, W>(from: R, to: W) -> Lines
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let to = Arc::new(Mutex::new(to));
    let (passed, input) = duplex(WAITING);
    let (output, said) = duplex(WAITING);
    // Either end may be gone: then there is nobody to tell.
    let reading = Arc::clone(&to);
    tokio::spawn(async move { drop(read(BufReader::new(from), passed, &reading).await) });
    let written = tokio::spawn(async move { drop(write(BufReader::new(said), &to).await) });
    Lines { input, output, written }
}

async fn read<R, W>(mut from: BufReader<R>, mut passed: DuplexStream, to: &Mutex<W>) -> std::io::Result<()>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    loop {
        let mut line = Vec::new();
        if (&mut from).take(LONGEST).read_until(b'\n', &mut line).await? == 0 {
            return Ok(());
        }
        let ends = line.last() == Some(&b'\n');
        let refusal = if !ends && line.len() as u64 == LONGEST {
            skip_line(&mut from).await?;
            Some(failed(&Value::Null, PARSE_ERROR, TOO_LONG))
        } else if line.trim_ascii().is_empty() {
            continue;
        } else {
            refusal(&line)
        };
        match refusal {
            Some(refusal) => say(to, format!("{refusal}\n").as_bytes()).await?,
            None => {
                if !ends {
                    line.push(b'\n');
                }
                passed.write_all(&line).await?;
            }
        }
    }
}

/// Passes over the rest of a line.
async fn skip_line<R: AsyncRead + Unpin>(from: &mut BufReader<R>) -> std::io::Result<()> {
    loop {
        let waiting = from.fill_buf().await?;
        let end = waiting.iter().position(|byte| *byte == b'\n');
        let (over, done) = (end.map_or(waiting.len(), |at| at + 1), end.is_some() || waiting.is_empty());
        from.consume(over);
        if done {
            return Ok(());
        }
    }
}

async fn write<W: AsyncWrite + Unpin>(
    mut said: BufReader<DuplexStream>,
    to: &Mutex<W>,
) -> std::io::Result<()> {
    let mut line = Vec::new();
    while said.read_until(b'\n', &mut line).await? > 0 {
        say(to, &line).await?;
        line.clear();
    }
    Ok(())
}

async fn say<W: AsyncWrite + Unpin>(to: &Mutex<W>, line: &[u8]) -> std::io::Result<()> {
    let mut to = to.lock().await;
    to.write_all(line).await?;
    to.flush().await
}

/// What is answered to a line that is no message.
fn refusal(line: &[u8]) -> Option<Value> {
    let Ok(message) = serde_json::from_slice::<Value>(line) else {
        return Some(failed(&Value::Null, PARSE_ERROR, "The message is not JSON in UTF-8."));
    };
    let has = |name: &str| message.get(name).is_some();
    let asks = message.get("method").map_or(has("result") || has("error"), Value::is_string);
    let is_message = message.get("jsonrpc").is_some_and(|version| version == "2.0") && asks;
    let id = message.get("id").filter(|id| id.is_string() || id.is_number()).unwrap_or(&Value::Null);
    let about = "A line is one message of JSON-RPC 2.0: an object with `jsonrpc` and `method`.";
    (!is_message).then(|| failed(id, INVALID_REQUEST, about))
}
