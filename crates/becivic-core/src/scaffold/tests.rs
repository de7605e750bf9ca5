use super::*;
use crate::path::SourceClass;
use crate::rules;
use crate::vocabulary::Role;

fn bytes(path: &str, text: &str) -> Input {
    Input { path: path.into(), content: Content::Bytes(text.as_bytes().to_vec()) }
}

/// A corpus with what a scaffold stands on, plus more files.
fn corpus(more: &[NewFile]) -> Corpus {
    let authorities = r#"{"authorities": [{"id": "dofi", "level": "federal", "name_fr": "A", "name_nl": "B", "name_de": null, "name_en": "C", "domain": "dofi.ibz.be", "role": "entry"}]}"#;
    let mut inputs = vec![
        bytes(
            "docs/submission-contract-v2.mdx",
            "---\ntitle: C\ndescription: D\nversions: [2.0.0, 2.10.0, 2.9.0]\n---\n",
        ),
        bytes("docs/submission-contract-v1.mdx", "---\ntitle: C\ndescription: D\nversions: [1.0.0]\n---\n"),
        bytes("data/authorities.json", &format!("{authorities}\n")),
        bytes(
            "schemas/categories.json",
            "{\"schema_version\": 1, \"categories\": [{\"id\": \"belgium-federal\", \"description\": \"D\"}]}\n",
        ),
    ];
    inputs.extend(more.iter().map(|file| bytes(&file.path, &file.text)));
    Corpus::from_inputs(inputs)
}

fn new_skill(id: &str) -> NewSkill {
    NewSkill { id: id.into(), category: "belgium-federal".into(), ..NewSkill::default() }
}

fn new_path(id: &str, class: SourceClass) -> NewPath {
    NewPath {
        id: id.into(),
        title_en: None,
        class,
        authority: "dofi".into(),
        category: "belgium-federal".into(),
        purpose: Role::Submission,
        today: "2026-01-02".into(),
    }
}

/// Findings of a check that are about this file.
fn findings(corpus: &Corpus, file: &str) -> Vec<String> {
    let findings = rules::check(corpus, &corpus.catalogue, None);
    let about = findings.into_iter().filter(|finding| finding.file.starts_with(file));
    about.map(|finding| format!("{} {}", finding.rule, finding.message)).collect()
}

#[test]
fn a_new_skill_passes_and_points_to_the_newest_contract() {
    let mut new = new_skill("renew-a-card");
    new.title = Some("Renew: a card, #1".into());
    new.summary = Some("yes".into());
    let files = skill(&corpus(&[]), &new).expect("made");
    let text = &files.first().expect("canonical").text;
    assert!(text.contains("submission_contract_version: 2.10.0\n"), "{text}");
    assert!(text.contains("title: \"Renew: a card, #1\"\n"), "{text}");
    let corpus = corpus(&files);
    assert_eq!(findings(&corpus, "skills/renew"), Vec::<String>::new());
    assert!(matches!(skill(&corpus, &new), Err(Refused::Taken { .. })));
}

#[test]
fn a_new_path_passes_whatever_its_class() {
    for class in SourceClass::ALL {
        let made = path(&corpus(&[]), &new_path("some-certificate", *class)).expect("made");
        let corpus = corpus(&[made]);
        assert_eq!(findings(&corpus, "paths"), Vec::<String>::new(), "{class}");
    }
}

#[test]
fn paths_go_where_their_key_belongs_and_take_the_next_number() {
    let mut files: Vec<NewFile> = Vec::new();
    for id in ["middle", "zebra", "apple"] {
        let made = path(&corpus(&files), &new_path(id, SourceClass::Offline)).expect("made");
        files = vec![made];
    }
    let made = corpus(&files);
    let paths = made.paths.as_ref().expect("readable");
    let keys: Vec<&str> =
        paths.node.get("paths").map(|p| p.entries()).unwrap_or_default().iter().map(|e| &*e.key).collect();
    assert_eq!(keys, ["apple", "middle", "zebra"]);
    let uid = |id: &str| paths.entries.get(id).and_then(|path| path.entry.uid.clone());
    assert_eq!(uid("apple").as_deref(), Some("pth-00003"));
    let text = paths.source.text();
    let laid = crate::format::canonical("paths/index.json", text.as_bytes());
    assert_eq!(laid.expect("readable").as_deref(), Some(text), "already in canonical form");
}

#[test]
fn refusals_say_why() {
    let corpus = corpus(&[]);
    assert!(matches!(skill(&corpus, &new_skill("Bad_Id")), Err(Refused::BadId(_))));
    let mut near = new_skill("a");
    near.category = "belgium-federall".into();
    assert!(matches!(skill(&corpus, &near), Err(Refused::NearMiss { .. })));
    let mut html = new_skill("a");
    html.title = Some("<b>Bold</b>".into());
    assert!(matches!(skill(&corpus, &html), Err(Refused::Misfit { .. })));
    let mut nobody = new_path("a", SourceClass::Offline);
    nobody.authority = "nobody".into();
    assert_eq!(path(&corpus, &nobody), Err(Refused::NoAuthority("nobody".into())));
    let new = |id: &str| NewCategory { id: id.into(), description: "D".into() };
    assert!(matches!(category(&corpus, &new("belgium-federal")), Err(Refused::Taken { .. })));
    assert!(matches!(category(&corpus, &new("belgium-federa")), Err(Refused::NearMiss { .. })));
    assert!(matches!(category(&corpus, &new("1x")), Err(Refused::BadCategory(_))));
    assert!(category(&corpus, &new("belgium-communal")).is_ok());
    assert!(is_id("a-1-b") && !is_id("a--b") && !is_id("-a") && !is_id("") && !is_id("é"));
}
