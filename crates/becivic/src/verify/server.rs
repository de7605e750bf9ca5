//! A log on a server, read as any stranger reads it: `/log/`, and the lists of the API for what is served.

use super::copy;
use anyhow::{Context, bail, ensure};
use becivic_core::log::{Carried, Tile, Verifier};
use becivic_core::vocabulary::Status;
use becivic_server::outward;
use becivic_server::transparency::stored::Statuses;
use serde_json::Value;
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

    /// The key that the server shows.
    pub fn key(&mut self) -> anyhow::Result<Verifier> {
        let text = self.text("/log/key")?;
        Verifier::read(&text).map_err(|error| anyhow::anyhow!("{}/log/key: {error}", self.base))
    }

    /// Keeps the key that is believed.
    pub fn keep_key(&self, key: &Verifier) -> anyhow::Result<()> {
        self.kept("log/key", format!("{key}\n").as_bytes())
    }

    /// The signed state.
    pub fn checkpoint(&mut self) -> anyhow::Result<String> {
        let text = self.text("/log/checkpoint")?;
        self.kept("log/checkpoint", text.as_bytes())?;
        Ok(text)
    }

    /// A tile.
    pub fn tile(&mut self, tile: Tile) -> anyhow::Result<Option<Vec<u8>>> {
        let found = self.get(&format!("/log/{tile}"))?;
        if let Some(bytes) = &found {
            self.kept(&format!("log/{tile}"), bytes)?;
        }
        Ok(found)
    }

    /// Every artefact, as the lists show it.
    pub fn served(&mut self) -> anyhow::Result<Statuses> {
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

    /// The proof that an artefact comes with.
    pub fn carried(&mut self, artefact: &str) -> anyhow::Result<Option<Carried>> {
        let (kind, id) = artefact.split_once(':').context("an artefact without a kind")?;
        let list = LISTS.iter().find(|(it, ..)| *it == kind).context("an artefact of no kind")?;
        let answer = self.json(&format!("{}/{id}", list.1))?;
        match answer.get("log") {
            None | Some(Value::Null) => Ok(None),
            Some(log) => Ok(Some(
                serde_json::from_value(log.clone()).with_context(|| format!("the `log` of {artefact}"))?,
            )),
        }
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
