//! Probes: what a machine may ask of a path's source, and what the answer says of it (§11.1, DECISIONS §9b).
//!
//! 1. [`plan()`] says whether a source may be asked, at which [`Address`], and how closely one has to look. An audited source
//!    never is, nor one whose signs only a login or a person brings.
//! 2. Whoever asks looks at the site's [`Robots`] first, and connects only where [`may_connect`] lets it.
//! 3. What came back is a [`Seen`]; [`judge()`] turns it into the verdict of a machine, or says why it is none. A probe sends no
//!    form and logs in nowhere, so a sign that speaks of either is never taken as seen.
//!
//! Nothing here opens a connection.

mod address;
mod judge;
mod networks;
mod page;
mod plan;
mod robots;
mod sitemap;

pub use address::{Address, Unfit};
pub use judge::{Judged, Seen, Unsettled, judge};
pub use networks::may_connect;
pub use page::text_of;
pub use plan::{Look, Plan, Skip, plan};
pub use robots::Robots;
pub use sitemap::Sitemap;

/// What the probe calls itself in `robots.txt`.
pub const NAME: &str = "becivic-probe";
