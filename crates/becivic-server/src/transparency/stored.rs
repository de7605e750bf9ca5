//! The log in a data folder, for whoever checks it there: it is read as it is, and nothing is put right first.

use super::{complete, end, key};
use crate::app::{Role, database_url, pepper_file};
use crate::config::Config;
use crate::db::{Db, catalogue, corpus_commits, log_entries, standings};
use crate::live::Live;
use crate::repository::Repository;
use anyhow::{Context, ensure};
use becivic_core::log::{Signer, Source, Tile, Verifier, bundle};
use becivic_core::vocabulary::Status;
use std::collections::BTreeMap;
use std::path::Path;

/// Every artefact with its status and version.
pub type Statuses = BTreeMap<String, (Status, Option<String>)>;

/// A log in a data folder.
pub struct Stored {
    db: Db,
    repository: Repository,
    signer: Signer,
}

impl Stored {
    /// Opens it; nothing is made.
    pub fn open(config: &Config) -> anyhow::Result<Self> {
        let data = Path::new(&config.server.data);
        let place = data.join("corpus.git");
        ensure!(place.exists(), "nothing was served from {} yet", data.display());
        let url = database_url(&config.server.database, data, Role::Chore)?;
        let db = Db::open(&url, config.server.connections)?;
        db.read_through();
        let signer = key::load(&db, &pepper_file(config), &config.server.public_url)?;
        let (repository, _) =
            Repository::open_or_create(&place, std::iter::empty(), crate::bundled::COMMITTED_AT)?;
        Ok(Self { db, repository, signer })
    }

    /// The key it is signed with.
    pub fn key(&self) -> &Verifier {
        self.signer.verifier()
    }

    /// Its state, signed.
    pub fn checkpoint(&self) -> anyhow::Result<String> {
        let peaks = self.db.read_now(|tx| log_entries::peaks(tx))?;
        Ok(key::checkpoint(&self.signer, &peaks))
    }

    /// Whether a server could go on with it; why not, where it could not.
    pub fn fits(&self) -> anyhow::Result<()> {
        end::check(&self.db)?;
        complete::check(&self.db)
    }

    /// What is served from here: what files and rows say, and what flags have put away.
    pub fn served(&self) -> anyhow::Result<Statuses> {
        let newest = self.db.read_now(|tx| corpus_commits::newest(tx))?;
        let commit = newest.map(|(_, commit)| commit).context("the line of commits has no beginning")?;
        let live = Live::read(&self.repository, &commit)?;
        let (withheld, rows) =
            self.db.read_now(|tx| Ok((standings::withheld(tx)?, catalogue::statuses(tx)?)))?;
        let mut served = Statuses::new();
        for front in live.corpus.skills.values().filter_map(|skill| skill.front.as_ref()) {
            served.insert(format!("skill:{}", front.id), (front.status, Some(front.version.clone())));
        }
        for (id, path) in live.corpus.paths.iter().flat_map(|paths| paths.entries.iter()) {
            served.insert(format!("path:{id}"), (path.entry.status, Some(path.entry.version.clone())));
        }
        for (target_type, id) in withheld {
            served.insert(format!("{target_type}:{id}"), (Status::Quarantined, None));
        }
        for (prefix, uid, status) in rows {
            let status = Status::named(&status).with_context(|| format!("{uid} has no status"))?;
            served.insert(format!("{}:{uid}", prefix.target_type()), (status, None));
        }
        Ok(served)
    }
}

impl Source for Stored {
    type Error = anyhow::Error;

    fn tile(&mut self, tile: Tile) -> anyhow::Result<Option<Vec<u8>>> {
        let Some(parts) = self.db.read_now(move |tx| log_entries::tile(tx, tile))? else { return Ok(None) };
        Ok(Some(match tile.level {
            Some(_) => parts.concat(),
            None => bundle(parts.iter().map(Vec::as_slice))?,
        }))
    }
}
