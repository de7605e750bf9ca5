//! Drives a real server process over HTTP, on SQLite and on a PostgreSQL that the tests start themselves.

#![allow(clippy::panic, clippy::unwrap_used)] // the whole of it is tests

mod api;
mod bad_fields;
mod bad_input;
mod commit;
mod consensus;
mod crash;
mod desk;
mod dice;
mod docs;
mod envelope;
mod fixtures;
mod form;
mod git_http;
mod harness;
mod hold;
mod internal;
mod interrupted;
mod leaks;
mod life;
mod limits;
mod linkability;
mod log;
mod many;
mod mcp;
#[path = "../../src/names.rs"]
mod names;
mod on_github;
mod openapi;
mod protected;
mod pushes;
mod reads;
mod replicas;
mod retract;
mod site;
mod smoke;
mod standing;
mod states;
mod store;
mod taken_over;
mod twins;
mod wire;

// The emulated GitHub is the one of the forge's tests.
#[allow(dead_code)]
#[path = "../forge/emulated.rs"]
mod emulated;
#[allow(dead_code)]
#[path = "../forge/recorded.rs"]
mod recorded;
#[allow(dead_code)]
#[path = "../forge/suite.rs"]
mod suite;
