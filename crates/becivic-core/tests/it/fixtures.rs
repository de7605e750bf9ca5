//! Every fixture does what its name says.
//!
//! 1. A valid file is refused by nothing: not by identity, shape and capability, and, for submissions, not
//!    by cross-reference against `fixtures/corpus`.
//! 2. An invalid file is refused exactly once, in the category that its name begins with.

use crate::{fixture_dir, folders, json_files, read_json, shown};
use becivic_core::communes::{self, Communes};
use becivic_core::corpus::{Content, Corpus, Input, KnownTargets};
use becivic_core::preflight::{self, Refusal};
use becivic_core::schema::Schema;
use becivic_core::scrub_rules::{self, ScrubRules};
use becivic_core::submission::Envelope;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn valid_fixtures_are_refused_by_nothing() {
    let known = Known::read();
    let mut count = 0;
    for (folder, schema) in folders() {
        for file in json_files(&folder.join("valid")) {
            let refusals = refusals(schema, &read_json(&file), &known);
            assert!(refusals.is_empty(), "{}: {refusals:#?}", shown(&file));
            count += 1;
        }
    }
    assert!(count > 80, "only {count} valid fixtures");
}

#[test]
fn invalid_fixtures_are_refused_once_for_the_reason_they_name() {
    let known = Known::read();
    let mut wrong = Vec::new();
    let mut count = 0;
    for (folder, schema) in folders() {
        for file in json_files(&folder.join("invalid")) {
            let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let rule = name.split('.').next().unwrap_or_default().to_owned();
            let found = refusals(schema, &read_json(&file), &known);
            if found.len() != 1 || found.iter().any(|refusal| refusal.category.as_str() != rule) {
                wrong.push(format!("{}: {found:#?}", shown(&file)));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 300, "only {count} invalid fixtures");
}

#[test]
fn the_items_of_valid_envelopes_stand_on_their_own() {
    let known = Known::read();
    for file in json_files(&fixture_dir().join("envelopes/valid")) {
        let envelope = Envelope::deserialize(read_json(&file)).expect("a readable envelope");
        let mut bad = 0;
        for index in 0..envelope.items.len() {
            let (kind, value) = envelope.item(index).expect("an item");
            bad += usize::from(!refusals(kind.schema(), &value, &known).is_empty());
        }
        let expected = usize::from(shown(&file).contains("around-a-bad-item"));
        assert_eq!(bad, expected, "{}", shown(&file));
    }
}

#[test]
fn the_data_files_hold_what_schemas_cannot_say() {
    for file in json_files(&fixture_dir().join("communes/valid")) {
        let list = Communes::deserialize(read_json(&file)).expect("readable");
        assert_eq!(communes::check(&list), [], "{}", shown(&file));
    }
    for file in json_files(&fixture_dir().join("regex-rules/valid")) {
        let list = ScrubRules::deserialize(read_json(&file)).expect("readable");
        assert_eq!(scrub_rules::check(&list), [], "{}", shown(&file));
    }
}

/// Everything that is wrong with a document of this schema.
fn refusals(schema: Schema, value: &Value, known: &Known) -> Vec<Refusal> {
    let targets =
        KnownTargets { corpus: &known.corpus, catalogue: &known.corpus.catalogue, concerns: &known.concerns };
    preflight::judge(schema, value, &targets)
}

/// `fixtures/corpus`, and the concerns the fixtures speak of.
struct Known {
    corpus: Corpus,
    concerns: BTreeSet<String>,
}

impl Known {
    fn read() -> Self {
        let root = fixture_dir().join("corpus");
        let mut inputs = Vec::new();
        collect(&root, &root, &mut inputs);
        let corpus = Corpus::from_inputs(inputs);
        assert_eq!(corpus.findings, []);
        let concerns = read_json(&fixture_dir().join("known-concerns.json"));
        let concerns = BTreeSet::deserialize(concerns).expect("a list of uids");
        Self { corpus, concerns }
    }
}

fn collect(root: &Path, dir: &Path, inputs: &mut Vec<Input>) {
    for entry in std::fs::read_dir(dir).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(root, &path, inputs);
        } else {
            let inside = path.strip_prefix(root).expect("below the root");
            inputs.push(Input {
                path: inside.to_string_lossy().replace('\\', "/"),
                content: Content::Bytes(std::fs::read(&path).expect("a file")),
            });
        }
    }
}
