//! PostgreSQL: a pool of connections, one thread each, that take work from one queue.
//!
//! Each piece of work is a transaction of its own (READ COMMITTED, with row locks where a count is guarded); the server
//! itself groups commits. A collision is tried again a few times, a broken connection is opened again.
//!
//! A deleted row stays in its page, and the order in which rows came shows in where they lie and in the number of the
//! transaction that wrote them. So tables that are not too large are written anew ([`Postgres::renew`]): without what was
//! erased, and those of single verdicts and events by their random keys, as if one transaction had written them all.

use super::{DbError, Kept, Param, Queue, Row, Tx, Value, Work, guarded, migrations, numbered_in_order};
use anyhow::Context;
use postgres::error::SqlState;
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, Config, GenericClient, NoTls, Statement};
use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;

/// How often work that collided is run before the caller is told.
const ATTEMPTS: usize = 5;

/// Tables whose rows must not say in which order they came; each has a random key and a `day`.
const SHUFFLED: &[&str] = &["validations", "analytics_events", "ledger", "ratings", "feedback_channel"];

/// Tables from which rows are erased.
const ERASED: &[&str] = &[
    "staged",
    "held",
    "concerns",
    "artefact_contributors",
    "sanction_tickets",
    "sanctions",
    "day_salts",
    "rates",
    "submission_salts",
    "ledger_salts",
    "contributor_salts",
    "vote_salts",
    "sanction_salts",
];

/// Larger tables are not written anew: they would be locked for too long.
const LARGEST_RENEWED: i64 = 64 << 20;

/// Any number will do, as long as every process uses the same.
const RENEWAL_LOCK: i64 = 0x0062_6563_6976_6964;

/// A pool of connections.
#[derive(Clone)]
pub struct Postgres {
    config: Arc<Config>,
    queue: Arc<Queue>,
    threads: Arc<Mutex<Vec<JoinHandle<()>>>>,
}

impl Postgres {
    /// Connects, migrates, and starts the pool.
    pub fn open(url: &str, connections: usize, version: (usize, usize)) -> anyhow::Result<Self> {
        let config: Arc<Config> = Arc::new(url.parse().context("the database URL cannot be read")?);
        let mut first = config.connect(NoTls).context("cannot reach PostgreSQL")?;
        migrations::postgres(&mut first, version)?;
        drop(first);
        let (queue, waiting) = mpsc::channel::<Box<dyn Work>>();
        let waiting = Arc::new(Mutex::new(waiting));
        let mut threads = Vec::new();
        for number in 0..connections.max(1) {
            let (config, waiting) = (Arc::clone(&config), Arc::clone(&waiting));
            let thread = std::thread::Builder::new().name(format!("postgres-{number}"));
            threads.push(thread.spawn(move || work_off(&config, &waiting))?);
        }
        let (queue, threads) = (Arc::new(Mutex::new(Some(queue))), Arc::new(Mutex::new(threads)));
        Ok(Self { config, queue, threads })
    }

    /// Hands work to the pool.
    pub(super) fn queue(&self, work: Box<dyn Work>) -> Result<(), DbError> {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.as_ref().ok_or(DbError::Unavailable)?.send(work).map_err(|_| DbError::Unavailable)
    }

    /// Writes tables anew, one process at a time; a table that others keep busy waits for the next time.
    pub fn renew(&self) -> Result<(), DbError> {
        let mut client = self.config.connect(NoTls).map_err(|_| DbError::Unavailable)?;
        let settings = "SET lock_timeout = '1s'; SET statement_timeout = '60s'";
        client.batch_execute(settings).map_err(|error| say(&error))?;
        let alone = client.query_one("SELECT pg_try_advisory_lock($1)", &[&RENEWAL_LOCK]);
        if !alone.map_err(|error| say(&error))?.get::<_, bool>(0) {
            return Ok(());
        }
        for table in SHUFFLED.iter().chain(ERASED) {
            let size = client.query_one("SELECT pg_total_relation_size($1::text::regclass)", &[table]);
            let size: i64 = size.map_err(|error| say(&error))?.get(0);
            if size > LARGEST_RENEWED {
                continue;
            }
            let steps = match SHUFFLED.contains(table) {
                true => vec![
                    format!("UPDATE {table} SET day = day"),
                    format!("CLUSTER {table} USING {table}_pkey"),
                ],
                false => vec![format!("VACUUM (FULL) {table}")],
            };
            for step in steps {
                let _busy_waits_for_the_next_time = client.batch_execute(&step);
            }
        }
        Ok(())
    }

