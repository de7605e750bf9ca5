//! Texts of skills and pages in both forms.

mod corpora;
mod extract;
mod hostile;
mod observed;
mod parity;
mod tags;

use becivic_core::corpus::{Content, Corpus, Input};
use becivic_core::vocabulary::Language;
use becivic_site::body::{self, Printed};
use becivic_site::facts::{Entry, Facts, Row};
use becivic_site::{World, words};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The skill whose body the tests write.
const SKILL: &str = "arrival-declaration";

/// A folder of this repository, as a corpus reads it.
pub fn inputs(folder: &str) -> Vec<Input> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let mut found: Vec<PathBuf> = Vec::new();
    let mut waiting = vec![root.clone()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { waiting.push(path) } else { found.push(path) }
        }
    }
    let input = |file: PathBuf| {
        let path = file.strip_prefix(&root).expect("inside").to_string_lossy().replace('\\', "/");
        Input { path, content: Content::Bytes(std::fs::read(file).expect("a file")) }
    };
    found.into_iter().map(input).collect()
}

/// The small corpus, with another body for one skill.
pub fn corpus_with(body: &str) -> Corpus {
    let mut inputs = inputs("fixtures/corpus");
    let own = format!("skills/{SKILL}/canonical.md");
    let file = inputs.iter_mut().find(|input| input.path == own).expect("the skill");
    let Content::Bytes(bytes) = &mut file.content else { unreachable!("files are bytes") };
    let text = String::from_utf8(std::mem::take(bytes)).expect("text");
    let end = text[4..].find("\n---\n").expect("frontmatter") + 4 + "\n---\n".len();
    *bytes = format!("{}\n{body}\n", &text[..end]).into_bytes();
    Corpus::from_inputs(inputs)
}

/// A body in both forms.
pub fn printed(body: &str, facts: &Facts, language: Language, withheld: &[(&str, &str)]) -> Printed {
    let corpus = corpus_with(body);
    let withheld: BTreeSet<(String, String)> =
        withheld.iter().map(|(kind, id)| ((*kind).to_owned(), (*id).to_owned())).collect();
    let world = World { withheld: &withheld, ..World::new(&corpus, "https://becivic.be") };
    body::skill(&world, &corpus.skills[SKILL], facts, words::of(language))
}

pub fn row(status: &str, value: &str) -> Row {
    Row {
        status: status.into(),
        value: Some(json!(value)),
        committed_at: "2026-05-12".into(),
        ..Row::default()
    }
}

pub fn source(status: &str, title: &str, url: &str) -> Row {
    let (title, url) = (Some(title.into()), Some(url.into()));
    Row { status: status.into(), title, url, committed_at: "2026-05-12".into(), ..Row::default() }
}

pub fn entry(uid: &str, name: &str, current: Row, stable: Option<Row>) -> (String, Entry) {
    (uid.to_owned(), Entry { uid: uid.into(), name: name.into(), current, stable, flagged: Vec::new() })
}

/// Entries in every state.
pub fn facts() -> Facts {
    let mut verified = source("stable", "Law of 1991 | \"registers\"", "https://law.example.be/?a=1&b=2");
    verified.last_verified = Some("2026-05-12".into());
    let mut archived = verified.clone();
    archived.archived_url = Some("https://archive.example.org/law".into());
    let mut marker = row("quarantined", "");
    marker.value = None;
    let by_name = entry("val-00006", "new-fee-eur", row("alpha", "12"), None).1;
    let mut entries = std::collections::BTreeMap::from([
        entry("val-00001", "fee-eur", row("stable", "€5 <b>*now*</b>"), None),
        entry("val-00002", "delay", row("alpha", "10 days"), Some(row("stable", "8 days"))),
        entry("val-00003", "gone", marker, None),
        entry("val-00004", "alone", row("alpha", "7"), None),
        entry("val-00005", "rolled-back", row("quarantined", "666"), Some(row("stable", "6"))),
        entry("ref-00001", "law", archived, None),
        entry("ref-00002", "page", source("alpha", "A page", "https://page.example.be"), None),
        entry(
            "ref-00003",
            "moved",
            source("alpha", "New [home](https://evil.example)", "https://new.example.be"),
            Some(verified),
        ),
        entry("ref-00004", "odd", source("alpha", "Odd", "javascript:alert(1)"), None),
    ]);
    entries.insert("new-fee-eur".into(), by_name);
    Facts {
        entries: entries.into_iter().map(|(asked, entry)| (asked, entry.into())).collect(),
        ..Facts::default()
    }
}
