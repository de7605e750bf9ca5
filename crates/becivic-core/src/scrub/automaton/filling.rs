//! Up to which places of a text a pattern fits: the whole text is read once, and a bit kept for each symbol.
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

    #[inline]
    fn set(&mut self, step: usize, fits: bool) {
        if let Some(word) = self.bits.get_mut(step / WORD) {
            *word = *word & !(1 << (step % WORD)) | u64::from(fits) << (step % WORD);
        }
    }
}

/// Where some symbols of each stretch led to, side by side.
type Led = [[u32; ABREAST]; NOTED];

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
        let mut led: Led = [[DEAD; ABREAST]; NOTED];
        for from in (0..long).step_by(NOTED) {
            let ahead = std::array::from_fn(|stretch| text.symbols(stretch * long + from));
            let before = rows;
            if !self.run_abreast::<BACKWARDS>(ahead, &mut rows, &mut led) {
                rows = before;
                for (stretch, row) in rows.iter_mut().enumerate() {
                    for (step, led) in (stretch * long + from..).zip(&mut led) {
                        led[stretch] = self.after(nfa, gear, *row, text.symbol(step));
                        *row = led[stretch] & !FITS;
                    }
                }
                if self.learnt.thrown_away != thrown_away {
                    return None;
                }
            }
            for stretch in 0..ABREAST {
                let words = everywhere.bits.iter_mut().skip((stretch * long + from) / WORD);
                words.zip(led.chunks(WORD)).for_each(|(word, led)| *word = fitting(led, stretch));
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
        ahead: [&[Symbol; NOTED]; ABREAST],
        rows: &mut [u32; ABREAST],
        led: &mut Led,
    ) -> bool {
        // As wide as an index is: narrow ones would have to be widened for each symbol.
        let (cells, mut now) = (self.rows.as_slice(), rows.map(|row| row as usize));
        let [first, second, third] = ahead;
        for (step, led) in led.iter_mut().enumerate() {
            let at = if BACKWARDS { NOTED - 1 - step } else { step };
            let cell = |now: usize, symbol| cells.get(now + usize::from(self.columns.of(symbol)));
            let (Some(a), Some(b), Some(c)) =
                (cell(now[0], first[at]), cell(now[1], second[at]), cell(now[2], third[at]))
            else {
                return false;
            };
            // No condition is asked here, so that only what is not known has this set.
            if (a | b | c) & ASKS != 0 {
                return false;
            }
            *led = [*a, *b, *c];
            now = led.map(|to| (to & !FITS) as usize);
        }
        // What is dead remains so; where it should not, reading starts again.
        *rows = now.map(|row| row as u32);
        !rows.contains(&DEAD)
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

/// Whether the pattern fits, for each of the symbols of a stretch.
fn fitting(led: &[[u32; ABREAST]], stretch: usize) -> u64 {
    led.iter().rev().fold(0, |word, led| word << 1 | u64::from(led[stretch] >= FITS))
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
