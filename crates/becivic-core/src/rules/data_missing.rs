//! A corpus has the data its rules compare with (§5).
//!
//! Communes, authorities, categories, source classes, scrub rules, a submission contract, and a Path Directory
//! as soon as a skill names a path. Without them their rules would be silent, which looks like success.
//!
//! Example of a violation: a corpus without `data/communes.json`.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::corpus::Corpus;
use crate::layout::FileKind;
use crate::mdx::tag::TagKind;

/// The rule.
pub const RULE: Rule = Rule {
    id: "data_missing",
    severity: Severity::Error,
    file: include_str!("data_missing.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    let corpus = cx.corpus;
    if corpus.skills.is_empty() && corpus.unreadable_skills.is_empty() {
        return;
    }
    let missing = [
        ("data/communes.json", corpus.communes.is_none(), FileKind::Communes),
        ("data/authorities.json", corpus.authorities.is_none(), FileKind::Authorities),
        ("schemas/categories.json", corpus.categories.is_none(), FileKind::Categories),
        ("schemas/source-classes.json", corpus.source_classes.is_none(), FileKind::SourceClasses),
        ("scrub/regex-rules.json", corpus.scrub_rules.is_none(), FileKind::ScrubRules),
        ("paths/index.json", !corpus.has_directory() && names_a_path(corpus), FileKind::PathsIndex),
    ];
    for (path, absent, kind) in missing {
        if absent && !corpus.is_unreadable(&kind) {
            let help = "Copy it from the public corpus.";
            report.file(path, format!("the corpus has no {path}"), help);
        }
    }
    if !corpus.has_contracts() {
        let help = "Write docs/submission-contract-v<N>.mdx, or copy it from the public corpus.";
        report.file("docs", "the corpus has no submission contract", help);
    }
}

fn names_a_path(corpus: &Corpus) -> bool {
    corpus.skills.values().any(|skill| {
        let tagged = skill.document.tags.iter().any(|tag| tag.kind == TagKind::Path);
        tagged || skill.front.as_ref().is_some_and(|front| !front.requires_paths().is_empty())
    })
}
