//! The pages of the site, from real corpora.

mod activity;
mod catalogue;
mod expect;
mod given;
mod paths;
