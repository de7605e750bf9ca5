//! `becivic build` on copies of the fixture corpus.

mod quick;

use crate::becivic;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Where builds remember.
const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache");

/// A copy of the fixture corpus.
pub fn corpus() -> TempDir {
    copy_of("fixtures/corpus")
}

/// A copy of a folder of the project.
fn copy_of(folder: &str) -> TempDir {
    let temp = tempfile::tempdir().expect("temp folder");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder), temp.path());
    temp
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("folder");
    for entry in fs::read_dir(from).expect("listed") {
        let path = entry.expect("entry").path();
        let target = to.join(path.file_name().expect("named"));
        if path.is_dir() { copy(&path, &target) } else { fs::copy(&path, &target).map(drop).expect("copied") }
    }
}

/// Builds; gives what was printed.
fn build(corpus: &Path, out: &Path, code: i32, more: &[&str]) -> String {
    let mut command = becivic();
    command.env("XDG_CACHE_HOME", CACHE);
    let output = command.arg("build").arg(corpus).arg("--out").arg(out).args(more).output().expect("it runs");
    let (said, aside) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{said}\n{aside}");
    format!("{said}{aside}")
}

fn digest(said: &str) -> &str {
    said.lines().find_map(|line| line.strip_prefix("digest ")).expect("a digest is printed")
}

/// Every file below a folder but the list, with what it holds and when it was written.
fn files(dir: &Path) -> BTreeMap<String, (Vec<u8>, std::time::SystemTime)> {
    let mut found = BTreeMap::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("listed") {
            let path = entry.expect("entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(dir).expect("inside").to_string_lossy().into_owned();
            let time = path.metadata().and_then(|it| it.modified()).expect("a time");
            found.insert(name, (fs::read(&path).expect("read"), time));
        }
    }
    found.remove(".becivic-build.list");
    found
}

#[test]
fn two_clean_builds_are_the_same_and_hold_every_page() {
    let corpus = corpus();
    let (one, two) = (tempfile::tempdir().expect("temp"), tempfile::tempdir().expect("temp"));
    let first = build(corpus.path(), one.path(), 0, &[]);
    let second = build(corpus.path(), &two.path().join("deep/er"), 0, &[]);
    assert_eq!(digest(&first), digest(&second));
    let made = files(one.path());
    let bytes = |files: BTreeMap<String, (Vec<u8>, _)>| -> Vec<(String, Vec<u8>)> {
        files.into_iter().map(|(name, (bytes, _))| (name, bytes)).collect()
    };
    assert_eq!(bytes(files(&two.path().join("deep/er"))), bytes(made.clone()));
    for name in [
        "404.html",
        "llms.txt",
        "llms-full.txt",
        "search.json",
        "sitemap.xml",
        "skills/index.html",
        "skills/index.md",
        "skills/arrival-declaration/index.html",
        "skills/arrival-declaration.md",
        "skills/arrival-declaration/source.md",
    ] {
        assert!(made.contains_key(name), "{name}: {:?}", made.keys());
    }
    assert!(made.keys().any(|name| name.starts_with("assets/site.") && name.ends_with(".css")));
    let source = fs::read(corpus.path().join("skills/arrival-declaration/canonical.md")).expect("read");
    assert_eq!(made["skills/arrival-declaration/source.md"].0, source);

    let french = tempfile::tempdir().expect("temp");
    let other = build(corpus.path(), french.path(), 0, &["--lang", "fr", "--base", "https://example.be/"]);
    assert_ne!(digest(&other), digest(&first));
    let page = fs::read_to_string(french.path().join("skills/arrival-declaration/index.html")).expect("read");
    assert!(page.contains("lang=\"fr\"") && page.contains("https://example.be/skills/arrival-declaration"));
}

