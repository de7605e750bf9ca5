//! Whether conditions hold at a place: what has to stand before it or after it, and what must not.
//!
//! 1. Each is walked by an automaton of its own, and the last answer is kept. Those that have to stand before a branch are
//!    first asked all at once, without counting.
//! 2. One that may read far is walked a short way at each place. Where that does not tell, or has taken too long in all, the
//!    text is read once towards the places, and a bit kept for each.

use super::automaton::{Automaton, Everywhere, Gear, MAX_WALK, Reading, SOON, last_before};
use super::branches::Condition;
use super::matcher::Plan;
use super::nfa::Asked;
use super::symbols::Symbol;
use super::whole::Whole;
use std::ops::Range;
use std::sync::Arc;

/// Bytes that a condition which may read far walks at each place. One that would go further, or that has walked half as much as was
/// read, is answered for the whole text at once.
const NEAR: usize = 192;

/// Bytes that tell what a text is like.
const TELLING: usize = 32 << 10;

/// Places that are looked through at a time for those where the answer is the same.
const LOOKED: usize = 4_096;

/// What answers.
pub(super) struct Conditions {
    automata: Vec<Automaton>,
    /// The conditions that are asked together.
    all_before: Automaton,
    before: Before,
    /// The last answer of each condition.
    answers: Vec<Answer>,
    /// The answers of those that read far.
    far: Vec<Far>,
    pub(super) gear: Gear,
    /// Whether one of them was asked alone since they were made ready; about most texts none is.
    was_asked: bool,
    /// Whether the part that is read is the whole text.
    is_whole: bool,
    /// Where places begin that are asked about.
    from: usize,
    /// The text, if several readers share what is known of it.
    whole: Option<Arc<Whole>>,
    /// Whether a condition was asked that only the whole text answers.
    pub(super) wants_whole: bool,
}

/// What is known of the conditions that are asked together, a bit for each.
#[derive(Clone, Copy, Debug)]
struct Before {
    /// The last place they were asked about.
    place: usize,
    /// Of which something is known.
    told: u64,
    /// Which of these could hold.
    found: u64,
}

impl Before {
    #[inline]
    fn tells(self, asked: u64) -> bool {
        asked & !self.told == 0
    }
}

/// What is known of a condition.
#[derive(Clone, Copy, Debug)]
struct Answer {
    /// The place it was asked about last.
    place: usize,
    /// Whether it fits there.
    fits: bool,
    /// Whether its answers are known for all of the text.
    is_known: bool,
    /// Whether it is about what stands before.
    behind: bool,
    /// Whether it may read far.
    is_far: bool,
}

impl Answer {
    /// Nothing is.
    fn unknown(condition: &Condition) -> Self {
        let (behind, is_far) = (condition.behind, condition.is_far());
        Self { place: usize::MAX, fits: false, is_known: false, behind, is_far }
    }
}

/// The answers of a condition for a whole text.
#[derive(Clone, Debug, Default)]
struct Far {
    answers: Arc<Everywhere>,
    /// Symbols walked for it in this text.
    walked: u64,
    /// Places in a row at all of which the answer is the same, that were asked about last.
    alike: Range<usize>,
    /// Whether it fits there.
    fits: bool,
    /// Reads the text towards the places.
    towards: Option<Automaton>,
    /// Whether it walked that much in a part of this text that the whole part was read: so are those that follow, when it is first asked.
    is_eager: bool,
}

impl Far {
    /// Whether it fits at a place.
    #[inline]
    fn fits(&mut self, symbols: &[Symbol], place: usize) -> bool {
        if !self.alike.contains(&place) {
            self.look(symbols, place);
        }
        self.fits
    }

    /// Whether it is known to fit, or not to, at all places from one on up to another.
    #[inline]
    fn is_alike(&mut self, symbols: &[Symbol], from: usize, to: usize, fits: bool) -> bool {
        // A row is known as far as it was looked; from further on it may be known further.
        if !self.alike.contains(&from) || to >= self.alike.end && from > self.alike.start + LOOKED / 2 {
            self.look(symbols, from);
        }
        self.fits == fits && to < self.alike.end
    }

    /// Notes that so much was walked for it; whether that is so much for what was read so far that the whole text had better be read.
    #[inline]
    fn walks(&mut self, walked: u64, reading: &Reading<'_>, read: usize) -> bool {
        self.walked += walked;
        2 * self.walked > read.max(TELLING).min(reading.symbols.len()) as u64
    }

