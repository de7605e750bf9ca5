//! What each file of a corpus is, by its path, and how large it may be.
//!
//! One table for everyone: the reader of a folder, the pull-request check and the server's forge.

/// What a file of a corpus is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// `skills/<id>/canonical.md`
    Skill(String),
    /// `skills/<id>/process.mmd`
    Diagram(String),
    /// `skills/<id>/research-report.md`
    SkillReport(String),
    /// `skills/<id>/templates/<file>`
    Template(String, String),
    /// `skills/rollup.json`
    SkillsRollup,
    /// `paths/index.json`
    PathsIndex,
    /// `paths/rollup.json`
    PathsRollup,
    /// `paths/research-reports/<id>.md`
    PathReport(String),
    /// `data/communes.json`
    Communes,
    /// `data/authorities.json`
    Authorities,
    /// `data/synonyms.json`
    Synonyms,
    /// `schemas/types.json`
    Types,
    /// `schemas/categories.json`
    Categories,
    /// `schemas/source-classes.json`
    SourceClasses,
    /// `catalogue/volatile-values.jsonl`
    Values,
    /// `catalogue/references.jsonl`
    References,
    /// `scrub/regex-rules.json`
    ScrubRules,
    /// `docs/submission-contract-v<N>.mdx`
    Contract(u64),
    /// `index.mdx`, `agents.mdx`, and every `.mdx` below `agents/` and `docs/`: a page, by its address on the site.
    Page(String),
    /// `agents/triggers.json`
    Triggers,
    /// `redirects.json`
    Redirects,
    /// A file where it does not belong: anything else under `skills/` or `paths/`.
    Misplaced,
    /// Anything else: read by other tools, not by the rules.
    Other,
}

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

/// The largest template that is shown: longer ones are known by name.
pub const LARGEST_TEMPLATE: u64 = 256 * KIB;

/// Classifies a path relative to the corpus root (`/` separated).
pub fn classify(path: &str) -> FileKind {
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        ["skills", "rollup.json"] => FileKind::SkillsRollup,
        ["skills", id, "canonical.md"] => FileKind::Skill((*id).to_owned()),
        ["skills", id, "process.mmd"] => FileKind::Diagram((*id).to_owned()),
        ["skills", id, "research-report.md"] => FileKind::SkillReport((*id).to_owned()),
        ["skills", id, "templates", file @ ..] if !file.is_empty() => {
            FileKind::Template((*id).to_owned(), file.join("/"))
        }
        ["paths", "index.json"] => FileKind::PathsIndex,
        ["paths", "rollup.json"] => FileKind::PathsRollup,
        ["paths", "research-reports", file] => match file.strip_suffix(".md") {
            Some(id) => FileKind::PathReport(id.to_owned()),
            None => FileKind::Misplaced,
        },
        ["skills" | "paths", ..] | ["data" | "schemas" | "catalogue" | "scrub" | "docs"] => {
            FileKind::Misplaced
        }
        ["data", "communes.json"] => FileKind::Communes,
        ["data", "authorities.json"] => FileKind::Authorities,
        ["data", "synonyms.json"] => FileKind::Synonyms,
        ["schemas", "types.json"] => FileKind::Types,
        ["schemas", "categories.json"] => FileKind::Categories,
        ["schemas", "source-classes.json"] => FileKind::SourceClasses,
        ["catalogue", "volatile-values.jsonl"] => FileKind::Values,
        ["catalogue", "references.jsonl"] => FileKind::References,
        ["scrub", "regex-rules.json"] => FileKind::ScrubRules,
        ["agents", "triggers.json"] => FileKind::Triggers,
        ["redirects.json"] => FileKind::Redirects,
        ["index.mdx"] => FileKind::Page("/".to_owned()),
        ["agents.mdx"] | ["agents" | "docs", ..] => page(path),
        _ => FileKind::Other,
    }
}

impl FileKind {
    /// Whether the rules read the file's content at all.
    pub fn is_read(&self) -> bool {
        match self {
            Self::Other | Self::Misplaced | Self::Template(..) => false,
            Self::Skill(_)
            | Self::Diagram(_)
            | Self::SkillReport(_)
            | Self::SkillsRollup
            | Self::PathsIndex
            | Self::PathsRollup
            | Self::PathReport(_)
            | Self::Communes
            | Self::Authorities
            | Self::Synonyms
            | Self::Types
            | Self::Categories
            | Self::SourceClasses
            | Self::Values
            | Self::References
            | Self::ScrubRules
            | Self::Contract(_)
            | Self::Page(_)
            | Self::Triggers
            | Self::Redirects => true,
        }
    }

    /// The largest file of this kind that is read, in bytes. A skill of 1 MiB is a hundred times the
    /// usual one; an index of 32 MiB holds five thousand paths; catalogues hold 99,999 rows at most.
    pub fn size_limit(&self) -> u64 {
        match self {
            Self::Skill(_) | Self::SkillReport(_) | Self::PathReport(_) => MIB,
            Self::Diagram(_) | Self::Contract(_) | Self::Page(_) => 256 * KIB,
            Self::PathsIndex | Self::SkillsRollup | Self::PathsRollup => 32 * MIB,
            Self::Values | Self::References => 32 * MIB,
            Self::Communes
            | Self::Authorities
            | Self::Synonyms
            | Self::Types
            | Self::Categories
            | Self::SourceClasses
            | Self::ScrubRules
            | Self::Triggers
            | Self::Redirects => 4 * MIB,
            Self::Template(..) | Self::Misplaced | Self::Other => u64::MAX,
        }
    }
}

/// A page by its path: a contract, another page, or a file that is none.
fn page(path: &str) -> FileKind {
    match (path.strip_prefix("docs/").and_then(contract_major), path.strip_suffix(".mdx")) {
        (Some(major), _) => FileKind::Contract(major),
        (None, Some(name)) => FileKind::Page(format!("/{name}")),
        (None, None) => FileKind::Other,
    }
}

fn contract_major(file: &str) -> Option<u64> {
    let number = file.strip_prefix("submission-contract-v")?.strip_suffix(".mdx")?;
    number.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_has_one_meaning() {
        assert_eq!(classify("skills/a/canonical.md"), FileKind::Skill("a".into()));
        assert_eq!(classify("skills/a/proposals/b.md"), FileKind::Misplaced);
        assert_eq!(classify("skills/a.md"), FileKind::Misplaced);
        assert_eq!(classify("docs/submission-contract-v2.mdx"), FileKind::Contract(2));
        assert_eq!(classify("docs/other.md"), FileKind::Other);
        assert_eq!(classify("docs/privacy.mdx"), FileKind::Page("/docs/privacy".into()));
        assert_eq!(classify("index.mdx"), FileKind::Page("/".into()));
        assert_eq!(classify("agents/submit/concern.mdx"), FileKind::Page("/agents/submit/concern".into()));
        assert_eq!(classify("agents/triggers.json"), FileKind::Triggers);
        assert_eq!(classify("redirects.json"), FileKind::Redirects);
        assert_eq!(classify("data/synonyms.json"), FileKind::Synonyms);
        assert_eq!(classify("paths/research-reports/x.md"), FileKind::PathReport("x".into()));
    }
}
