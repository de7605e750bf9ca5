//! SQLite: one writer thread that commits in groups, readers wherever they are asked.
//!
//! Two files. The one named by the URL holds what must survive a power cut (WAL, `synchronous = FULL`: a commit is on
//! disk before it is acknowledged). The other, with `-fleeting` in its name, holds salts and counters: it is opened
//! first, so that a commit over both writes it first, it is not synced on every commit, and no backup includes it.
//! Deleted rows are overwritten (`secure_delete`), but copies that the engine left in the unused middle of a page when it
//! split or joined pages are not: so a file that is not too large is also written anew ([`renew`]), soon after the start,
//! then hourly when idle, and at the end.

use super::{DbError, Kept, Param, Queue, Row, Tx, Value, Work, guarded, migrations, numbered_in_order};
use anyhow::Context;
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

/// Most pieces of work in one transaction: few enough that the first does not wait long for the last.
const MOST_TOGETHER: usize = 256;

/// The writer checkpoints when it has been idle, so that what was deleted leaves the write-ahead log too.
const IDLE: std::time::Duration = std::time::Duration::from_secs(2);

/// How much of the durable file a reader maps at most: all of it, as far as the library was built to.
const MAPPED: u64 = 1 << 40;

/// A database of two files.
#[derive(Clone)]
pub struct Sqlite {
    shared: Arc<Shared>,
}

struct Shared {
    durable: PathBuf,
    fleeting: PathBuf,
    queue: Queue,
    writer: Mutex<Option<std::thread::JoinHandle<()>>>,
    readers: Mutex<Vec<Connection>>,
    /// Whether readers look at pages where the system keeps them.
    maps: AtomicBool,
}

impl Sqlite {
    /// Opens both files, creating them where they are missing, and migrates them.
    pub fn open(durable: &Path, version: (usize, usize)) -> anyhow::Result<Self> {
        let fleeting = fleeting_of(durable)?;
        for file in [durable, &fleeting] {
            keep_private(file).with_context(|| format!("cannot write {}", file.display()))?;
        }
        let mut writer =
            connect(durable, &fleeting).with_context(|| format!("cannot open {}", durable.display()))?;
        migrations::sqlite(&mut writer, version)?;
        let (queue, waiting) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || write_in_groups(writer, &waiting))?;
        Ok(Self {
            shared: Arc::new(Shared {
                durable: durable.to_owned(),
                fleeting,
                queue: Mutex::new(Some(queue)),
                writer: Mutex::new(Some(thread)),
                readers: Mutex::new(Vec::new()),
                maps: AtomicBool::new(true),
            }),
        })
    }

    /// Lets readers copy pages into a small cache from here on, and forget them: for whoever reads everything once.
    pub(super) fn read_through(&self) {
        self.shared.maps.store(false, Ordering::Relaxed);
        self.shared.readers.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Hands work to the writer.
    pub(super) fn queue(&self, work: Box<dyn Work>) -> Result<(), DbError> {
        let queue = self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = queue.as_ref().ok_or(DbError::Unavailable)?;
        sender.send(work).map_err(|_| DbError::Unavailable)
    }

    /// Reads here and now: a look-up by key takes microseconds.
    pub fn read<T>(&self, work: &mut dyn FnMut(&mut dyn Tx) -> Result<T, DbError>) -> Result<T, DbError> {
        let idle = self.shared.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => self.shared.reader().map_err(|error| say(&error))?,
        };
        let answer = (|| {
            let mut tx = SqliteTx::on(&connection);
            tx.execute("BEGIN", &[])?;
            let answer = work(&mut tx);
            tx.execute("COMMIT", &[])?;
            answer
        })();
        if !matches!(answer, Err(DbError::Defect(_))) {
            self.shared.readers.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        }
        answer
    }

    /// Lets the writer finish its queue and write the log back.
    pub fn close(&self) {
        self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.shared.readers.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let writer = self.shared.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer {
            let _panicked_already_reported = writer.join();
        }
    }
}

/// Where the fleeting tables lie.
fn fleeting_of(durable: &Path) -> anyhow::Result<PathBuf> {
    let name = durable.file_name().context("the database URL names no file")?.to_string_lossy();
    Ok(durable.with_file_name(match name.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem}-fleeting.{extension}"),
        None => format!("{name}-fleeting"),
    }))
}

/// Writes both files anew, whatever their size: nothing of what was erased stays in them or their logs. Nobody else may have
/// them open.
pub fn renew_closed(durable: &Path) -> anyhow::Result<()> {
    let fleeting = fleeting_of(durable)?;
    let connection = connect(durable, &fleeting)?;
    connection.execute_batch("VACUUM main; VACUUM durable")?;
    anyhow::ensure!(checkpoint(&connection), "somebody else has the database open");
    Ok(())
}