    /// Writes tables anew, whatever their size, and waits for whoever keeps them busy.
    pub fn renew_whole(&self, tables: &[&str]) -> Result<(), DbError> {
        let mut client = self.config.connect(NoTls).map_err(|_| DbError::Unavailable)?;
        for table in tables {
            client.batch_execute(&format!("VACUUM (FULL) {table}")).map_err(|error| say(&error))?;
        }
        client.batch_execute("CHECKPOINT").or(Ok(())) // not everybody may; the server does it in its own time
    }

    /// Lets the pool finish its queue.
    pub fn close(&self) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).take();
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            let _panicked_already_reported = thread.join();
        }
    }
}

fn work_off(config: &Config, waiting: &Mutex<mpsc::Receiver<Box<dyn Work>>>) {
    let mut connection: Option<Connection> = None;
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(mut work) = next else { return };
        let mut ended = Err(DbError::Unavailable);
        for _ in 0..ATTEMPTS {
            if connection.as_ref().is_none_or(|it| it.client.is_closed()) {
                connection = Connection::open(config);
            }
            ended = match &mut connection {
                None => Err(DbError::Unavailable),
                Some(connection) => connection.run(work.as_mut()),
            };
            if matches!(ended, Err(DbError::Collision))
                && connection.as_ref().is_some_and(|it| it.client.is_closed())
            {
                connection = None;
            }
            // Work that may have been committed when the connection broke is not run again blindly: its caller asks.
            if !matches!(ended, Err(DbError::Collision)) {
                break;
            }
        }
        work.answer(ended);
    }
}

struct Connection {
    client: Client,
    statements: HashMap<&'static str, Statement>,
}

impl Connection {
    fn open(config: &Config) -> Option<Self> {
        let mut client = config.connect(NoTls).ok()?;
        client.batch_execute("SET lock_timeout = '5s'; SET statement_timeout = '20s'").ok()?;
        Some(Self { client, statements: HashMap::new() })
    }

    /// What only reads may simply be run again, on a new connection.
    fn again(&self, error: DbError) -> DbError {
        if self.client.is_closed() { DbError::Collision } else { error }
    }

    fn run(&mut self, work: &mut dyn Work) -> Result<(), DbError> {
        if work.only_reads() {
            // Each statement sees what is committed when it begins, in a transaction or not: two round trips are saved.
            let mut tx = PostgresTx::on(&mut self.client, &mut self.statements);
            let read = guarded(work, &mut tx);
            return read.map_err(|error| self.again(error));
        }
        // Nothing was done yet: a connection that broke while it was idle is opened again, and the work run on it.
        let begun = self.client.transaction().map_err(|error| say(&error));
        let mut transaction = match begun {
            Ok(transaction) => transaction,
            Err(_) => return Err(DbError::Collision),
        };
        let mut tx = PostgresTx::on(&mut transaction, &mut self.statements);
        match guarded(work, &mut tx) {
            Ok(()) => transaction.commit().map_err(|error| say(&error)),
            Err(error) => {
                let _closed_is_fine = transaction.rollback();
                if matches!(error, DbError::Defect(_)) {
                    self.statements.clear(); // a plan may be older than the tables
                }
                Err(error)
            }
        }
    }
}

struct PostgresTx<'a, C> {
    on: &'a mut C,
    statements: &'a mut HashMap<&'static str, Statement>,
    kept: Kept,
}

impl<'a, C: GenericClient> PostgresTx<'a, C> {
    fn on(on: &'a mut C, statements: &'a mut HashMap<&'static str, Statement>) -> Self {
        Self { on, statements, kept: Kept::default() }
    }

    fn statement(&mut self, sql: &'static str) -> Result<Statement, DbError> {
        debug_assert!(numbered_in_order(sql), "{sql}");
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.on.prepare(sql).map_err(|error| say(&error))?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }
}

