//! Be Civic's nouns and decisions. No IO, no clock, no async: bytes and time come in as arguments,
//! findings and effects go out as data.
//!
//! ```
//! use becivic_core::corpus::{Content, Corpus, Input};
//! use becivic_core::rules;
//!
//! let file = Input {
//!     path: "skills/change-of-address/canonical.md".to_owned(),
//!     content: Content::Bytes(b"---\nid: change-of-address\nid: twice\n---\n".to_vec()),
//! };
//! let corpus = Corpus::from_inputs(vec![file]);
//! let findings = rules::check(&corpus, &corpus.catalogue, None);
//! let found = findings.iter().find(|finding| finding.rule == "duplicate_key").unwrap();
//! assert_eq!((found.line, found.column), (3, 1));
//! assert_eq!(found.help, "Keep one of the two.");
//! ```

pub mod addresses;
pub mod authorities;
pub mod bump;
pub mod capability;
pub mod catalogue;
pub mod change;
pub mod communes;
pub mod consensus;
pub mod corpus;
pub mod country;
pub mod date;
pub mod diff;
pub mod finding;
pub mod form;
pub mod format;
pub mod frontmatter;
#[doc(hidden)]
pub mod fuzzing;
pub mod graph;
pub mod graph_view;
pub mod json;
pub mod jsregex;
pub mod layout;
pub mod log;
pub mod materialise;
pub mod mdx;
pub mod names;
pub mod node;
pub mod path;
pub mod pieces;
pub mod predicates;
pub mod preflight;
pub mod probe;
pub mod profile;
pub mod redirects;
pub mod rollup;
pub mod rules;
pub mod scaffold;
pub mod schema;
pub mod scrub;
pub mod scrub_rules;
pub mod search;
pub mod signals;
pub mod site;
pub mod skill;
pub mod skill_graph;
pub mod submission;
pub mod text;
pub mod triggers;
pub mod url_policy;
pub mod version;
pub mod vocabulary;
pub mod yaml;
