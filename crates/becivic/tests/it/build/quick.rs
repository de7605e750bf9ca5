//! Builds after which nothing but values has changed: they read next to nothing, and give the site that a whole build gives.

use super::{build, copy_of, corpus, digest};
use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

const SHORT_WAY: &str = "(nothing but the catalogue was read)";

/// Makes everything look as if it had been written an hour ago: of what was written just now no build can be sure.
fn aged(dir: &Path) {
    for entry in fs::read_dir(dir).expect("listed") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            aged(&path);
        } else {
            age(&path);
        }
    }
    age(dir);
}

fn age(path: &Path) {
    let hour_ago = SystemTime::now() - Duration::from_secs(3_600);
    File::open(path).and_then(|file| file.set_modified(hour_ago)).expect("a time is set");
}

/// Gives the rows of a file of the catalogue to a change, and writes them.
fn change(corpus: &Path, file: &str, change: impl Fn(&mut Vec<serde_json::Value>)) {
    let file = corpus.join("catalogue").join(file);
    let text = fs::read_to_string(&file).expect("read");
    let mut rows = text.lines().map(|line| serde_json::from_str(line).expect("a row")).collect();
    change(&mut rows);
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    // As editors do it.
    let beside = file.with_extension("tmp");
    fs::write(&beside, lines).expect("written");
    fs::rename(beside, &file).expect("renamed");
}

/// What a build into an empty folder gives.
fn from_nothing(corpus: &Path) -> String {
    let out = tempfile::tempdir().expect("temp");
    let said = build(corpus, out.path(), 0, &["--with-findings"]);
    assert!(!said.contains(SHORT_WAY), "{said}");
    digest(&said).to_owned()
}

#[test]
fn changed_rows_of_a_whole_corpus_give_what_a_whole_build_gives() {
    let corpus = copy_of("corpus");
    // The way rows are written is not what this is about.
    change(corpus.path(), "volatile-values.jsonl", |_| {});
    change(corpus.path(), "references.jsonl", |_| {});
    aged(corpus.path());
    let out = tempfile::tempdir().expect("temp");
    let options = [];
    let first = build(corpus.path(), out.path(), 0, &options);
    assert!(!first.contains(SHORT_WAY), "{first}");
    let again = build(corpus.path(), out.path(), 0, &options);
    assert!(again.contains(SHORT_WAY) && again.contains(" 0 files written"), "{again}");
    assert_eq!(digest(&again), digest(&first));
    for round in 0..4 {
        change(corpus.path(), "volatile-values.jsonl", |rows| {
            let at = round * rows.len() / 4;
            rows[at]["value"] = format!("changed {round}").into();
            rows[at]["value_type"] = "string".into();
        });
        change(corpus.path(), "references.jsonl", |rows| {
            let at = round * rows.len() / 4;
            rows[at]["title"] = format!("Another title {round}").into();
        });
        let said = build(corpus.path(), out.path(), 0, &options);
        assert!(said.contains(SHORT_WAY) && !said.contains(" 0 files written"), "{said}");
    }
    let last = build(corpus.path(), out.path(), 0, &options);
    assert_eq!(digest(&last), from_nothing(corpus.path()));
    let list = fs::read_to_string(out.path().join(".becivic-build.list")).expect("read");
    let other = tempfile::tempdir().expect("temp");
    build(corpus.path(), other.path(), 0, &options);
    let whole = fs::read_to_string(other.path().join(".becivic-build.list")).expect("read");
    assert_eq!(list, whole, "also what is noted of files is the same");
}

#[test]
fn what_is_remembered_of_pages_is_whole_also_where_none_was_made() {
    let corpus = corpus();
    change(corpus.path(), "volatile-values.jsonl", |_| {});
    aged(corpus.path());
    let out = tempfile::tempdir().expect("temp");
    build(corpus.path(), out.path(), 0, &[]);
    let options = ["--with-findings"];
    let said = build(corpus.path(), out.path(), 0, &options);
    assert!(!said.contains(SHORT_WAY) && said.contains(" 0 files written"), "{said}");
    change(corpus.path(), "volatile-values.jsonl", |rows| {
        rows[0]["value"] = "changed".into();
        rows[0]["value_type"] = "string".into();
    });
    let said = build(corpus.path(), out.path(), 0, &options);
    assert!(said.contains(SHORT_WAY) && !said.contains(" 0 files written"), "{said}");
    assert_eq!(digest(&said), from_nothing(corpus.path()));
}

