//! A log on a server, read as any stranger reads it: `/log/`, and the lists of the API for what is served.

use super::copy::{self, Copy};
use anyhow::{Context, bail, ensure};
use becivic_core::log::{Answered, Carried, Entry, Hash, Tile, Unproven, Verifier};
use becivic_core::vocabulary::Status;
use becivic_server::outward;
use becivic_server::transparency::stored::Statuses;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::PathBuf;

/// The largest answer that is read: 256 of the longest entries.
const LARGEST: u64 = 20 << 20;

/// Lists of artefacts: what they are, their address, and how an item is named there.
const LISTS: [(&str, &str, &str); 4] = [
    ("skill", "/api/skills", "id"),
    ("path", "/api/paths", "id"),
    ("volatile_value", "/api/volatile-values", "uid"),
    ("reference", "/api/references", "uid"),
];

/// What a server tells of an artefact.
pub struct Told {
    /// Its proof.
    pub carried: Result<Carried, Unproven>,
    /// The digest of what it says, where all of it is shown.
    pub content: Option<Hash>,
}

/// The digest of a skill's file. Where it cites something that was put away, readers do not see all of it.
fn file(bytes: &[u8]) -> Option<Hash> {
    let cites_what_is_gone = bytes.windows(UNRESOLVED.len()).any(|it| it == UNRESOLVED);
    (!cites_what_is_gone).then(|| Sha256::digest(bytes).into())
}

/// What stands in the place of something that was put away.
const UNRESOLVED: &[u8] = b"[unresolved]";

/// A server.
pub struct Server {
    agent: ureq::Agent,
    base: String,
    keep: Option<PathBuf>,
}

impl Server {
    /// Names one; with a folder, everything of the log that is read is kept there.
    pub fn new(address: &str, keep: Option<PathBuf>) -> anyhow::Result<Self> {
        let base = address.trim_end_matches('/').to_owned();
        Ok(Self { agent: outward::agent(&base)?, base, keep })
    }

    /// Whether it has a log at all.
    pub fn has_log(&self) -> anyhow::Result<bool> {
        Ok(self.get("/log/key")?.is_some())
    }

    /// The key that the server shows.
    pub fn key(&self) -> anyhow::Result<Verifier> {
        let text = self.text("/log/key")?;
        Verifier::read(&text).map_err(|error| anyhow::anyhow!("{}/log/key: {error}", self.base))
    }

    /// Keeps the key that is believed; a copy of another log is not written over.
    pub fn keep_key(&self, key: &Verifier) -> anyhow::Result<()> {
        if let Some(folder) = &self.keep {
            let there = Copy(folder.clone()).key().ok().filter(|there| there != key);
            ensure!(there.is_none(), "{} holds a copy of another log; name another folder", folder.display());
        }
        self.kept("log/key", format!("{key}\n").as_bytes())
    }

    /// The signed state.
    pub fn checkpoint(&self) -> anyhow::Result<String> {
        let text = self.text("/log/checkpoint")?;
        self.kept("log/checkpoint", text.as_bytes())?;
        Ok(text)
    }

    /// A tile.
    pub fn tile(&self, tile: Tile) -> anyhow::Result<Option<Vec<u8>>> {
        let found = self.get(&format!("/log/{tile}"))?;
        if let Some(bytes) = &found {
            self.kept(&format!("log/{tile}"), bytes)?;
        }
        Ok(found)
    }

    /// Every artefact, as the lists show it.
    pub fn served(&self) -> anyhow::Result<Statuses> {
        let mut served = Statuses::new();
        for (kind, address, name) in LISTS {
            let mut after = String::new();
            loop {
                let page = self.json(&format!("{address}?limit=200{after}"))?;
                let items = page.get("items").and_then(Value::as_array).context("a list without items")?;
                for item in items {
                    let text = |key: &str| item.get(key).and_then(Value::as_str);
                    let (Some(id), Some(status)) = (text(name), text("status").and_then(Status::named))
                    else {
                        bail!("{}{address} lists something without a name or a status", self.base);
                    };
                    // What is put away shows no version, and rows have none.
                    let version =
                        text("version").filter(|_| status != Status::Quarantined).map(str::to_owned);
                    served.insert(format!("{kind}:{id}"), (status, version));
                }
                match page.get("next").and_then(Value::as_str) {
                    Some(next) => after = format!("&after={next}"),
                    None => break,
                }
            }
        }
        if let Some(folder) = &self.keep {
            copy::keep_served(folder, &served)?;
        }
        Ok(served)
    }

    /// What an artefact says, and the proof that it comes with.
    pub fn told(&self, artefact: &str) -> anyhow::Result<Option<Told>> {
        let (kind, id) = artefact.split_once(':').context("an artefact without a kind")?;
        let list = LISTS.iter().find(|(it, ..)| *it == kind).context("an artefact of no kind")?;
        let Some(answer) = self.get(&format!("{}/{id}", list.1))? else { return Ok(None) };
        let answer: Value = serde_json::from_slice(&answer).context("an answer that is not JSON")?;
        let answered = Answered::of(&answer).context("an answer that is no object")?;
        let Some(carried) = answered.carried() else { return Ok(None) };
        let carried = carried.and_then(|carried| {
            let entry = Entry::read(carried.entry.as_bytes()).map_err(|_| Unproven::Entry)?;
            answered.agrees(&entry)?;
            Ok(carried)
        });
        let content = match kind {
            "skill" => self.get(&format!("/skills/{id}/source.md"))?.as_deref().and_then(file),
            _ => Some(answered.content(kind)),
        };
        Ok(Some(Told { carried, content }))
    }

    fn json(&self, address: &str) -> anyhow::Result<Value> {
        let bytes = self.get(address)?.with_context(|| format!("{}{address} is not there", self.base))?;
        serde_json::from_slice(&bytes).with_context(|| format!("{}{address} is not JSON", self.base))
    }

    fn text(&self, address: &str) -> anyhow::Result<String> {
        let missing = || format!("{}{address} is not there; is this a server of Be Civic?", self.base);
        let bytes = self.get(address)?.with_context(missing)?;
        String::from_utf8(bytes).with_context(|| format!("{}{address} is not text", self.base))
    }

    fn get(&self, address: &str) -> anyhow::Result<Option<Vec<u8>>> {
        let place = format!("{}{address}", self.base);
        let answer = self.agent.get(&place).header("accept", "application/json, text/plain, */*").call();
        let mut answer = answer.with_context(|| format!("cannot reach {place}"))?;
        let status = answer.status().as_u16();
        if status == 404 {
            return Ok(None);
        }
        ensure!(status == 200, "{place} answers with {status}");
        let read = answer.body_mut().with_config().limit(LARGEST).read_to_vec();
        read.map(Some).with_context(|| format!("cannot read {place}"))
    }

    fn kept(&self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        self.keep.as_ref().map_or(Ok(()), |folder| copy::keep(folder, name, bytes))
    }
}