#[test]
fn links_of_a_built_site_lead_to_its_files() {
    let out = tempfile::tempdir().expect("temp");
    build(copy_of("corpus").path(), out.path(), 0, &[]);
    let made = files(out.path());
    let is_there = |address: &str| {
        let bare = address.split(['#', '?']).next().unwrap_or_default().trim_start_matches('/');
        [bare.to_owned(), format!("{bare}/index.html"), format!("{bare}index.html")]
            .iter()
            .any(|it| made.contains_key(it))
    };
    let mut links = 0;
    for (name, (bytes, _)) in made.iter().filter(|(name, _)| name.ends_with(".html")) {
        let page = String::from_utf8_lossy(bytes);
        let addresses = page
            .split(['"', ' '])
            .zip(page.split(['"', ' ']).skip(1))
            .filter(|(before, _)| matches!(*before, "href=" | "src=" | "action="));
        for (_, address) in addresses.filter(|(_, address)| address.starts_with('/')) {
            // Texts tell what a server answers.
            assert!(is_there(address) || address.starts_with("/api"), "{name}: {address}");
            links += 1;
        }
        assert!(!page.contains("?lang=") && !page.contains("/history\""), "{name}");
    }
    assert!(links > 1_000, "{links} links were looked at");
}

#[test]
fn a_second_build_writes_only_what_changed() {
    let corpus = corpus();
    let out = tempfile::tempdir().expect("temp");
    let first = build(corpus.path(), out.path(), 0, &[]);
    let before = files(out.path());
    let again = build(corpus.path(), out.path(), 0, &[]);
    assert!(again.contains(" 0 files written"), "{again}");
    assert_eq!(files(out.path()), before, "nothing is touched");
    assert_eq!(digest(&again), digest(&first));

    // One text changes: its page in all forms, and lists that differ for it.
    let file = corpus.path().join("skills/arrival-declaration/canonical.md");
    let text = fs::read_to_string(&file).expect("read");
    fs::write(&file, text.trim_end().to_owned() + "\n\nOne more sentence.\n").expect("written");
    build(corpus.path(), out.path(), 0, &["--with-findings"]);
    let after = files(out.path());
    let changed: Vec<&String> = after.keys().filter(|name| after.get(*name) != before.get(*name)).collect();
    assert!(!changed.is_empty());
    let is_of_it = |name: &str| name.starts_with("skills/arrival-declaration") || name == "llms-full.txt";
    assert!(changed.iter().all(|name| is_of_it(name)), "{changed:?}");
    let clean = tempfile::tempdir().expect("temp");
    let whole = build(corpus.path(), clean.path(), 0, &["--with-findings"]);
    let kept = build(corpus.path(), out.path(), 0, &["--with-findings"]);
    assert_eq!(digest(&whole), digest(&kept), "in steps or at once, the site is the same");
}

#[test]
fn a_changed_value_makes_only_pages_again_that_cite_it() {
    let corpus = corpus();
    let out = tempfile::tempdir().expect("temp");
    build(corpus.path(), out.path(), 0, &[]);
    let list = |dir: &Path| -> BTreeMap<String, String> {
        let text = fs::read_to_string(dir.join(".becivic-build.list")).expect("read");
        let columns = text.lines().skip(1).map(|line| line.splitn(4, ' ').collect::<Vec<_>>());
        columns.map(|line| (line[3].to_owned(), line[1].to_owned())).collect()
    };
    let before = list(out.path());
    let file = corpus.path().join("catalogue/volatile-values.jsonl");
    let text = fs::read_to_string(&file).expect("read");
    let (first, rest) = text.split_once('\n').expect("rows");
    let mut row: serde_json::Value = serde_json::from_str(first).expect("a row");
    row["value"] = "something else".into();
    row["value_type"] = "string".into();
    let (uid, name) = (row["uid"].as_str().expect("a uid"), row["name"].as_str().expect("a name"));
    fs::write(&file, format!("{row}\n{rest}")).expect("written");
    build(corpus.path(), out.path(), 0, &["--with-findings"]);
    let after = list(out.path());
    let mut again = 0;
    for (page, inputs) in &after {
        let is_made_again = Some(inputs) != before.get(page);
        let skill = page.strip_prefix("skills/").and_then(|rest| rest.strip_suffix("/index.html"));
        let Some(skill) = skill.filter(|id| *id != "index" && !id.contains('/')) else {
            let lists_it = page == "llms-full.txt" || page.starts_with("values/index.");
            let is_its_own = page.contains(uid) || lists_it;
            assert!(is_its_own || !is_made_again || page.starts_with("skills/"), "{page}");
            continue;
        };
        let source =
            fs::read_to_string(corpus.path().join(format!("skills/{skill}/canonical.md"))).expect("read");
        let cites = source.contains(uid) || source.contains(&format!("\"{name}\""));
        assert_eq!(is_made_again, cites, "{page}");
        again += usize::from(cites);
    }
    assert!(again > 0, "somebody cites the first value");
}

