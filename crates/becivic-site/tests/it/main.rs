//! Tests of the site, one module per area.

mod expect;
mod machine;
mod search;
