//! Every template, filled with what the library gives and with texts that would like to be markup.

use super::*;
use crate::db::audit::Entry;
use crate::db::desk::Pull;
use crate::db::feedback::Message;
use crate::db::flags::{Flag, Item};
use crate::moment::Moment;
use crate::repository::Commit;
use crate::review::artefacts::Target;
use crate::review::items::{ArtefactShown, HeldShown, PullShown};
use crate::review::json as shown;
use crate::review::marks::{Field, Piece};
use crate::review::preview::{Changed, Line, Proposed, Side};
use becivic_core::finding::{Finding, Severity};

/// What nobody may ever see as markup, nor read the wrong way round.
const HOSTILE: &str = "<script>alert(\"x\")</script>' onclick='y\u{202e}z";

fn hostile() -> String {
    HOSTILE.to_owned()
}

fn log() -> Vec<Entry> {
    let at = Moment(1_763_000_000_000);
    let (who, action) = (hostile(), "release".to_owned());
    vec![Entry { number: 7, at, who, action, subject: hostile(), why: hostile() }]
}

fn pull() -> Pull {
    Pull {
        number: 3,
        purpose: "draft".to_owned(),
        public_uid: Some("drf-00003".to_owned()),
        target_type: "skill".to_owned(),
        target_id: "new-skill".to_owned(),
        title: hostile(),
        state: "open".to_owned(),
        outcome: None,
        forge_number: None,
        opened: Moment(0),
        id: None,
        kind: None,
        review: None,
        failure: Some(hostile()),
    }
}

fn fields() -> Vec<Field> {
    let piece = |mark: Option<&str>| Piece { text: hostile(), mark: mark.map(str::to_owned) };
    vec![Field { pointer: hostile(), pieces: vec![piece(None), piece(Some(HOSTILE))] }]
}

fn proposed(broken: Option<String>) -> Proposed {
    let line = |side| Line { side, text: hostile() };
    let finding = Finding {
        rule: "section_missing",
        severity: Severity::Error,
        file: hostile(),
        line: 1,
        column: 1,
        message: hostile(),
        help: hostile(),
    };
    Proposed {
        body: Some(format!("# A\n\n{HOSTILE}\n")),
        files: vec![Changed {
            path: hostile(),
            diff: vec![line(Side::Place), line(Side::Both), line(Side::Added), line(Side::Removed)],
        }],
        unlisted: vec![hostile()],
        findings: vec![finding],
        broken,
    }
}

fn typed(mut content: serde_json::Value) -> serde_json::Value {
    content["why"] = json!(HOSTILE);
    content["edited"] = json!(null);
    content
}

fn artefact() -> ArtefactShown {
    let item = Item {
        uid: "rev-00001".to_owned(),
        reason: hostile(),
        target_type: "skill".to_owned(),
        target_id: "a".to_owned(),
        state: "open".to_owned(),
        day: Moment(0),
        forge_number: None,
    };
    let flag = Flag {
        verdict: "reject".to_owned(),
        reason: Some(hostile()),
        words: None,
        rationale: Some(hostile()),
        cohort_anchor: None,
        state: "applied".to_owned(),
        day: Moment(0),
    };
    ArtefactShown {
        target: Target::read("skill:a").expect("a target"),
        standing: Some(("alpha".to_owned(), "0.1.0".to_owned())),
        text: Some(hostile()),
        items: vec![item],
        raised: vec![flag],
        history: vec![Commit { sha: "0123456789abcdef".to_owned(), subject: hostile(), at: Moment(0) }],
        log: log(),
    }
}

fn message() -> Message {
    let (topic, pointer) = (None, Some(hostile()));
    Message { key: vec![7; 32], topic, pointer, body: hostile(), state: "new".to_owned(), day: Moment(0) }
}

