//! The examples of `docs/http-api.md` are run as they stand, against a real server; what they print has the fields that the
//! page shows.

use crate::harness::{Engine, Place, Server, Setup, root};
use serde_json::Value;
use std::process::Command;

/// The fenced blocks of a page, in order: language and text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => open = Some((language.to_owned(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some((_, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

/// Whether an answer has every field that the example shows, where the example shows any.
fn holds(answer: &Value, shown: &Value) -> Result<(), String> {
    match (answer, shown) {
        (Value::Object(answer), Value::Object(shown)) => {
            for (name, inner) in shown {
                let there = answer.get(name).ok_or_else(|| format!("there is no `{name}`"))?;
                holds(there, inner)?;
            }
            Ok(())
        }
        (Value::Array(answer), Value::Array(shown)) => match (answer.first(), shown.first()) {
            (_, None) => Ok(()),
            (Some(answer), Some(shown)) => holds(answer, shown),
            (None, Some(_)) => Err("the list is empty".to_owned()),
        },
        (Value::Object(_) | Value::Array(_), _) | (_, Value::Object(_) | Value::Array(_)) => {
            Err("the kind of value differs".to_owned())
        }
        _ => Ok(()),
    }
}

#[test]
fn the_examples_of_the_documentation_work() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::default());
    let page = std::fs::read_to_string(root().join("docs/http-api.md")).expect("the page");
    let blocks = blocks(&page);
    let examples = blocks.iter().filter(|(language, _)| language == "sh").count();
    assert!(examples >= 9, "only {examples} examples were found");
    let mut before = String::new();
    for (index, (language, text)) in blocks.iter().enumerate().filter(|(_, (language, _))| language == "sh") {
        assert_eq!(language, "sh");
        // Later examples use what earlier ones set, so they run after them, silently.
        let script = format!("set -e\n{{ :\n{before}}} > earlier.txt\n{text}");
        let ran = Command::new("bash")
            .args(["-c", &script])
            .env("BASE", server.base())
            .current_dir(place.folder())
            .output()
            .expect("bash runs");
        let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(ran.status.success(), "{text}\n{}", String::from_utf8_lossy(&ran.stderr));
        if text.lines().all(|line| !line.starts_with("curl -s -X DELETE")) {
            before.push_str(text);
        }
        let Some((_, shown)) = blocks.get(index + 1).filter(|(language, _)| language == "json") else {
            continue;
        };
        let shown: Value = serde_json::from_str(shown).unwrap_or_else(|error| panic!("{shown}: {error}"));
        let answers = serde_json::Deserializer::from_str(&printed).into_iter::<Value>();
        let first = answers.map(|answer| answer.expect("an answer in JSON")).next().expect("an answer");
        holds(&first, &shown).unwrap_or_else(|difference| panic!("{text}\n{printed}\n{difference}"));
        let errors = (shown.get("error").is_some(), first.get("error").is_some());
        assert_eq!(errors.0, errors.1, "{text}\n{printed}");
    }
    assert!(server.stop().success());
}
