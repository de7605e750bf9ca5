//! Pages: a corpus, rows of the catalogue and what people said in; HTML and markdown out.
//!
//! 1. [`address`] reads an address of the site: a page in one of its forms, another address to go to, or nothing.
//! 2. [`pages`] is the list of pages. Each says what it needs besides the files ([`facts::Needs`]), and makes one document of it.
//!    Whoever serves fetches the facts: from a database, or from the seeds of a folder.
//! 3. [`doc`] is that document: blocks and inlines. It is printed twice, as HTML and as markdown, so that people and agents read
//!    the same.
//! 4. [`body`] resolves the tags of a skill and prints its text both ways.
//! 5. [`frame`] puts the HTML into the page around it: head, navigation, footer, in four languages ([`words`]).
//! 6. [`version`] says which older versions of a skill readers may see, [`withheld`] what of a file, [`citations`] which skills cite
//!    what.
//! 7. [`files`] is the list of everything that is no page: for agents, for crawlers, for machines. [`search`] finds pages by words
//!    in four languages, the same way on the server and in a browser. [`picture`] draws processes and neighbourhoods.
//! 8. [`form`] is the onboarding form as one page that needs nothing else.
//! 9. [`assets`] are styles, scripts and fonts, named by their content.
//!
//! Nothing here reads a disk, a clock or a database: the same facts give the same bytes.

pub mod address;
pub mod assets;
pub mod body;
pub mod citations;
mod communes;
mod dates;
pub mod doc;
pub mod facts;
pub mod files;
pub mod form;
pub mod frame;
pub mod observations;
pub mod pages;
pub mod picture;
pub mod search;
pub mod version;
pub mod withheld;
pub mod words;
pub mod world;

pub use address::{Form, Found};
pub use citations::Citations;
pub use facts::{Facts, Needs};
pub use pages::Shown;
pub use world::{Looked, LookedAt, Shelves, World};
