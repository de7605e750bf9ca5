//! `/.well-known/security.txt` (RFC 9116): where to tell about a hole, and until when that holds.
//!
//! Maintainers are reached by the same anonymous door as for everything else. The file must say when it expires: on the
//! first of this month in a year, so that it changes once a month. Where nobody looks at a clock there is no such file.

use crate::facts::Facts;
use crate::world::World;

/// The file.
pub fn text(world: &World<'_>, facts: &Facts) -> Option<String> {
    let (year, month) = facts.today.get(..7)?.split_once('-')?;
    let next = year.parse::<u32>().ok()? + 1;
    let base = world.base;
    Some(format!(
        "Contact: {base}/agents/submit/feedback\n\
         Expires: {next}-{month}-01T00:00:00Z\n\
         Preferred-Languages: en, fr, nl, de\n\
         Canonical: {base}/.well-known/security.txt\n\
         Policy: {base}/docs/threat-model\n"
    ))
}
