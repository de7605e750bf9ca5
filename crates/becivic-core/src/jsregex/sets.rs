//! Sets of characters as JavaScript means them.
//!
//! `\d` and `\w` are ASCII; `\s` and line ends have their own lists; `\p{…}` comes from the Unicode tables.
//! Ignoring case closes a set over the characters that compare equal: by simple case folding with `u`, by
//! single upper-case units without it (where an ASCII letter never equals one outside ASCII).

use super::unit;
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange, HirKind};
use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// A set out of ranges.
pub(super) fn of(ranges: &[(char, char)]) -> ClassUnicode {
    ClassUnicode::new(ranges.iter().map(|(first, last)| ClassUnicodeRange::new(*first, *last)))
}

/// `\d`.
pub(super) fn digits() -> ClassUnicode {
    of(&[('0', '9')])
}

/// `\w`, which with `iu` knows the two characters that fold to ASCII letters.
pub(crate) fn words(unicode_ignoring_case: bool) -> ClassUnicode {
    let mut set = of(&[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]);
    if unicode_ignoring_case {
        set.union(&of(&[('\u{17F}', '\u{17F}'), ('\u{212A}', '\u{212A}')]));
    }
    set
}

/// `\s`.
pub(super) fn spaces() -> ClassUnicode {
    of(&[
        ('\t', '\r'),
        (' ', ' '),
        ('\u{A0}', '\u{A0}'),
        ('\u{1680}', '\u{1680}'),
        ('\u{2000}', '\u{200A}'),
        ('\u{2028}', '\u{2029}'),
        ('\u{202F}', '\u{202F}'),
        ('\u{205F}', '\u{205F}'),
        ('\u{3000}', '\u{3000}'),
        ('\u{FEFF}', '\u{FEFF}'),
    ])
}

/// What ends a line.
pub(crate) fn line_ends() -> ClassUnicode {
    of(&[('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')])
}

/// Everything else.
pub(crate) fn negated(mut set: ClassUnicode) -> ClassUnicode {
    set.negate();
    set
}

/// Properties asked for so far: patterns ask for the same few.
static PROPERTIES: Mutex<BTreeMap<String, ClassUnicode>> = Mutex::new(BTreeMap::new());

/// `\p{name=value}` or `\p{name}`, if the tables know it.
pub(super) fn property(name: &str, value: Option<&str>) -> Option<ClassUnicode> {
    let query = match value {
        Some(value) => format!(r"\p{{{name}={value}}}"),
        None => format!(r"\p{{{name}}}"),
    };
    let mut known = PROPERTIES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(set) = known.get(&query) {
        return Some(set.clone());
    }
    let set = looked_up(&query)?;
    known.insert(query, set.clone());
    Some(set)
}

fn looked_up(query: &str) -> Option<ClassUnicode> {
    match regex_syntax::parse(query).ok()?.into_kind() {
        HirKind::Class(regex_syntax::hir::Class::Unicode(set)) => Some(set),
        HirKind::Literal(literal) => {
            let c = std::str::from_utf8(&literal.0).ok()?.chars().next()?;
            Some(of(&[(c, c)]))
        }
        _ => None,
    }
}

/// The units between two, surrogates as their stand-ins.
pub(super) fn range(first: u32, last: u32, unicode: bool) -> ClassUnicode {
    let (low, high) = (0xD800, 0xDFFF);
    let mut ranges = Vec::new();
    let mut add = |first: u32, last: u32| {
        if first <= last
            && let (Some(first), Some(last)) = (unit(first), unit(last))
        {
            ranges.push((first, last));
        }
    };
    add(first, last.min(low - 1));
    add(first.max(high + 1), last);
    if !unicode {
        add(first.max(low), last.min(high));
    }
    of(&ranges)
}

/// The set and everything that equals a member when case is ignored.
pub(super) fn ignoring_case(mut set: ClassUnicode, unicode: bool) -> ClassUnicode {
    if unicode {
        // It fails only where the tables are compiled out; the set then stays as it is.
        let _ = set.try_case_fold_simple();
        // Folding leaves room for many times the ranges there are in the end.
        return ClassUnicode::new(set.iter().copied());
    }
    let more: Vec<(char, char)> = EQUALS
        .values()
        .filter(|class| class.iter().any(|c| contains(&set, *c)))
        .flat_map(|class| class.iter().map(|c| (*c, *c)))
        .collect();
    set.union(&of(&more));
    set
}

/// Whether the set has the character.
pub(super) fn contains(set: &ClassUnicode, c: char) -> bool {
    let ranges = set.ranges();
    let at = ranges.partition_point(|range| range.end() < c);
    ranges.get(at).is_some_and(|range| range.start() <= c)
}

/// Characters of two bytes of UTF-16 or less that share an upper-case form, where several do.
static EQUALS: LazyLock<BTreeMap<char, Vec<char>>> = LazyLock::new(|| {
    let mut classes: BTreeMap<char, Vec<char>> = BTreeMap::new();
    for c in ('\0'..='\u{FFFF}').filter(|c| c.is_alphabetic() || c.is_lowercase() || c.is_uppercase()) {
        classes.entry(upper(c)).or_default().push(c);
    }
    classes.retain(|_, class| class.len() > 1);
    classes
});

/// The upper-case form where it is one unit, and not ASCII for what is not.
fn upper(c: char) -> char {
    let mut all = c.to_uppercase();
    match (all.next(), all.next()) {
        (Some(one), None) if u32::from(one) <= 0xFFFF && (c.is_ascii() || !one.is_ascii()) => one,
        _ => c,
    }
}
