//! Files that come with a skill: served as text whatever they look like, named on its page, and put away with it.

use super::{asked, media};
use crate::commit::quick;
use crate::consensus::{flag, voter};
use crate::harness::{Engine, Place, Server, Setup, root};
use std::path::Path;
use std::process::Command;

const PAGE: &str = "/skills/arrival-declaration";

/// A letter that looks like a page.
const LETTER: &str = "<script>alert(1)</script>\nDear commune,\n";

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("a file");
        let there = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &there),
            false => drop(std::fs::copy(entry.path(), there).expect("copied")),
        }
    }
}

#[test]
fn templates_are_text_for_everybody() {
    let place = Place::new(Engine::Sqlite);
    let corpus = place.folder().join("corpus");
    copy(&root().join("fixtures/corpus"), &corpus);
    let folder = corpus.join("skills/arrival-declaration/templates");
    std::fs::create_dir_all(folder.join("fr")).expect("a folder");
    std::fs::write(folder.join("Letter.md"), LETTER).expect("written");
    std::fs::write(folder.join("fr/lettre.md"), "Madame, Monsieur\n").expect("written");
    std::fs::write(folder.join("page.html"), LETTER).expect("written");
    std::fs::write(folder.join("form.pdf"), [0x25, 0x50, 0xff, 0xfe]).expect("written");
    let server = Server::start(&place, &Setup { corpus: Some(corpus.clone()), ..quick() });

    let letter = format!("{PAGE}/templates/Letter.md");
    let reply = server.get(&letter);
    assert_eq!((reply.status, reply.text.as_str()), (200, LETTER));
    assert_eq!(media(&reply), "text/plain; charset=utf-8", "no browser runs it");
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(server.get(&format!("{PAGE}/templates/fr/lettre.md")).text, "Madame, Monsieur\n");
    let page = server.get(PAGE).text;
    assert!(page.contains(&format!("href=\"{letter}\"")) && page.contains("<code>form.pdf</code>"), "{page}");
    for nothing in
        ["form.pdf", "page.html", "none.txt", "../canonical.md", "%2e%2e/canonical.md", ".hidden", "fr", ""]
    {
        assert_eq!(server.get(&format!("{PAGE}/templates/{nothing}")).status, 404, "{nothing}");
    }

    let out = place.folder().join("site");
    let mut build = Command::new(env!("CARGO_BIN_EXE_becivic"));
    let built = build.arg("build").arg(&corpus).arg("--out").arg(&out).output().expect("becivic runs");
    assert!(built.status.success(), "{built:?}");
    let file = out.join("skills/arrival-declaration/templates/Letter.md");
    assert_eq!(std::fs::read_to_string(file).expect("it was built"), LETTER);
    assert!(
        !out.join("skills/arrival-declaration/templates/page.html").exists(),
        "a host would send it as a page"
    );

    assert_eq!(flag(&server, &voter(1), ("skill", "arrival-declaration")).status, 201);
    let away = asked(&server, &letter, &[]);
    assert_eq!((away.status, away.text.contains("Dear")), (404, false), "it goes with the skill");
    assert!(server.stop().success());
}