    #[inline(never)]
    fn look(&mut self, symbols: &[Symbol], place: usize) {
        let (fits, end) = self.answers.same_from(symbols, place, LOOKED);
        (self.fits, self.alike) = (fits, place..end);
    }
}

impl Conditions {
    /// Nothing known yet.
    pub(super) fn new(plan: &Plan) -> Self {
        let Plan { conditions, together, .. } = plan;
        Self {
            automata: conditions.iter().map(|condition| Automaton::new(condition.start)).collect(),
            all_before: Automaton::of_several(together.start, together.ends.clone()),
            before: Before { place: usize::MAX, told: 0, found: 0 },
            answers: conditions.iter().map(Answer::unknown).collect(),
            far: vec![Far::default(); conditions.len()],
            gear: Gear::default(),
            was_asked: false,
            is_whole: true,
            from: 0,
            whole: None,
            wants_whole: false,
        }
    }

    /// Makes them ready for another part of a text, in which they are asked about places from one on.
    pub(super) fn reset(&mut self, is_whole: bool, from: usize) {
        (self.is_whole, self.wants_whole, self.from) = (is_whole, false, from);
        self.before.place = usize::MAX;
        if std::mem::take(&mut self.was_asked) {
            self.answers.iter_mut().for_each(|answer| (answer.place, answer.is_known) = (usize::MAX, false));
            self.far.iter_mut().for_each(|far| (far.walked, far.alike) = (0, 0..0));
        }
    }

    /// Makes them ready for a text that several readers share.
    pub(super) fn share(&mut self, whole: Option<&Arc<Whole>>) {
        self.whole = whole.cloned();
    }

    /// Forgets the text.
    pub(super) fn forget(&mut self) {
        let was_shared = self.whole.take().is_some();
        for far in &mut self.far {
            far.is_eager = false;
            if was_shared {
                far.answers = Arc::default();
            }
        }
    }

    /// Which of the conditions that are asked together could hold, as far as these are concerned.
    #[inline]
    pub(super) fn before(&mut self, plan: &Plan, reading: &Reading<'_>, place: usize, asked: u64) -> u64 {
        if !self.nothing_before(reading.symbols, place, asked) && !self.before.tells(asked) {
            let characters = plan.together.characters;
            let (found, told) = self.all_before.all_before(reading, place, characters, asked, &mut self.gear);
            self.before = Before { place, told: self.before.told | told, found: self.before.found | found };
        }
        self.before.found & asked
    }

    /// Whether a look at what stands right before a place tells that none of these could hold.
    #[inline]
    pub(super) fn nothing_before(&mut self, symbols: &[Symbol], place: usize, asked: u64) -> bool {
        if self.before.place != place {
            self.before = Before { place, told: 0, found: 0 };
        }
        if !self.before.tells(asked) && self.all_before.none_before(symbols, place, asked) {
            self.before.told |= asked;
        }
        self.before.tells(asked) && self.before.found & asked == 0
    }

    /// Whether what has to stand before a place does.
    pub(super) fn stands_before(
        &mut self,
        plan: &Plan,
        asked: Asked,
        reading: &Reading<'_>,
        place: usize,
    ) -> Option<bool> {
        let bit = plan.together.bits.get(asked.condition as usize).copied().flatten();
        if bit.is_some_and(|bit| self.before(plan, reading, place, 1 << bit) == 0) {
            return Some(false);
        }
        self.holds(plan, asked, reading, place)
    }

    /// Whether a condition holds at a place; `None` if that takes too long to tell.
    #[inline]
    pub(super) fn holds(
        &mut self,
        plan: &Plan,
        asked: Asked,
        reading: &Reading<'_>,
        place: usize,
    ) -> Option<bool> {
        let number = asked.condition as usize;
        let answer = self.answers.get(number)?;
        let fits = if answer.place == place {
            answer.fits
        } else if answer.is_known {
            self.far.get_mut(number)?.fits(reading.symbols, place)
        } else {
            let first = reading.symbols.get(place + usize::from(!answer.behind)).copied();
            match first.and_then(|first| plan.firsts.fits(number, first)) {
                Some(fits) => fits,
                None => self.walk(plan, number, reading, place)?,
            }
        };
        Some(fits != asked.negated)
    }

