//! Characters as the automata see them.
//!
//! 1. [`Sets`] collects every set of characters that the rules mention.
//! 2. Characters that are in the same sets are one symbol: no rule can tell them apart. There are a hundred or
//!    two of them, whatever the size of Unicode.
//! 3. A text is read once into symbols, one for each byte: a character's first byte carries its symbol, the
//!    others [`INNER`]. [`VOID`] stands before and after the text.

use super::TooLarge;
use regex_syntax::hir::ClassUnicode;
use rustc_hash::FxHashMap;

/// The number of a symbol.
pub(super) type Symbol = u16;

/// Stands where the text has ended.
pub(super) const VOID: Symbol = 0;

/// A byte within a character.
pub(super) const INNER: Symbol = 1;

/// The first symbol that stands for characters.
const FIRST: usize = 2;

/// Symbols of an alphabet at most.
pub(super) const MOST_SYMBOLS: usize = 8_192;

/// The number of a set.
pub(super) type SetId = u32;

/// Sets of characters, each with or without [`VOID`].
#[derive(Debug, Default)]
pub(super) struct Sets {
    ids: FxHashMap<(Vec<(char, char)>, bool), SetId>,
}

impl Sets {
    /// The number of this set; `void`: whether the end of the text is in it.
    pub(super) fn id(&mut self, class: &ClassUnicode, void: bool) -> SetId {
        let ranges: Vec<(char, char)> =
            class.ranges().iter().map(|range| (range.start(), range.end())).collect();
        let next = SetId::try_from(self.ids.len()).unwrap_or(SetId::MAX);
        *self.ids.entry((ranges, void)).or_insert(next)
    }
}

/// A set of symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Members(Vec<u64>);

impl Members {
    /// Whether a symbol is in it.
    #[inline]
    pub(super) fn has(&self, symbol: Symbol) -> bool {
        let at = usize::from(symbol);
        self.0.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// Adds a symbol.
    pub(super) fn add(&mut self, symbol: usize) {
        if self.0.len() <= symbol / 64 {
            self.0.resize(symbol / 64 + 1, 0);
        }
        self.0[symbol / 64] |= 1 << (symbol % 64);
    }

    /// Adds those of another set.
    pub(super) fn add_all(&mut self, other: Option<&Self>) {
        let words = other.map_or(&[][..], |other| &other.0);
        self.0.resize(self.0.len().max(words.len()), 0);
        self.0.iter_mut().zip(words).for_each(|(all, word)| *all |= word);
    }
}

/// New numbers for symbols: what prose is mostly made of comes first, so that it is close together in tables; what numbers begin with
/// comes last, so that one comparison tells most of the others.
struct Order(Vec<Symbol>);

impl Order {
    fn new(stretches: &[(u32, Symbol)], count: usize) -> Self {
        let symbol_of = |c: char| {
            let after = stretches.partition_point(|(from, _)| *from <= u32::from(c));
            stretches.get(after.checked_sub(1)?).map(|(_, symbol)| usize::from(*symbol))
        };
        let common = " abcdefghijklmnopqrstuvwxyz.,".chars().filter_map(symbol_of);
        let last: Vec<usize> = "/%[(*+@0123456789".chars().filter_map(symbol_of).collect();
        let others = (0..count).filter(|symbol| !last.contains(symbol));
        let mut numbers = vec![None; count];
        let mut next = 0;
        for symbol in (0..FIRST).chain(common).chain(others).chain(last.iter().copied()) {
            if let Some(number @ None) = numbers.get_mut(symbol) {
                *number = Some(next);
                next += 1;
            }
        }
        Self(numbers.into_iter().flatten().collect())
    }

    fn of(&self, symbol: Symbol) -> Symbol {
        self.0.get(usize::from(symbol)).copied().unwrap_or(VOID)
    }

    fn members(&self, set: &Members) -> Members {
        let mut members = Members::default();
        let symbols = (0..self.0.len()).filter_map(|symbol| Symbol::try_from(symbol).ok());
        symbols
            .filter(|symbol| set.has(*symbol))
            .for_each(|symbol| members.add(usize::from(self.of(symbol))));
        members
    }
}

/// Which symbol each character is.
#[derive(Debug)]
pub(super) struct Alphabet {
    /// By the byte; what is not ASCII is [`INNER`] at first.
    bytes: [Symbol; 256],
    /// For each 256 code points, their page.
    index: Vec<u16>,
    pages: Vec<[Symbol; 256]>,
    count: usize,
}

/// Code points of a page.
const PAGE: u32 = 256;

/// Code points there are.
const END: u32 = 0x11_0000;

impl Alphabet {
    /// The alphabet that tells these sets apart, and the sets in it.
    pub(super) fn new(sets: Sets) -> Result<(Self, Vec<Members>), TooLarge> {
        let mut members = vec![Members::default(); sets.ids.len()];
        // Where each set begins and ends, in order: in between, nothing changes.
        let mut turns: Vec<(u32, SetId)> = Vec::new();
        for ((ranges, void), id) in &sets.ids {
            if *void {
                members[*id as usize].add(usize::from(VOID));
            }
            for (first, last) in ranges {
                turns.extend([(u32::from(*first), *id), (u32::from(*last) + 1, *id)]);
            }
        }
        turns.sort_unstable();
        let mut symbols: FxHashMap<Vec<u64>, Symbol> = FxHashMap::default();
        let mut inside = vec![0_u64; sets.ids.len() / 64 + 1];
        let mut stretches: Vec<(u32, Symbol)> = Vec::new();
        let (mut from, mut turns) = (0, turns.into_iter().peekable());
        while from < END {
            while let Some((_, id)) = turns.next_if(|(at, _)| *at == from) {
                inside[id as usize / 64] ^= 1 << (id % 64);
            }
            let next = FIRST + symbols.len();
            let symbol = *symbols.entry(inside.clone()).or_insert(u16::try_from(next).unwrap_or(u16::MAX));
            if usize::from(symbol) == next {
                let is_inside = |id: &usize| inside[id / 64] >> (id % 64) & 1 == 1;
                (0..members.len()).filter(is_inside).for_each(|id| members[id].add(next));
            }
            stretches.push((from, symbol));
            from = turns.peek().map_or(END, |(at, _)| *at);
        }
        let count = FIRST + symbols.len();
        if count > MOST_SYMBOLS {
            return Err(TooLarge);
        }
        let order = Order::new(&stretches, count);
        stretches.iter_mut().for_each(|(_, symbol)| *symbol = order.of(*symbol));
        let members = members.iter().map(|set| order.members(set)).collect();
        Ok((Self::of(&stretches, count), members))
    }