/// Makes a file that only its owner can read, where there is none; the engine's own files beside it follow suit.
fn keep_private(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    std::fs::OpenOptions::new().create(true).append(true).mode(0o600).open(file).map(drop)
}

/// A connection: fleeting tables in `main`, which commits first; durable ones attached. The pages of the fleeting tables
/// are small: counters lie in no order, so every submission writes a page for a few of its bytes.
fn connect(durable: &Path, fleeting: &Path) -> rusqlite::Result<Connection> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(fleeting, flags)?;
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    connection.set_prepared_statement_cache_capacity(128);
    // A plan depends on the statement alone. Otherwise every statement whose plan might change with a value, as beside an index of some
    // rows only, is prepared anew each time it gets one.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.execute("ATTACH DATABASE ?1 AS durable", [durable.to_string_lossy()])?;
    connection.execute_batch(
        "PRAGMA main.page_size = 1024;
         PRAGMA main.journal_mode = WAL; PRAGMA durable.journal_mode = WAL;
         PRAGMA main.synchronous = NORMAL; PRAGMA durable.synchronous = FULL;
         PRAGMA main.secure_delete = ON; PRAGMA durable.secure_delete = ON;
         PRAGMA main.wal_autocheckpoint = 4000; PRAGMA durable.wal_autocheckpoint = 4000;
         PRAGMA main.cache_size = -2000; PRAGMA durable.cache_size = -8000;
         PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;",
    )?;
    Ok(connection)
}

/// A file is written anew at most this often.
const RENEWAL: std::time::Duration = std::time::Duration::from_secs(3_600);

/// Larger files are not: it would keep the writer, and that much memory, for too long.
const LARGEST_RENEWED: i64 = 64 << 20;

impl Shared {
    /// A connection for reading: pages that are not in its cache are looked at where the system keeps them, not copied.
    fn reader(&self) -> rusqlite::Result<Connection> {
        let connection = connect(&self.durable, &self.fleeting)?;
        if self.maps.load(Ordering::Relaxed) {
            connection.execute_batch(&format!("PRAGMA durable.mmap_size = {MAPPED}"))?;
        }
        Ok(connection)
    }
}

fn write_in_groups(connection: Connection, waiting: &mpsc::Receiver<Box<dyn Work>>) {
    // Whether the logs are empty, and whether the files hold only what they should.
    let (mut clean, mut pure) = (true, true);
    let mut renewed: Option<std::time::Instant> = None;
    loop {
        let first = match waiting.recv_timeout(IDLE) {
            Ok(work) => work,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                if !pure && renewed.is_none_or(|at| at.elapsed() > RENEWAL) {
                    renew(&connection);
                    renewed = Some(std::time::Instant::now());
                    (clean, pure) = (false, true);
                }
                if !clean {
                    clean = checkpoint(&connection);
                }
                continue;
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        };
        (clean, pure) = (false, false);
        let mut group = vec![first];
        while group.len() < MOST_TOGETHER {
            match waiting.try_recv() {
                Ok(work) => group.push(work),
                Err(_) => break,
            }
        }
        commit_together(&connection, group);
    }
    if !pure {
        renew(&connection);
    }
    checkpoint(&connection);
}

/// Writes both files anew, where they are not too large: what was erased leaves the unused places of their pages too.
fn renew(connection: &Connection) {
    for schema in ["main", "durable"] {
        let size = format!(
            "SELECT page_count * page_size FROM pragma_page_count('{schema}'), pragma_page_size('{schema}')"
        );
        let size = connection.query_row(&size, [], |row| row.get::<_, i64>(0));
        if size.is_ok_and(|size| size <= LARGEST_RENEWED) {
            // Somebody else may be looking at the file; there is another time.
            let _busy_is_fine = connection.execute_batch(&format!("VACUUM {schema}"));
        }
    }
}

/// Writes the logs back and empties them: nothing erased stays in them.
fn checkpoint(connection: &Connection) -> bool {
    let done = |schema: &str| {
        let pragma = format!("PRAGMA {schema}.wal_checkpoint(TRUNCATE)");
        connection.query_row(&pragma, [], |row| row.get::<_, i64>(0)).is_ok_and(|busy| busy == 0)
    };
    let (fleeting, durable) = (done("main"), done("durable"));
    fleeting && durable
}

