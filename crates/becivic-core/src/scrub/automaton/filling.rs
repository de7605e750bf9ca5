//! Up to which places of a text a pattern fits: the whole text is read once, and a bit kept for each place.
//!
//! 1. An automaton has to wait for each symbol before the next. So a long text is divided into a few stretches that are read side by side,
//!    each as if nothing stood before it.
//! 2. What did stand before some of them may matter. So from where the first ends the second is read once more, until it comes to the row
//!    that it came to before; from there on both readings are the same. Then the third, and so on.
//! 3. Where rows have been thrown away meanwhile, the text is read again in one.

use super::super::nfa::Nfa;
use super::super::symbols::{INNER, Symbol, VOID};
use super::{ASKS, Automaton, DEAD, FITS, Gear, Reading, UNKNOWN};
use std::ops::Range;

/// Stretches that are read side by side.
const ABREAST: usize = 4;

/// Symbols of a text at least that is divided.
const LEAST: usize = 2_048;

/// After so many symbols of each stretch, the row that it has come to is noted.
const NOTED: usize = 128;

impl Automaton {
    /// Reads the whole text and sets a bit for each place up to which the pattern fits. Read backwards, a place
    /// is where a text begins that fits.
    #[inline(never)]
    pub(in super::super) fn fill(
        &mut self,
        reading: &Reading<'_>,
        gear: &mut Gear,
        backwards: bool,
        bits: &mut Vec<u64>,
    ) {
        gear.walked += reading.symbols.len() as u64;
        match backwards {
            true => self.fill_by::<true>(reading, gear, bits),
            false => self.fill_by::<false>(reading, gear, bits),
        }
    }

    fn fill_by<const BACKWARDS: bool>(
        &mut self,
        reading: &Reading<'_>,
        gear: &mut Gear,
        bits: &mut Vec<u64>,
    ) {
        let text = Direction::<BACKWARDS>(reading.symbols);
        bits.clear();
        bits.resize(text.0.len() / 64 + 1, 0);
        if text.steps() < LEAST || self.fill_abreast(reading, gear, &text, bits).is_none() {
            let row = self.start(reading.nfa, VOID);
            self.read(reading.nfa, gear, &text, 0..text.steps(), row, bits);
        }
    }

    /// The same stretch by stretch; `None` if rows have been thrown away.
    fn fill_abreast<const BACKWARDS: bool>(
        &mut self,
        reading: &Reading<'_>,
        gear: &mut Gear,
        text: &Direction<'_, BACKWARDS>,
        bits: &mut [u64],
    ) -> Option<()> {
        let long = text.steps() / ABREAST;
        let mut rows = [self.start(reading.nfa, VOID); ABREAST];
        let thrown_away = self.learnt.thrown_away;
        let mut noted: Vec<[u32; ABREAST]> = Vec::with_capacity(long / NOTED);
        let mut columns = [[0; ABREAST]; NOTED];
        let mut from = 0;
        while from < long {
            let steps = (long - from).min(NOTED);
            for stretch in 0..ABREAST {
                let symbols = text.symbols(stretch * long + from, steps).iter();
                let note = |(columns, symbol): (&mut [u16; ABREAST], &Symbol)| {
                    columns[stretch] = self.columns.of(*symbol);
                };
                match BACKWARDS {
                    true => columns.iter_mut().zip(symbols.rev()).for_each(note),
                    false => columns.iter_mut().zip(symbols).for_each(note),
                }
            }
            let mut left = columns.get(..steps).unwrap_or_default();
            loop {
                left = left.get(self.run_abreast(left, &mut rows)..).unwrap_or_default();
                let step = from + steps - left.len();
                let Some((columns, after)) = left.split_first() else { break };
                for (stretch, (row, column)) in rows.iter_mut().zip(columns).enumerate() {
                    let step = stretch * long + step;
                    let to = self.rows.get(*row as usize + usize::from(*column)).copied().unwrap_or(UNKNOWN);
                    if to == UNKNOWN || to & !FITS == DEAD {
                        *row = self.read(reading.nfa, gear, text, step..step + 1, *row, bits);
                        continue;
                    }
                    if to >= FITS {
                        set(bits, text.place(step), true);
                    }
                    *row = to & !FITS;
                }
                left = after;
            }
            from += steps;
            noted.push(rows);
        }
        let [mut row, ..] = rows;
        for (stretch, end) in rows.into_iter().enumerate().skip(1) {
            let from = stretch * long;
            let mut again = from..from + long;
            for noted in &noted {
                let to = (again.start + NOTED).min(again.end);
                row = self.read(reading.nfa, gear, text, again.start..to, row, bits);
                again.start = to;
                if noted.get(stretch) == Some(&row) {
                    row = end;
                    break;
                }
            }
        }
        self.read(reading.nfa, gear, text, ABREAST * long..text.steps(), row, bits);
        (self.learnt.thrown_away == thrown_away).then_some(())
    }

