//! What every generated corpus keeps, whatever its seed.

use std::collections::BTreeMap;

use super::*;

/// The generated part of a corpus, path and text.
fn corpus(skills: usize, paths: usize, seed: u64) -> BTreeMap<String, String> {
    let plan = Plan::new(skills, paths, seed);
    let sources = sources(&plan);
    let mut files: BTreeMap<_, _> = fixed_files(&plan, &sources)
        .unwrap()
        .into_iter()
        .map(|(name, text)| (name.to_owned(), text))
        .collect();
    for (index, skill) in plan.skills.iter().enumerate() {
        let written = skill::files(&plan, &sources, index);
        files.insert(format!("skills/{}/canonical.md", skill.id), written.canonical);
        if let Some(process) = written.process {
            files.insert(format!("skills/{}/process.mmd", skill.id), process);
        }
    }
    files
}

fn bodies(files: &BTreeMap<String, String>) -> impl Iterator<Item = (&str, &str)> {
    files.iter().filter_map(|(path, text)| {
        let (_, body) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
        Some((path.as_str(), body))
    })
}

#[test]
fn equal_seeds_give_equal_bytes_and_others_do_not() {
    assert_eq!(corpus(60, 20, 1), corpus(60, 20, 1));
    let (one, two) = (corpus(60, 20, 1), corpus(60, 20, 2));
    assert_ne!(one["paths/index.json"], two["paths/index.json"]);
    assert_ne!(one["catalogue/references.jsonl"], two["catalogue/references.jsonl"]);
    assert!(one.keys().ne(two.keys()));
}

#[test]
fn a_one_skill_corpus_is_the_fallback() {
    let files = corpus(1, 1, 4);
    assert!(files.contains_key("skills/meta-no-skill-fallback/canonical.md"));
}

#[test]
fn bodies_have_the_size_and_the_sections_of_real_ones() {
    let files = corpus(300, 40, 11);
    let mut ordinary = 0;
    for (path, body) in bodies(&files) {
        if !body.contains("\n## Process\n") {
            continue;
        }
        ordinary += 1;
        assert!((4_500..16_000).contains(&body.len()), "{path}: {}", body.len());
        let headings: Vec<_> = body.lines().filter(|line| line.starts_with("## ")).collect();
        let expected = [
            "## Authoritative basis",
            "## Required documents",
            "## Process",
            "## Known surprises",
            "## Community observations",
            "## Requests for contributions",
        ];
        let without_fork: Vec<_> =
            headings.iter().filter(|heading| **heading != "## Branching layer").collect();
        assert!(without_fork.into_iter().eq(expected.iter()), "{path}");
        let drawn = files.contains_key(&path.replace("canonical.md", "process.mmd"));
        assert_eq!(drawn, headings.contains(&"## Branching layer"), "{path}");
        assert!(!body.contains("\n\n\n") && body.ends_with('\n') && !body.ends_with("\n\n"));
    }
    assert!(ordinary > 250);
}

#[test]
fn every_bracket_was_cited_in_full_before() {
    let files = corpus(120, 20, 6);
    for (path, body) in bodies(&files) {
        for (at, _) in body.match_indices(" [") {
            let name = body[at + 2..].split(']').next().unwrap();
            let tag = format!("<Ref name=\"{name}\"");
            assert!(body[..at].contains(&tag), "{path}: {name}");
        }
    }
}

#[test]
fn a_folder_that_holds_something_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("letter.txt"), "keep me").unwrap();
    let mut args = Args { skills: 1, paths: 1, seed: 1, out: folder.path().to_path_buf(), force: false };
    let nowhere = folder.path().join("checkout");
    assert!(make_room(&nowhere, &args).is_err());
    std::fs::create_dir_all(folder.path().join("skills/old")).unwrap();
    args.force = true;
    make_room(&nowhere, &args).unwrap();
    assert!(!folder.path().join("skills").exists());
    assert!(folder.path().join("letter.txt").exists());
}

#[test]
fn the_checkouts_own_corpora_are_never_written() {
    let root = tempfile::tempdir().unwrap();
    let args = Args { skills: 1, paths: 1, seed: 1, out: root.path().join("corpus/generated"), force: true };
    assert!(make_room(root.path(), &args).is_err());
    assert!(!root.path().join("corpus").exists());
}
