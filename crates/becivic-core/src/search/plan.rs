//! A question as slots: what is asked for, and every way in which a document may answer it.
//!
//! 1. The query is cut ([`LONGEST_QUERY`], [`MOST_WORDS`]), folded, and freed of words that say nothing. What another state gives
//!    is one slot, and nothing answers it ([`elsewhere`](super::elsewhere)).
//! 2. Where it holds a phrase of the table of synonyms, the longest one is a slot. Every other word is one.
//! 3. Ways to answer a slot: the word itself; its family; what means the same, in any language; compounds that hold it. The
//!    words of a phrase, and the parts of a compound, answer together or not at all.
//! 4. A word that finds nothing in these ways is looked up as if it were misspelled.

use super::answer::{Question, Through};
use super::compounds::{holders, parts};
use super::elsewhere::{is_elsewhere, is_state, joined};
use super::index::Index;
use super::lookup::{families, knows};
use super::postings::Languages;
use super::spelling::near;
use super::synonyms::Phrase;
use super::words::{fold, is_light, only_telling};
use crate::vocabulary::Language;

/// A query is read so far, in characters.
pub const LONGEST_QUERY: usize = 400;

/// A query has so many words.
pub const MOST_WORDS: usize = 24;

/// A slot has so many ways.
const MOST_WAYS: usize = 64;

/// How much each way counts, in percent.
const SAME: u32 = 100;
const FAMILY: u32 = 92;
const SYNONYM: u32 = 75;
const TOGETHER: u32 = 60;
const HOLDER: u32 = 55;
const ONE_WRONG: u32 = 70;
const TWO_WRONG: u32 = 55;

/// A word or phrase of the index that answers a slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// The word.
    pub word: String,
    /// How much it counts, in percent.
    pub weight: u32,
    /// How it is related.
    pub through: Through,
    /// In fields of which languages.
    pub languages: Languages,
}

/// Words that answer together.
#[derive(Clone, Debug)]
pub struct Together {
    /// The ways to answer each.
    pub parts: Vec<Vec<Way>>,
    /// How they are related to the whole.
    pub through: Through,
    /// How much they count, in percent.
    pub weight: u32,
}

/// One thing that is asked for: a word or a phrase.
#[derive(Clone, Debug)]
pub struct Slot {
    /// As it was asked.
    pub asked: String,
    /// How many words that are.
    pub words: u32,
    /// Whether it says little.
    pub light: bool,
    /// Whether the table of synonyms knows it: a word of the field.
    pub of_the_field: bool,
    /// What answers it.
    pub ways: Vec<Way>,
    /// What answers it together.
    pub together: Option<Together>,
}

/// What a question asks for.
pub fn slots(index: &Index, question: &Question<'_>) -> Vec<Slot> {
    let query: String = question.query.chars().take(LONGEST_QUERY).collect();
    let mut words = only_telling(joined(fold(&query)));
    words.truncate(MOST_WORDS);
    let languages = match &question.language {
        Some(language) => std::slice::from_ref(language),
        None => Language::ALL,
    };
    let finder = Finder { index, languages };
    let mut slots: Vec<Slot> = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let rest = words.get(at..).unwrap_or_default();
        let slot = match finder.longest_phrase(rest) {
            Some((phrase, groups)) => {
                let asked = rest.get(..phrase.words.len()).unwrap_or_default();
                at += asked.len();
                finder.phrase(asked, phrase, &groups)
            }
            None => {
                at += 1;
                finder.word(word)
            }
        };
        if !slots.iter().any(|known| known.asked == slot.asked) {
            slots.push(slot);
        }
    }
    slots
}

struct Finder<'i> {
    index: &'i Index,
    languages: &'i [Language],
}

impl<'i> Finder<'i> {
    /// The longest phrase with which words begin, and the groups it belongs to.
    fn longest_phrase(&self, words: &'i [String]) -> Option<(&'i Phrase, Vec<u32>)> {
        let synonyms = &self.index.synonyms;
        let all = Language::ALL.iter().flat_map(|language| synonyms.phrases_at(*language, words));
        let all: Vec<(u32, &Phrase)> = all.collect();
        let (_, longest) = all.iter().max_by_key(|(_, phrase)| phrase.words.len())?;
        let as_long = all.iter().filter(|(_, phrase)| phrase.words.len() == longest.words.len());
        let mut groups: Vec<u32> = as_long.map(|(group, _)| *group).collect();
        groups.sort_unstable();
        groups.dedup();
        Some((longest, groups))
    }