    /// Whether it is known of one that it fits, or that it does not, at all places from one on up to another.
    #[inline]
    pub(super) fn is_alike(
        &mut self,
        condition: u32,
        reading: &Reading<'_>,
        from: usize,
        to: usize,
        fits: bool,
    ) -> bool {
        let number = condition as usize;
        self.answers.get(number).is_some_and(|answer| answer.is_known)
            && self.far.get_mut(number).is_some_and(|far| far.is_alike(reading.symbols, from, to, fits))
    }

    /// Whether one fits at a place that its first symbol does not tell; most are told by a few symbols.
    #[inline(never)]
    fn walk(&mut self, plan: &Plan, number: usize, reading: &Reading<'_>, place: usize) -> Option<bool> {
        let (automaton, answer) = (self.automata.get(number)?, self.answers.get_mut(number)?);
        let is_known = || self.whole.as_ref().is_some_and(|whole| whole.is_known(number));
        if answer.is_far && (self.far.get(number)?.is_eager || is_known()) {
            return self.read_all(plan, number, reading, place);
        }
        let soon = match answer.behind {
            true => automaton.fits_soon_before(reading.symbols, place),
            false => automaton.fits_soon_after(reading.symbols, place),
        };
        let Some(mut fits) = soon else { return self.walk_on(plan, number, reading, place) };
        self.gear.walked += SOON as u64;
        if answer.is_far
            && self.far.get_mut(number)?.walks(SOON as u64 / 4, reading, place.saturating_sub(self.from))
        {
            fits = self.walk_far(plan, number, reading, place)?;
        }
        let answer = self.answers.get_mut(number)?;
        (answer.place, answer.fits, self.was_asked) = (place, fits, true);
        Some(fits)
    }

    /// The same of one that they do not tell.
    #[inline(never)]
    fn walk_on(&mut self, plan: &Plan, number: usize, reading: &Reading<'_>, place: usize) -> Option<bool> {
        let condition = plan.conditions.get(number)?;
        if condition.behind
            && let Some(fits) = plan.firsts.fits(number, last_before(reading.symbols, place))
        {
            return Some(fits);
        }
        self.was_asked = true;
        let automaton = self.automata.get_mut(number)?;
        let fits = match (condition.is_far(), condition.behind) {
            (false, true) => automaton.fits_before(reading, place, MAX_WALK, &mut self.gear)?,
            (false, false) => automaton.fits_after(reading, place, MAX_WALK, &mut self.gear)?,
            (true, _) => self.walk_far(plan, number, reading, place)?,
        };
        let answer = self.answers.get_mut(number)?;
        (answer.place, answer.fits) = (place, fits);
        Some(fits)
    }

    /// The same of one that may read far.
    #[inline(never)]
    fn walk_far(&mut self, plan: &Plan, number: usize, reading: &Reading<'_>, place: usize) -> Option<bool> {
        let (automaton, before) = (self.automata.get_mut(number)?, self.gear.walked);
        let near = match self.answers.get(number)?.behind {
            true => automaton.fits_before(reading, place, NEAR, &mut self.gear),
            false => automaton.fits_after(reading, place, NEAR, &mut self.gear),
        };
        let far = self.far.get_mut(number)?;
        far.is_eager = far.walks(self.gear.walked - before, reading, place.saturating_sub(self.from));
        match far.is_eager || near.is_none() {
            true => self.read_all(plan, number, reading, place).or(near),
            false => near,
        }
    }

    /// Reads all of the part, if that is enough to tell, and notes the answers; the one for this place.
    fn read_all(&mut self, plan: &Plan, number: usize, reading: &Reading<'_>, place: usize) -> Option<bool> {
        let condition = plan.conditions.get(number)?;
        if !self.is_whole && !condition.is_in_reach {
            self.wants_whole = true;
            return None;
        }
        let (far, towards) = (self.far.get_mut(number)?, condition.towards?);
        let automaton = far.towards.get_or_insert_with(|| Automaton::new(towards));
        let gear = &mut self.gear;
        let mut fill = |answers: &mut Everywhere| automaton.fill(reading, gear, !condition.behind, answers);
        match &self.whole {
            Some(whole) => far.answers = whole.answers(number, fill)?,
            None => fill(Arc::make_mut(&mut far.answers)),
        }
        self.answers.get_mut(number)?.is_known = true;
        self.was_asked = true;
        Some(far.answers.has(reading.symbols, place))
    }
}
