//! Where a word stands, packed: documents in order, each with its places.
//!
//! A document is its distance from the one before, seven bits a byte, the low ones first. Each place follows as one byte: five
//! bits for place and language, two for how often (1, 2, 3–4, more), one that says whether another place follows.

use super::document::Place;
use crate::vocabulary::Language;

/// A place in a language, as a small number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Field(u8);

/// Four languages, and texts of which nobody says.
const LANGUAGES: u8 = 5;

impl Field {
    /// The field of a text.
    pub fn of(place: Place, language: Option<Language>) -> Self {
        Self(place as u8 * LANGUAGES + language.map_or(LANGUAGES - 1, |language| language as u8))
    }

    /// The place.
    pub fn place(self) -> Place {
        Place::ALL.get(usize::from(self.0 / LANGUAGES)).copied().unwrap_or(Place::Body)
    }

    /// The language.
    pub fn language(self) -> Option<Language> {
        Language::ALL.get(usize::from(self.0 % LANGUAGES)).copied()
    }

    /// The field as a number below 32.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The field with this number.
    pub fn numbered(number: u8) -> Self {
        Self(number & 31)
    }
}

/// Languages of fields, as a set: bit 4 stands for texts of which nobody says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Languages(u8);

impl Languages {
    /// All of them.
    pub const ALL: Self = Self(31);

    /// One, and texts of which nobody says.
    pub fn only(language: Language) -> Self {
        Self(1 << (language as u8) | 1 << (LANGUAGES - 1))
    }

    /// Both.
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a field is in one of them.
    pub fn hold(self, field: Field) -> bool {
        self.0 >> (field.0 % LANGUAGES) & 1 == 1
    }
}

/// How often a word stands in a field, as two bits say it.
const TIMES: [u32; 4] = [1, 2, 3, 5];

/// Adds a document behind `before` (0 for the first; documents are counted from 1 here).
pub fn push(bytes: &mut Vec<u8>, before: u32, document: u32, fields: &[(Field, u32)]) {
    let mut gap = document + 1 - before;
    while gap >= 0x80 {
        bytes.push(gap as u8 | 0x80);
        gap >>= 7;
    }
    bytes.push(gap as u8);
    for (at, (field, times)) in fields.iter().enumerate() {
        let often = TIMES.iter().rposition(|least| least <= times).unwrap_or(0) as u8;
        let more = u8::from(at + 1 < fields.len());
        bytes.push(field.0 | often << 5 | more << 7);
    }
}

/// Reads what was packed.
pub struct Reader<'b> {
    bytes: &'b [u8],
    document: u32,
}

impl<'b> Reader<'b> {
    /// Reads these bytes.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, document: 0 }
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    /// The next document; `each` is called with its fields and how often the word stands there.
    pub fn next(&mut self, mut each: impl FnMut(Field, u32)) -> Option<u32> {
        let (mut gap, mut shift) = (0u32, 0);
        loop {
            let byte = self.byte()?;
            gap |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
            shift = (shift + 7).min(28);
        }
        self.document += gap;
        loop {
            let byte = self.byte()?;
            let often = TIMES.get(usize::from(byte >> 5 & 3)).copied().unwrap_or(1);
            each(Field(byte & 31), often);
            if byte < 0x80 {
                return self.document.checked_sub(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_back() {
        let title = Field::of(Place::Title, Some(Language::En));
        let body = Field::of(Place::Body, None);
        let documents = [0, 1, 127, 128, 300, 40_000, 3_000_000];
        let mut bytes = Vec::new();
        let mut before = 0;
        for document in documents {
            push(&mut bytes, before, document, &[(title, 1), (body, 9)]);
            before = document + 1;
        }
        let mut reader = Reader::new(&bytes);
        for document in documents {
            let mut fields = Vec::new();
            assert_eq!(reader.next(|field, times| fields.push((field, times))), Some(document));
            assert_eq!(fields, [(title, 1), (body, 5)]);
        }
        assert_eq!(reader.next(|_, _| {}), None);
    }

    #[test]
    fn a_field_knows_its_place_and_language() {
        for place in Place::ALL {
            for language in Language::ALL.iter().copied().map(Some).chain([None]) {
                let field = Field::numbered(Field::of(*place, language).number());
                assert_eq!((field.place(), field.language()), (*place, language));
            }
        }
        let french = Languages::only(Language::Fr);
        assert!(french.hold(Field::of(Place::Tag, Some(Language::Fr))));
        assert!(french.hold(Field::of(Place::Tag, None)));
        assert!(!french.hold(Field::of(Place::Tag, Some(Language::De))));
    }
}
