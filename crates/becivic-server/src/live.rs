//! What is served: the corpus at the head of the repository, read once and looked up by everybody.

use crate::moment::Moment;
use crate::repository::Repository;
use anyhow::Context;
use becivic_core::catalogue::Catalogue;
use becivic_core::corpus::{Corpus, Hosts, Input, Path, Skill};
use becivic_core::finding::{Finding, Severity};
use becivic_core::rules;
use becivic_core::skill::Frontmatter;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// What a proposal cannot bring along: whoever merges it draws the diagram and writes the rollups anew.
const NOT_OF_PROPOSALS: &[&str] = &["diagram_missing", "rollup_stale"];

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

    /// The first rule that the corpus would break with one file put in or replaced, and did not break before.
    pub fn broken_rule(
        &self,
        repository: &Repository,
        catalogue: &dyn Catalogue,
        file: Input,
    ) -> anyhow::Result<Option<&'static str>> {
        let mut inputs = repository.files(&self.commit)?;
        let known = self.known_findings.get_or_init(|| {
            let findings = rules::check(&self.corpus, &self.corpus.catalogue, None);
            findings.into_iter().map(|it| (it.rule, it.message)).collect()
        });
        inputs.retain(|input| input.path != file.path);
        inputs.push(file);
        let corpus = Corpus::from_inputs(inputs);
        let findings = rules::check(&corpus, catalogue, None);
        let asked = |it: &Finding| it.severity == Severity::Error && !NOT_OF_PROPOSALS.contains(&it.rule);
        let mut new = findings.into_iter().filter(asked);
        Ok(new.find(|it| !known.contains(&(it.rule, it.message.clone()))).map(|it| it.rule))
    }
}
