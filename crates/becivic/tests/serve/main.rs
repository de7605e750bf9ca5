//! Drives a real server process over HTTP, on SQLite and on a PostgreSQL that the tests start themselves.

mod docs;
mod harness;
mod smoke;
mod store;
