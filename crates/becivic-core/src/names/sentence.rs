//! What the model sees of a text: its tokens, what the lists know of each, and the features made of both.
//!
//! 1. The text is cut ([`super::tokens`]); each word is looked up, and so are the two ends of a word with hyphens.
//! 2. The language is the one of the four in which the words are most common.
//! 3. Phrases that look like people and are none (places, streets, institutions) are found, the longest first.
//! 4. A token's features are hashes of the words, shapes, endings and lists at it and around it. Training and
//!    recognition call the same function, so they cannot differ.

use super::hash::{self, Hash, mix};
use super::model::{Known, Model};
use super::tokens::{self, Letters, Shape, Token};
use crate::vocabulary::Language;

/// The four languages, in the order of the lists.
pub const LANGUAGES: [Language; 4] = [Language::Fr, Language::Nl, Language::De, Language::En];

/// German's place among them.
pub const GERMAN: usize = 2;

/// Tokens of a phrase at most.
pub const LONGEST_PHRASE: usize = 8;

/// The last four letters of words for streets that are written in one with their names.
const STREET_ENDINGS: [&[u8]; 6] = [b"laan", b"raat", b"lein", b"asse", b"nweg", b"kaai"];

/// What sets groups of letters apart from other features.
const TRIPLES: Hash = 77;

/// The word before the first and after the last token.
const EDGE: Hash = 0x5eed;

/// A text as the model sees it.
#[derive(Debug)]
pub struct Sentence {
    /// Its tokens.
    pub tokens: Vec<Token>,
    /// What the lists know of each.
    pub known: Vec<Known>,
    /// What they know of the phrase each stands in, where it stands in one.
    pub phrase: Vec<Known>,
    /// Its language by its place in [`LANGUAGES`], where any word tells.
    pub language: Option<usize>,
    /// How capitals are used in it.
    case: Case,
    /// Which tokens are places by one of their joined parts.
    joined: Vec<bool>,
    /// What the features of a token and of its neighbours are made of.
    seen: Vec<Seen>,
    /// The folded words, one after another.
    words: String,
}

/// What features are made of, of one token.
#[derive(Clone, Copy, Debug)]
struct Seen {
    word: Hash,
    shape: u64,
    /// What the lists say of it.
    lists: u64,
    /// Whether it is listed as a name.
    names: u64,
    /// Its last letters.
    tail: Hash,
}

/// Before the first and after the last token.
const BEYOND: Seen = Seen { word: EDGE, shape: 99, lists: 999, names: 99, tail: EDGE };

/// How capitals are used in a whole text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Case {
    Usual,
    AllSmall,
    AllCapitals,
}

impl Sentence {
    /// Reads a text, so that the features of every token can be asked for.
    pub fn read(text: &str, model: &Model<'_>) -> Self {
        let mut sentence = Self::glance(text, model);
        sentence.look_closer(model, |_| true);
        sentence
    }

    /// Reads a text as far as the lists know its words. Features can be asked for where somebody [looks
    /// closer](Self::look_closer).
    pub fn glance(text: &str, model: &Model<'_>) -> Self {
        let mut words = String::new();
        let tokens = tokens::cut_with(text, &mut words);
        let known: Vec<Known> = tokens.iter().map(|token| look_up(token, model)).collect();
        let phrase = phrases(&tokens, model);
        let language = language(&known);
        let case = case(&tokens);
        let is_place = |token: &Token| {
            let joined = token.parts[0] != token.word
                && token.parts.iter().any(|part| model.known(*part).any(Known::TYPE));
            joined
                || (token.letters > 7 && {
                    let folded = words.as_bytes().get(token.folded.clone()).unwrap_or_default();
                    token.shape.is_word() && STREET_ENDINGS.iter().any(|ending| folded.ends_with(ending))
                })
        };
        let joined = tokens.iter().map(is_place).collect();
        let seen = |token: &Token| Seen { word: token.word, shape: token.shape as u64, ..BEYOND };
        let seen = tokens.iter().map(seen).collect();
        Self { tokens, known, phrase, language, case, joined, seen, words }
    }

    /// Notes what features need of these tokens and the ones beside them.
    pub fn look_closer(&mut self, model: &Model<'_>, is_asked: impl Fn(usize) -> bool) {
        for at in 0..self.tokens.len() {
            if !(is_asked(at) || is_asked(at + 1) || at.checked_sub(1).is_some_and(&is_asked)) {
                continue;
            }
            let (token, known, seen) = (&self.tokens[at], &mut self.known[at], &mut self.seen[at]);
            let folded = self.words.get(token.folded.clone()).unwrap_or_default();
            if is_spelt_like_a_name(token.shape, folded, model) {
                *known = known.with(Known::LIKE);
            }
            seen.lists = lists(*known, self.language);
            seen.names = names(*known);
            seen.tail = token.tail(&self.words);
        }
    }

