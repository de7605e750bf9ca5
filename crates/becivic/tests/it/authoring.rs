//! The authoring commands on copies of the fixture corpus.

use assert_cmd::Command;
use becivic_core::schema::Schema;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What a run of the binary gave.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn becivic(args: &[&str], dir: &Path) -> Ran {
    let mut command = Command::cargo_bin("becivic").expect("the binary is built");
    let output = command.args(args).current_dir(dir).output().expect("it runs");
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs and expects an exit code; gives standard output.
fn run(dir: &Path, code: i32, args: &[&str]) -> String {
    let ran = becivic(args, dir);
    assert_eq!(ran.code, code, "{args:?}\n{}\n{}", ran.out, ran.err);
    ran.out
}

/// A copy of the fixture corpus.
fn corpus() -> TempDir {
    let temp = tempfile::tempdir().expect("temp folder");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/corpus");
    copy(&from, temp.path());
    run(temp.path(), 0, &["fmt"]);
    temp
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("folder");
    for entry in fs::read_dir(from).expect("listed") {
        let path = entry.expect("entry").path();
        let target = to.join(path.file_name().expect("named"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("copied");
        }
    }
}

fn read(dir: &Path, path: &str) -> String {
    fs::read_to_string(dir.join(path)).expect("readable")
}

fn edit(dir: &Path, path: &str, from: &str, to: &str) {
    let text = read(dir, path);
    assert!(text.contains(from), "{path} has {from:?}");
    fs::write(dir.join(path), text.replacen(from, to, 1)).expect("written");
}

/// Every file of a folder with its bytes.
fn tree(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("listed") {
            let path = entry.expect("entry").path();
            match path.is_dir() {
                true if path.ends_with(".git") => {}
                true => folders.push(path),
                false => files.push((path.clone(), fs::read(path).expect("readable"))),
            }
        }
    }
    files.sort();
    files
}

#[test]
fn what_is_new_passes_a_check_at_once() {
    let temp = corpus();
    let dir = temp.path();
    run(dir, 0, &["index"]);
    run(dir, 0, &["new", "category", "belgium-communal", "--description", "Matters of the communes."]);
    run(
        dir,
        0,
        &["new", "skill", "move-house", "--title", "Move: house #1", "--category", "belgium-communal"],
    );
    for class in ["offline", "federal-auth-handoff", "brussels-tier1-quicklink"] {
        let id = format!("new-{class}");
        run(
            dir,
            0,
            &["new", "path", &id, "--class", class, "--authority", "dofi", "--category", "belgium-communal"],
        );
    }
    run(dir, 0, &["check", "--deny-warnings"]);
    run(dir, 0, &["fmt", "--check"]);
    run(dir, 0, &["index", "--check"]);
    let index = read(dir, "paths/index.json");
    assert!(index.contains("pth-00006"), "uids go on");
    assert!(read(dir, "skills/move-house/canonical.md").contains("submission_contract_version: 2.1.0"));
}

#[test]
fn what_cannot_be_new_is_refused() {
    let temp = corpus();
    let dir = temp.path();
    let before = tree(dir);
    let cases: &[(&[&str], i32, &str)] = &[
        (&["new", "skill", "Bad_Id"], 2, "lowercase words"),
        (&["new", "skill", "renew-residence-card"], 3, "already"),
        (&["new", "skill", "x", "--category", "belgium-federall"], 2, "too close"),
        (&["new", "skill", "x", "--title", "a {b} c"], 2, "a title is plain words"),
        (&["new", "skill", "x", "--title", "[law-population-registers-1991]"], 2, "a title is plain words"),
        (&["new", "skill", "x", "--title", "a <b>"], 2, "a title is plain words"),
        (&["new", "skill", "x", "--title", "two\nlines"], 2, "would not pass"),
        (&["new", "path", "x"], 2, "--authority"),
        (&["new", "path", "x", "--authority", "nobody"], 2, "no authority"),
        (&["new", "path", "x", "--authority", "dofi", "--last-verified", "soon"], 2, "a day of the calendar"),
        (
            &["new", "path", "x", "--authority", "dofi", "--last-verified", "2026-02-30"],
            2,
            "a day of the calendar",
        ),
        (&["new", "path", "household-certificate", "--authority", "dofi"], 3, "already"),
        (&["new", "category", "belgium-federal", "--description", "x"], 3, "already"),
        (&["new", "category", "belgium-federa", "--description", "x"], 2, "too close"),
        (&["new", "category", "9x", "--description", "x"], 2, "starts with"),
    ];
    for (args, code, says) in cases {
        let ran = becivic(args, dir);
        assert_eq!(ran.code, *code, "{args:?} {}", ran.err);
        assert!(ran.err.contains(says), "{args:?} {}", ran.err);
    }
    assert_eq!(tree(dir), before, "nothing was written");
}

#[test]
fn formatting_heals_and_is_done_once() {
    let temp = corpus();
    let dir = temp.path();
    let clean = tree(dir);
    run(dir, 0, &["fmt", "--check"]);
    for path in ["skills/arrival-declaration/canonical.md", "paths/index.json", "catalogue/references.jsonl"]
    {
        let text = format!("\u{feff}{}\r\n\r\n", read(dir, path).replace('\n', "\r\n"));
        fs::write(dir.join(path), text).expect("written");
    }
    let skill = "skills/school-enrolment/canonical.md";
    edit(
        dir,
        skill,
        "id: school-enrolment\ntitle: Enrol a child at school\n",
        "title: Enrol a child at school\n# the id\nid: school-enrolment   \n",
    );
    run(dir, 1, &["check"]);
    let said = run(dir, 1, &["fmt", "--check"]);
    assert_eq!(said.lines().count(), 4, "{said}");
    run(dir, 0, &["fmt"]);
    assert!(read(dir, skill).starts_with("---\n# the id\nid: school-enrolment\ntitle:"));
    let once = tree(dir);
    run(dir, 0, &["fmt"]);
    assert_eq!(tree(dir), once, "twice is once");
    edit(dir, skill, "# the id\n", "");
    assert_eq!(tree(dir), clean, "everything else is as it was");
}

#[test]
fn what_cannot_be_read_is_left_alone() {
    let temp = corpus();
    let dir = temp.path();
    fs::write(dir.join("paths/index.json"), "{\r\n  \"a\": 1,\r\n}").expect("written");
    fs::write(dir.join("data/communes.json"), b"\xff\xfe").expect("written");
    let before = tree(dir);
    let ran = becivic(&["fmt"], dir);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("paths/index.json:3:1"), "{}", ran.err);
    assert!(ran.err.contains("data/communes.json:1:1: the file is not UTF-8"), "{}", ran.err);
    assert_eq!(tree(dir), before);
    let empty = tempfile::tempdir().expect("temp folder");
    assert_eq!(becivic(&["fmt"], empty.path()).code, 3);
    assert_eq!(becivic(&["index"], empty.path()).code, 3);
}

