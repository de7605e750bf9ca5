//! What each character outside ASCII folds to.
//!
//! The answer for a character is worked out from the Unicode tables once: pages of 256 answers are filled
//! when a text first needs them, so a look-up is two loads.

use regex_syntax::hir::ClassUnicode;
use std::sync::{LazyLock, OnceLock};
use unicode_normalization::UnicodeNormalization;

/// What to do with a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Folding {
    /// It stays.
    Keep,
    /// It is invisible.
    Drop,
    /// It stands for this one.
    Become(char),
    /// It stands for several characters, each folded in turn.
    Spell(&'static str),
    /// It joins the character before it.
    Mark,
    /// It looks like this Latin letter.
    LookAlike(char),
}

/// Characters to a page.
const PAGE: usize = 256;

/// Pages up to U+10FFFF.
static PAGES: [OnceLock<Box<[Folding; PAGE]>>; 0x11_0000 / PAGE] =
    [const { OnceLock::new() }; 0x11_0000 / PAGE];

/// The answer for a character.
pub(super) fn folding(c: char) -> Folding {
    let code = c as usize;
    let Some(page) = PAGES.get(code / PAGE) else { return Folding::Keep };
    page.get_or_init(|| fill(code / PAGE)).get(code % PAGE).copied().unwrap_or(Folding::Keep)
}

fn fill(page: usize) -> Box<[Folding; PAGE]> {
    Box::new(std::array::from_fn(|index| {
        let c = u32::try_from(page * PAGE + index).ok().and_then(char::from_u32);
        c.map_or(Folding::Keep, work_out)
    }))
}

/// Characters that stand for a separator of ASCII, beyond those the tables below find.
const SEPARATORS: &[(char, &str)] = &[
    ('-', "\u{2D7}\u{2043}\u{2212}\u{2500}\u{2501}\u{2796}\u{30FC}\u{FF70}\u{AF}\u{2C9}\u{23AF}"),
    ('.', "·\u{387}•∙⋅・･。｡\u{6D4}\u{701}\u{702}\u{A4F8}\u{A60E}\u{2027}\u{25CF}\u{10A50}\u{FBC1}"),
    ('/', "\u{2044}\u{2215}\u{2571}\u{29F8}\u{27CB}\u{338}\u{1735}"),
    ('\'', "‘’‛′‵´ʹʼʽˈ\u{A78C}＇"),
    ('"', "“”„‟″‶«»ʺ〃＂"),
    (':', "\u{2D0}\u{2D8}\u{2236}\u{A789}\u{5C3}\u{703}\u{704}"),
    (',', "\u{60C}\u{66B}\u{1802}\u{3001}\u{A4F9}\u{201A}"),
    ('+', "\u{2795}\u{16ED}"),
    ('_', "\u{203F}\u{2040}\u{FE4D}\u{FE4E}\u{FE4F}"),
    (' ', "\u{2800}\u{180E}"),
    ('\n', "\u{85}\u{2028}\u{2029}"),
    ('@', "\u{FE6B}\u{FF20}"),
];

/// Letters of other scripts drawn like Latin ones.
const LOOK_ALIKES: &[(&str, &str)] = &[
    ("АВЕКМНОРСТУХІЈЅԚԜҮ", "ABEKMHOPCTYXIJSQWY"),
    ("аеорсухіјѕԛԝһԁ", "aeopcyxijsqwhd"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    ("ονικ", "ovik"),
];

struct Tables {
    ignorable: ClassUnicode,
    digits: ClassUnicode,
    marks: ClassUnicode,
    dashes: ClassUnicode,
    spaces: ClassUnicode,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let class = |query: &str| match regex_syntax::parse(query).map(regex_syntax::hir::Hir::into_kind) {
        Ok(regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(class))) => class,
        _ => ClassUnicode::empty(), // a test asks for a member of each
    };
    Tables {
        ignorable: class(r"[\p{Default_Ignorable_Code_Point}\p{Cf}]"),
        digits: class(r"\p{Nd}"),
        marks: class(r"[\p{Mn}\p{Me}]"),
        dashes: class(r"\p{Pd}"),
        spaces: class(r"\p{Zs}"),
    }
});

fn work_out(c: char) -> Folding {
    let tables = &*TABLES;
    if c.is_ascii() {
        return Folding::Keep;
    }
    if let Some((separator, _)) = SEPARATORS.iter().find(|(_, all)| all.contains(c)) {
        return Folding::Become(*separator);
    }
    if let Some(latin) = look_alike(c) {
        return Folding::LookAlike(latin);
    }
    if range_of(&tables.ignorable, c).is_some() {
        return Folding::Drop;
    }
    if let Some(start) = range_of(&tables.digits, c) {
        // Decimal digits come in runs of ten from zero to nine, and ranges hold whole runs.
        let value = (u32::from(c) - u32::from(start)) % 10;
        return char::from_digit(value, 10).map_or(Folding::Keep, Folding::Become);
    }
    if range_of(&tables.marks, c).is_some() {
        return Folding::Mark;
    }
    if range_of(&tables.dashes, c).is_some() {
        return Folding::Become('-');
    }
    if range_of(&tables.spaces, c).is_some() {
        return Folding::Become(' ');
    }
    // What spells words of another script, as a few signs do, hides nothing.
    if std::iter::once(c).nfkc().count() > 4
        && !std::iter::once(c).nfkc().any(|part| part.is_ascii_alphanumeric())
    {
        return Folding::Keep;
    }
    let mut plain = std::iter::once(c).nfkc();
    match (plain.next(), plain.next()) {
        (Some(same), None) if same == c => Folding::Keep,
        (Some(other), None) => match work_out(other) {
            Folding::Keep => Folding::Become(other),
            further => further,
        },
        _ => Folding::Spell(spelling(c)),
    }
}

/// What a compatibility character spells. It is kept as long as its page is, which is as long as the program runs.
fn spelling(c: char) -> &'static str {
    let parts = std::iter::once(c).nfkc().filter_map(|part| match work_out(part) {
        Folding::Become(other) => Some(other),
        Folding::Drop | Folding::Mark => None,
        Folding::Keep | Folding::Spell(_) | Folding::LookAlike(_) => Some(part),
    });
    parts.collect::<String>().leak()
}

/// The Latin letter it looks like.
fn look_alike(c: char) -> Option<char> {
    LOOK_ALIKES.iter().find_map(|(others, latin)| {
        let index = others.chars().position(|other| other == c)?;
        latin.chars().nth(index)
    })
}

/// The start of the range of the set that holds the character.
fn range_of(set: &ClassUnicode, c: char) -> Option<char> {
    let ranges = set.ranges();
    let at = ranges.partition_point(|range| range.end() < c);
    ranges.get(at).map(|range| range.start()).filter(|start| *start <= c)
}
