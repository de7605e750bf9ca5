//! What a tool does to the world, as hosts are told: it decides whether they ask the person first.

use rmcp::model::ToolAnnotations;

/// What a tool does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It reads.
    Reads,
    /// It adds something that can be taken back; the same again adds nothing.
    Stages,
    /// It adds something that counts at once; the same again adds nothing.
    Adds,
    /// It takes something away for good.
    TakesBack,
}

/// The hints of a tool. The corpus is a closed world: nothing outside of it is reached.
pub fn annotations(title: &str, effect: Effect) -> ToolAnnotations {
    let (read_only, destructive) = match effect {
        Effect::Reads => (true, false),
        Effect::Stages | Effect::Adds => (false, false),
        Effect::TakesBack => (false, true),
    };
    ToolAnnotations::with_title(title)
        .read_only(read_only)
        .destructive(destructive)
        .idempotent(true)
        .open_world(false)
}