#[test]
fn rollups_are_the_same_bytes_until_something_changes() {
    let temp = corpus();
    let dir = temp.path();
    run(dir, 0, &["check"]);
    run(dir, 1, &["index", "--check"]);
    run(dir, 0, &["index"]);
    let once = tree(dir);
    assert_eq!(run(dir, 0, &["index"]), "");
    assert_eq!(tree(dir), once);
    run(dir, 0, &["index", "--check"]);
    run(dir, 0, &["check"]);
    edit(dir, "skills/school-enrolment/canonical.md", "title: Enrol a child", "title: Register a child");
    edit(dir, "paths/index.json", "\"en\": \"Household certificate\"", "\"en\": \"Household paper\"");
    assert_eq!(run(dir, 1, &["index", "--check"]), "stale skills/rollup.json\nstale paths/rollup.json\n");
    let found = run(dir, 1, &["check", "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&found).expect("JSON");
    let stale: Vec<String> = found["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|f| {
            format!("{} {}:{}", f["rule"].as_str().unwrap_or(""), f["file"].as_str().unwrap_or(""), f["line"])
        })
        .collect();
    let line = |path: &str, text: &str| {
        read(dir, path).lines().position(|line| line.contains(text)).expect("there") + 1
    };
    let expected = [
        format!("rollup_stale paths/rollup.json:{}", line("paths/rollup.json", "Household certificate")),
        format!("rollup_stale skills/rollup.json:{}", line("skills/rollup.json", "Enrol a child")),
    ];
    assert_eq!(stale, expected);
}

#[test]
fn new_categories_are_listed_by_index() {
    let temp = corpus();
    let dir = temp.path();
    edit(
        dir,
        "skills/school-enrolment/canonical.md",
        "category: belgium-flemish-region",
        "category: cantons-of-the-east",
    );
    run(dir, 0, &["index"]);
    let list: serde_json::Value = serde_json::from_str(&read(dir, "schemas/categories.json")).expect("JSON");
    let last = list["categories"].as_array().and_then(|list| list.last()).expect("listed");
    assert_eq!(last["id"], "cantons-of-the-east");
    assert_eq!(last["description"], "New category; describe it.");
    edit(dir, "skills/school-enrolment/canonical.md", "cantons-of-the-east", "cantons-of-the-eest");
    let ran = becivic(&["index"], dir);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("looks like a misspelling of `cantons-of-the-east`"), "{}", ran.err);
}

