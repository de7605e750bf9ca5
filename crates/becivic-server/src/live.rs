//! What is served: the corpus at the head of the repository, read once and looked up by everybody.

use crate::moment::Moment;
use crate::repository::Repository;
use anyhow::Context;
use becivic_core::corpus::{Corpus, Hosts, Path, Skill};
use becivic_core::rules;
use becivic_core::skill::Frontmatter;
use std::collections::BTreeSet;
use std::sync::OnceLock;

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
    known_findings: OnceLock<BTreeSet<(&'static str, String)>>,
}

impl Live {
    /// Reads the head of a repository.
    pub fn read(repository: &Repository) -> anyhow::Result<Self> {
        let head = repository.head().context("the repository has no branch `main`")?;
        let corpus = Corpus::from_inputs(repository.files(&head.sha)?);
        let hosts = corpus.source_classes.as_ref().map(|classes| classes.citable()).unwrap_or_default();
        Ok(Self { corpus, commit: head.sha, at: head.at, hosts, known_findings: OnceLock::new() })
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

    /// What the rules find in it already, by rule and message.
    pub fn known_findings(&self) -> &BTreeSet<(&'static str, String)> {
        self.known_findings.get_or_init(|| {
            let findings = rules::check(&self.corpus, &self.corpus.catalogue, None);
            findings.into_iter().map(|it| (it.rule, it.message)).collect()
        })
    }
}
