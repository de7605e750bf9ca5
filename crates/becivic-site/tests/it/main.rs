//! The pages against the small corpus: one test binary, one module per area.

#![allow(clippy::panic, clippy::unwrap_used)] // the whole of it is tests

mod expect;
mod skill;