/// A Git repository with the corpus in a folder of it, committed.
fn repository() -> (TempDir, PathBuf) {
    let temp = corpus();
    let dir = temp.path().to_path_buf();
    git(&dir, &["init", "-q"]);
    commit(&dir);
    (temp, dir)
}

fn git(dir: &Path, args: &[&str]) {
    let status = std::process::Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"])
        .args(args)
        .current_dir(dir)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git runs");
    assert!(status.status.success(), "{args:?} {}", String::from_utf8_lossy(&status.stderr));
}

fn commit(dir: &Path) {
    git(dir, &["add", "-A"]);
    git(dir, &["commit", "-q", "-m", "c"]);
}

const ARRIVAL: &str = "skills/arrival-declaration/canonical.md";
const RENEW: &str = "skills/renew-residence-card/canonical.md";
const OLD: &str = "skills/old-registration/canonical.md";
const INDEX: &str = "paths/index.json";

/// In a file, a text replaced by another.
type Replacement = (&'static str, &'static str, &'static str);

/// The version written in a skill's frontmatter.
fn version(dir: &Path, path: &str) -> String {
    let text = read(dir, path);
    let line = text.lines().find(|line| line.starts_with("version:")).expect("has a version");
    line.trim_start_matches("version:").trim().to_owned()
}

#[test]
fn versions_follow_what_a_change_did() {
    let renew = |from: &'static str, to: &'static str| (RENEW, from, to);
    let cases: Vec<(Vec<Replacement>, &str)> = vec![
        (
            vec![renew("Bring the documents above", "Bring the papers above")],
            "skills/renew-residence-card 1.0.3 → 1.0.4 (content)\n",
        ),
        (
            vec![renew("status: stable", "status: beta")],
            "skills/renew-residence-card 1.0.3 → 0.2.0 (stable → beta)\n",
        ),
        (
            vec![renew("status: stable", "status: alpha"), renew("Bring the documents", "Bring the papers")],
            "skills/renew-residence-card 1.0.3 → 0.1.0 (stable → alpha)\n",
        ),
        (
            vec![renew(
                "[law-population-registers-1991].\n3.",
                "<Ref name=\"law-population-registers-1991\" title=\"Law of 19 July 1991 on the population registers\" url=\"https://www.ejustice.just.fgov.be/eli/loi/1991/07/19\">law</Ref>.\n3.",
            )],
            "",
        ),
        (
            vec![renew("version: 1.0.3", "version: 1.0.9")],
            "skills/renew-residence-card 1.0.9 → 1.0.3 (nothing else changed)\n",
        ),
        (
            vec![
                renew("version: 1.0.3", "version: \"1.0.3\" # by hand"),
                renew("Bring the documents", "Bring the papers"),
            ],
            "skills/renew-residence-card 1.0.3 → 1.0.4 (content)\n",
        ),
        (
            vec![renew("status: stable", "status: deprecated"), renew("version: 1.0.3", "version: 2.0.0")],
            "skills/renew-residence-card 2.0.0 → 1.0.3 (retired)\n",
        ),
        (
            vec![renew("version: 1.0.3", "version: 1.0.3\nversion_pin: true")],
            "skills/renew-residence-card is pinned and left alone\n",
        ),
        (vec![(OLD, "\n# ", "\nText that nobody reads.\n\n# ")], ""),
        (
            vec![(INDEX, "\"en\": \"Household certificate\"", "\"en\": \"Household paper\"")],
            "paths/household-certificate 0.1.0 → 0.1.1 (content)\npaths/index.json 0.1.0 → 0.1.1 (entries changed)\n",
        ),
        (
            vec![(INDEX, "\"status\": \"alpha\"", "\"status\": \"stable\"")],
            "paths/household-certificate 0.1.0 → 1.0.0 (alpha → stable)\npaths/index.json 0.1.0 → 1.0.0 (entries changed)\n",
        ),
        (
            vec![(
                INDEX,
                "\"version\": \"0.1.0\",\n      \"status\": \"alpha\"",
                "\"version\": \"0.1.0\",\n      \"version_pin\": true,\n      \"status\": \"alpha\"",
            )],
            "paths/index.json 0.1.0 → 0.1.1 (entries changed)\npaths/household-certificate is pinned and left alone\n",
        ),
        (
            vec![(INDEX, "\"version\": \"0.1.0\"", "\"version\": \"0.1.7\"")],
            "paths/index.json 0.1.7 → 0.1.0 (nothing else changed)\n",
        ),
    ];
    let (temp, dir) = repository();
    for (edits, expected) in cases {
        for (path, from, to) in &edits {
            edit(&dir, path, from, to);
        }
        let edited = tree(&dir);
        let code = i32::from(expected.contains(" → "));
        assert_eq!(run(&dir, code, &["bump", "--check"]), expected, "{edits:?}");
        assert_eq!(tree(&dir), edited, "--check writes nothing");
        assert_eq!(run(&dir, 0, &["bump"]), expected);
        let again = run(&dir, 0, &["bump"]);
        assert!(!again.contains(" → "), "a second run changes nothing: {again}");
        let lines = |files: &[(PathBuf, Vec<u8>)]| -> Vec<String> {
            let all = files.iter().flat_map(|(_, bytes)| {
                String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect::<Vec<_>>()
            });
            all.filter(|line| !line.contains("version")).collect()
        };
        assert_eq!(lines(&tree(&dir)), lines(&edited), "only versions change");
        git(&dir, &["checkout", "-q", "--", "."]);
    }
    drop(temp);
}

#[test]
fn new_artefacts_start_their_line_and_a_base_may_lie_further_back() {
    let (_temp, dir) = repository();
    run(&dir, 0, &["new", "skill", "move-house"]);
    run(&dir, 0, &["new", "path", "some-paper", "--authority", "dofi"]);
    assert_eq!(run(&dir, 0, &["bump"]), "paths/index.json 0.1.0 → 0.1.1 (entries changed)\n");
    let new = "skills/move-house/canonical.md";
    edit(&dir, new, "version: 0.0.0", "version: 3.1.4");
    assert_eq!(run(&dir, 0, &["bump"]), "skills/move-house 3.1.4 → 0.0.0 (new)\n");
    edit(&dir, ARRIVAL, "Test data", "Made-up data");
    let before = version(&dir, ARRIVAL);
    commit(&dir);
    assert_eq!(run(&dir, 0, &["bump"]), "", "nothing is uncommitted");
    run(&dir, 0, &["bump", "--base", "HEAD~1"]);
    assert_ne!(version(&dir, ARRIVAL), before);
    run(&dir, 0, &["check", "--base", "HEAD~1"]);
    assert_eq!(becivic(&["bump", "--base", "nowhere"], &dir).code, 3);
    fs::write(dir.join(RENEW), "no frontmatter\n").expect("written");
    let ran = becivic(&["bump"], &dir);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("skills/renew-residence-card cannot be read"), "{}", ran.err);
}

