//! The pages of the site, from real corpora.

mod files;
mod frame;
