//! The recogniser of names, with the weights and lists that come with the program.

use anyhow::anyhow;
use becivic_core::names::Names;
use std::sync::LazyLock;

/// What finds people's names; ready when it is first asked for.
pub fn bundled() -> anyhow::Result<&'static Names<'static>> {
    static NAMES: LazyLock<Option<Names<'static>>> = LazyLock::new(|| Names::read(WEIGHTS).ok());
    NAMES.as_ref().ok_or_else(|| {
        anyhow!("the weights of the recogniser of names cannot be read; build the program again")
    })
}

const WEIGHTS: &[u8] = include_bytes!("../../../models/names.bin");
