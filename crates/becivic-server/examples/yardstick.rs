//! What the server is measured against; `cargo xtask bench ingest` runs it.
//!
//! - `yardstick bare FILE` answers `POST /api/concerns` with the same HTTP stack, allocator and store as the server, and
//!   does nothing but insert the row: no parsing beyond finding the id, no checks, no counting.
//! - `yardstick counted FILE` does the same, and what has to be stored with the row: whether the id was used before is asked,
//!   the salt of its sender's hash is kept, and the sender is counted. Still nothing is checked.
//! - `yardstick alone FILE` inserts the same row through the SQLite library itself, each in a transaction of its own.
//! - `yardstick page FILE` answers every `GET` with a file's bytes, from memory.
//! - `yardstick fill FILE ROWS BYTES` stages rows with payloads of so many bytes, as the server would have over the last
//!   hours, and prints up to 100,000 of their ids, evenly spread.

use anyhow::{Context, bail};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use axum::routing::post;
use becivic_server::db::staged::{self, Staged};
use becivic_server::db::{Db, DbError, Tx, limits, salts};
use becivic_server::limits::Recent;
use becivic_server::moment::{Clock, DAY, HOUR, Moment};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use sha2::{Digest as _, Sha256};
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tower::Service as _;

/// The server's own, so that the difference is what the server does.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["bare", file] => bare(file),
        ["counted", file] => counted(file),
        ["alone", file] => alone(file),
        ["page", file] => page(file),
        ["fill", file, rows, bytes] => fill(file, rows.parse()?, bytes.parse()?),
        _ => bail!("usage: yardstick bare|counted|alone|page FILE | yardstick fill FILE ROWS BYTES"),
    }
}

fn bare(file: &str) -> anyhow::Result<()> {
    let db = Db::open(&format!("sqlite://{file}"), 1)?;
    serve(Router::new().route("/api/concerns", post(insert)).with_state(db))
}

fn counted(file: &str) -> anyhow::Result<()> {
    let db = Db::open(&format!("sqlite://{file}"), 1)?;
    serve(Router::new().route("/api/concerns", post(insert_and_count)).with_state(db))
}

fn alone(file: &str) -> anyhow::Result<()> {
    // Our own layer makes the tables, and is gone before the first row.
    Db::open(&format!("sqlite://{file}"), 1)?.close();
    let connection = rusqlite::Connection::open(file)?;
    connection
        .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")?;
    let shared = Arc::new(Mutex::new(connection));
    serve(Router::new().route("/api/concerns", post(insert_alone)).with_state(shared))
}

fn page(file: &str) -> anyhow::Result<()> {
    let bytes = Bytes::from(std::fs::read(file)?);
    serve(Router::new().fallback(move || {
        let mut response = Response::new(Body::from(bytes.clone()));
        let html = HeaderValue::from_static("text/html; charset=utf-8");
        response.headers_mut().insert(header::CONTENT_TYPE, html);
        std::future::ready(response)
    }))
}

/// Serves until it is killed.
fn serve(router: Router) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        println!("http://{}", listener.local_addr()?);
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            let router = router.clone();
            let service =
                hyper::service::service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
                    let mut router = router.clone();
                    async move { router.call(request.map(Body::new)).await }
                });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(Duration::from_secs(10))
                .serve_connection(TokioIo::new(stream), service);
            tokio::spawn(connection);
        }
    })
}

async fn insert(State(db): State<Db>, body: Bytes) -> Response {
    answer(match row(&body) {
        Some(row) => {
            let id = row.id.clone();
            db.write(move |tx| staged::insert(tx, &row, None)).await.map(|new| new.then_some(id))
        }
        None => Ok(None),
    })
}

async fn insert_and_count(State(db): State<Db>, headers: HeaderMap, body: Bytes) -> Response {
    let sender = headers.get("x-forwarded-for").map_or(&b""[..], HeaderValue::as_bytes);
    // Spread as a hash is, and with no meaning.
    let sender: [u8; 32] = Sha256::digest(sender).into();
    answer(match row(&body) {
        Some(row) => {
            let id = row.id.clone();
            db.write(move |tx| store(tx, &row, &sender)).await.map(|new| new.then_some(id))
        }
        None => Ok(None),
    })
}

/// A row with what belongs to it, in the same transaction.
fn store(tx: &mut dyn Tx, row: &Staged, sender: &[u8; 32]) -> Result<bool, DbError> {
    if staged::is_used(tx, &row.id, &row.payload_digest)? {
        return Ok(false);
    }
    let day = row.received_at.day();
    let mut rate = limits::lock(tx, sender, day)?;
    let mut recent = Recent::read(&rate.recent, row.received_at);
    recent.add(row.received_at, 1);
    (rate.recent, rate.total) = (recent.write(), rate.total + 1);
    let new = staged::insert(tx, row, None)?;
    salts::keep_submission(tx, &row.id, &row.submitter_hash)?;
    limits::store(tx, sender, day, &rate)?;
    Ok(new)
}

