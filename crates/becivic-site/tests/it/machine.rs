//! Files for agents and machines, addresses, redirects.

mod addresses;
mod artefacts;
mod llms;
mod small;

use becivic_core::corpus::{Content, Corpus, Input};
use becivic_site::facts::{Api, Endpoint, Facts};
use becivic_site::files::Made;
use becivic_site::{World, files};
use std::collections::BTreeSet;
use std::path::Path;

pub const BASE: &str = "https://becivic.example";

/// A corpus of the repository, and what is put away.
pub struct Given {
    pub corpus: Corpus,
    pub withheld: BTreeSet<(String, String)>,
}

impl Given {
    pub fn of(folder: &str) -> Self {
        Self::with(folder, Vec::new())
    }

    /// With files put in or replaced.
    pub fn with(folder: &str, more: Vec<(String, String)>) -> Self {
        let mut inputs = Vec::new();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("listed") {
                let path = entry.expect("an entry").path();
                let name = path.strip_prefix(&root).expect("inside").to_string_lossy().replace('\\', "/");
                match path.is_dir() {
                    true => folders.push(path),
                    false if more.iter().any(|(changed, _)| *changed == name) => {}
                    false => {
                        let bytes = std::fs::read(&path).expect("read");
                        inputs.push(Input { path: name, content: Content::Bytes(bytes) });
                    }
                }
            }
        }
        let added =
            |(path, text): (String, String)| Input { path, content: Content::Bytes(text.into_bytes()) };
        inputs.extend(more.into_iter().map(added));
        Self { corpus: Corpus::from_inputs(inputs), withheld: BTreeSet::new() }
    }

    /// With so many more skills, which are all alike.
    pub fn grown(skills: usize) -> Self {
        let text = std::fs::read_to_string(repository("corpus/skills/change-of-address/canonical.md"))
            .expect("read");
        let copy = |number: usize| {
            let id = format!("change-of-address-{number:05}");
            let text = text.replacen("id: change-of-address\n", &format!("id: {id}\n"), 1);
            (format!("skills/{id}/canonical.md"), text)
        };
        Self::with("corpus", (0..skills).map(copy).collect())
    }

    pub fn without(mut self, target_type: &str, id: &str) -> Self {
        self.withheld.insert((target_type.to_owned(), id.to_owned()));
        self
    }

    pub fn world(&self) -> World<'_> {
        World { commit: "0123456789abcdef", withheld: &self.withheld, ..World::new(&self.corpus, BASE) }
    }

    /// A file, as text.
    pub fn file(&self, address: &str, facts: &Facts) -> Option<String> {
        let made = files::at(address).unwrap_or_else(|| panic!("no file at {address}"));
        self.make(&made, facts)
    }

    pub fn make(&self, made: &Made, facts: &Facts) -> Option<String> {
        let mut markdown =
            |which: &becivic_site::address::Which| Some(format!("text of {}\n", which.address()));
        made.make(&self.world(), facts, &mut markdown).map(|bytes| String::from_utf8(bytes).expect("UTF-8"))
    }
}

pub fn repository(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// A server with two routes.
pub fn served() -> Facts {
    let endpoint = |method: &str, path: &str, schema: Option<&str>| Endpoint {
        method: method.to_owned(),
        path: path.to_owned(),
        about: "What it does.".to_owned(),
        schema: schema.map(str::to_owned),
        ..Endpoint::default()
    };
    let api = Api {
        endpoints: vec![
            endpoint("POST", "/api/concerns", Some("/schemas/concern.schema.json")),
            endpoint("GET", "/api/skill-graph", None),
        ],
        limits: [("per_day".to_owned(), 50)].into(),
        staging_window_hours: 24,
        body_limit: 1 << 20,
        refusals: Default::default(),
        tools: vec![becivic_site::facts::McpTool { name: "find_skill".to_owned(), ..Default::default() }],
    };
    Facts { api: Some(api), today: "2026-11-16".to_owned(), ..Facts::default() }
}
