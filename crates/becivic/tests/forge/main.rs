//! The forge, over HTTP: one behavioural suite, run on the local forge and on an emulated GitHub, and what only a real GitHub answers,
//! against a server that answers as it does.

#![allow(clippy::panic, clippy::unwrap_used)] // the whole of it is tests

mod emulated;
mod emulated_tests;
mod faults;
mod local;
mod mirrored;
mod recorded;
mod refusals;
mod served;
mod suite;
