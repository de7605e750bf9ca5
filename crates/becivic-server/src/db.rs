//! One SQL layer over embedded SQLite and PostgreSQL.
//!
//! 1. SQL is written once, with parameters `$1, $2, …` that first appear in that order, and with the types both engines
//!    share: TEXT, BIGINT (times in milliseconds), BYTES.
//! 2. A piece of work is a closure over a [`Tx`]. [`Db::write`] runs it in a transaction and answers once that is
//!    durable; [`Db::read`] runs it on a snapshot. A closure that fails leaves nothing behind; it may be run again.
//! 3. SQLite has one writer thread: whatever waits when it begins shares one transaction, each piece in a savepoint, and
//!    so one `fsync` (`db/sqlite.rs`). Readers run where they are asked.
//! 4. PostgreSQL has a pool of connections, one thread each (`db/postgres.rs`).
//!
//! The tables are in `db/migrations/`; every query stands in the file of its table and nowhere else.

pub mod activity;
pub mod audit;
pub mod catalogue;
pub mod concerns;
pub mod contributors;
pub mod corpus_commits;
pub mod desk;
pub mod facts;
pub mod feedback;
pub mod flags;
pub mod jobs;
pub mod ledger;
pub mod limits;
pub mod log_entries;
pub mod merges;
mod migrations;
pub mod others;
mod postgres;
pub mod probes;
pub mod proposals;
pub mod pulls;
pub mod retraction;
pub mod review_items;
pub mod salts;
pub mod source_tallies;
mod sqlite;
pub mod staged;
pub mod standings;
mod statements;
pub mod tokens;
pub mod transitions;
pub mod uids;
pub mod votes;

pub use migrations::LATEST;
pub use statements::STATEMENTS;

use crate::secrets::Supply;
use std::path::Path;
use std::sync::{Mutex, mpsc};
use tokio::sync::oneshot;

/// Why a piece of work did not happen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DbError {
    /// The database cannot be reached or does not answer.
    #[error("the database is not available")]
    Unavailable,
    /// A unique key is taken.
    #[error("a row with this key exists")]
    Taken,
    /// Two transactions collided; the same work may succeed when it is run again.
    #[error("the transaction collided with another")]
    Collision,
    /// The statement or what came back is wrong: a defect of ours. The text holds no values.
    #[error("{0}")]
    Defect(String),
}

