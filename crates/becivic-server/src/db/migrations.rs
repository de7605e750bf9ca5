//! The tables, made and changed forward only.
//!
//! 1. Each half of the database (durable, fleeting) has its own numbered files and its own note of the last one run.
//! 2. `durable.` and `fleeting.` before a name, `BYTES` and `KEYED` are what the two engines spell differently.
//! 3. What only one engine understands, triggers for instance, stands in a file of its own beside the common one and runs
//!    right after it (`durable_0002.sqlite.sql`).
//! 4. A file runs in one transaction with its note; several processes starting on one PostgreSQL wait for each other.
//! 5. A database newer than this program is refused: it is never migrated back.

use anyhow::{Context, ensure};
use rusqlite::Connection;

const DURABLE: &[&str] = &[
    include_str!("migrations/durable_0001.sql"),
    include_str!("migrations/durable_0002.sql"),
    include_str!("migrations/durable_0003.sql"),
    include_str!("migrations/durable_0004.sql"),
    include_str!("migrations/durable_0005.sql"),
    include_str!("migrations/durable_0006.sql"),
    include_str!("migrations/durable_0007.sql"),
    include_str!("migrations/durable_0008.sql"),
    include_str!("migrations/durable_0009.sql"),
];
const FLEETING: &[&str] =
    &[include_str!("migrations/fleeting_0001.sql"), include_str!("migrations/fleeting_0002.sql")];

/// What follows a durable file, by its number.
const AFTER_ON_SQLITE: &[(usize, &str)] = &[
    (2, include_str!("migrations/durable_0002.sqlite.sql")),
    (3, include_str!("migrations/durable_0003.sqlite.sql")),
    (7, include_str!("migrations/durable_0007.sqlite.sql")),
    (8, include_str!("migrations/durable_0008.sqlite.sql")),
    (9, include_str!("migrations/durable_0009.sqlite.sql")),
];
const AFTER_ON_POSTGRES: &[(usize, &str)] = &[
    (2, include_str!("migrations/durable_0002.postgres.sql")),
    (3, include_str!("migrations/durable_0003.postgres.sql")),
    (8, include_str!("migrations/durable_0008.postgres.sql")),
    (9, include_str!("migrations/durable_0009.postgres.sql")),
];

fn after(list: &[(usize, &'static str)], half: &str, number: usize) -> &'static str {
    let found = list.iter().find(|(of, _)| half == "durable" && *of == number);
    found.map_or("", |(_, text)| text)
}

/// The newest version of each half: durable, fleeting.
pub const LATEST: (usize, usize) = (DURABLE.len(), FLEETING.len());

/// Any number will do, as long as every process uses the same.
const ADVISORY_LOCK: i64 = 0x0062_6563_6976_6963;

/// Brings a SQLite database to a version of each half.
pub fn sqlite(connection: &mut Connection, to: (usize, usize)) -> anyhow::Result<()> {
    for (schema, files, to) in [("durable", DURABLE, to.0), ("main", FLEETING, to.1)] {
        let noted: i64 =
            connection.query_row(&format!("PRAGMA {schema}.user_version"), [], |row| row.get(0))?;
        let version = usize::try_from(noted)?;
        refuse_newer(version, files.len())?;
        for (number, text) in files.iter().enumerate().take(to).skip(version) {
            let number = number + 1;
            let transaction = connection.transaction()?;
            transaction
                .execute_batch(&for_sqlite(text))
                .and_then(|()| transaction.execute_batch(after(AFTER_ON_SQLITE, schema, number)))
                .with_context(|| format!("migration {number} of {schema}"))?;
            transaction.execute_batch(&format!("PRAGMA {schema}.user_version = {number}"))?;
            transaction.commit()?;
        }
    }
    Ok(())
}

/// Brings a PostgreSQL database to a version of each half.
pub fn postgres(client: &mut postgres::Client, to: (usize, usize)) -> anyhow::Result<()> {
    client.execute("SELECT pg_advisory_lock($1)", &[&ADVISORY_LOCK])?;
    client.batch_execute(
        "CREATE TABLE IF NOT EXISTS schema_versions (half TEXT PRIMARY KEY, version BIGINT NOT NULL)",
    )?;
    for (half, files, to) in [("durable", DURABLE, to.0), ("fleeting", FLEETING, to.1)] {
        let row = client.query_opt("SELECT version FROM schema_versions WHERE half = $1", &[&half])?;
        let version = usize::try_from(row.map_or(0_i64, |row| row.get(0)))?;
        refuse_newer(version, files.len())?;
        for (number, text) in files.iter().enumerate().take(to).skip(version) {
            let more = after(AFTER_ON_POSTGRES, half, number + 1);
            let number = i64::try_from(number + 1)?;
            let mut transaction = client.transaction()?;
            transaction
                .batch_execute(&for_postgres(text))
                .and_then(|()| transaction.batch_execute(more))
                .with_context(|| format!("migration {number} of {half}"))?;
            transaction.execute(
                "INSERT INTO schema_versions (half, version) VALUES ($1, $2)
                 ON CONFLICT (half) DO UPDATE SET version = excluded.version",
                &[&half, &number],
            )?;
            transaction.commit()?;
        }
    }
    client.execute("SELECT pg_advisory_unlock($1)", &[&ADVISORY_LOCK])?;
    Ok(())
}

fn refuse_newer(version: usize, known: usize) -> anyhow::Result<()> {
    ensure!(
        version <= known,
        "the database was written by a newer becivic (its version is {version}, this program knows {known}); use that one"
    );
    Ok(())
}

fn for_sqlite(text: &str) -> String {
    text.replace("fleeting.", "main.").replace(" BYTES", " BLOB").replace(") KEYED;", ") WITHOUT ROWID;")
}

fn for_postgres(text: &str) -> String {
    text.replace("CREATE TABLE fleeting.", "CREATE UNLOGGED TABLE ")
        .replace("durable.", "")
        .replace("fleeting.", "")
        .replace(" BYTES", " BYTEA")
        .replace(") KEYED;", ");")
}
