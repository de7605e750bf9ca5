//! What each source class's signals make of samples: `fixtures/signal-samples/<source_class>/*.json`.

use crate::{fixture_dir, json_files, read_json, shown};
use becivic_core::path::{PathSource, SourceClass};
use becivic_core::schema::Schema;
use becivic_core::signals::{Sample, classify};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    source: Value,
    sample: Sample,
    expected: String,
}

#[test]
fn samples_are_classified_as_the_fixtures_say() {
    for class in SourceClass::ALL {
        let files = json_files(&fixture_dir().join("signal-samples").join(class.as_str()));
        let mut seen = Vec::new();
        for file in &files {
            let case = Case::deserialize(read_json(file)).expect("a well-formed case");
            assert!(Schema::PathSource.accepts(&case.source), "{}", shown(file));
            let source = PathSource::deserialize(case.source).expect("a readable source");
            assert_eq!(source.source_class, *class, "{}", shown(file));
            let verdict = classify(&source.validation_path, &case.sample).to_string();
            assert_eq!(verdict, case.expected, "{}", shown(file));
            let kind = verdict.split(':').next().unwrap_or_default().to_owned();
            let named = file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&kind));
            assert!(named, "{} is named for its verdict", shown(file));
            seen.push(kind);
        }
        for kind in ["success", "failure"] {
            assert!(seen.iter().any(|one| one == kind), "{class} has a {kind} sample");
        }
    }
}
