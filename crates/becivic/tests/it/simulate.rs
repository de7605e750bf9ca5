//! `becivic simulate` as people and programs use it, and `docs/trust.md` as it writes it.

use crate::becivic;
use serde_json::Value;
use std::path::Path;
use std::process::Output;

const SMALL: &str = "story = \"Ten artefacts, twenty people, and somebody who rejects.\"\ndays = 40\nartefacts = 10\nruns = 2\n\
    [readers]\nhonest = 20\n[attack]\nplan = \"reject\"\naddresses = 3\ndays = 5\ntargets = 2\n";

fn simulate(arguments: &[&str]) -> Output {
    becivic().arg("simulate").args(arguments).output().expect("runs")
}

fn stdout(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("written");
    path.to_string_lossy().into_owned()
}

#[test]
fn the_study_in_the_documents_is_the_one_that_the_code_makes() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let output = simulate(&["study", "--check", "--out", &docs.to_string_lossy()]);
    assert!(stdout(&output).ends_with(" files are what they should be\n"), "{}", stdout(&output));
}

#[test]
fn programs_get_one_object_and_people_a_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let small = file(folder.path(), "small.toml", SMALL);
    let json = stdout(&simulate(&["--scenario", &small, "--seed", "3", "--json"]));
    let report: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        (&report["scenario"], &report["policy"], &report["policy_version"]),
        (&"small".into(), &"default".into(), &"1".into())
    );
    assert_eq!((&report["runs"], &report["artefacts"], &report["seed"]), (&2.into(), &20.into(), &3.into()));
    assert!(report["validations"].as_u64().is_some_and(|it| it > 500), "{json}");
    assert_eq!(report["attack"]["reached"]["of"], 4);
    assert_eq!(json, stdout(&simulate(&["--scenario", &small, "--seed", "3", "--json"])), "the same seed");
    let table = stdout(&simulate(&["--scenario", &small, "--runs", "1", "--policy", "raw"]));
    assert!(table.starts_with("small under policy raw (1-"), "{table}");
    assert!(table.contains("attack: right content is rolled back or quarantined"), "{table}");
    assert!(stdout(&simulate(&["--list"])).contains("planted-draft"));
}

#[test]
fn settings_come_from_the_scenario_and_from_a_configuration() {
    let folder = tempfile::tempdir().expect("a folder");
    let careful = file(folder.path(), "careful.toml", &format!("{SMALL}[policy]\nstable_confirms = 500\n"));
    let small = file(folder.path(), "small.toml", SMALL);
    let config = file(folder.path(), "becivic.toml", "[consensus]\nstable_confirms = 500\n");
    for arguments in
        [&["--scenario", &careful, "--json"][..], &["--scenario", &small, "--config", &config, "--json"][..]]
    {
        let report: Value = serde_json::from_str(&stdout(&simulate(arguments))).expect("JSON");
        assert_eq!(report["true_stable"]["count"], 0, "{arguments:?}");
        assert_ne!(report["policy_version"], "1");
    }
}

#[test]
fn a_sweep_is_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let small = file(folder.path(), "small.toml", SMALL);
    let svg = folder.path().join("cost.svg");
    let drawn = svg.to_string_lossy().into_owned();
    let asked = [
        "sweep",
        "--scenario",
        &small,
        "--addresses",
        "1,3",
        "--days",
        "2",
        "--policy",
        "default,freeze",
        "--runs",
        "1",
    ];
    let table = stdout(&simulate(&[&asked[..], &["--out", &drawn]].concat()));
    assert!(table.contains("half of the targets cost"), "{table}");
    let picture = std::fs::read_to_string(&svg).expect("written");
    assert!(
        picture.contains("<title id=\"title\">") && picture.contains("<desc id=\"description\">"),
        "{picture}"
    );
    let found: Value =
        serde_json::from_str(&stdout(&simulate(&[&asked[..], &["--json"]].concat()))).expect("JSON");
    assert_eq!(found["curves"].as_array().map(Vec::len), Some(2));
}

#[test]
fn what_is_wrong_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let endless =
        file(folder.path(), "endless.toml", &SMALL.replace("artefacts = 10", "artefacts = 1000000000"));
    let small = file(folder.path(), "small.toml", SMALL);
    let cases: [(&[&str], i32, &str); 7] = [
        (&[], 2, "--scenario"),
        (
            &["--scenario", &endless],
            2,
            "`artefacts` is 1000000000; it may be a whole number from 1 to 100000",
        ),
        (&["--scenario", &small, "--runs", "-1"], 2, "'-1'"),
        (&["--scenario", &small, "--runs", "0"], 2, "`runs` is 0; it may be a whole number from 1 to 10000"),
        (&["--scenario", &small, "--policy", "kind"], 2, "there is no policy `kind`; there are default, raw"),
        (&["--scenario", "nowhere.toml"], 3, "cannot read nowhere.toml"),
        (&["sweep", "--scenario", &small, "--days", "0"], 2, "`attack.days` is 0; it may be"),
    ];
    for (arguments, code, said) in cases {
        let output = simulate(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(said), "{arguments:?}: {}", stderr(&output));
        assert!(!stderr(&output).contains("panicked"));
    }
}

/// What README quotes of the study is what the study says.
#[test]
fn the_readme_quotes_the_study() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).expect("a file");
    let (readme, study) = (read("README.md"), read("docs/trust.md"));
    let quoted =
        readme.split("## What it would cost to cheat").nth(1).and_then(|rest| rest.split("\n## ").next());
    let quoted = quoted.expect("the section");
    let headline =
        study.lines().find(|line| line.starts_with("- Under the default policy")).expect("a headline");
    let words: Vec<&str> = quoted.split_whitespace().collect();
    let shares: Vec<String> =
        words.windows(2).filter(|two| two[1].starts_with('%')).map(|two| format!("{} %", two[0])).collect();
    assert!(shares.len() >= 3, "{shares:?}");
    for share in
        shares.iter().map(String::as_str).chain(["half of it within 17 days", "16 addresses", "12 addresses"])
    {
        assert!(headline.contains(share), "README quotes {share}; the study says: {headline}");
    }
}