impl<C: GenericClient> Tx for PostgresTx<'_, C> {
    fn query(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<Vec<Row>, DbError> {
        let statement = self.statement(sql)?;
        let params: Vec<&(dyn ToSql + Sync)> =
            params.iter().map(|param| param as &(dyn ToSql + Sync)).collect();
        let rows = self.on.query(&statement, &params).map_err(|error| say(&error))?;
        rows.iter().map(row).collect()
    }

    fn execute(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<u64, DbError> {
        let statement = self.statement(sql)?;
        let params: Vec<&(dyn ToSql + Sync)> =
            params.iter().map(|param| param as &(dyn ToSql + Sync)).collect();
        self.on.execute(&statement, &params).map_err(|error| say(&error))
    }

    fn writes_alone(&self) -> bool {
        false
    }

    fn kept(&mut self) -> &mut Kept {
        &mut self.kept
    }

    fn explain(&mut self, sql: &str) -> Result<String, DbError> {
        let statement = self.on.prepare(sql).map_err(|error| say(&error))?;
        let nulls: Vec<&str> = statement.params().iter().map(|_| "NULL").collect();
        let arguments = if nulls.is_empty() { String::new() } else { format!("({})", nulls.join(", ")) };
        let script = format!(
            "SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_generic_plan;
             DEALLOCATE ALL; PREPARE asked AS {sql}"
        );
        self.statements.clear();
        self.on.batch_execute(&script).map_err(|error| say(&error))?;
        let rows = self
            .on
            .simple_query(&format!("EXPLAIN EXECUTE asked{arguments}"))
            .map_err(|error| say(&error))?;
        let mut plan = String::new();
        for message in rows {
            if let postgres::SimpleQueryMessage::Row(row) = message {
                plan.push_str(row.get(0).unwrap_or_default());
                plan.push('\n');
            }
        }
        Ok(plan)
    }
}

fn row(row: &postgres::Row) -> Result<Row, DbError> {
    let values = row.columns().iter().enumerate().map(|(at, column)| {
        let ty = column.type_();
        let value = if *ty == Type::INT8 {
            row.try_get::<_, Option<i64>>(at).map(|it| it.map(Value::Int))
        } else if *ty == Type::INT4 {
            row.try_get::<_, Option<i32>>(at).map(|it| it.map(|number| Value::Int(number.into())))
        } else if *ty == Type::BOOL {
            row.try_get::<_, Option<bool>>(at).map(|it| it.map(|flag| Value::Int(flag.into())))
        } else if *ty == Type::BYTEA {
            row.try_get::<_, Option<Vec<u8>>>(at).map(|it| it.map(Value::Bytes))
        } else {
            row.try_get::<_, Option<String>>(at).map(|it| it.map(Value::Text))
        };
        value.map(|it| it.unwrap_or(Value::Null)).map_err(|_| {
            DbError::Defect(format!("column {} is of a type the layer does not know", column.name()))
        })
    });
    Ok(Row(values.collect::<Result<_, _>>()?))
}

impl ToSql for Param<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut postgres::types::private::BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(value) if *ty == Type::INT4 => i32::try_from(*value)?.to_sql(ty, out),
            Self::Int(value) => value.to_sql(ty, out),
            Self::Text(value) => value.to_sql(ty, out),
            Self::Bytes(value) => value.to_sql(ty, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// What the server says may hold values; its code does not.
fn say(error: &postgres::Error) -> DbError {
    let Some(code) = error.code() else {
        return if error.is_closed() {
            DbError::Unavailable
        } else {
            DbError::Defect("the database did not answer as expected".to_owned())
        };
    };
    if *code == SqlState::UNIQUE_VIOLATION {
        DbError::Taken
    } else if *code == SqlState::T_R_SERIALIZATION_FAILURE || *code == SqlState::T_R_DEADLOCK_DETECTED {
        DbError::Collision
    } else if *code == SqlState::ADMIN_SHUTDOWN
        || *code == SqlState::CRASH_SHUTDOWN
        || *code == SqlState::CANNOT_CONNECT_NOW
    {
        DbError::Unavailable
    } else {
        DbError::Defect(format!("a statement was refused ({})", code.code()))
    }
}
