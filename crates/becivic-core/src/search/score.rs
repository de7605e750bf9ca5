//! What each document answers, slot by slot.
//!
//! 1. For every way of a slot, the postings of its word are read once. A document keeps its best way.
//! 2. Words that answer together are read the same way, each for itself; a document that has all of them gets the weakest,
//!    unless it answers better already.
//! 3. From how many documents are about what a slot asks for follows its weight; a mention in a text is not counted.

use super::answer::Reason;
use super::document::Place;
use super::index::{Index, Layer};
use super::names::Answers;
use super::plan::{Slot, Together, Way};
use super::postings::Field;

/// What a count has to reach for half of the strength.
const HALF: u64 = 120;

/// A weight that every slot has, of 1000; the rest comes from how rare it is.
const LEAST_WEIGHT: u32 = 300;

/// What a slot that says little counts, in percent.
const LIGHT: u32 = 20;

/// What each further word of a phrase adds to that.
const MORE_WORDS: u32 = 30;

/// What a word that the table of synonyms knows counts, in percent: it says that the question is about the field.
const OF_THE_FIELD: u32 = 160;

/// What a place counts, in sixteenths.
fn place_counts(place: Place) -> u64 {
    match place {
        Place::Title => 192,
        Place::Synonym => 160,
        Place::Tag => 112,
        Place::Summary => 64,
        Place::Heading => 40,
        Place::Body => 16,
    }
}

/// How much of a word is answered by its best place, of 1000.
fn place_answers(place: Place) -> u32 {
    match place {
        Place::Title | Place::Synonym => 1000,
        Place::Tag => 950,
        Place::Summary => 750,
        Place::Heading => 500,
        Place::Body => 350,
    }
}

/// The best answer of a document to a slot: what it counts, by which way, in which field. The larger number is the better one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Best(u64);

impl Best {
    fn new(count: u64, way: usize, field: Field) -> Self {
        let way = u64::from(u16::MAX) - (way as u64).min(u64::from(u16::MAX) - 1);
        Self(count.min(u64::from(u32::MAX)) << 32 | way << 16 | u64::from(field.number()))
    }

    fn count(self) -> u64 {
        self.0 >> 32
    }

    fn way(self) -> usize {
        usize::from(u16::MAX) - usize::from((self.0 >> 16) as u16)
    }

    fn field(self) -> Field {
        Field::numbered(self.0 as u8)
    }
}

/// A document: its layer, its number there, and its number among all.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// The layer.
    pub layer: usize,
    /// The number in it.
    pub document: u32,
    number: usize,
}

/// What each document answers.
pub struct Scores<'s> {
    index: &'s Index,
    slots: &'s [Slot],
    /// For each slot, the best answer of each document.
    best: Vec<Vec<Best>>,
    /// For each layer, the words that answer slots.
    pub answers: Vec<Answers>,
    /// What each slot counts, of 1000.
    pub weights: Vec<u32>,
    /// How rare the answers to each slot are, in 256ths.
    rarity: Vec<u32>,
}

impl<'s> Scores<'s> {
    /// Reads what slots ask for.
    pub fn of(index: &'s Index, slots: &'s [Slot]) -> Self {
        let answers = index.layers.iter().map(|_| Answers::default()).collect();
        let mut scores =
            Self { index, slots, best: Vec::new(), answers, weights: Vec::new(), rarity: Vec::new() };
        let lengths = Lengths::of(index);
        for (number, slot) in slots.iter().enumerate() {
            let mut best = scores.read(number, &slot.ways, 100, &lengths);
            if let Some(together) = &slot.together {
                let mut parts =
                    together.parts.iter().map(|ways| scores.read(number, ways, together.weight, &lengths));
                let first = parts.next().unwrap_or_default();
                let weakest = parts.fold(first, |mut weakest, part| {
                    weakest.iter_mut().zip(part).for_each(|(one, other)| *one = (*one).min(other));
                    weakest
                });
                let together = |known: &mut Best, weakest: Best| {
                    let weakest = Best::new(weakest.count(), TOGETHER, weakest.field());
                    // Where the phrase itself stands, its words apart answer less, however often they occur.
                    if weakest.count() > 0 && answered(slot, weakest) > answered(slot, *known) {
                        *known = weakest;
                    }
                };
                best.iter_mut().zip(weakest).for_each(|(known, weakest)| together(known, weakest));
            }
            scores.weigh(slot, &best);
            scores.best.push(best);
        }
        scores
    }

