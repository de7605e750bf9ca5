//! The pages of the site, from real corpora.

#![allow(clippy::panic, clippy::unwrap_used)] // the whole of it is tests

mod activity;
mod bodies;
mod catalogue;
mod expect;
mod files;
mod frame;
mod given;
mod machine;
mod paths;
mod picture;
mod search;
mod skill;