    /// The features of the token at a place, one after another.
    pub fn features(&self, at: usize, mut tell: impl FnMut(Hash)) {
        let Some(token) = self.tokens.get(at) else { return };
        let [third, second, before, own, after, next] =
            [-3, -2, -1, 0, 1, 2].map(|offset| at.checked_add_signed(offset).and_then(|i| self.seen.get(i)));
        let [third, second, before, own, after, next] =
            [third, second, before, own, after, next].map(|seen| seen.unwrap_or(&BEYOND));
        let letters = Letters::of(token, &self.words);
        let (word, shape, lists, names) = (own.word, own.shape, own.lists, own.names);
        let language = self.language.map_or(4, |it| it as u64);
        let case = self.case as u64;
        let begins = u64::from(self.begins(at));
        let phrase = u64::from(self.phrase[at].0 >> 24);
        let called = self.after_type(at);
        let common = self.common(at);
        let is_capital = u64::from(token.shape.is_capital());
        let here = mix(mix(shape, begins), mix(lists, language));
        let (listed, shaped, named) = (mix(lists, shape), mix(shape, lists), mix(names, shape));
        let spoken = mix(shape, language);
        let mut template = 0u64;
        let mut feature = |value: Hash| {
            template += 1;
            tell(mix(value, template));
        };
        feature(mix(language, case));
        feature(word);
        feature(before.word);
        feature(after.word);
        feature(second.word);
        feature(next.word);
        feature(mix(before.word, word));
        feature(mix(word, after.word));
        feature(mix(second.word, before.word));
        feature(mix(after.word, next.word));
        feature(mix(before.word, after.word));
        feature(mix(spoken, mix(begins, case)));
        feature(mix(mix(before.shape, shape), after.shape));
        feature(mix(mix(mix(second.shape, before.shape), mix(shape, after.shape)), next.shape));
        feature(mix(word, shape));
        for ending in letters.heads.iter().chain(&letters.tails) {
            feature(mix(*ending, is_capital));
        }
        feature(lists);
        feature(listed);
        feature(here);
        feature(mix(here, case));
        feature(mix(before.lists, lists));
        feature(mix(lists, after.lists));
        feature(mix(mix(before.lists, before.shape), mix(listed, mix(after.lists, after.shape))));
        feature(before.lists);
        feature(after.lists);
        feature(mix(before.word, lists));
        feature(mix(before.word, listed));
        feature(mix(after.word, listed));
        feature(mix(mix(second.word, before.word), listed));
        feature(mix(before.word, mix(shape, after.shape)));
        feature(mix(after.word, shape));
        feature(mix(phrase, shape));
        feature(mix(phrase, lists));
        feature(mix(called, spoken));
        feature(mix(called, lists));
        feature(mix(u64::from(token.letters.min(12)), shaped));
        feature(mix(before.tail, shaped));
        feature(mix(after.tail, shaped));
        feature(mix(mix(third.word, second.word), mix(before.word, shape)));
        feature(named);
        feature(mix(named, mix(begins, language)));
        feature(mix(named, common));
        feature(mix(mix(before.names, before.shape), named));
        feature(mix(named, mix(after.names, after.shape)));
        feature(mix(before.word, named));
        feature(mix(after.word, named));
        feature(mix(before.tail, named));
        feature(mix(called, named));
        feature(mix(phrase, named));
        feature(mix(common, shape));
        feature(mix(common, mix(shape, mix(begins, language))));
        feature(mix(letters.tails[1], mix(lists, language)));
        feature(mix(letters.heads[1], mix(lists, language)));
        for triple in letters.triples() {
            tell(mix(mix(*triple, is_capital), TRIPLES));
        }
    }

    /// Whether a sentence begins at this token.
    pub fn begins(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).and_then(|i| self.tokens.get(i)) else { return true };
        match before.shape {
            Shape::Break | Shape::Colon | Shape::Quote | Shape::Bracket | Shape::Dash => true,
            // A point after one letter or a title is none of a sentence.
            Shape::Stop => match at.checked_sub(2) {
                Some(i) => !(self.tokens[i].shape == Shape::Single || self.known[i].any(Known::TITLE)),
                None => true,
            },
            _ => false,
        }
    }

    /// How common a token is in the language of the text, and in the one where it is most common.
    fn common(&self, at: usize) -> u64 {
        let known = self.known[at];
        let most = (0..LANGUAGES.len()).map(|it| known.common(it)).max().unwrap_or(0);
        u64::from(self.language.map_or(0, |it| known.common(it)) * 4 + most)
    }

    /// How far behind a word that says "this is what something is called" stands, with nothing but capitals and
    /// particles in between; 0 where none does.
    fn after_type(&self, at: usize) -> u64 {
        for back in 1..=5 {
            let Some(i) = at.checked_sub(back) else { return 0 };
            let (token, known) = (&self.tokens[i], self.known[i]);
            if known.any(Known::TYPE) {
                return back as u64;
            }
            let open = token.shape.is_capital() || known.any(Known::PARTICLE) || token.shape == Shape::Stop;
            if !open || known.any(Known::TITLE) {
                return 0;
            }
        }
        0
    }

    /// How common a token is in the language of the text; in any, where that is not known.
    pub fn commonness(&self, at: usize) -> u32 {
        let Some(known) = self.known.get(at) else { return 0 };
        let most = || (0..LANGUAGES.len()).map(|it| known.common(it)).max().unwrap_or(0);
        self.language.map_or_else(most, |it| known.common(it))
    }

    /// Whether the token is what something is called.
    pub fn is_called(&self, at: usize) -> bool {
        self.after_type(at) > 0
    }

    /// Whether it is a place joined by hyphens: a saint's, or a street's with its type at the end.
    pub fn is_joined_place(&self, at: usize) -> bool {
        self.joined.get(at).copied().unwrap_or(false)
    }
}

