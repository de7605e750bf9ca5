//! A corpus as a map of files, so that a test can change one thing.

use becivic_core::corpus::{Content, Corpus, Input};
use becivic_core::finding::Finding;
use becivic_core::rules;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Files of a corpus by path.
#[derive(Clone)]
pub struct Files(pub BTreeMap<String, Vec<u8>>);

impl Files {
    /// The test corpus.
    pub fn test_corpus() -> Self {
        Self::of("fixtures/corpus")
    }

    /// The corpus that is published.
    pub fn public_corpus() -> Self {
        Self::of("corpus")
    }

    fn of(folder: &str) -> Self {
        let mut files = BTreeMap::new();
        let root = root().join(folder);
        collect(&root, &root, &mut files);
        assert!(files.len() > 15, "{folder} is there");
        Self(files)
    }

    /// A file's text.
    pub fn text(&self, path: &str) -> String {
        let bytes = self.0.get(path).expect(path);
        String::from_utf8(bytes.clone()).expect("text")
    }

    /// The files as inputs.
    pub fn inputs(&self) -> Vec<Input> {
        let input = |(path, bytes): (&String, &Vec<u8>)| Input {
            path: path.clone(),
            content: Content::Bytes(bytes.clone()),
        };
        self.0.iter().map(input).collect()
    }

    /// What the rules find.
    pub fn check(&self) -> Vec<Finding> {
        let corpus = Corpus::from_inputs(self.inputs());
        rules::check(&corpus, &corpus.catalogue, None)
    }

    /// What the rules find, those for a published corpus among them.
    pub fn check_strictly(&self) -> Vec<Finding> {
        let corpus = Corpus::from_inputs(self.inputs());
        rules::check_strictly(&corpus, &corpus.catalogue, None)
    }

    /// Writes the files into a folder.
    pub fn write(&self, dir: &Path) {
        for (path, bytes) in &self.0 {
            let full = dir.join(path);
            std::fs::create_dir_all(full.parent().expect("a parent")).expect("folder");
            std::fs::write(full, bytes).expect("file");
        }
    }
}

fn collect(root: &Path, dir: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(dir).expect("folder") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).expect("inside").to_string_lossy().replace('\\', "/");
            files.insert(name, std::fs::read(&path).expect("file"));
        }
    }
}