#[test]
fn the_graph_is_an_answer_and_a_picture() {
    let temp = corpus();
    let dir = temp.path();
    edit(dir, ARRIVAL, "title: ", "title: \"<i> & \\\"q\\\"\" # ");
    edit(dir, RENEW, "inputs:", "prerequisites: [arrival-declaration]\nrelated: [school-enrolment]\ninputs:");
    let text = run(dir, 0, &["graph", "--format", "json", "--at", "2026-05-11T15:00:00Z"]);
    let answer: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(Schema::SkillGraph.violations(&answer), []);
    assert_eq!(answer["generated_at"], "2026-05-11T15:00:00Z");
    assert_eq!(answer["edges"].as_array().map(Vec::len), Some(2));
    let few =
        run(dir, 0, &["graph", "--format", "json", "--status", "draft", "--domain", "education,family"]);
    let few: serde_json::Value = serde_json::from_str(&few).expect("JSON");
    assert_eq!(Schema::SkillGraph.violations(&few), []);
    assert_eq!(few["nodes"].as_array().map(Vec::len), Some(2), "one draft and the fallback");
    assert_eq!(becivic(&["graph", "--format", "json", "--status", "quarantined"], dir).code, 2);
    for time in ["yesterday", "2026-02-30T15:00:00Z"] {
        assert_eq!(becivic(&["graph", "--format", "json", "--at", time], dir).code, 2, "{time}");
    }
    let dot = run(dir, 0, &["graph", "--format", "dot"]);
    assert!(dot.contains("\"renew-residence-card\" -> \"arrival-declaration\" [style=dashed];"), "{dot}");
    let svg = run(dir, 0, &["graph", "--format", "svg"]);
    assert_eq!(run(dir, 0, &["graph", "--format", "svg"]), svg, "the same bytes");
    assert!(svg.contains("&lt;i&gt; &amp; &quot;q&quot;"), "{svg}");
    well_formed(&svg);
}

