//! Up to which places of a text a pattern fits: the whole text is read once, and a bit kept for each symbol.
//!
//! 1. An automaton has to wait for each symbol before the next. So a long text is divided into a few stretches that are read side by side,
//!    each as if nothing stood before it.
//! 2. What did stand before some of them may matter. So from where the first ends the second is read once more, until it comes to the row
//!    that it came to before; from there on both readings are the same. Then the third, and so on.
//! 3. Where rows have been thrown away meanwhile, the text is read again in one.

use super::super::nfa::Nfa;
use super::super::symbols::{INNER, MOST_SYMBOLS, Symbol, VOID};
use super::{Automaton, DEAD, FITS, Gear, Reading, UNKNOWN};
use std::ops::Range;

/// Stretches that are read side by side.
const ABREAST: usize = 3;

/// Symbols of a text at least that is divided.
const LEAST: usize = 2_048;

/// After so many symbols of each stretch, the row that it has come to is noted.
const NOTED: usize = 128;

/// Bits that are written at once.
const WORD: usize = u64::BITS as usize;
const _: () = assert!(NOTED.is_multiple_of(WORD));

/// Where in a text a pattern fits.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Everywhere {
    /// In the order in which the text was read.
    bits: Vec<u64>,
    backwards: bool,
}

impl Everywhere {
    /// Whether the pattern fits up to a place of the text; read backwards, from there on.
    #[inline]
    pub(in super::super) fn has(&self, symbols: &[Symbol], place: usize) -> bool {
        let step = self.step(symbols, place);
        self.bits.get(step / WORD).is_some_and(|word| word >> (step % WORD) & 1 == 1)
    }

    /// The step that tells of a place.
    #[inline]
    fn step(&self, symbols: &[Symbol], place: usize) -> usize {
        if self.backwards { Direction::<true>(symbols).step_before(place) } else { place }
    }

    /// Whether the pattern fits at a place, and a place before which this is the same at all from there on: the next one where it is not,
    /// or nearly, or one that comes about so many places later.
    pub(in super::super) fn same_from(&self, symbols: &[Symbol], place: usize, most: usize) -> (bool, usize) {
        let fits = self.has(symbols, place);
        let until = self.steps_alike(symbols, self.step(symbols, place), fits, most);
        // What comes after the text is not known: it may be a part of one.
        (fits, until.map_or(symbols.len(), |step| self.index_of(symbols, step)))
    }

    /// The first step from one on that says something else, or one that comes about so many later; none if the text ends before.
    fn steps_alike(&self, symbols: &[Symbol], from: usize, fits: bool, most: usize) -> Option<usize> {
        let after = |step: usize, count| match self.backwards {
            true => step.checked_sub(count),
            false => Some(step + count),
        };
        let mut step = from;
        while step.abs_diff(from) < most {
            let word = self.bits.get(step / WORD).copied().unwrap_or(0);
            let (differs, at) = (if fits { !word } else { word }, step % WORD);
            // How many of this word are alike, and how many of it there are.
            let (alike, told) = match self.backwards {
                true => ((differs << (WORD - 1 - at)).leading_zeros() as usize, at + 1),
                false => ((differs >> at).trailing_zeros() as usize, WORD - at),
            };
            if alike >= told {
                step = after(step, told)?;
                continue;
            }
            step = after(step, alike)?;
            // The bytes in a character are no places, and at none of them does it fit.
            let symbol = self.index_of(symbols, step) + usize::from(!self.backwards);
            if !fits || symbols.get(symbol) != Some(&INNER) {
                break;
            }
            step = after(step, 1)?;
        }
        Some(step)
    }

    /// The place of which a step tells, if no byte in a character comes between.
    fn index_of(&self, symbols: &[Symbol], step: usize) -> usize {
        if self.backwards { symbols.len().saturating_sub(step + 1) } else { step }
    }

    #[inline]
    fn set(&mut self, step: usize, fits: bool) {
        if let Some(word) = self.bits.get_mut(step / WORD) {
            *word = *word & !(1 << (step % WORD)) | u64::from(fits) << (step % WORD);
        }
    }
}

/// For each stretch, the bits of the symbols since the last row that was noted.
type Bits = [[u64; NOTED / WORD]; ABREAST];

impl Automaton {
    /// Reads the whole text and notes for each place whether the pattern fits up to there; read backwards, from there on.
    #[inline(never)]
    pub(in super::super) fn fill(
        &mut self,
        reading: &Reading<'_>,
        gear: &mut Gear,
        backwards: bool,
        everywhere: &mut Everywhere,
    ) {
        gear.walked += reading.symbols.len() as u64;
        everywhere.backwards = backwards;
        match backwards {
            true => self.fill_by::<true>(reading, gear, everywhere),
            false => self.fill_by::<false>(reading, gear, everywhere),
        }
    }

