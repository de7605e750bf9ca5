//! What a rejected artefact goes back to: every kind, every history.

use becivic_core::consensus::{Kind, Past, Target, rollback_target};
use becivic_core::vocabulary::Status;

const KINDS: [Kind; 4] = [Kind::Skill, Kind::Path, Kind::Value, Kind::Reference];

/// `"3 stable A"`, with `!` behind it where it was itself rejected: commit, status, content.
fn past(text: &str) -> Past {
    let words: Vec<&str> = text.trim_end_matches('!').split(' ').collect();
    let [commit, status, digest]: [&str; 3] = words.try_into().expect("three words");
    Past {
        commit: commit.to_owned(),
        status: Status::named(status).expect("a status"),
        digest: digest.to_owned(),
        was_rejected: text.ends_with('!'),
    }
}

/// The target in a word: a commit, `deprecated`, `quarantined` or `stays`. The current content is `X`.
fn target(kind: Kind, history: &[&str]) -> String {
    let history: Vec<Past> = history.iter().map(|text| past(text)).collect();
    match rollback_target(kind, "X", &history) {
        Target::Content(past) => {
            assert!(history.contains(&past), "a version that exists");
            past.commit
        }
        Target::Deprecated => String::from("deprecated"),
        Target::Quarantined => String::from("quarantined"),
        Target::Stays => String::from("stays"),
    }
}

#[test]
fn every_history() {
    // history (newest first), and the target of a skill, a path, a value or reference
    let cases: &[(&[&str], [&str; 3])] = &[
        (&[], ["quarantined", "deprecated", "quarantined"]),
        (&["1 alpha X"], ["quarantined", "deprecated", "quarantined"]),
        (&["1 stable A"], ["1", "1", "1"]),
        // the newest stable, not the newest
        (&["3 beta B", "2 stable A", "1 stable C"], ["2", "2", "2"]),
        // stable with the same content is no way back
        (&["3 stable X", "2 stable A"], ["2", "2", "2"]),
        (&["3 stable X", "2 beta X", "1 alpha X"], ["quarantined", "deprecated", "quarantined"]),
        // without a stable one, a skill goes back to what it was
        (&["2 beta B", "1 alpha A"], ["2", "deprecated", "quarantined"]),
        (&["2 beta X", "1 alpha A"], ["1", "deprecated", "quarantined"]),
        // drafts and what was withdrawn are no content to go back to
        (&["3 quarantined C", "2 deprecated B", "1 draft A"], ["quarantined", "deprecated", "quarantined"]),
        // what was itself rejected is skipped, stable or not
        (&["2 stable B!", "1 stable A"], ["1", "1", "1"]),
        (&["2 stable B!", "1 alpha A"], ["1", "deprecated", "quarantined"]),
        (&["2 alpha B!", "1 alpha A!"], ["quarantined", "deprecated", "quarantined"]),
        // an older version of rejected content is the same content
        (&["3 beta B!", "2 stable B", "1 stable A"], ["1", "1", "1"]),
        // content that was rejected, came back and was accepted counts
        (&["3 stable B", "2 alpha B!", "1 stable A"], ["3", "3", "3"]),
    ];
    for (history, [skill, path, row]) in cases {
        let expected = [skill, path, row, row];
        let chosen = KINDS.map(|kind| target(kind, history));
        assert_eq!(chosen.each_ref().map(String::as_str), expected.map(|it| *it), "{history:?}");
    }
}

#[test]
fn a_meta_skill_is_never_moved() {
    assert_eq!(target(Kind::MetaSkill, &[]), "stays");
    assert_eq!(target(Kind::MetaSkill, &["2 stable A", "1 alpha B"]), "stays");
}