    /// Reads on in all stretches as long as transitions lead to other rows and say nothing else; how many symbols of each.
    #[inline(never)]
    fn run_abreast(&self, columns: &[[u16; ABREAST]], rows: &mut [u32; ABREAST]) -> usize {
        let mut now = *rows;
        for (step, columns) in columns.iter().enumerate() {
            let to: [u32; ABREAST] = std::array::from_fn(|stretch| {
                let cell = now[stretch] as usize + usize::from(columns[stretch]);
                self.rows.get(cell).copied().unwrap_or(DEAD)
            });
            // No condition is asked here, so that whatever is no row is above them all, once one is taken from it.
            if to.iter().fold(0, |all, to| all | to.wrapping_sub(1)) >= ASKS {
                *rows = now;
                return step;
            }
            now = to;
        }
        *rows = now;
        columns.len()
    }

    /// Reads some symbols from a row on and writes down for each of them whether the pattern fits; the row that this leads to.
    fn read<const BACKWARDS: bool>(
        &mut self,
        nfa: &Nfa,
        gear: &mut Gear,
        text: &Direction<'_, BACKWARDS>,
        steps: Range<usize>,
        mut row: u32,
        bits: &mut [u64],
    ) -> u32 {
        for step in steps {
            let symbol = text.symbol(step);
            let mut to = self.known(row, symbol);
            if to == UNKNOWN {
                to = self.learn(nfa, &mut gear.stepper, row, symbol);
            }
            if symbol != INNER {
                set(bits, text.place(step), to >= FITS);
            }
            to &= !FITS;
            // After the end of the text, or before it, reading starts again.
            row = if to == DEAD { self.start(nfa, symbol) } else { to };
        }
        row
    }
}

/// Writes a bit down.
#[inline]
fn set(bits: &mut [u64], place: usize, bit: bool) {
    if let Some(word) = bits.get_mut(place / 64) {
        *word = *word & !(1 << (place % 64)) | u64::from(bit) << (place % 64);
    }
}

/// A text that is read in one direction, symbol by symbol. Forwards, the symbol before the text is left out.
struct Direction<'t, const BACKWARDS: bool>(&'t [Symbol]);

impl<const BACKWARDS: bool> Direction<'_, BACKWARDS> {
    /// How many steps it takes.
    fn steps(&self) -> usize {
        if BACKWARDS { self.0.len() } else { self.0.len().saturating_sub(1) }
    }

    /// Where the symbol of a step is.
    #[inline]
    fn index(&self, step: usize) -> usize {
        if BACKWARDS { self.0.len() - 1 - step } else { step + 1 }
    }

    #[inline]
    fn symbol(&self, step: usize) -> Symbol {
        self.0.get(self.index(step)).copied().unwrap_or(VOID)
    }

    /// The symbols of some steps, as they stand in the text.
    fn symbols(&self, step: usize, steps: usize) -> &[Symbol] {
        let first = if BACKWARDS { self.0.len() - step - steps } else { step + 1 };
        self.0.get(first..first + steps).unwrap_or_default()
    }

    /// The place that is told of once the symbol of a step has been read: right before it, or, read backwards, right after it.
    #[inline]
    fn place(&self, step: usize) -> usize {
        let index = self.index(step);
        match self.0.get(index + 1) {
            _ if !BACKWARDS => index - 1,
            Some(&INNER) => index + self.inner(index),
            Some(_) | None => index,
        }
    }

    /// Bytes of a character after its first.
    #[cold]
    fn inner(&self, index: usize) -> usize {
        self.0.iter().skip(index + 1).take_while(|symbol| **symbol == INNER).count()
    }
}
