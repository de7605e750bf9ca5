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
        let step = match self.backwards {
            true => Direction::<true>(symbols).step_before(place),
            false => place,
        };
        self.bits.get(step / WORD).is_some_and(|word| word >> (step % WORD) & 1 == 1)
    }

    /// A place from one on before which the pattern fits at all places, if the text was read backwards; as far as can be, or nearly.
    pub(in super::super) fn fits_until(&self, symbols: &[Symbol], place: usize) -> usize {
        if !self.backwards {
            return place;
        }
        let mut steps = Direction::<true>(symbols).step_before(place) + 1;
        while let Some(last) = steps.checked_sub(1) {
            let word = self.bits.get(last / WORD).copied().unwrap_or(0);
            let gaps = !word & (u64::MAX >> (WORD - 1 - last % WORD));
            match gaps.checked_ilog2() {
                None => steps = last / WORD * WORD,
                Some(bit) => {
                    steps = last / WORD * WORD + bit as usize;
                    // The bytes in a character are no places.
                    let at = symbols.len().saturating_sub(steps + 1);
                    if symbols.get(at).is_some_and(|symbol| *symbol != INNER) {
                        return at.max(place);
                    }
                }
            }
        }
        // What comes after is not known: it may be a part of a text.
        symbols.len()
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
