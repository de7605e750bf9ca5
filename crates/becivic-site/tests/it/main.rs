//! Tests of pages.

mod bodies;
mod expect;