#[test]
fn a_graph_that_is_not_whole_is_shown_and_said_to_be_so() {
    let empty = tempfile::tempdir().expect("temp folder");
    let ran = becivic(&["graph", "--format", "dot"], empty.path());
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("holds no skill; is it a corpus?"), "{}", ran.err);
    let temp = corpus();
    let dir = temp.path();
    fs::write(dir.join(OLD), "no frontmatter\n").expect("written");
    let ran = becivic(&["graph", "--format", "dot"], dir);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("skills/old-registration cannot be read and is left out"), "{}", ran.err);
    assert!(ran.out.contains("renew-residence-card"), "{}", ran.out);
    let temp = corpus();
    let dir = temp.path();
    for (from, to) in [("one", "two"), ("two", "one")] {
        run(dir, 0, &["new", "skill", from]);
        let file = format!("skills/{from}/canonical.md");
        edit(dir, &file, "verification_notes", &format!("requires:\n  - id: {to}\nverification_notes"));
    }
    let ran = becivic(&["graph", "--format", "dot"], dir);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("skills/one/canonical.md:"), "{}", ran.err);
    assert!(ran.out.contains("\"one\" -> \"two\""), "{}", ran.out);
}

#[test]
fn new_finds_the_corpus_folder_below() {
    let temp = tempfile::tempdir().expect("temp folder");
    copy(corpus().path(), &temp.path().join("corpus"));
    run(temp.path(), 0, &["new", "skill", "move-house"]);
    assert!(temp.path().join("corpus/skills/move-house/canonical.md").is_file());
    run(temp.path(), 0, &["check", "corpus", "--deny-warnings"]);
}

#[test]
fn titles_that_are_taken_pass_the_check() {
    let marks = ["*Move* _house_", "`Move` house", "Move `house", "Move house #", "1. Move", "- Move", "---"];
    let words = ["Move & house", "&amp;", "\\Move", "Verify with", "https://example.org", "import x"];
    for title in marks.iter().chain(&words) {
        let temp = corpus();
        let dir = temp.path();
        run(dir, 0, &["new", "skill", "move-house", &format!("--title={title}")]);
        run(dir, 0, &["check", "--deny-warnings"]);
    }
}

/// Elements close in the order they opened, attributes are quoted, and no bare `<` or `&` is left.
fn well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        let entities = ["&amp;", "&lt;", "&gt;", "&quot;"];
        let bare = text.match_indices('&').any(|(at, _)| !entities.iter().any(|e| text[at..].starts_with(e)));
        assert!(!bare && !text.contains('>'), "{text}");
        let end = tag.find('>').expect("tags end");
        let inside = &tag[1..end];
        assert_eq!(inside.matches('"').count() % 2, 0, "{inside}");
        let name = inside.trim_matches('/').split([' ', '\n']).next().expect("a name");
        if inside.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !inside.ends_with('/') {
            open.push(name);
        }
        rest = &tag[end + 1..];
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?}");
}

const HEADER: &str = "nis,fr,nl,de,region,province,postcodes,languages,slug,postcodes_special\n";
const EUPEN: &str = "63023,,,Eupen,wallonia,liege,4700|4701,de|fr,eupen,\n";
const IXELLES: &str = "21009,Ixelles,Elsene,,brussels,,1050,fr|nl,ixelles,1049\n";

fn build(dir: &Path, table: &str) -> Ran {
    fs::write(dir.join("table.csv"), table).expect("written");
    let args =
        ["communes", "build", "--from", "table.csv", "--out", "communes.json", "--fetched-at", "2026-11-15"];
    becivic(&args, dir)
}

