//! The door beside the pages, as whoever serves describes it: routes, limits, the MCP server.

use serde::Serialize;
use std::collections::BTreeMap;

/// The interface for programs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Api {
    /// Its routes, in the order they are listed.
    pub endpoints: Vec<Endpoint>,
    /// The limits that hold here, by their name in the configuration: `per_day`, `burst_per_hour`.
    pub limits: BTreeMap<String, u64>,
    /// What each refusal means, with its status.
    pub refusals: BTreeMap<String, (u16, String)>,
    /// How long a submission can be taken back, in hours.
    pub staging_window_hours: u64,
    /// The largest body, in bytes.
    pub body_limit: u64,
    /// The tools of the MCP server at `/mcp`; none where there is no such server.
    pub tools: Vec<McpTool>,
}

/// A tool of the MCP server.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct McpTool {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub about: String,
    /// The same over HTTP.
    pub twin: String,
    /// Whether it changes nothing.
    pub reads: bool,
}

/// A route.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Endpoint {
    /// `GET`, `POST`, …
    pub method: String,
    /// The address, with its parameters in braces.
    pub path: String,
    /// What it does.
    pub about: String,
    /// What must stand in `Authorization`: `cancel_token`, or nothing. Routes for operators are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth: Option<String>,
    /// The address of the schema of the body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Query parameters and what they mean.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub query: BTreeMap<String, String>,
    /// What it may refuse with, besides what every address may.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refuses: Vec<String>,
}

/// How many concerns were committed about an artefact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Concerns {
    /// Ever.
    pub total: i64,
    /// In the last 30 days.
    pub last_30_days: i64,
}
