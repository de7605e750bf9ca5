//! A world to look at: the small corpus with some files changed, what flags put away, and facts that are made up.

use becivic_core::corpus::{Content, Corpus, Input};
use becivic_core::vocabulary::{Language, Status};
use becivic_site::address::Which;
use becivic_site::doc::{self, Block, paragraph, text};
use becivic_site::facts::{Cohort, Commit, Explained, Facts, Standing};
use becivic_site::version::{Version, file_of};
use becivic_site::{Shown, World, pages, words};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A world that can be borrowed.
pub struct Ground {
    pub corpus: Corpus,
    pub withheld: BTreeSet<(String, String)>,
    pub facts: Facts,
}

/// A commit's name that is easy to read: the same digit forty times.
pub fn sha(digit: char) -> String {
    digit.to_string().repeat(40)
}

/// The text of a skill of the small corpus.
pub fn file(id: &str) -> String {
    std::fs::read_to_string(root().join("fixtures/corpus").join(file_of(id))).expect("a skill of the corpus")
}

/// The small corpus, with these skills changed.
pub fn ground(changed: &[(&str, &str)]) -> Ground {
    let mut inputs = inputs("fixtures/corpus");
    for (id, text) in changed {
        inputs.retain(|input| input.path != file_of(id));
        inputs.push(Input { path: file_of(id), content: Content::Bytes(text.as_bytes().to_vec()) });
    }
    of(Corpus::from_inputs(inputs))
}

/// The corpus that is published.
pub fn published() -> Ground {
    of(Corpus::from_inputs(inputs("corpus")))
}

pub fn of(corpus: Corpus) -> Ground {
    Ground { corpus, withheld: BTreeSet::new(), facts: Facts::default() }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn inputs(folder: &str) -> Vec<Input> {
    let base = root().join(folder);
    let mut inputs = Vec::new();
    let mut folders = vec![base.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&base).expect("below").to_string_lossy().replace('\\', "/");
            let content = Content::Bytes(std::fs::read(&path).expect("a file"));
            inputs.push(Input { path: name, content });
        }
    }
    inputs
}

impl Ground {
    pub fn world(&self) -> World<'_> {
        World { withheld: &self.withheld, ..World::new(&self.corpus, "https://becivic.example") }
    }

    pub fn show(&self, which: &Which, language: Language) -> Shown {
        pages::show(&self.world(), which, &self.facts, words::of(language))
    }

    /// Where a skill stands, with what is missing.
    pub fn stands(&mut self, id: &str, status: Status, missing: &[Value]) -> &mut Standing {
        let explained = Explained {
            rule: "alpha_to_beta".to_owned(),
            explanation: "alpha stays alpha: something is missing".to_owned(),
            missing: missing.to_vec(),
            next_look: None,
        };
        let cohort = Cohort {
            affirms: 1,
            rejects: 0,
            n: 1,
            distinct_ips: 1,
            cohort_started_at: "2026-05-12".to_owned(),
            last_validation_at: Some("2026-05-20".to_owned()),
            standing: Some(explained),
            ..Cohort::default()
        };
        let standing = Standing { status, flagged: false, stable_is_flagged: false, cohort };
        self.facts.standings.entry(format!("skill:{id}")).or_insert(standing)
    }

    /// Puts versions of a skill into the history, oldest first, as whoever serves would.
    pub fn history(&mut self, id: &str, versions: &[(char, &str, &str)]) {
        for (at, (digit, subject, text)) in versions.iter().enumerate() {
            let (sha, subject) = (sha(*digit), (*subject).to_owned());
            let day = format!("2026-05-{:02}", at + 1);
            self.facts.versions.insert(sha.clone(), Version::read(id, text));
            self.facts.commits.insert(0, Commit { sha, subject, day });
        }
        for (digit, _, text) in versions {
            self.had(id, *digit, text);
        }
    }

    /// What the file of a skill said at a commit.
    pub fn had(&mut self, id: &str, digit: char, text: &str) {
        self.facts.files.insert(format!("{}:{}", sha(digit), file_of(id)), text.to_owned());
    }
}

/// The page around the text of the skill, which has tests of its own.
pub fn around_the_text(shown: &Shown) -> Vec<Block> {
    let placeholder = || Block::Group { class: "body", blocks: vec![paragraph([text("THE TEXT")])] };
    let blocks = shown.doc.blocks.iter().map(|block| match block {
        Block::Group { class: "body", .. } => placeholder(),
        other => other.clone(),
    });
    blocks.collect()
}

pub fn html(blocks: &[Block], language: Language) -> String {
    doc::html::blocks(blocks, words::of(language)).into_string()
}

pub fn markdown(blocks: &[Block], language: Language) -> String {
    doc::markdown::blocks(blocks, words::of(language))
}