#[test]
fn communes_are_built_and_sorted() {
    let temp = tempfile::tempdir().expect("temp folder");
    let ran = build(temp.path(), &format!("{HEADER}{EUPEN}{IXELLES}"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = read(temp.path(), "communes.json");
    let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(Schema::Communes.violations(&file), []);
    assert_eq!(file["nomenclature_date"], "2025-01-01");
    let ixelles = serde_json::json!({"nis_code": "21009", "slug": "ixelles", "name_fr": "Ixelles", "name_nl": "Elsene",
        "name_de": null, "region": "brussels", "province": null, "postal_codes": ["1050"], "languages_available": ["fr", "nl"]});
    assert_eq!(file["communes"][0], ixelles);
    assert_eq!(file["communes"][1]["postal_codes"], serde_json::json!(["4700", "4701"]));
    assert!(text.starts_with("{\n  \"nomenclature_date\"") && text.ends_with("}\n"));
}

#[test]
fn a_bad_row_is_refused_with_its_line() {
    let cases = [
        (IXELLES.to_owned(), "belongs to two communes"),
        (IXELLES.replace("21009", "21010"), "slug ixelles belongs to two communes"),
        (EUPEN.replace("4700|4701", "1050"), "postal code 1050 belongs to two communes"),
        (EUPEN.replace(",Eupen", ","), "at least one name"),
        (EUPEN.replace("liege", "namur"), "not the code of a commune in this province"),
        (EUPEN.replace("liege", "paris"), "no province"),
        (EUPEN.replace("wallonia", "wallonie"), "no region"),
        (EUPEN.replace("de|fr", "de|en"), "no language"),
        (EUPEN.replace("de|fr", "nl"), "language area"),
        (EUPEN.replace("de|fr", ""), "too few"),
        (EUPEN.replace("4700|4701", ""), "too few"),
        (EUPEN.replace("4700", "470"), "expected form"),
        (EUPEN.replace("63023", "6302"), "expected form"),
        (EUPEN.replace("eupen", "Eupen!"), "expected form"),
        (EUPEN.replace(",eupen,", ",eupen"), "the header has 10"),
    ];
    let temp = tempfile::tempdir().expect("temp folder");
    for (row, says) in cases {
        let ran = build(temp.path(), &format!("{HEADER}{IXELLES}{row}"));
        assert_eq!(ran.code, 1, "{row} {}", ran.err);
        assert!(ran.err.contains("table.csv:3: ") && ran.err.contains(says), "{row} {}", ran.err);
    }
    let ran = build(temp.path(), "nis,slug\n");
    assert!(ran.code == 1 && ran.err.contains("no column `fr`"), "{}", ran.err);
    for (table, says) in [
        (format!("{HEADER}{EUPEN}").replace("wallonia", "mars").replace('\n', "\r\n"), "table.csv:2: "),
        (
            format!("{HEADER}{IXELLES}{EUPEN}").replace("wallonia", "mars").replace('\n', "\r\n"),
            "table.csv:3: ",
        ),
        (format!("{HEADER}\n\n{EUPEN}").replace("wallonia", "mars"), "table.csv:4: "),
        (format!("{HEADER}{EUPEN}").replace("4700", "470").replace('\n', "\r\n"), "table.csv:2: "),
        (format!("\u{feff}{HEADER}{EUPEN}").replace(",eupen,", ",eupen"), "table.csv:2: "),
    ] {
        let ran = build(temp.path(), &table);
        assert!(ran.code == 1 && ran.err.starts_with(says), "{says} {}", ran.err);
    }
    let latin = [HEADER.as_bytes(), b"63023,,,\xe9,wallonia,liege,4700,de,e,\n"].concat();
    fs::write(temp.path().join("table.csv"), latin).expect("written");
    let mut args =
        ["communes", "build", "--from", "table.csv", "--out", "communes.json", "--fetched-at", "2026-11-15"];
    let ran = becivic(&args, temp.path());
    assert!(ran.code == 1 && ran.err.contains(":2: the row is not UTF-8"), "{}", ran.err);
    assert!(!temp.path().join("communes.json").exists(), "nothing was written");
    args[7] = "2026-02-30";
    let ran = becivic(&args, temp.path());
    assert!(ran.code == 2 && ran.err.contains("a day of the calendar"), "{}", ran.err);
}
