//! Versions follow status (§6.1, §9.7, DECISIONS §5).
//!
//! `major.minor` is the line of a status (draft 0.0, alpha 0.1, beta 0.2, stable 1.0); the patch counts
//! content commits within the line; a status change starts at patch 0 of the new line; quarantined and
//! deprecated artefacts keep the version they had.

use crate::vocabulary::Status;
use std::fmt;
use std::str::FromStr;

/// A version: `major.minor.patch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// Major.
    pub major: u64,
    /// Minor.
    pub minor: u64,
    /// Patch.
    pub patch: u64,
}

/// A text that is no `major.minor.patch`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a version is three numbers with dots between them, like 0.1.0")]
pub struct NotAVersion;

impl FromStr for Version {
    type Err = NotAVersion;

    fn from_str(text: &str) -> Result<Self, NotAVersion> {
        let parsed = semver::Version::parse(text).map_err(|_| NotAVersion)?;
        if !parsed.pre.is_empty() || !parsed.build.is_empty() {
            return Err(NotAVersion);
        }
        Ok(Self { major: parsed.major, minor: parsed.minor, patch: parsed.patch })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl Version {
    /// `(major, minor)`
    pub fn line(self) -> (u64, u64) {
        (self.major, self.minor)
    }
}

/// The version line of a status; `None` where the version is frozen.
pub fn line(status: Status) -> Option<(u64, u64)> {
    match status {
        Status::Draft => Some((0, 0)),
        Status::Alpha => Some((0, 1)),
        Status::Beta => Some((0, 2)),
        Status::Stable => Some((1, 0)),
        Status::Quarantined | Status::Deprecated => None,
    }
}

/// How an artefact differs from what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Nothing but, perhaps, the version.
    Nothing,
    /// Only the form of tags (Rule 14).
    TagOnly,
    /// Its content.
    Content,
}

/// What an artefact was before an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Before {
    /// Its status.
    pub status: Status,
    /// Its version.
    pub version: Version,
}

/// The one version an artefact must carry after an edit: the rule of Rule 18 and of `becivic bump`.
/// `now` is what it carries, which stands where the rules leave it free.
pub fn expected(before: Option<Before>, status: Status, now: Version, edit: Edit) -> Version {
    let Some((major, minor)) = line(status) else {
        return before.map_or(now, |before| before.version);
    };
    let first = Version { major, minor, patch: 0 };
    match before {
        None => first,
        Some(before) if before.status != status => first,
        Some(before) if before.version.line() != (major, minor) => first,
        Some(before) => match edit {
            Edit::Nothing | Edit::TagOnly => before.version,
            Edit::Content => Version { patch: before.version.patch + 1, ..before.version },
        },
    }
}

/// The catalogue's own version (§6.12.7): the highest line among its entries; the patch counts runs
/// that changed anything and starts again with a new line.
pub fn catalogue(statuses: impl Iterator<Item = Status>, before: Option<Version>, changed: bool) -> Version {
    let (major, minor) = statuses.filter_map(line).max().unwrap_or((0, 0));
    match before {
        Some(before) if before.line() == (major, minor) => {
            Version { patch: before.patch + u64::from(changed), ..before }
        }
        Some(_) | None => Version { major, minor, patch: 0 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(text: &str) -> Version {
        text.parse().expect("valid")
    }

    #[test]
    fn versions_follow_status() {
        use Status::*;
        let before = |status, version| Some(Before { status, version: v(version) });
        let cases = [
            (None, Draft, "0.0.0", Edit::Content, "0.0.0"),
            (None, Alpha, "0.1.4", Edit::Content, "0.1.0"),
            (before(Alpha, "0.1.3"), Alpha, "0.1.3", Edit::Content, "0.1.4"),
            (before(Alpha, "0.1.3"), Alpha, "0.1.9", Edit::TagOnly, "0.1.3"),
            (before(Alpha, "0.1.3"), Alpha, "0.1.9", Edit::Nothing, "0.1.3"),
            (before(Alpha, "0.1.3"), Beta, "0.1.4", Edit::Content, "0.2.0"),
            (before(Beta, "0.2.7"), Stable, "0.2.7", Edit::Nothing, "1.0.0"),
            (before(Stable, "1.0.2"), Alpha, "1.0.3", Edit::Content, "0.1.0"),
            (before(Beta, "0.2.4"), Deprecated, "0.2.4", Edit::Content, "0.2.4"),
            (before(Alpha, "3.7.1"), Alpha, "3.7.1", Edit::Content, "0.1.0"),
        ];
        for (before, status, now, edit, want) in cases {
            assert_eq!(expected(before, status, v(now), edit), v(want), "{before:?} {status}");
        }
        assert!("1.0".parse::<Version>().is_err());
        assert!("1.0.0-rc".parse::<Version>().is_err());
    }

    #[test]
    fn the_catalogue_follows_its_highest_entry() {
        use Status::*;
        let of = |list: &[Status], before: &str, changed| {
            catalogue(list.iter().copied(), Some(v(before)), changed).to_string()
        };
        assert_eq!(of(&[Draft, Alpha], "0.1.4", true), "0.1.5");
        assert_eq!(of(&[Draft, Alpha], "0.1.4", false), "0.1.4");
        assert_eq!(of(&[Alpha, Stable], "0.1.4", true), "1.0.0");
        assert_eq!(of(&[], "0.1.4", true), "0.0.0");
    }
}
