//! Proofs of what is read, checked as it comes: for whoever reads a server over MCP.
//!
//! 1. Before the first answer, the state of the server's log is held against what is remembered of it: signed by the same key, and what
//!    was seen is its beginning. What is seen for the first time is remembered.
//! 2. Every answer about one artefact carries a proof; it must hold, and have the status and the version that the answer tells.
//! 3. A path, or the beginning of a skill, that comes without one is not believed either.
//!
//! Lists carry no proofs. What a text says is not compared, and a proof tells how things stood when it was made: `becivic verify` looks
//! at all of that.
//!
//! A server that has no log, and is not remembered with one, is read as it is; that is said once.

use super::memory::Memory;
use super::server::Server;
use anyhow::{Context, bail, ensure};
use becivic_core::log::{Answered, Checkpoint, Problem, Tile, Verifier, consistency, is_consistent};
use becivic_server::mcp::Look;
use serde_json::Value;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Whoever watches.
struct Watch {
    server: Server,
    name: String,
    given: Option<Verifier>,
    memory: Option<PathBuf>,
    known: Mutex<Known>,
}

/// What is known of the log.
enum Known {
    /// Nobody has asked yet.
    Nothing,
    /// There is none.
    NoLog,
    /// It is signed with this key, and goes on where it was seen last.
    Key(Box<Verifier>),
}

/// Watches a server; with a key, no other is believed. What was seen is remembered in a file of its own or of the user's; of a server on
/// this machine only where a file is named, since anybody may begin another there.
pub fn watch(address: &str, given: Option<Verifier>, memory: Option<PathBuf>) -> anyhow::Result<Look> {
    let bare = address.trim_end_matches('/');
    let name = bare.strip_suffix("/mcp").unwrap_or(bare).trim_end_matches('/').to_owned();
    let server = Server::new(&name, None)?;
    let memory = memory.or_else(|| Memory::file(&name).filter(|_| !is_here(&name)));
    let watch = Watch { server, name, given, memory, known: Mutex::new(Known::Nothing) };
    Ok(Box::new(move |asked, answer| watch.amiss(asked, answer)))
}

/// Whether an address is of this machine.
fn is_here(address: &str) -> bool {
    let host = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = host.split(['/', '?']).next().unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name).trim_matches(['[', ']']);
    name == "localhost" || name.parse::<IpAddr>().is_ok_and(|it| it.is_loopback())
}

impl Watch {
    fn amiss(&self, asked: &Value, answer: &Value) -> Option<String> {
        let read = Read::of(asked, answer)?;
        let key = match self.key() {
            Ok(key) => key?,
            Err(why) => {
                return Some(format!(
                    "What {} says cannot be held against its transparency log: {why:#}. Nothing it says was passed on; `becivic verify {}` tells more.",
                    self.name, self.name
                ));
            }
        };
        let why = read.amiss(&key)?;
        Some(format!(
            "The server's answer does not agree with its transparency log: {why}. It was not passed on; `becivic verify {}` tells more.",
            self.name
        ))
    }

    /// The key to believe; nothing where there is no log.
    fn key(&self) -> anyhow::Result<Option<Verifier>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*known, Known::Nothing) {
            *known = self.begin()?;
        }
        Ok(match &*known {
            Known::Key(key) => Some(Verifier::clone(key)),
            Known::Nothing | Known::NoLog => None,
        })
    }

    fn begin(&self) -> anyhow::Result<Known> {
        let remembered = self.memory.as_deref().map(Memory::read).transpose()?.flatten();
        let seen = remembered.as_ref().map(Memory::known).transpose()?;
        let believed = self.given.clone().or_else(|| seen.as_ref().map(|(key, _)| key.clone()));
        let key = match believed {
            Some(key) => key,
            None if !self.server.has_log()? => {
                eprintln!("{} has no transparency log: what it says is passed on unproven", self.name);
                return Ok(Known::NoLog);
            }
            None => self.server.key()?,
        };
        if let Some((other, _)) = seen.as_ref().filter(|(other, _)| *other != key) {
            bail!(
                "another key is remembered for it: {other}; if it was replaced for a good reason, begin anew with another --memory FILE"
            );
        }
        let note = self.server.checkpoint()?;
        let now = Checkpoint::open(&note, &key)?;
        if let Some((_, seen)) = &seen {
            self.goes_on(seen, &now)?;
        }
        if let Some(file) = &self.memory {
            let memory = Memory { place: self.name.clone(), key: key.to_string(), checkpoint: note };
            // Where nothing can be kept, the next look begins anew.
            if let Err(why) = memory.write(file) {
                eprintln!("the state of the log is not remembered: {why:#}");
            }
        }
        Ok(Known::Key(Box::new(key)))
    }

    /// What was seen is the beginning of what is there now.
    fn goes_on(&self, seen: &Checkpoint, now: &Checkpoint) -> anyhow::Result<()> {
        ensure!(seen.size <= now.size, Problem::RolledBack { had: seen.size, has: now.size });
        let tiles = |tile: Tile| {
            let found =
                self.server.tile(tile).and_then(|it| it.with_context(|| format!("{tile} is missing")));
            found.map_err(std::io::Error::other)
        };
        let proof = consistency(seen.size, now.size, tiles)?;
        let is_so = is_consistent((seen.size, &seen.root), (now.size, &now.root), &proof);
        ensure!(is_so, Problem::Forked { size: seen.size });
        Ok(())
    }
}

/// Whether a tool reads, and may be asked again.
fn reads(tool: &str) -> bool {
    tool.starts_with("get_") || matches!(tool, "read_skill" | "find_skill" | "search_corpus")
}

/// Something that was read.
struct Read {
    told: Value,
    /// Whether a proof is due.
    due: bool,
}

impl Read {
    /// What a tool that reads has answered.
    fn of(asked: &Value, answer: &Value) -> Option<Self> {
        let text = |place: &str| asked.pointer(place).and_then(Value::as_str);
        let tool =
            text("/params/name").filter(|tool| text("/method") == Some("tools/call") && reads(tool))?;
        let result =
            answer.get("result").filter(|result| result.get("isError") != Some(&Value::Bool(true)))?;
        let told = result.get("structuredContent")?.clone();
        let argument = |name: &str| asked.pointer(&format!("/params/arguments/{name}"));
        let is_beginning = argument("version").is_none() && argument("after").is_none();
        let left_out = told.get("fields_left_out").and_then(Value::as_array);
        let is_cut = left_out.is_some_and(|names| names.iter().any(|name| name == "log"));
        let is_one = match tool {
            "read_skill" => is_beginning && !is_cut,
            "get_path_directory" => argument("path_id").is_some(),
            _ => false,
        };
        Some(Self { told, due: is_one })
    }

    fn amiss(&self, key: &Verifier) -> Option<String> {
        let mut proofs = 0;
        for answered in Answered::all(&self.told) {
            match answered.check(key) {
                Ok(_) => proofs += 1,
                Err(why) => return Some(format!("{}: {why}", answered.name())),
            }
        }
        (self.due && proofs == 0).then(|| "it comes without a proof".to_owned())
    }
}