/// A page for every template that is not a part of others.
fn pages() -> Vec<(&'static str, serde_json::Value)> {
    let shown_pull = |proposed| PullShown { pull: pull(), proposed, fields: fields(), log: log() };
    let held = |json: Option<String>| HeldShown {
        id: "con_1".to_owned(),
        kind: "concern".to_owned(),
        review: None,
        was_committed: false,
        day: Moment(0),
        fields: fields(),
        json,
        proposed: Some(proposed(None)),
        subject: hostile(),
        log: log(),
    };
    let mut words = shown::message(&message());
    words["states"] = json!(["new", "seen"]);
    let list = shown::artefact(&artefact());
    vec![
        ("login.html", json!({"next": HOSTILE})),
        ("words.html", json!({"text": HOSTILE})),
        (
            "overview.html",
            json!({"cards": [{"name": "held", "count": "1", "label": "held", "about": HOSTILE}], "nothing": true}),
        ),
        ("drafts.html", json!({"pulls": [shown::pull(&pull())], "more": "3"})),
        ("drafts.html", json!({"pulls": [], "more": null})),
        ("draft.html", shown::pull_shown(&shown_pull(Some(proposed(None))))),
        ("draft.html", shown::pull_shown(&shown_pull(Some(proposed(Some(hostile())))))),
        ("draft.html", shown::pull_shown(&shown_pull(None))),
        (
            "held.html",
            json!({"held": [{"id": "con_1", "kind": "concern", "about": null, "review": HOSTILE, "held": "2026-01-01"}], "more": null}),
        ),
        ("held.html", json!({"held": [], "more": null})),
        ("one_held.html", shown::held_shown(&held(Some(hostile())))),
        ("one_held.html", shown::held_shown(&held(None))),
        ("flags.html", json!({"items": list["items"], "more": "rev-00001"})),
        ("flags.html", json!({"items": [], "more": null})),
        ("artefact.html", shown::artefact(&artefact())),
        (
            "feedback.html",
            json!({"messages": [shown::message(&message())], "state": "new", "states": ["new", "seen"]}),
        ),
        ("feedback.html", json!({"messages": [], "state": "new", "states": ["new"]})),
        ("message.html", words),
        ("audit.html", json!({"entries": shown::list(&log(), shown::entry), "more": "7"})),
        ("audit.html", json!({"entries": [], "more": null})),
    ]
}

#[test]
fn every_template_renders_and_nothing_in_it_becomes_markup() {
    let session = Session { who: hostile(), form: "seal".to_owned() };
    let mut seen = vec!["base.html", "parts.html"];
    for (template, content) in pages() {
        seen.push(template);
        let page = Page { error: Some(hostile()), ..Page::new(template, HOSTILE, "held", typed(content)) };
        let html = render(Some(&session), &page).unwrap_or_else(|error| panic!("{template}: {error:#}"));
        assert!(!html.contains("<script"), "{template}: {html}");
        assert!(!html.contains("' onclick='"), "{template}: {html}");
        assert!(!html.contains('\u{202e}'), "{template}: {html}");
        assert!(html.contains("&lt;script&gt;") && html.contains("⟨U+202E⟩"), "{template}: {html}");
        for form in html.split("<form").skip(1).filter(|form| form.contains("method=\"post\"")) {
            let form = form.split("</form>").next().unwrap_or_default();
            let is_login = form.contains("action=\"/review/login\"");
            assert!(is_login || form.contains("name=\"form\" value=\"seal\""), "{template}: {form}");
        }
        assert_eq!(html.matches("<h1").count(), 1, "{template}");
        assert_eq!(html.matches("<main").count(), 1, "{template}");
        // Every input that is seen has a label.
        for input in html.split("<input").skip(1).filter(|it| !it.contains("type=\"hidden\"")) {
            let id = input.split("id=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
            assert!(html.contains(&format!("for=\"{id}\"")), "{template}: {id}");
        }
        for foreign in ["http://", "<iframe", "style=\"", "javascript:"] {
            assert!(!html.contains(foreign), "{template}: {foreign}");
        }
    }
    let unseen: Vec<_> = TEMPLATES.iter().filter(|(name, _)| !seen.contains(name)).collect();
    assert!(unseen.is_empty(), "no test renders {unseen:?}");
}

#[test]
fn a_name_that_nobody_filled_in_is_an_error() {
    assert!(render(None, &Page::new("login.html", "x", "", json!({}))).is_err());
}

#[test]
fn queries_are_encoded() {
    assert_eq!(encoded("/review/held?after=a b&c"), "/review/held%3Fafter%3Da%20b%26c");
}
