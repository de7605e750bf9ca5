//! The transparency log as C2SP `tlog-tiles` has it: a checkpoint, tiles of hashes, bundles of entries, and the key to check them.

use super::answer::{Answer, Cache};
use super::answered;
use super::ask::Ask;
use crate::db::log_entries;
use crate::rejection::{Category, Rejection};
use crate::transparency::key::checkpoint;
use axum::http::StatusCode;
use becivic_core::log::{Tile, bundle};

/// The address of tiles and bundles, whose indexes have several parts.
pub const TILES: &str = "/log/tile/{kind}/{index}";
/// The same for the router.
pub const TILES_ROUTED: &str = "/log/tile/{kind}/{*index}";

const PLAIN: &str = "text/plain; charset=utf-8";
const BYTES: &str = "application/octet-stream";

/// The signed state of the log.
pub async fn state(ask: Ask) -> Answer {
    let read = ask.app.db.read(|tx| log_entries::peaks(tx)).await;
    answered(
        read.map_err(Rejection::from).map(|peaks| {
            Answer::text(StatusCode::OK, checkpoint(&ask.app.log_key, &peaks), PLAIN, Cache::Never)
        }),
    )
}

/// The key that checkpoints are signed with.
pub async fn key(ask: Ask) -> Answer {
    Answer::text(StatusCode::OK, format!("{}\n", ask.app.log_key.verifier()), PLAIN, Cache::Minute)
}

/// A tile, or a bundle.
pub async fn tile(ask: Ask) -> Answer {
    answered(try_tile(&ask).await)
}

async fn try_tile(ask: &Ask) -> Result<Answer, Rejection> {
    let missing = || Rejection::new(Category::NotFound);
    let name = format!("tile/{}/{}", ask.param("kind"), ask.param("index"));
    let tile = Tile::read(&name).ok_or_else(missing)?;
    let parts = ask.app.db.read(move |tx| log_entries::tile(tx, tile)).await?.ok_or_else(missing)?;
    let bytes = match tile.level {
        Some(_) => parts.concat(),
        None => bundle(parts.iter().map(Vec::as_slice)).map_err(|_| Rejection::new(Category::Internal))?,
    };
    Ok(Answer::text(StatusCode::OK, bytes, BYTES, Cache::Forever))
}
