//! Drives a real server process over HTTP, on SQLite and on a PostgreSQL that the tests start themselves.

#![allow(clippy::panic, clippy::unwrap_used)] // the whole of it is tests

mod docs;
mod fixtures;
mod harness;
mod smoke;
mod store;
