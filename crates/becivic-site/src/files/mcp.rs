//! How agents find the MCP server: a catalogue at `/.well-known/mcp/catalog.json`, and a card at the address that is kept
//! for it, the server's own followed by `/server-card` (MCP Server Cards, SEP-2127). There is neither where no MCP server is.

use super::json;
use crate::facts::Facts;
use crate::world::World;
use serde_json::json as value;

/// The media type of a card.
pub const CARD: &str = "application/mcp-server-card+json";

const TITLE: &str = "Be Civic";

/// The catalogue: one server.
pub fn catalog(world: &World<'_>, facts: &Facts) -> Option<String> {
    facts.api.as_ref().filter(|api| !api.tools.is_empty())?;
    Some(json(&value!({
        "specVersion": "draft",
        "entries": [{
            "identifier": "urn:air:becivic.be:becivic",
            "displayName": TITLE,
            "type": CARD,
            "url": format!("{}/mcp/server-card", world.base),
        }],
    })))
}

/// The card: who it is and where to connect; tools are listed by the server itself.
pub fn card(world: &World<'_>, facts: &Facts) -> Option<String> {
    facts.api.as_ref().filter(|api| !api.tools.is_empty())?;
    Some(json(&value!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/v2/server-card.schema.json",
        "name": "be.becivic/becivic",
        "version": env!("CARGO_PKG_VERSION"),
        "title": TITLE,
        "description": "Belgian administrative procedures for agents: skills, paths, current values, sources.",
        "websiteUrl": format!("{}/agents", world.base),
        "remotes": [{"type": "streamable-http", "url": format!("{}/mcp", world.base)}],
    })))
}
