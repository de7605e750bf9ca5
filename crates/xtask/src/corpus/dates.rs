//! Days out of a fixed stretch of time, so that no clock is needed.
//!
//! 1. A day lies between 2026-01-01 and 2026-05-28, the months all having 28 days or more.

use super::rng::Rng;

/// A day as `YYYY-MM-DD`.
pub fn day(rng: &mut Rng) -> String {
    format!("2026-{:02}-{:02}", rng.between(1, 5), rng.between(1, 28))
}
