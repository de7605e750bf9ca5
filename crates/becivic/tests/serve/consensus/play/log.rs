//! Somebody who reads the transparency log as it grows, and nothing else: after every step they know where everything stands.

use becivic_core::log::{Entry, Peaks, Replay, What, leaf};
use becivic_core::vocabulary::Status;
use becivic_server::app::App;
use becivic_server::db::{log_entries, standings};
use std::collections::BTreeMap;

/// What they know.
#[derive(Default)]
pub struct Reader {
    replay: Replay,
    peaks: Peaks,
    /// The latest entry of each artefact.
    told: BTreeMap<String, Vec<u8>>,
}

impl Reader {
    /// Reads what is new, and compares what the log says with what is served.
    pub fn read(&mut self, app: &App) {
        loop {
            let next = i64::try_from(self.replay.size()).expect("a short log");
            let Some(found) = app.db.read_now(move |tx| log_entries::at(tx, next)).expect("asked") else {
                break;
            };
            let entry = Entry::read(&found.entry).expect("an entry");
            assert_ne!(entry.what, What::Correction, "the log was wrong: {entry:?}");
            assert_eq!(self.replay.read(&found.entry), Ok(()), "{entry:?}");
            assert_eq!(found.leaf, leaf(&found.entry));
            assert_eq!(found.proof, self.peaks.append(found.leaf).proof, "{entry:?}");
            self.told.insert(entry.artefact, found.entry);
        }
        let kept = app.db.read_now(|tx| log_entries::peaks(tx)).expect("asked");
        assert_eq!((kept.size(), kept.root()), (self.peaks.size(), self.peaks.root()));
        assert_eq!(self.replay.compare(&served(app, &self.told)), []);
    }
}

/// What is served; each artefact's standing names what the log tells of it last.
fn served(app: &App, told: &BTreeMap<String, Vec<u8>>) -> BTreeMap<String, (Status, Option<String>)> {
    let mut served = BTreeMap::new();
    for target_type in ["skill", "path", "volatile_value", "reference"] {
        let found = app.db.read_now(move |tx| {
            let mut found = Vec::new();
            standings::each_served(tx, target_type, |it| {
                found.push(it);
                Ok(())
            })?;
            Ok(found)
        });
        for it in found.expect("asked") {
            let artefact = format!("{target_type}:{}", it.target_id);
            let version = Some(it.version).filter(|it| !it.is_empty());
            assert_eq!(
                it.entry.as_ref(),
                told.get(&artefact),
                "the standing of {artefact} names another entry"
            );
            served.insert(artefact, (it.status.expect("a status"), version));
        }
    }
    served
}
