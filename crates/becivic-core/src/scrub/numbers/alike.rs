//! For which symbols a transition is the same.
//!
//! While a transition is worked out, each question about the symbol, whether it is in a set or of a kind, divides the columns into those of
//! the same answer and the others. What is left after all questions leads where the symbol does.

use super::super::nfa::{Columns, Nfa};
use super::super::symbols::{INNER, SetId, Symbol};

/// Columns as bits, as far as there are bits.
#[derive(Debug)]
pub(super) struct Alike {
    /// Of each set, the columns of its symbols.
    of_sets: Vec<u64>,
    /// Of each column, those of the same kind.
    of_one_kind: Vec<u64>,
    /// All there are but the first: within a character a state leads to itself, whatever it does elsewhere.
    all: u64,
}

impl Alike {
    pub(super) fn new(nfa: &Nfa, columns: &Columns) -> Self {
        let among = 0..columns.count().min(u64::BITS as usize);
        let examples: Vec<(usize, Symbol)> =
            among.map(|column| (column, columns.example(u16::try_from(column).unwrap_or(0)))).collect();
        let of = |is_in: &dyn Fn(Symbol) -> bool| {
            let of = examples.iter().filter(|(_, example)| is_in(*example));
            of.fold(0, |all, (column, _)| all | 1 << column)
        };
        let of_sets = (0..).take(nfa.members.len()).map(|set| of(&|symbol| nfa.has(set, symbol))).collect();
        let kinds = examples.iter().map(|(_, example)| nfa.any_kind(*example));
        let of_one_kind = kinds.map(|kind| of(&|symbol| nfa.any_kind(symbol) == kind)).collect();
        let all = of(&|symbol| symbol != INNER);
        Self { of_sets, of_one_kind, all }
    }

    /// Those that nothing has told from this one; nobody knows of any where there are no bits.
    pub(super) fn to(&self, column: u16) -> AlikeTo<'_> {
        let columns = if u32::from(column) < u64::BITS { self.all } else { 0 };
        AlikeTo { alike: self, column, columns }
    }
}

/// The columns that nothing asked so far tells from one.
pub(super) struct AlikeTo<'a> {
    alike: &'a Alike,
    column: u16,
    pub(super) columns: u64,
}

impl AlikeTo<'_> {
    /// It was asked whether the symbol is in this set.
    #[inline]
    pub(super) fn note(&mut self, set: SetId) {
        self.keep(self.alike.of_sets.get(set as usize).copied().unwrap_or(0));
    }

    /// It was asked of what kind the symbol is.
    pub(super) fn note_kind(&mut self) {
        self.columns &= self.alike.of_one_kind.get(usize::from(self.column)).copied().unwrap_or(0);
    }

    /// Keeps the columns that are among these if the one is, and the others if it is not.
    #[inline]
    fn keep(&mut self, among: u64) {
        let is_among = among.unbounded_shr(self.column.into()) & 1 == 1;
        self.columns &= if is_among { among } else { !among };
    }
}