    /// The best way of each document, of these ways.
    fn read(&mut self, slot: usize, ways: &[Way], percent: u32, lengths: &Lengths) -> Vec<Best> {
        let mut best = vec![Best::default(); lengths.documents];
        let mut before = 0;
        for (layer, answers) in self.index.layers.iter().zip(&mut self.answers) {
            let after = before + layer.segment.entries.len();
            let here = best.get_mut(before..after).unwrap_or_default();
            before = after;
            for (number, way) in ways.iter().enumerate() {
                let Some(word) = layer.segment.find(&way.word) else { continue };
                answers.entry(word).or_default().push((slot, way.weight * percent / 100));
                read_way(layer, word, (number, way), percent, lengths, here);
            }
        }
        best
    }

    fn weigh(&mut self, slot: &Slot, best: &[Best]) {
        let answered =
            self.places().zip(best).filter(|((_, alive), best)| *alive && best.count() > 0).count();
        let all = self.index.len() as u32;
        let most = log2(all + 1) + 128;
        let rarity = most - log2(answered as u32 + 1).min(log2(all + 1));
        let weight = LEAST_WEIGHT + (1000 - LEAST_WEIGHT) * rarity / most;
        let percent = match slot {
            Slot { light: true, .. } => LIGHT,
            Slot { of_the_field: true, words, .. } => OF_THE_FIELD + MORE_WORDS * (words - 1),
            Slot { .. } => 100,
        };
        self.rarity.push((rarity * percent / 100).max(1));
        self.weights.push((weight * percent / 100).max(1));
    }

    /// Every document, and whether it is left.
    fn places(&self) -> impl Iterator<Item = (At, bool)> {
        let layers = self.index.layers.iter().enumerate();
        let places = layers.flat_map(|(layer, of)| {
            (0..of.segment.entries.len() as u32).map(move |document| (layer, document, of.is_alive(document)))
        });
        places.enumerate().map(|(number, (layer, document, alive))| (At { layer, document, number }, alive))
    }

    /// The documents that are left and answer something.
    pub fn touched(&self) -> impl Iterator<Item = At> {
        let answers =
            |at: &At| self.best.iter().any(|best| best.get(at.number).is_some_and(|best| best.0 > 0));
        self.places().filter(|(_, alive)| *alive).map(|(at, _)| at).filter(answers)
    }

    /// Coverage and strength of a document, each from 0 to 1000.
    pub fn sums(&self, at: At) -> (u32, u32) {
        let (mut covered, mut strong) = (0, 0);
        for (number, slot) in self.slots.iter().enumerate() {
            let Some(best) = self.best(number, at) else { continue };
            let weight = self.weights.get(number).copied().unwrap_or(0);
            let rarity = self.rarity.get(number).copied().unwrap_or(0);
            covered += weight * (answered(slot, best) / 10) / 100;
            strong += rarity * ((best.count() * 1000 / (best.count() + HALF)) as u32);
        }
        let weights: u32 = self.weights.iter().sum();
        let rarities: u32 = self.rarity.iter().sum();
        (covered * 1000 / weights.max(1), strong / rarities.max(1))
    }

    /// Why a document was found.
    pub fn reasons(&self, at: At) -> Vec<Reason> {
        let reason = |(number, slot): (usize, &Slot)| {
            let best = self.best(number, at)?;
            let field = best.field();
            let (found, through) = match (slot.ways.get(best.way()), &slot.together) {
                (Some(way), _) => (way.word.clone(), way.through),
                (None, Some(together)) => (words_of(together), together.through),
                (None, None) => return None,
            };
            let (place, language) = (field.place(), field.language());
            Some(Reason::Word { asked: slot.asked.clone(), found, place, language, through })
        };
        self.slots.iter().enumerate().filter_map(reason).collect()
    }

