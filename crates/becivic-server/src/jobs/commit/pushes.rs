//! What maintainers pushed to `main` themselves is taken in: versions, uids and rollups follow in a commit of the bot's.

use super::Run;

/// Takes in what was pushed since the last commit of the line.
pub fn take_in(_run: &mut Run<'_>) -> anyhow::Result<()> {
    Ok(())
}
