//! Which sources a profile gets, and in which order: `fixtures/path-eligibility/*.json`.

use crate::{fixture_dir, json_files, read_json, shown};
use becivic_core::path::PathsIndex;
use becivic_core::predicates::{Month, eligible_sources};
use becivic_core::profile::Profile;
use becivic_core::schema::Schema;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    path: String,
    today: String,
    profile: Value,
    expected: Vec<String>,
}

#[test]
fn profiles_get_the_sources_the_fixtures_say() {
    let index = read_json(&fixture_dir().join("corpus/paths/index.json"));
    let index = PathsIndex::deserialize(index).expect("the corpus has a paths index");
    let files = json_files(&fixture_dir().join("path-eligibility"));
    assert!(files.len() >= 8);
    let (mut without, mut several) = (0, 0);
    for file in &files {
        let case = Case::deserialize(read_json(file)).expect("a well-formed case");
        let is_old = shown(file).contains("old-spelling");
        assert_ne!(Schema::Profile.accepts(&case.profile), is_old, "{}", shown(file));
        let (profile, warnings) = Profile::read(&case.profile).expect("a readable profile");
        assert_ne!(warnings.is_empty(), is_old, "{}", shown(file));

        let path = index.paths.get(&case.path).expect("a path of the corpus");
        let sources = eligible_sources(path, &profile, month(&case.today));
        let ids: Vec<&str> = sources.iter().map(|source| source.id.as_str()).collect();
        assert_eq!(ids, case.expected, "{}", shown(file));
        without += usize::from(ids.is_empty());
        several += usize::from(ids.len() > 1);
    }
    assert!(without > 0, "a profile that matches no source is among the cases");
    assert!(several > 0, "a profile that matches several sources is among the cases");
}

fn month(text: &str) -> Month {
    let (year, month) = text.split_once('-').expect("YYYY-MM");
    (year.parse().expect("a year"), month.parse().expect("a month"))
}