/// What a statement takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Param<'a> {
    /// NULL
    Null,
    /// BIGINT
    Int(i64),
    /// TEXT
    Text(&'a str),
    /// BYTES
    Bytes(&'a [u8]),
}

impl From<i64> for Param<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl<'a> From<&'a str> for Param<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<&'a String> for Param<'a> {
    fn from(value: &'a String) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<&'a [u8]> for Param<'a> {
    fn from(value: &'a [u8]) -> Self {
        Self::Bytes(value)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Param<'a> {
    fn from(value: &'a [u8; N]) -> Self {
        Self::Bytes(value)
    }
}

impl<'a> From<&'a Vec<u8>> for Param<'a> {
    fn from(value: &'a Vec<u8>) -> Self {
        Self::Bytes(value)
    }
}

impl<'a, T: Into<Param<'a>>> From<Option<T>> for Param<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// What a column holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// NULL
    Null,
    /// BIGINT
    Int(i64),
    /// TEXT
    Text(String),
    /// BYTES
    Bytes(Vec<u8>),
}

/// One row, by position.
#[derive(Clone, Debug, PartialEq)]
pub struct Row(pub Vec<Value>);

impl Row {
    /// The number in a column.
    pub fn int(&self, at: usize) -> Result<i64, DbError> {
        self.maybe_int(at)?.ok_or_else(|| mistyped(at))
    }

    /// The number in a column that may be NULL.
    pub fn maybe_int(&self, at: usize) -> Result<Option<i64>, DbError> {
        match self.0.get(at) {
            Some(Value::Int(value)) => Ok(Some(*value)),
            Some(Value::Null) => Ok(None),
            Some(Value::Text(_) | Value::Bytes(_)) | None => Err(mistyped(at)),
        }
    }

    /// The text in a column.
    pub fn text(&self, at: usize) -> Result<String, DbError> {
        self.maybe_text(at)?.ok_or_else(|| mistyped(at))
    }

    /// The text in a column that may be NULL.
    pub fn maybe_text(&self, at: usize) -> Result<Option<String>, DbError> {
        match self.0.get(at) {
            Some(Value::Text(value)) => Ok(Some(value.clone())),
            Some(Value::Null) => Ok(None),
            Some(Value::Int(_) | Value::Bytes(_)) | None => Err(mistyped(at)),
        }
    }

    /// The bytes in a column.
    pub fn bytes(&self, at: usize) -> Result<Vec<u8>, DbError> {
        self.maybe_bytes(at)?.ok_or_else(|| mistyped(at))
    }

    /// The bytes in a column that may be NULL.
    pub fn maybe_bytes(&self, at: usize) -> Result<Option<Vec<u8>>, DbError> {
        match self.0.get(at) {
            Some(Value::Bytes(value)) => Ok(Some(value.clone())),
            Some(Value::Null) => Ok(None),
            Some(Value::Int(_) | Value::Text(_)) | None => Err(mistyped(at)),
        }
    }
}

fn mistyped(at: usize) -> DbError {
    DbError::Defect(format!("column {at} is not of the type asked for"))
}

/// A transaction, or a snapshot for reading.
pub trait Tx {
    /// Runs a statement and gives back its rows.
    fn query(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<Vec<Row>, DbError>;

    /// Runs a statement and says how many rows it changed.
    fn execute(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<u64, DbError>;

    /// The first row, if there is one.
    fn first(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<Option<Row>, DbError> {
        Ok(self.query(sql, params)?.into_iter().next())
    }

    /// Whether no other transaction writes as long as this one is open: what it has read is still so when it writes.
    fn writes_alone(&self) -> bool;

    /// What this transaction keeps for itself until it ends.
    fn kept(&mut self) -> &mut Kept;

    /// How the engine would run a statement, in its own words.
    fn explain(&mut self, sql: &str) -> Result<String, DbError>;
}

/// What a transaction need not ask for again; forgotten when it ends, and when a part of it is taken back.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// The transparency log, once this transaction has appended to it: nobody else can since.
    pub log: Option<log_entries::Growing>,
    /// What its next digests are made with.
    pub nonces: Supply,
}

/// Work waiting for a transaction, its type of answer forgotten.
trait Work: Send {
    /// Whether it leaves everything as it is.
    fn only_reads(&self) -> bool;
    fn run(&mut self, tx: &mut dyn Tx) -> Result<(), DbError>;
    fn answer(self: Box<Self>, ended: Result<(), DbError>);
}

/// Where work waits; empty once the database is closed.
type Queue = Mutex<Option<mpsc::Sender<Box<dyn Work>>>>;

/// What becomes of a piece of work, and the work itself: what it holds is let go where it came from, not by those who run everybody's.
type Done<T, F> = (Result<T, DbError>, F);

/// What was made; nothing is when those who run it have stopped.
fn made<T, F>(done: Result<Done<T, F>, oneshot::error::RecvError>) -> Result<T, DbError> {
    done.map_or(Err(DbError::Unavailable), |(made, _)| made)
}

struct Typed<T, F> {
    only_reads: bool,
    work: F,
    made: Option<T>,
    reply: oneshot::Sender<Done<T, F>>,
}

impl<T: Send, F: FnMut(&mut dyn Tx) -> Result<T, DbError> + Send> Work for Typed<T, F> {
    fn only_reads(&self) -> bool {
        self.only_reads
    }

    fn run(&mut self, tx: &mut dyn Tx) -> Result<(), DbError> {
        self.made = Some((self.work)(tx)?);
        Ok(())
    }

    fn answer(self: Box<Self>, ended: Result<(), DbError>) {
        let Self { made, reply, work, .. } = *self;
        let unmade = || DbError::Defect("the work was not run".to_owned());
        let _gone_is_fine = reply.send((ended.and_then(|()| made.ok_or_else(unmade)), work));
    }
}

/// A database.
#[derive(Clone)]
pub enum Db {
    /// Embedded.
    Sqlite(sqlite::Sqlite),
    /// A server shared by several processes.
    Postgres(postgres::Postgres),
}

impl Db {
    /// Opens `sqlite://FILE` (the fleeting tables lie beside it) or `postgres://…`, and migrates it.
    pub fn open(url: &str, connections: usize) -> anyhow::Result<Self> {
        Self::open_as(url, connections, LATEST)
    }

    /// The same, as an earlier program would have left it: what later migrations make of its rows can be tried.
    pub fn open_as(url: &str, connections: usize, version: (usize, usize)) -> anyhow::Result<Self> {
        if let Some(file) = url.strip_prefix("sqlite://") {
            return Ok(Self::Sqlite(sqlite::Sqlite::open(Path::new(file), version)?));
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return Ok(Self::Postgres(postgres::Postgres::open(url, connections, version)?));
        }
        anyhow::bail!("a database is named as sqlite://FILE or postgres://USER@HOST/NAME")
    }

    /// For whoever reads everything once, and should not fill the memory with it.
    pub fn read_through(&self) {
        match self {
            Self::Sqlite(it) => it.read_through(),
            Self::Postgres(_) => {}
        }
    }

    /// Runs work in a transaction; answers once it is durable.
    pub async fn write<T, F>(&self, work: F) -> Result<T, DbError>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, DbError> + Send + 'static,
    {
        made(self.queue(work, false)?.await)
    }

    /// Runs work that only reads.
    pub async fn read<T, F>(&self, mut work: F) -> Result<T, DbError>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, DbError> + Send + 'static,
    {
        match self {
            Self::Sqlite(db) => db.read(&mut work),
            Self::Postgres(_) => made(self.queue(work, true)?.await),
        }
    }

    /// [`Db::write`] for callers that have no runtime: commands and start-up.
    pub fn write_now<T, F>(&self, work: F) -> Result<T, DbError>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, DbError> + Send + 'static,
    {
        made(self.queue(work, false)?.blocking_recv())
    }

    /// [`Db::read`] for callers that have no runtime. It leaves SQLite's writer alone, which cleans up when it is idle.
    pub fn read_now<T, F>(&self, mut work: F) -> Result<T, DbError>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, DbError> + Send + 'static,
    {
        match self {
            Self::Sqlite(db) => db.read(&mut work),
            Self::Postgres(_) => made(self.queue(work, true)?.blocking_recv()),
        }
    }

    fn queue<T, F>(&self, work: F, only_reads: bool) -> Result<oneshot::Receiver<Done<T, F>>, DbError>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, DbError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let work: Box<dyn Work> = Box::new(Typed { only_reads, work, made: None, reply });
        match self {
            Self::Sqlite(db) => db.queue(work)?,
            Self::Postgres(db) => db.queue(work)?,
        }
        Ok(answer)
    }

    /// Whether several processes use it, each with a repository of its own.
    pub fn is_shared(&self) -> bool {
        matches!(self, Self::Postgres(_))
    }

    /// Drives what was erased, and the order in which rows came, out of the files. SQLite's writer does so by itself.
    pub fn renew(&self) -> Result<(), DbError> {
        match self {
            Self::Sqlite(_) => Ok(()),
            Self::Postgres(db) => db.renew(),
        }
    }

    /// Closes the database and drives what was erased out of its files, whatever their size. Nobody else may use it.
    pub fn close_renewed(&self, url: &str) -> anyhow::Result<()> {
        match self {
            Self::Sqlite(db) => {
                db.close();
                sqlite::renew_closed(Path::new(url.strip_prefix("sqlite://").unwrap_or(url)))
            }
            Self::Postgres(db) => {
                db.renew_whole(retraction::RENEWED)?;
                db.close();
                Ok(())
            }
        }
    }

    /// Finishes what was queued, writes everything back into the database's own files, and closes it.
    pub fn close(&self) {
        match self {
            Self::Sqlite(db) => db.close(),
            Self::Postgres(db) => db.close(),
        }
    }
}

/// Runs one piece of work, with all that it wrote, so that a defect in it ends that piece only.
fn guarded(work: &mut dyn Work, tx: &mut dyn Tx) -> Result<(), DbError> {
    let run = std::panic::AssertUnwindSafe(|| work.run(tx).and_then(|()| log_entries::settle(tx)));
    std::panic::catch_unwind(run).unwrap_or_else(|_| Err(DbError::Defect("the work panicked".to_owned())))
}

/// Whether `$1, $2, …` first appear in that order, which both engines then number alike.
fn numbered_in_order(sql: &str) -> bool {
    let mut highest = 0;
    for part in sql.split('$').skip(1) {
        let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
        match digits.parse::<usize>() {
            Ok(number) if number == highest + 1 => highest = number,
            Ok(number) if (1..=highest).contains(&number) => {}
            Ok(_) | Err(_) => return false,
        }
    }
    true
}
