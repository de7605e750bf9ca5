//! Objects and references one by one, for whoever brings commits here from elsewhere.
//!
//! Whoever writes a tree writes what it holds first, and a commit last: an object that is here is here with everything
//! below it, also after a crash.

use super::Repository;
use anyhow::{Context, anyhow};
use gix::ObjectId;
use gix::objs::{Kind, Write};
use gix::refs::Target;
use gix::refs::transaction::PreviousValue;

impl Repository {
    /// Whether an object is here.
    pub fn has_object(&self, sha: &str) -> bool {
        id(sha).is_ok_and(|id| self.local().has_object(id))
    }

    /// Writes an object as it stands, waits until it is on disk, and says its hash.
    pub fn write_raw(&self, kind: Kind, bytes: &[u8]) -> anyhow::Result<String> {
        let written = self.local().objects.write_buf(kind, bytes).map_err(|error| anyhow!("{error}"))?;
        self.sync(&[written])?;
        Ok(written.to_string())
    }

    /// The bytes of an object.
    pub fn read_raw(&self, sha: &str) -> anyhow::Result<Vec<u8>> {
        let git = self.local();
        let found = git.find_object(id(sha)?).map_err(|error| anyhow!("{error}"))?;
        Ok(found.detach().data)
    }

    /// What a reference points to.
    pub fn reference(&self, name: &str) -> anyhow::Result<Option<String>> {
        let git = self.local();
        let found = git.try_find_reference(name).map_err(|error| anyhow!("{error}"))?;
        Ok(found.and_then(|it| it.try_id().map(|id| id.to_string())))
    }

    /// The references whose names begin so, with what they point to.
    pub fn references(&self, prefix: &str) -> anyhow::Result<Vec<(String, String)>> {
        let git = self.local();
        let platform = git.references().map_err(|error| anyhow!("{error}"))?;
        let mut found = Vec::new();
        for reference in platform.all().map_err(|error| anyhow!("{error}"))? {
            let reference = reference.map_err(|error| anyhow!("{error}"))?;
            let name = reference.name().as_bstr().to_string();
            if let Some(id) = reference.try_id().filter(|_| name.starts_with(prefix)) {
                found.push((name, id.to_string()));
            }
        }
        Ok(found)
    }

    /// Sets a reference that points where it is said to point (`None`: that is not there yet).
    pub fn set_reference(&self, name: &str, to: &str, from: Option<&str>) -> anyhow::Result<()> {
        let expected = match from {
            Some(from) => PreviousValue::MustExistAndMatch(Target::Object(id(from)?)),
            None => PreviousValue::MustNotExist,
        };
        let git = self.local();
        git.reference(name, id(to)?, expected, "")
            .map_err(|error| anyhow!("{error}"))
            .with_context(|| format!("cannot set {name}"))?;
        Ok(())
    }

    /// Whether a commit is the other or comes before it.
    pub fn is_ancestor(&self, earlier: &str, later: &str) -> anyhow::Result<bool> {
        let git = self.local();
        let earlier = id(earlier)?;
        let base = git.merge_base(earlier, id(later)?).map_err(|error| anyhow!("{error}"))?;
        Ok(base.is_some_and(|base| base.detach() == earlier))
    }
}

fn id(sha: &str) -> anyhow::Result<ObjectId> {
    ObjectId::from_hex(sha.as_bytes()).map_err(|error| anyhow!("{error}"))
}