#[test]
fn what_is_gone_is_removed_and_nothing_else() {
    let corpus = corpus();
    let out = tempfile::tempdir().expect("temp");
    build(corpus.path(), out.path(), 0, &[]);
    fs::write(out.path().join("skills/mine.txt"), "kept").expect("written");
    fs::remove_dir_all(corpus.path().join("skills/arrival-declaration")).expect("removed");
    let said = build(corpus.path(), out.path(), 0, &["--with-findings"]);
    assert!(said.contains(" 3 removed"), "{said}");
    let left = files(out.path());
    assert!(!left.keys().any(|name| name.contains("arrival-declaration")), "{:?}", left.keys());
    assert!(!out.path().join("skills/arrival-declaration").exists(), "no empty folder stays");
    assert!(left.contains_key("skills/mine.txt"));
}

#[test]
fn a_build_that_was_cut_off_is_made_again() {
    let corpus = corpus();
    let out = tempfile::tempdir().expect("temp");
    let whole = build(corpus.path(), out.path(), 0, &[]);
    // As it is when the process dies between two files: the list says so, and a page holds something else of the same length.
    let list = out.path().join(".becivic-build.list");
    let text = fs::read_to_string(&list).expect("read");
    fs::write(&list, text.replacen("build, finished", "build, underway", 1)).expect("written");
    let page = out.path().join("skills/arrival-declaration.md");
    let length = fs::read(&page).expect("read").len();
    fs::write(&page, vec![b'x'; length]).expect("written");
    // Or while it replaces one.
    let left = out.path().join("skills/.arrival-declaration.md.4711-0.tmp");
    fs::write(&left, "half").expect("written");
    let again = build(corpus.path(), out.path(), 0, &[]);
    assert!(!left.exists(), "nobody finishes it");
    assert!(again.contains(" 0 unchanged"), "{again}");
    assert_eq!(digest(&again), digest(&whole));
    assert_ne!(fs::read(&page).expect("read"), vec![b'x'; length]);
}

#[cfg(unix)]
#[test]
fn builds_into_one_folder_wait_for_one_another() {
    let corpus = corpus();
    let out = tempfile::tempdir().expect("temp");
    let held = fs::File::open(out.path()).expect("opened");
    held.lock().expect("locked");
    let mut command = Command::new(env!("CARGO_BIN_EXE_becivic"));
    command.env("XDG_CACHE_HOME", CACHE).arg("build").arg(corpus.path());
    command.arg("--out").arg(out.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    let mut aside = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    aside.read_line(&mut line).expect("it says why nothing happens");
    assert!(line.contains("waiting for another build"), "{line}");
    assert_eq!(files(out.path()).len(), 0, "nothing is written meanwhile");
    held.unlock().expect("unlocked");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert!(files(out.path()).len() > 10);
}

#[test]
fn folders_of_others_and_broken_corpora_are_refused() {
    let corpus = corpus();
    let out = tempfile::tempdir().expect("temp");
    fs::write(out.path().join("mine"), "kept").expect("written");
    let said = build(corpus.path(), out.path(), 2, &[]);
    assert!(said.contains("is left alone") && said.contains("--force"), "{said}");
    assert_eq!(files(out.path()).len(), 1);
    build(corpus.path(), out.path(), 0, &["--force"]);
    assert!(files(out.path()).contains_key("mine"));
    let said = build(&corpus.path().join("skills/arrival-declaration/canonical.md"), out.path(), 2, &[]);
    assert!(said.contains("is a file; a corpus is a folder"), "{said}");
    for base in ["becivic", "https://example.be/below", "https://me:secret@example.be"] {
        let said = build(corpus.path(), out.path(), 2, &["--base", base]);
        assert!(said.contains("--base"), "{said}");
    }

    fs::write(corpus.path().join("skills/arrival-declaration/canonical.md"), "no frontmatter")
        .expect("written");
    let other = tempfile::tempdir().expect("temp");
    let said = build(corpus.path(), &other.path().join("out"), 1, &[]);
    assert!(said.contains("error") && said.contains("becivic check"), "{said}");
    assert!(!other.path().join("out").exists(), "nothing is made");
    build(corpus.path(), &other.path().join("out"), 0, &["--with-findings"]);
}