    fn best(&self, slot: usize, at: At) -> Option<Best> {
        self.best.get(slot)?.get(at.number).copied().filter(|best| best.count() > 0)
    }
}

/// The number that stands for words that answer together.
const TOGETHER: usize = u16::MAX as usize - 1;

/// The words that answer together, as the surest ways have them.
fn words_of(together: &Together) -> String {
    let words = together.parts.iter().filter_map(|ways| ways.first()).map(|way| way.word.as_str());
    words.collect::<Vec<_>>().join(" + ")
}

/// How much of a slot an answer answers, of 1000.
fn answered(slot: &Slot, best: Best) -> u32 {
    if best.count() == 0 {
        return 0;
    }
    let weight = match slot.ways.get(best.way()) {
        Some(way) => way.weight,
        None => slot.together.as_ref().map_or(0, |together| together.weight),
    };
    place_answers(best.field().place()) * weight / 100
}

/// Gives every document of a layer its best way so far.
fn read_way(
    layer: &Layer,
    word: u32,
    (number, way): (usize, &Way),
    percent: u32,
    lengths: &Lengths,
    best: &mut [Best],
) {
    let mut reader = layer.segment.postings(word);
    loop {
        let (mut count, mut body, mut highest) = (0, 0, None::<(u64, Field)>);
        let next = reader.next(|field, times| {
            if !way.languages.hold(field) {
                return;
            }
            let counts = place_counts(field.place());
            if field.place() == Place::Body {
                body += counts * u64::from(times);
            } else {
                count += counts * u64::from(times);
            }
            if highest.is_none_or(|(most, _)| counts > most) {
                highest = Some((counts, field));
            }
        });
        let Some(document) = next else { return };
        let Some((_, field)) = highest else { continue };
        if body > 0 {
            let length = layer.segment.bodies.get(document as usize).copied().unwrap_or(0);
            count += lengths.normal(body, length);
        }
        let count = (count * u64::from(way.weight) * u64::from(percent) / 10_000).max(1);
        if let Some(known) = best.get_mut(document as usize) {
            *known = (*known).max(Best::new(count, number, field));
        }
    }
}

/// How long texts are.
struct Lengths {
    documents: usize,
    average: u64,
}

impl Lengths {
    fn of(index: &Index) -> Self {
        let (mut sum, mut texts) = (0u64, 0u64);
        for layer in index.layers.iter() {
            for (document, length) in (0..).zip(&layer.segment.bodies) {
                if *length > 0 && layer.is_alive(document) {
                    (sum, texts) = (sum + u64::from(*length), texts + 1);
                }
            }
        }
        let documents = index.layers.iter().map(|layer| layer.segment.entries.len()).sum();
        Self { documents, average: (sum / texts.max(1)).max(1) }
    }

    /// What a word counts in a text of this length: double in a very short one, little in a very long one.
    fn normal(&self, count: u64, length: u32) -> u64 {
        count * 2 * self.average / (self.average + u64::from(length))
    }
}

/// The logarithm to the base of 2, in 256ths: exact at powers of two, straight lines between.
fn log2(number: u32) -> u32 {
    let number = number.max(1);
    let whole = 31 - number.leading_zeros();
    let rest = (u64::from(number) << 8 >> whole) as u32 - 256;
    whole * 256 + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_whole_and_grow() {
        assert_eq!([1, 2, 3, 4, 1024].map(log2), [0, 256, 384, 512, 2560]);
        assert!((1..5000).all(|number| log2(number) <= log2(number + 1)));
        assert_eq!(log2(u32::MAX), 31 * 256 + 255);
    }

    #[test]
    fn the_better_answer_is_the_larger_number() {
        let (title, body) = (Field::of(Place::Title, None), Field::of(Place::Body, None));
        assert!(Best::new(2, 9, body) > Best::new(1, 0, title));
        assert!(Best::new(2, 0, body) > Best::new(2, 1, title));
        let best = Best::new(7, 3, body);
        assert_eq!((best.count(), best.way(), best.field()), (7, 3, body));
    }
}