async fn insert_alone(State(db): State<Arc<Mutex<rusqlite::Connection>>>, body: Bytes) -> Response {
    const INSERT: &str = "INSERT INTO staged (id, kind, payload, payload_digest, submitter_hash, cancel_hash, \
         received_at, commit_eta, due_at, cohort_anchor) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9) \
         ON CONFLICT (id) DO NOTHING";
    answer(match row(&body) {
        Some(row) => {
            let db = db.lock().unwrap_or_else(PoisonError::into_inner);
            let inserted = db.prepare_cached(INSERT).and_then(|mut insert| {
                insert.execute(rusqlite::params![
                    row.id,
                    row.kind,
                    row.payload,
                    row.payload_digest,
                    row.submitter_hash,
                    row.cancel_hash,
                    row.received_at.0,
                    row.commit_eta.0,
                    row.cohort_anchor
                ])
            });
            inserted.map(|changed| (changed == 1).then_some(row.id)).map_err(|_| DbError::Unavailable)
        }
        None => Ok(None),
    })
}

fn answer(answer: Result<Option<String>, DbError>) -> Response {
    let (status, text) = match answer {
        Ok(Some(id)) => (StatusCode::CREATED, format!("{{\"concern_id\":\"{id}\"}}")),
        Ok(None) => (StatusCode::BAD_REQUEST, "{}".to_owned()),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "{}".to_owned()),
    };
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// The row of a body, with hashes of the right size and no meaning.
fn row(body: &[u8]) -> Option<Staged> {
    let payload = std::str::from_utf8(body).ok()?.to_owned();
    let at = payload.find("\"con_")? + 1;
    let id = payload.get(at..at + "con_".len() + 36)?.to_owned();
    let now = Clock::System.now();
    Some(staged_row(id, payload, now))
}

fn staged_row(id: String, payload: String, received_at: Moment) -> Staged {
    let mut hash = [7; 32];
    for (slot, byte) in hash.iter_mut().zip(id.bytes().rev()) {
        *slot = byte;
    }
    Staged {
        id,
        kind: "concern",
        payload,
        payload_digest: hash,
        submitter_hash: hash,
        cancel_hash: hash,
        received_at,
        commit_eta: received_at.plus(DAY),
        cohort_anchor: Some("change-of-address@0.1.0".to_owned()),
        review: None,
        session_id: None,
    }
}

/// Rows in one transaction.
const TOGETHER: u64 = 20_000;
/// Ids printed at most.
const SHOWN: u64 = 100_000;
/// The rows came in over so long.
const SPAN: i64 = 12 * HOUR;

fn fill(file: &str, rows: u64, bytes: usize) -> anyhow::Result<()> {
    let db = Db::open(&format!("sqlite://{file}"), 1)?;
    let began = Clock::System.now().plus(-SPAN - HOUR);
    let payload: String =
        "The counter asked for the paper form as well. ".chars().cycle().take(bytes).collect();
    for first in (0..rows).step_by(usize::try_from(TOGETHER)?) {
        let (last, payload) = ((first + TOGETHER).min(rows), payload.clone());
        db.write_now(move |tx| {
            for number in first..last {
                let (id, at) = numbered(number, rows, began)?;
                salts::keep_submission(tx, &id, &[9; 32])?;
                staged::insert(tx, &staged_row(id, payload.clone(), at), None)?;
            }
            Ok(())
        })?;
    }
    db.close();
    let mut out = std::io::stdout().lock();
    for number in (0..rows).step_by(usize::try_from((rows / SHOWN).max(1))?) {
        let (id, _) = numbered(number, rows, began)?;
        writeln!(out, "{id}").context("the ids cannot be written")?;
    }
    Ok(())
}

/// The id of a row, and when it came in: version 7 UUIDs, so that later ids are greater.
fn numbered(number: u64, rows: u64, began: Moment) -> Result<(String, Moment), DbError> {
    let out_of_range = |_| DbError::Defect("too many rows".to_owned());
    let share = u128::from(number) * u128::from(SPAN.unsigned_abs()) / u128::from(rows.max(1));
    let at = began.plus(i64::try_from(share).map_err(out_of_range)?);
    let time = u64::try_from(at.0).map_err(out_of_range)?;
    // Ids of one millisecond are in no order, as from many machines.
    let random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let id = format!(
        "con_{:08x}-{:04x}-7{:03x}-8{:03x}-{:012x}",
        time >> 16,
        time & 0xffff,
        random >> 52,
        random >> 40 & 0xfff,
        number
    );
    Ok((id, at))
}