/// What the lists say of a token, as a small number.
fn lists(known: Known, language: Option<usize>) -> u64 {
    let most = |but: Option<usize>| {
        let languages = (0..LANGUAGES.len()).filter(|it| Some(*it) != but);
        languages.map(|it| known.common(it)).max().unwrap_or(0)
    };
    let (mine, other) = (language.map_or(0, |it| known.common(it)), most(language));
    let special =
        [Known::LIKE, Known::PLACE, Known::PARTICLE, Known::TITLE, Known::TYPE, Known::KIN, Known::BENIGN];
    let special = special.iter().fold(0, |bits, flag| bits << 1 | u64::from(known.any(*flag)));
    ((special * 9 + names(known)) * 4 + u64::from(mine)) * 2 + u64::from(other > 1)
}

/// Whether it is a listed given or family name, and how surely.
fn names(known: Known) -> u64 {
    let graded = |own: Known, any: Known| if known.any(own) { 2 } else { u64::from(known.any(any)) };
    graded(Known::GIVEN_OWN, Known::GIVEN) * 3 + graded(Known::FAMILY_OWN, Known::FAMILY)
}

fn is_spelt_like_a_name(shape: Shape, folded: &str, model: &Model<'_>) -> bool {
    let skeleton = if shape.is_word() { tokens::skeleton_of(folded) } else { None };
    skeleton.is_some_and(|skeleton| model.known(skeleton).any(Known::LIKE))
}

fn look_up(token: &Token, model: &Model<'_>) -> Known {
    if !token.shape.is_word() {
        return Known::default();
    }
    let known = model.known(token.word);
    let [first, last] = token.parts;
    if first == token.word {
        return known;
    }
    let own = Known::GIVEN_OWN.with(Known::FAMILY_OWN);
    let names = if token.shape.is_capital() { own.with(Known::GIVEN).with(Known::FAMILY) } else { own };
    let parts = model.known(first).0 & names.0 | model.known(last).0 & names.0;
    known.with(Known(parts))
}

/// The hash of a phrase: its words, one after another.
pub fn phrase_hash(words: impl Iterator<Item = Hash>) -> Hash {
    words.fold(hash::of(b"phrase"), mix)
}

fn phrases(tokens: &[Token], model: &Model<'_>) -> Vec<Known> {
    let mut found = vec![Known::default(); tokens.len()];
    let mut at = 0;
    while at < tokens.len() {
        let mut longest = None;
        let mut hash = hash::of(b"phrase");
        for (length, token) in tokens[at..].iter().take(LONGEST_PHRASE).enumerate() {
            hash = mix(hash, token.word);
            let known = model.known(hash);
            // One word alone is a place only where it is written as one.
            let written = length > 0 || token.shape.is_capital() || !known.any(Known::PHRASE);
            if known.any(WHOLE) && written {
                longest = Some((length + 1, known));
            }
            if !known.any(Known::OPENS) {
                break;
            }
        }
        let (length, known) = longest.unwrap_or((1, Known::default()));
        found[at..at + length].fill(known);
        at += length;
    }
    found
}

/// What a whole phrase can be.
const WHOLE: Known = Known(Known::PHRASE.0 | Known::INTRODUCES.0 | Known::CLOSES.0);

fn language(known: &[Known]) -> Option<usize> {
    let mut votes = [0u32; LANGUAGES.len()];
    for known in known {
        for (language, votes) in votes.iter_mut().enumerate() {
            *votes += known.common(language).pow(2);
        }
    }
    let most = *votes.iter().max()?;
    (most > 0).then(|| votes.iter().position(|it| *it == most)).flatten()
}

fn case(tokens: &[Token]) -> Case {
    let words = tokens.iter().filter(|token| token.shape.is_word() && token.letters > 1);
    let (mut all, mut capitals, mut upper) = (0, 0, 0);
    for token in words {
        all += 1;
        capitals += usize::from(token.shape.is_capital());
        upper += usize::from(token.shape == Shape::Upper);
    }
    match () {
        () if all > 2 && upper * 10 > all * 6 => Case::AllCapitals,
        () if capitals == 0 => Case::AllSmall,
        () => Case::Usual,
    }
}