    fn phrase(&self, asked: &[String], phrase: &Phrase, groups: &[u32]) -> Slot {
        let mut ways = Ways::default();
        ways.add(&phrase.key, SAME, Through::Same, Languages::ALL);
        self.synonyms(groups, &phrase.key, 100, &mut ways);
        let parts = asked.iter().map(|word| {
            let mut ways = Ways::default();
            self.itself(word, SAME, Through::Same, &mut ways);
            ways.finish()
        });
        let together = Together { parts: parts.collect(), through: Through::Apart, weight: TOGETHER };
        Slot {
            asked: asked.join(" "),
            words: asked.len() as u32,
            light: false,
            of_the_field: true,
            ways: ways.finish(),
            together: Some(together),
        }
    }

    fn word(&self, word: &str) -> Slot {
        if is_elsewhere(word) {
            return nowhere(word);
        }
        let light = is_light(word) || is_state(word) || self.index.communes.contains(word);
        let mut ways = Ways::default();
        let groups = self.known(word, &mut ways);
        for holder in holders(self.index, word) {
            let languages = Languages::only(Language::Nl).and(Languages::only(Language::De));
            ways.add(&holder, HOLDER, Through::Compound, languages);
        }
        let parts = parts(self.index, word);
        let together = (!parts.is_empty()).then(|| {
            let ways = |part: &String| {
                let mut ways = Ways::default();
                self.known(part, &mut ways);
                ways.finish()
            };
            let parts = parts.iter().map(ways).collect();
            Together { parts, through: Through::Compound, weight: TOGETHER }
        });
        let mut of_the_field = groups;
        if ways.0.is_empty() && together.is_none() && !groups {
            for (wrong, meant) in near(self.index, word) {
                let weight = if wrong == 1 { ONE_WRONG } else { TWO_WRONG };
                self.itself(&meant, weight, Through::Spelling, &mut ways);
                let groups = self.index.synonyms.groups_of(&meant, &[]);
                self.synonyms(&groups, &meant, weight, &mut ways);
                of_the_field |= !groups.is_empty();
            }
        }
        Slot { asked: word.to_owned(), words: 1, light, of_the_field, ways: ways.finish(), together }
    }

    /// A word, its family and what means the same; whether the table of synonyms knows it.
    fn known(&self, word: &str, ways: &mut Ways) -> bool {
        self.itself(word, SAME, Through::Same, ways);
        let groups = self.index.synonyms.groups_of(word, self.languages);
        self.synonyms(&groups, word, 100, ways);
        !groups.is_empty()
    }

    fn itself(&self, word: &str, weight: u32, through: Through, ways: &mut Ways) {
        if knows(self.index, word) {
            ways.add(word, weight, through, Languages::ALL);
        }
        let through = if through == Through::Same { Through::Family } else { through };
        for (other, languages) in families(self.index, word, self.languages) {
            ways.add(&other, weight * FAMILY / 100, through, languages);
        }
    }

    /// What means the same as a word or phrase of these groups; `percent` of what synonyms count.
    fn synonyms(&self, groups: &[u32], asked: &str, percent: u32, ways: &mut Ways) {
        let phrases = groups.iter().flat_map(|group| self.index.synonyms.group(*group));
        for phrase in phrases.filter(|phrase| phrase.key != asked) {
            let weight = SYNONYM * percent / 100;
            let languages = Languages::only(phrase.language);
            if phrase.words.len() > 1 || knows(self.index, &phrase.key) {
                ways.add(&phrase.key, weight, Through::Synonym, languages);
            }
            if phrase.words.len() == 1 {
                for (other, related) in families(self.index, &phrase.key, &[phrase.language]) {
                    ways.add(&other, weight * FAMILY / 100, Through::Synonym, related);
                }
            }
        }
    }
}

/// What nothing answers, and what the question is about all the same.
fn nowhere(asked: &str) -> Slot {
    let words = asked.split(' ').count() as u32;
    Slot {
        asked: asked.to_owned(),
        words,
        light: false,
        of_the_field: true,
        ways: Vec::new(),
        together: None,
    }
}

/// Ways, each word once.
#[derive(Default)]
struct Ways(Vec<Way>);

impl Ways {
    fn add(&mut self, word: &str, weight: u32, through: Through, languages: Languages) {
        match self.0.iter_mut().find(|way| way.word == word) {
            Some(way) if way.weight >= weight => way.languages = way.languages.and(languages),
            Some(way) => {
                (way.weight, way.through, way.languages) = (weight, through, way.languages.and(languages))
            }
            None => self.0.push(Way { word: word.to_owned(), weight, through, languages }),
        }
    }

    /// The surest first.
    fn finish(mut self) -> Vec<Way> {
        self.0.sort_by(|one, other| other.weight.cmp(&one.weight).then_with(|| one.word.cmp(&other.word)));
        self.0.truncate(MOST_WAYS);
        self.0
    }
}