/// Commits a group. A savepoint is two more statements for every piece, and copies of the pages it changes; it is needed
/// only where a piece fails, which is rare: the group is run without, and once more with them when one did fail.
fn commit_together(connection: &Connection, mut group: Vec<Box<dyn Work>>) {
    let mut tx = SqliteTx::on(connection);
    let whole =
        in_transaction(&mut tx, |tx| group.iter_mut().try_for_each(|work| guarded(work.as_mut(), tx)));
    if whole.is_ok() || group.len() == 1 {
        group.into_iter().for_each(|work| work.answer(whole.clone()));
        return;
    }
    let mut ends: Vec<Result<(), DbError>> = Vec::with_capacity(group.len());
    let committed = in_transaction(&mut tx, |tx| {
        ends.extend(group.iter_mut().map(|work| in_savepoint(tx, work.as_mut())));
        Ok(())
    });
    ends.resize(group.len(), Ok(()));
    for (work, ended) in group.into_iter().zip(ends) {
        work.answer(committed.clone().and(ended));
    }
}

fn in_transaction(
    tx: &mut SqliteTx<'_>,
    work: impl FnOnce(&mut SqliteTx<'_>) -> Result<(), DbError>,
) -> Result<(), DbError> {
    tx.execute("BEGIN IMMEDIATE", &[])?;
    let ended = work(tx).and_then(|()| tx.execute("COMMIT", &[]).map(drop));
    if ended.is_err() {
        let _nothing_more_to_do = tx.execute("ROLLBACK", &[]);
    }
    tx.kept = Kept::default();
    ended
}

fn in_savepoint(tx: &mut SqliteTx<'_>, work: &mut dyn Work) -> Result<(), DbError> {
    tx.execute("SAVEPOINT piece", &[])?;
    match guarded(work, tx) {
        Ok(()) => tx.execute("RELEASE piece", &[]).map(drop),
        Err(error) => {
            tx.kept = Kept::default();
            tx.execute("ROLLBACK TO piece", &[])?;
            tx.execute("RELEASE piece", &[])?;
            Err(error)
        }
    }
}

struct SqliteTx<'a> {
    on: &'a Connection,
    kept: Kept,
}

impl<'a> SqliteTx<'a> {
    fn on(connection: &'a Connection) -> Self {
        Self { on: connection, kept: Kept::default() }
    }
}

impl Tx for SqliteTx<'_> {
    fn query(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<Vec<Row>, DbError> {
        debug_assert!(numbered_in_order(sql), "{sql}");
        let mut statement = self.on.prepare_cached(sql).map_err(|error| say(&error))?;
        let columns = statement.column_count();
        let mut rows = statement.query(rusqlite::params_from_iter(params)).map_err(|error| say(&error))?;
        let mut read = Vec::new();
        while let Some(row) = rows.next().map_err(|error| say(&error))? {
            let values = (0..columns).map(|at| value(row.get_ref(at).map_err(|error| say(&error))?));
            read.push(Row(values.collect::<Result<_, _>>()?));
        }
        Ok(read)
    }

    fn execute(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<u64, DbError> {
        debug_assert!(numbered_in_order(sql), "{sql}");
        let mut statement = self.on.prepare_cached(sql).map_err(|error| say(&error))?;
        let changed = statement.execute(rusqlite::params_from_iter(params)).map_err(|error| say(&error))?;
        Ok(changed as u64)
    }

    fn writes_alone(&self) -> bool {
        true // there is one writer, and its transactions begin IMMEDIATE
    }

    fn kept(&mut self) -> &mut Kept {
        &mut self.kept
    }

    fn explain(&mut self, sql: &str) -> Result<String, DbError> {
        let mut statement =
            self.on.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).map_err(|error| say(&error))?;
        let count = statement.parameter_count();
        let nothing = vec![Param::Null; count];
        let mut rows = statement.query(rusqlite::params_from_iter(&nothing)).map_err(|error| say(&error))?;
        let mut plan = String::new();
        while let Some(row) = rows.next().map_err(|error| say(&error))? {
            let line: String = row.get(3).map_err(|error| say(&error))?;
            plan.push_str(&line);
            plan.push('\n');
        }
        Ok(plan)
    }
}

impl ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(value) => ValueRef::Integer(*value),
            Self::Text(value) => ValueRef::Text(value.as_bytes()),
            Self::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}

fn value(value: ValueRef<'_>) -> Result<Value, DbError> {
    Ok(match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
        ValueRef::Real(_) => return Err(DbError::Defect("a column holds a fraction".to_owned())),
    })
}

/// The engine's own words name tables and columns, never values.
fn say(error: &rusqlite::Error) -> DbError {
    match error.sqlite_error_code() {
        Some(ErrorCode::ConstraintViolation) => DbError::Taken,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => DbError::Collision,
        Some(
            ErrorCode::DiskFull | ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::SystemIoFailure,
        ) => DbError::Unavailable,
        Some(_) | None => DbError::Defect(error.to_string()),
    }
}
