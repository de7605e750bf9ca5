//! What is served: the corpus at one commit of `main`, read once and looked up by everybody.
//!
//! When `main` moves, a new one is made and put in the place of the old in one step: whoever is being answered keeps the one
//! they began with. What did not change is shared between the two, so that moving on costs what the change costs.

use crate::moment::Moment;
use crate::repository::Repository;
use becivic_core::corpus::{Corpus, Hosts, Path, Skill};
use becivic_core::rules;
use becivic_core::skill::Frontmatter;
use becivic_site::citations::Citations;
use becivic_site::search::Index;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// Findings by rule and message.
pub type Findings = BTreeSet<(&'static str, String)>;

/// The corpus at one commit.
pub struct Live {
    /// The corpus.
    pub corpus: Corpus,
    /// The commit it was read from.
    pub commit: String,
    /// When that was committed.
    pub at: Moment,
    /// Hosts that may be cited without a person looking.
    hosts: Hosts,
    /// What the rules find in it already, by rule and message: a proposal is not blamed for it. Worked out when the
    /// first proposal comes, because it takes longer than everything else at the start.
    known_findings: Arc<OnceLock<Findings>>,
    /// Who cites what; worked out when the first page asks.
    citations: OnceLock<Citations>,
    /// What can be found in it; worked out when the first page asks.
    index: OnceLock<Index>,
}

impl Live {
    /// Reads a commit.
    pub fn read(repository: &Repository, commit: &str) -> anyhow::Result<Self> {
        let corpus = Corpus::from_inputs(repository.files(commit)?);
        let at = repository.describe(commit)?.at;
        Ok(Self::of(corpus, commit.to_owned(), at, Arc::default()))
    }

    fn of(corpus: Corpus, commit: String, at: Moment, known_findings: Arc<OnceLock<Findings>>) -> Self {
        let hosts = corpus.source_classes.as_ref().map(|classes| classes.citable()).unwrap_or_default();
        Self { corpus, commit, at, hosts, known_findings, citations: OnceLock::new(), index: OnceLock::new() }
    }

    /// The corpus at another commit: only what differs is read.
    pub fn moved(&self, repository: &Repository, commit: &str) -> anyhow::Result<Self> {
        let (changed, removed) = repository.changed(&self.commit, commit)?;
        match self.corpus.patched(changed, &removed) {
            Some(corpus) => {
                let at = repository.describe(commit)?.at;
                let known = self.known_after(&corpus);
                Ok(Self::of(corpus, commit.to_owned(), at, known))
            }
            None => Self::read(repository, commit),
        }
    }

    /// The corpus after a commit that this process made, which the rules have seen.
    pub fn committed(&self, corpus: Corpus, commit: String, at: Moment) -> Self {
        let known = self.known_after(&corpus);
        Self::of(corpus, commit, at, known)
    }

    /// The findings that are known of the next corpus. What is put away goes whatever depends on it: from then on the rules
    /// find that in the corpus itself, and no later proposal is to blame for it.
    fn known_after(&self, next: &Corpus) -> Arc<OnceLock<Findings>> {
        if put_away(&self.corpus).eq(put_away(next)) {
            Arc::clone(&self.known_findings)
        } else {
            Arc::default()
        }
    }

    /// A skill with its frontmatter.
    pub fn skill(&self, id: &str) -> Option<(&Skill, &Frontmatter)> {
        let skill = self.corpus.skills.get(id)?;
        Some((skill, skill.front.as_ref()?))
    }

    /// A path.
    pub fn path(&self, id: &str) -> Option<&Path> {
        self.corpus.paths.as_ref()?.entries.get(id)
    }

    /// Whether a host is listed, so that citing it needs nobody's look.
    pub fn is_listed(&self, host: &str) -> bool {
        self.hosts.holds(host)
    }

    /// Who cites what.
    pub fn citations(&self) -> &Citations {
        self.citations.get_or_init(|| Citations::of(&self.corpus))
    }

    /// What can be found in it, were no flag ahead of the files.
    pub fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of_files(&self.corpus))
    }

    /// What the rules find in it already, by rule and message.
    pub fn known_findings(&self) -> &Findings {
        self.known_findings.get_or_init(|| {
            let findings = rules::check(&self.corpus, &self.corpus.catalogue, None);
            findings.into_iter().map(|it| (it.rule, it.message)).collect()
        })
    }
}

/// Skills and paths that are retired, by their ids.
fn put_away(corpus: &Corpus) -> impl Iterator<Item = &str> {
    let skills =
        corpus.skills.iter().filter(|(_, it)| it.front.as_ref().is_some_and(|it| it.status.is_retired()));
    let paths = corpus.paths.iter().flat_map(|paths| &paths.entries);
    let paths = paths.filter(|(_, it)| it.entry.status.is_retired());
    skills.map(|(id, _)| id.as_str()).chain(paths.map(|(id, _)| id.as_str()))
}