    fn fill_by<const BACKWARDS: bool>(
        &mut self,
        reading: &Reading<'_>,
        gear: &mut Gear,
        everywhere: &mut Everywhere,
    ) {
        let text = Direction::<BACKWARDS>(reading.symbols);
        everywhere.bits.resize(text.steps() / WORD + 1, 0);
        if text.steps() < LEAST || self.fill_abreast(reading.nfa, gear, &text, everywhere).is_none() {
            let row = self.start(reading.nfa, VOID);
            self.read(reading.nfa, gear, &text, 0..text.steps(), row, everywhere);
        }
    }

    /// The same stretch by stretch; `None` if rows have been thrown away.
    fn fill_abreast<const BACKWARDS: bool>(
        &mut self,
        nfa: &Nfa,
        gear: &mut Gear,
        text: &Direction<'_, BACKWARDS>,
        everywhere: &mut Everywhere,
    ) -> Option<()> {
        let long = text.steps() / ABREAST / NOTED * NOTED;
        let mut rows = [self.start(nfa, VOID); ABREAST];
        let mut noted: Vec<[u32; ABREAST]> = Vec::with_capacity(long / NOTED);
        let thrown_away = self.learnt.thrown_away;
        let column_of = self.columns.table();
        for from in (0..long).step_by(NOTED) {
            let ahead = std::array::from_fn(|stretch| text.symbols(stretch * long + from));
            if let Some((to, bits)) = self.run_abreast::<BACKWARDS>(&column_of, ahead, rows) {
                rows = to;
                for (stretch, bits) in bits.iter().enumerate() {
                    let words = everywhere.bits.iter_mut().skip((stretch * long + from) / WORD);
                    words.zip(bits).for_each(|(word, bits)| *word = *bits);
                }
            } else {
                for (stretch, row) in rows.iter_mut().enumerate() {
                    let steps = stretch * long + from..stretch * long + from + NOTED;
                    *row = self.read(nfa, gear, text, steps, *row, everywhere);
                }
                if self.learnt.thrown_away != thrown_away {
                    return None;
                }
            }
            noted.push(rows);
        }
        let [mut row, ..] = rows;
        for (stretch, end) in rows.into_iter().enumerate().skip(1) {
            let mut from = stretch * long;
            for noted in &noted {
                row = self.read(nfa, gear, text, from..from + NOTED, row, everywhere);
                if noted.get(stretch) == Some(&row) {
                    row = end;
                    break;
                }
                from += NOTED;
            }
        }
        self.read(nfa, gear, text, ABREAST * long..text.steps(), row, everywhere);
        (self.learnt.thrown_away == thrown_away).then_some(())
    }

    /// Reads some symbols of all stretches, if all that this leads to is known.
    #[inline(never)]
    fn run_abreast<const BACKWARDS: bool>(
        &self,
        column_of: &[u16; MOST_SYMBOLS],
        ahead: [&[Symbol; NOTED]; ABREAST],
        rows: [u32; ABREAST],
    ) -> Option<([u32; ABREAST], Bits)> {
        // As wide as an index is: narrow ones would have to be widened for each symbol.
        let (cells, mut now) = (self.rows.as_slice(), rows.map(|row| row as usize));
        let mut bits = Bits::default();
        for word in 0..NOTED / WORD {
            let mut words = [0_u64; ABREAST];
            for step in word * WORD..(word + 1) * WORD {
                let at = if BACKWARDS { NOTED - 1 - step } else { step };
                for stretch in 0..ABREAST {
                    // No condition is asked here, and after what is not known there is no cell.
                    let column = column_of[usize::from(ahead[stretch][at]) % MOST_SYMBOLS];
                    let to = *cells.get(now[stretch] + usize::from(column))?;
                    words[stretch] = words[stretch] << 1 | u64::from(to >> FITS.trailing_zeros());
                    now[stretch] = (to & !FITS) as usize;
                }
            }
            for (bits, read) in bits.iter_mut().zip(words) {
                bits[word] = read.reverse_bits();
            }
        }
        // What is dead remains so; where it should not, reading starts again.
        let rows = now.map(|row| row as u32);
        let are_known = rows.iter().all(|row| *row != DEAD && *row != UNKNOWN & !FITS);
        are_known.then_some((rows, bits))
    }

