//! How a probe's verdict is kept.
//!
//! PLACEHOLDER for `db::votes::land_probe`, with its signature: until that is there, only the time of the probe is noted and the
//! verdict counts nowhere.

use crate::db::{DbError, Tx, probes};
use crate::moment::Moment;

/// A verdict of a probe.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct LandProbe {
    pub path_id: String,
    pub source_id: String,
    pub confirms: bool,
    /// The outcome that was seen, where it is not a success.
    pub signal: Option<String>,
    pub now: Moment,
}

/// Lands a verdict of a probe.
pub fn land_probe(tx: &mut dyn Tx, probe: &LandProbe) -> Result<(), DbError> {
    probes::looked(tx, &probe.path_id, &probe.source_id, probe.now)
}
