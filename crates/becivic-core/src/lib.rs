//! Be Civic's nouns and decisions. No IO, no clock, no async: bytes and time come in as arguments,
//! findings and effects go out as data.

pub mod catalogue;
pub mod change;
pub mod corpus;
pub mod finding;
pub mod frontmatter;
pub mod graph;
pub mod json;
pub mod layout;
pub mod mdx;
pub mod node;
pub mod text;
pub mod path;
pub mod rules;
pub mod schema;
pub mod skill;
pub mod url_policy;
pub mod version;
pub mod vocabulary;
pub mod yaml;