/// Something that happens between two builds.
type Event = (&'static str, fn(&Path, &Path));

#[test]
fn whatever_else_changed_is_seen() {
    let events: &[Event] = &[
        ("a text", |corpus, _| {
            let file = corpus.join("skills/arrival-declaration/canonical.md");
            let text = fs::read_to_string(&file).expect("read").replacen("arrival", "ARRIVAL", 40);
            fs::write(&file, text).expect("written");
        }),
        ("a new skill", |corpus, _| {
            let folder = corpus.join("skills/one-more");
            fs::create_dir(&folder).expect("made");
            let text =
                fs::read_to_string(corpus.join("skills/arrival-declaration/canonical.md")).expect("read");
            let text = text.replacen("id: arrival-declaration", "id: one-more", 1);
            fs::write(folder.join("canonical.md"), text).expect("written");
        }),
        ("one row more", |corpus, _| {
            change(corpus, "volatile-values.jsonl", |rows| {
                let mut row = rows[0].clone();
                row["uid"] = "val-00999".into();
                row["name"] = "one-more-fee-eur".into();
                rows.push(row);
            });
        }),
        ("another name", |corpus, _| {
            change(corpus, "volatile-values.jsonl", |rows| rows[0]["name"] = "another-fee-eur".into());
        }),
        ("another source", |corpus, _| {
            let reference = fs::read_to_string(corpus.join("catalogue/references.jsonl")).expect("read");
            let row: serde_json::Value =
                serde_json::from_str(reference.lines().next().expect("a row")).expect("JSON");
            change(corpus, "volatile-values.jsonl", |rows| rows[0]["source"] = row["name"].clone());
        }),
        ("other ends of lines", |corpus, _| {
            let file = corpus.join("catalogue/volatile-values.jsonl");
            fs::write(&file, fs::read_to_string(&file).expect("read").replace('\n', "\r\n"))
                .expect("written");
        }),
        ("no end of the last line", |corpus, _| {
            let file = corpus.join("catalogue/volatile-values.jsonl");
            fs::write(&file, fs::read_to_string(&file).expect("read").trim_end()).expect("written");
        }),
        ("a page was removed", |_, out| {
            fs::remove_file(out.join("skills/arrival-declaration/index.html")).expect("removed");
        }),
        ("one file more in the catalogue", |corpus, _| {
            fs::write(corpus.join("catalogue/notes.txt"), "").expect("written");
        }),
        ("the list was cut off", |_, out| {
            let list = out.join(".becivic-build.list");
            let text = fs::read_to_string(&list).expect("read").replacen("finished", "underway", 1);
            fs::write(list, text).expect("written");
        }),
    ];
    for (what, happens) in events {
        let corpus = corpus();
        change(corpus.path(), "volatile-values.jsonl", |_| {});
        aged(corpus.path());
        let out = tempfile::tempdir().expect("temp");
        build(corpus.path(), out.path(), 0, &["--with-findings"]);
        happens(corpus.path(), out.path());
        let said = build(corpus.path(), out.path(), 0, &["--with-findings"]);
        assert!(!said.contains(SHORT_WAY), "{what}: {said}");
        assert_eq!(digest(&said), from_nothing(corpus.path()), "{what}");
    }
}

#[test]
fn an_error_in_a_changed_row_is_found_and_other_options_make_another_site() {
    let corpus = corpus();
    aged(corpus.path());
    let out = tempfile::tempdir().expect("temp");
    let first = build(corpus.path(), out.path(), 0, &[]);
    let said = build(corpus.path(), out.path(), 0, &["--lang", "fr"]);
    assert!(!said.contains(SHORT_WAY), "{said}");
    let back = build(corpus.path(), out.path(), 0, &[]);
    assert_eq!(digest(&back), digest(&first));
    change(corpus.path(), "volatile-values.jsonl", |rows| rows[0]["status"] = "splendid".into());
    let said = build(corpus.path(), out.path(), 1, &[]);
    assert!(said.contains("becivic check"), "{said}");
    let list = fs::read_to_string(out.path().join(".becivic-build.list")).expect("read");
    assert!(list.starts_with("becivic build, finished"), "nothing was written");
}

#[test]
fn a_system_without_a_cache_folder_builds_all_the_same() {
    let corpus = corpus();
    aged(corpus.path());
    let out = tempfile::tempdir().expect("temp");
    for _ in 0..2 {
        let mut command = crate::becivic();
        command.env_remove("HOME").env_remove("XDG_CACHE_HOME").env_remove("LOCALAPPDATA");
        let output =
            command.arg("build").arg(corpus.path()).arg("--out").arg(out.path()).output().expect("runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && !said.contains(SHORT_WAY), "{said}");
    }
}