    fn of(stretches: &[(u32, Symbol)], count: usize) -> Self {
        let mut alphabet = Self { bytes: [INNER; 256], index: Vec::new(), pages: Vec::new(), count };
        let mut even: FxHashMap<Symbol, u16> = FxHashMap::default(); // pages of one symbol
        let mut at = 0; // the stretch that holds the page's first code point
        for start in (0..END).step_by(PAGE as usize) {
            while stretches.get(at + 1).is_some_and(|(from, _)| *from <= start) {
                at += 1;
            }
            let symbol_of = |stretch: usize| stretches.get(stretch).map_or(VOID, |(_, symbol)| *symbol);
            if stretches.get(at + 1).is_none_or(|(from, _)| *from >= start + PAGE) {
                let number =
                    *even.entry(symbol_of(at)).or_insert_with_key(|symbol| alphabet.add([*symbol; 256]));
                alphabet.index.push(number);
                continue;
            }
            let mut page = [VOID; 256];
            let mut stretch = at;
            for (code, symbol) in (start..).zip(&mut page) {
                while stretches.get(stretch + 1).is_some_and(|(from, _)| *from <= code) {
                    stretch += 1;
                }
                *symbol = symbol_of(stretch);
            }
            let number = alphabet.add(page);
            alphabet.index.push(number);
        }
        if let Some(first) = alphabet.pages.first() {
            alphabet.bytes[..128].copy_from_slice(&first[..128]);
        }
        alphabet
    }

    /// Adds a page; its number.
    fn add(&mut self, page: [Symbol; 256]) -> u16 {
        self.pages.push(page);
        u16::try_from(self.pages.len() - 1).unwrap_or(u16::MAX)
    }

    /// Symbols there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    fn wide(&self, c: char) -> Symbol {
        let code = u32::from(c);
        let page = self.index.get((code / PAGE) as usize).and_then(|page| self.pages.get(usize::from(*page)));
        page.map_or(VOID, |page| page[(code % PAGE) as usize])
    }

    /// Reads a text: [`VOID`], a symbol for each byte, and `padding` times [`VOID`].
    pub(super) fn read(&self, text: &str, padding: usize, symbols: &mut Vec<Symbol>) {
        symbols.clear();
        symbols.reserve(text.len() + padding + 1);
        symbols.push(VOID);
        symbols.extend(text.bytes().map(|byte| self.bytes[usize::from(byte)]));
        // Then the characters that are not ASCII, each at its first byte.
        let mut from = 0;
        while let Some(at) = super::fold::next_wide(text.as_bytes(), from) {
            let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { break };
            if let Some(symbol) = symbols.get_mut(at + 1) {
                *symbol = self.wide(c);
            }
            from = at + c.len_utf8();
        }
        symbols.resize(symbols.len() + padding, VOID);
    }
}

/// The symbols of a text, with one before it.
#[derive(Clone, Copy)]
pub(super) struct Symbols<'t> {
    /// All of them.
    pub(super) all: &'t [Symbol],
    /// Whether each stands for a byte and a character.
    pub(super) is_ascii: bool,
}

impl Symbols<'_> {
    /// The index of the symbol so many characters before another.
    #[inline]
    pub(super) fn back(self, index: usize, characters: usize) -> usize {
        if self.is_ascii { index.saturating_sub(characters) } else { self.wide_back(index, characters) }
    }

    fn wide_back(self, mut index: usize, characters: usize) -> usize {
        let mut left = characters;
        while left > 0 {
            let from = index.saturating_sub(left);
            let passed = self.all.get(from..index).unwrap_or_default();
            (index, left) = (from, passed.iter().filter(|symbol| **symbol == INNER).count());
        }
        index
    }

    /// The index just after so many characters from a place on.
    pub(super) fn forward(self, place: usize, characters: usize) -> usize {
        let mut index = place;
        for _ in 0..characters {
            index += 1;
            while self.all.get(index) == Some(&INNER) {
                index += 1;
            }
        }
        index.min(self.all.len())
    }

    /// The place of the character that holds this byte.
    pub(super) fn character(self, mut place: usize) -> usize {
        while place > 0 && self.all.get(place + 1) == Some(&INNER) {
            place -= 1;
        }
        place
    }
}
