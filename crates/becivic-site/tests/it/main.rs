//! The pages of the site, from real corpora.

mod expect;
mod files;
mod picture;