    /// Reads some symbols from a row on and notes for each of them whether the pattern fits; the row that this leads to.
    fn read<const BACKWARDS: bool>(
        &mut self,
        nfa: &Nfa,
        gear: &mut Gear,
        text: &Direction<'_, BACKWARDS>,
        steps: Range<usize>,
        mut row: u32,
        everywhere: &mut Everywhere,
    ) -> u32 {
        for step in steps {
            let to = self.after(nfa, gear, row, text.symbol(step));
            everywhere.set(step, to >= FITS);
            row = to & !FITS;
        }
        row
    }

    /// The row after a symbol, and whether the pattern fits. After the end of the text, or before it, reading starts again.
    #[inline]
    fn after(&mut self, nfa: &Nfa, gear: &mut Gear, row: u32, symbol: Symbol) -> u32 {
        let mut to = self.known(row, symbol);
        if to == UNKNOWN {
            to = self.learn(nfa, &mut gear.stepper, row, symbol);
        }
        if to & !FITS == DEAD { to | self.start(nfa, symbol) } else { to }
    }
}

/// A text that is read in one direction, symbol by symbol. Forwards, the symbol before the text is left out.
struct Direction<'t, const BACKWARDS: bool>(&'t [Symbol]);

impl<'t, const BACKWARDS: bool> Direction<'t, BACKWARDS> {
    /// How many steps it takes.
    fn steps(&self) -> usize {
        if BACKWARDS { self.0.len() } else { self.0.len().saturating_sub(1) }
    }

    #[inline]
    fn symbol(&self, step: usize) -> Symbol {
        let index = if BACKWARDS { self.0.len() - 1 - step } else { step + 1 };
        self.0.get(index).copied().unwrap_or(VOID)
    }

    /// The symbols of the steps from one on, as they stand in the text.
    fn symbols(&self, step: usize) -> &'t [Symbol; NOTED] {
        let first = if BACKWARDS { self.0.len().saturating_sub(step + NOTED) } else { step + 1 };
        self.0.get(first..).and_then(<[Symbol]>::first_chunk).unwrap_or(&[VOID; NOTED])
    }
}

impl Direction<'_, true> {
    /// The step that reads the first byte of the character before a place.
    #[inline]
    fn step_before(&self, place: usize) -> usize {
        let inner = match self.0.get(place) {
            Some(&INNER) => self.inner_before(place),
            Some(_) | None => 0,
        };
        (self.0.len() + inner).saturating_sub(place + 1)
    }

    #[cold]
    fn inner_before(&self, place: usize) -> usize {
        self.0.iter().take(place + 1).rev().take_while(|symbol| **symbol == INNER).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTER: Symbol = 7;

    /// What is kept of a text of ASCII letters and others, where it fits at some of the places; and the places.
    fn made(backwards: bool, each: usize) -> (Vec<Symbol>, Everywhere, Vec<usize>) {
        let letters = (0..600).flat_map(|at| if at % 11 == 3 { vec![LETTER, INNER] } else { vec![LETTER] });
        let symbols: Vec<Symbol> = std::iter::once(VOID).chain(letters).collect();
        let is_place = |place: &usize| symbols.get(place + 1).is_some_and(|symbol| *symbol != INNER);
        let places: Vec<usize> = (0..symbols.len() - 1).filter(is_place).collect();
        let mut everywhere = Everywhere { bits: vec![0; symbols.len() / WORD + 1], backwards };
        for place in places.iter().filter(|place| !(*place / each).is_multiple_of(3)) {
            everywhere.set(everywhere.step(&symbols, *place), true);
        }
        (symbols, everywhere, places)
    }

    #[test]
    fn a_row_of_places_is_as_long_as_it_seems() {
        for (backwards, each) in
            [true, false].into_iter().flat_map(|to| [1, 2, 5, 130, 400].map(|each| (to, each)))
        {
            let (symbols, everywhere, places) = made(backwards, each);
            for from in &places {
                let (fits, end) = everywhere.same_from(&symbols, *from, 4 * WORD);
                assert_eq!(fits, from / each % 3 != 0);
                let inside = places.iter().filter(|place| (*from..end).contains(place));
                assert!(
                    inside.clone().all(|place| everywhere.has(&symbols, *place) == fits),
                    "{from} to {end}"
                );
                let others =
                    places.iter().find(|place| *place > from && everywhere.has(&symbols, **place) != fits);
                let nearly = others.is_none_or(|other| end + 2 > *other);
                assert!(nearly || end >= from + 3 * WORD, "{from} to {end}, {backwards}, {each}");
            }
        }
    }
}
