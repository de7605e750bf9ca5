//! Whether an edit changed only the form of tags (Rule 14, DECISIONS §5).
//!
//! 1. Frontmatter equal but for `version`, or it is content.
//! 2. Each body becomes tokens: prose between citations, and citations. `[name]`, `[uid]` and
//!    `<Ref …>` of one reference are the same token; a `<VV …>` is a token; every other tag stays part
//!    of the prose, verbatim.
//! 3. Tokens are compared in order. Prose must be equal. A citation may differ only by: turning a
//!    bracket into `<Ref>`, filling an empty uid, or taking the catalogue's current value for its
//!    children, title or date of verification.

use crate::catalogue::Catalogue;
use crate::corpus::Skill;
use crate::mdx::tag::{Tag, TagKind};
use crate::text::{Source, Span};
use crate::version::Edit;
use std::borrow::Cow;

/// How a skill differs from what it was.
pub fn edit_of(before: &Skill, after: &Skill, catalogue: &dyn Catalogue) -> Edit {
    if !same_fields(before, after) {
        return Edit::Content;
    }
    if before.body() == after.body() {
        return Edit::Nothing;
    }
    let (old, new) = (tokens(before, catalogue), tokens(after, catalogue));
    let equal =
        old.len() == new.len() && old.iter().zip(&new).all(|(old, new)| same_token(old, new, catalogue));
    if equal { Edit::TagOnly } else { Edit::Content }
}

fn same_fields(before: &Skill, after: &Skill) -> bool {
    let (Some(before), Some(after)) = (&before.front, &after.front) else {
        return false;
    };
    let mut before = before.clone();
    before.version.clone_from(&after.version);
    before == *after
}

enum Token<'a> {
    Prose(&'a str),
    Value(Citation<'a>),
    Reference(Citation<'a>),
    /// A bracket: the reference's name.
    Again(String),
}

struct Citation<'a> {
    name: Cow<'a, str>,
    uid: Option<Cow<'a, str>>,
    url: Option<Cow<'a, str>>,
    title: Option<Cow<'a, str>>,
    verified: Option<Cow<'a, str>>,
    label: &'a str,
}

fn tokens<'a>(skill: &'a Skill, catalogue: &dyn Catalogue) -> Vec<Token<'a>> {
    let source = &skill.source;
    let mut cited: Vec<(Span, Token<'a>)> = Vec::new();
    for tag in &skill.document.tags {
        let end = tag.children().map_or(tag.open.end, |children| children.end);
        let close = end + u32::from(tag.children().is_some()) * closing_length(tag, source);
        let span = Span { start: tag.open.start, end: close };
        match tag.kind {
            TagKind::VV => cited.push((span, Token::Value(citation(tag, source)))),
            TagKind::Ref => cited.push((span, Token::Reference(citation(tag, source)))),
            TagKind::Observations | TagKind::Path | TagKind::Skill | TagKind::Risk => {}
        }
    }
    for bracket in &skill.document.brackets {
        let word = source.slice(*bracket);
        let row = catalogue.reference(word).or_else(|| catalogue.reference_named(word));
        if let Some(row) = row {
            let span = Span { start: bracket.start - 1, end: bracket.end + 1 };
            cited.push((span, Token::Again(row.name.clone())));
        }
    }
    cited.sort_by_key(|(span, _)| span.start);
    let mut tokens = Vec::new();
    let mut at = skill.document.body.start;
    for (span, token) in cited {
        tokens.push(Token::Prose(source.slice(Span { start: at, end: span.start })));
        tokens.push(token);
        at = span.end;
    }
    tokens.push(Token::Prose(source.slice(Span { start: at, end: skill.document.body.end })));
    tokens
}

fn closing_length(tag: &Tag, source: &Source) -> u32 {
    let crate::mdx::tag::Form::Wrapper { close } = &tag.form else {
        return 0;
    };
    u32::try_from(source.slice(*close).len()).unwrap_or(0)
}

fn citation<'a>(tag: &Tag, source: &'a Source) -> Citation<'a> {
    Citation {
        name: tag.value(source, "name").unwrap_or_default(),
        uid: tag.value(source, "uid"),
        url: tag.value(source, "url"),
        title: tag.value(source, "title"),
        verified: tag.value(source, "last_verified"),
        label: tag.children().map_or("", |children| source.slice(children)),
    }
}

fn same_token(old: &Token<'_>, new: &Token<'_>, catalogue: &dyn Catalogue) -> bool {
    match (old, new) {
        (Token::Prose(old), Token::Prose(new)) => old == new,
        (Token::Again(old), Token::Again(new)) => old == new,
        (Token::Again(old), Token::Reference(new)) => {
            *old == new.name && is_current_reference(new, catalogue)
        }
        (Token::Value(old), Token::Value(new)) => {
            let row = catalogue.value_named(&new.name);
            same_identity(old, new)
                && (old.label == new.label || row.is_some_and(|row| row.shown() == new.label))
        }
        (Token::Reference(old), Token::Reference(new)) => {
            let row = catalogue.reference_named(&new.name);
            let current = |old: &Option<Cow<'_, str>>, new: &Option<Cow<'_, str>>, row: Option<&str>| {
                old == new || (new.is_some() && new.as_deref() == row)
            };
            same_identity(old, new)
                && old.url == new.url
                && old.label == new.label
                && current(&old.title, &new.title, row.map(|row| row.title.as_str()))
                && current(&old.verified, &new.verified, row.and_then(|row| row.last_verified.as_deref()))
        }
        (
            Token::Prose(_) | Token::Again(_) | Token::Value(_) | Token::Reference(_),
            Token::Prose(_) | Token::Again(_) | Token::Value(_) | Token::Reference(_),
        ) => false,
    }
}

/// Same name; the uid equal, or filled where it was empty.
fn same_identity(old: &Citation<'_>, new: &Citation<'_>) -> bool {
    old.name == new.name && (old.uid == new.uid || old.uid.is_none())
}

/// A bracket may only become the reference as the catalogue has it.
fn is_current_reference(new: &Citation<'_>, catalogue: &dyn Catalogue) -> bool {
    catalogue.reference_named(&new.name).is_some_and(|row| {
        new.url.as_deref() == Some(row.url.as_str())
            && new.title.as_deref() == Some(row.title.as_str())
            && new.uid.as_deref().is_none_or(|uid| uid == row.uid)
    })
}
