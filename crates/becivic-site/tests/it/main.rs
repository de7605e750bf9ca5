//! Tests of the site, one module per area.

#![allow(clippy::panic)] // a test's way to say what is wrong

mod expect;
mod machine;
mod search;
