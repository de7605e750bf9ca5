//! The weights and lists as bytes: written by the training, read here, used where they lie.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `BCNAMES1` |
//! | 4 | how many buckets of weights there are, as a power of two |
//! | 4 | the margin from which a token counts as part of a name |
//! | 4 × 9 | what it weighs that one label follows another, row by row |
//! | 4 | how many words and phrases are listed |
//! | 4 × 65,537 | where the words whose hash begins with these 16 bits begin |
//! | 4 each | the next 32 bits of each hash, in order |
//! | 4 each | what is known of it ([`Known`]) |
//! | 2 × 3 each | the weights of each bucket: for no name, a name's beginning, a name's continuation |
//!
//! Numbers are little-endian. Nothing is copied or rebuilt but the table of beginnings, so reading takes no time to
//! speak of.

use super::hash::Hash;

const MAGIC: &[u8; 8] = b"BCNAMES1";
const BEGINNINGS: usize = 1 << 16;

/// The labels a token can have: no name, the beginning of one, its continuation.
pub const LABELS: usize = 3;

/// What the lists know of a word or a phrase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known(pub u32);

impl Known {
    /// A given name of some list.
    pub const GIVEN: Self = Self(1);
    /// A given name of our own lists, by community.
    pub const GIVEN_OWN: Self = Self(1 << 1);
    /// A family name of some list.
    pub const FAMILY: Self = Self(1 << 2);
    /// A family name of our own lists.
    pub const FAMILY_OWN: Self = Self(1 << 3);
    /// A place, or part of one's name.
    pub const PLACE: Self = Self(1 << 4);
    /// van, de la, el …
    pub const PARTICLE: Self = Self(1 << 5);
    /// Mme, dhr., Herr, Dr …
    pub const TITLE: Self = Self(1 << 6);
    /// rue, plein, hospital, loi …: what follows is what it is called.
    pub const TYPE: Self = Self(1 << 7);
    /// ma fille, mijn broer, my landlord …
    pub const KIN: Self = Self(1 << 8);
    /// A word of the corpus, of forms, offices, tools, nationalities, months.
    pub const BENIGN: Self = Self(1 << 9);
    /// Spelt like a name of our own lists.
    pub const LIKE: Self = Self(1 << 10);
    /// The beginning of a phrase.
    pub const OPENS: Self = Self(1 << 24);
    /// A whole phrase that looks like a person and is none.
    pub const PHRASE: Self = Self(1 << 25);
    /// A whole phrase that introduces the name after it.
    pub const INTRODUCES: Self = Self(1 << 26);
    /// A whole phrase that closes a letter: a signature follows.
    pub const CLOSES: Self = Self(1 << 27);

    /// Whether any of these is known of it.
    pub fn any(self, of: Self) -> bool {
        self.0 & of.0 != 0
    }

    /// Both.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// How common the word is in a language, by its place among the four: 0 unheard of, 3 everyday.
    pub fn common(self, language: usize) -> u32 {
        (self.0 >> (12 + 2 * language)) & 3
    }

    /// What says that a word is so common in a language.
    pub fn commonness(language: usize, class: u32) -> Self {
        Self((class & 3) << (12 + 2 * language))
    }
}

/// Why bytes are no model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// It begins otherwise.
    #[error("these are not the weights of a recogniser of names, or of another version")]
    Magic,
    /// It is too short, too long, or its numbers contradict one another.
    #[error("the weights are cut off or damaged")]
    Damaged,
}

/// The weights and lists.
#[derive(Clone, Debug)]
pub struct Model<'m> {
    /// How many bits of a hash choose a bucket.
    pub bits: u32,
    /// The margin from which a token counts.
    pub threshold: i32,
    /// What it weighs that the second label follows the first.
    pub transitions: [[i32; LABELS]; LABELS],
    beginnings: Vec<u32>,
    keys: &'m [[u8; 4]],
    known: &'m [[u8; 4]],
    weights: &'m [[u8; 2 * LABELS]],
}

impl<'m> Model<'m> {
    /// Reads a model.
    pub fn read(bytes: &'m [u8]) -> Result<Self, ModelError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(ModelError::Magic)?;
        let (numbers, rest) = take::<4>(rest, 12)?;
        let mut numbers = numbers.iter().copied();
        let mut next = || u32::from_le_bytes(numbers.next().unwrap_or_default());
        let bits = next();
        let threshold = next().cast_signed();
        let mut transitions = [[0; LABELS]; LABELS];
        for weight in transitions.as_flattened_mut() {
            *weight = next().cast_signed();
        }
        let count = next() as usize;
        let (beginnings, rest) = take::<4>(rest, BEGINNINGS + 1)?;
        let (keys, rest) = take::<4>(rest, count)?;
        let (known, rest) = take::<4>(rest, count)?;
        if !(4..=24).contains(&bits) {
            return Err(ModelError::Damaged);
        }
        let (weights, rest) = take::<{ 2 * LABELS }>(rest, 1 << bits)?;
        let beginnings: Vec<u32> = beginnings.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let in_order = beginnings.is_sorted() && beginnings.first() == Some(&0);
        if !rest.is_empty() || !in_order || beginnings.last().map(|it| *it as usize) != Some(count) {
            return Err(ModelError::Damaged);
        }
        Ok(Self { bits, threshold, transitions, beginnings, keys, known, weights })
    }

    /// Writes a model: the words and phrases by their hash, the weights by bucket.
    pub fn write(
        threshold: i32,
        transitions: [[i32; LABELS]; LABELS],
        lists: &[(Hash, Known)],
        weights: &[[i16; LABELS]],
    ) -> Vec<u8> {
        let mut lists: Vec<(u64, Known)> = lists.iter().map(|(hash, known)| (hash >> 16, *known)).collect();
        lists.sort_by_key(|(key, _)| *key);
        lists.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 = earlier.1.with(later.1);
            }
            same
        });
        let mut out = MAGIC.to_vec();
        let mut number = |number: u32| out.extend(number.to_le_bytes());
        number(weights.len().trailing_zeros());
        number(threshold.cast_unsigned());
        transitions.as_flattened().iter().for_each(|weight| number(weight.cast_unsigned()));
        number(lists.len() as u32);
        for beginning in 0..=BEGINNINGS {
            number(lists.partition_point(|(key, _)| (key >> 32) < beginning as u64) as u32);
        }
        lists.iter().for_each(|(key, _)| number(*key as u32));
        lists.iter().for_each(|(_, known)| number(known.0));
        weights.as_flattened().iter().for_each(|weight| out.extend(weight.to_le_bytes()));
        out
    }

    /// What the lists know of a word or phrase.
    pub fn known(&self, hash: Hash) -> Known {
        let beginning = (hash >> 48) as usize;
        let key = (hash >> 16) as u32;
        let [from, to] =
            [beginning, beginning + 1].map(|at| self.beginnings.get(at).map_or(0, |it| *it as usize));
        // There are few, and counting those before it is faster than halving: nothing has to be foreseen.
        let keys = self.keys.get(from..to).unwrap_or_default();
        let at = keys.iter().filter(|bytes| u32::from_le_bytes(**bytes) < key).count();
        match keys.get(at) {
            Some(bytes) if u32::from_le_bytes(*bytes) == key => {
                self.known.get(from + at).map_or(Known::default(), |bytes| Known(u32::from_le_bytes(*bytes)))
            }
            Some(_) | None => Known::default(),
        }
    }

    /// What a feature says for each label.
    pub fn weights(&self, feature: Hash) -> [i32; LABELS] {
        let Some(bytes) = self.weights.get(bucket(feature, self.bits)) else { return [0; LABELS] };
        let [a, b, c, d, e, f] = *bytes;
        [[a, b], [c, d], [e, f]].map(|pair| i32::from(i16::from_le_bytes(pair)))
    }
}

/// The bucket of a feature.
pub fn bucket(feature: Hash, bits: u32) -> usize {
    (feature >> (64 - bits)) as usize
}

type Chunks<'m, const N: usize> = (&'m [[u8; N]], &'m [u8]);

fn take<const N: usize>(bytes: &[u8], count: usize) -> Result<Chunks<'_, N>, ModelError> {
    let length = count.checked_mul(N).ok_or(ModelError::Damaged)?;
    let (taken, rest) = bytes.split_at_checked(length).ok_or(ModelError::Damaged)?;
    Ok((taken.as_chunks::<N>().0, rest))
}

#[cfg(test)]
mod tests {
    use super::super::hash::of;
    use super::*;

    #[test]
    fn each_of_those_that_begin_alike_is_found() {
        let hash = |n: u64| 7 << 48 | (3 * n) << 16 | n;
        let lists: Vec<(Hash, Known)> = (1..40).rev().map(|n| (hash(n), Known(n as u32))).collect();
        let bytes = Model::write(0, [[0; LABELS]; LABELS], &lists, &[[0; LABELS]; 16]);
        let model = Model::read(&bytes).unwrap();
        for (hash, known) in lists {
            assert_eq!(model.known(hash), known);
            assert_eq!(model.known(hash + (1 << 16)), Known::default());
        }
    }

    #[test]
    fn what_is_written_is_read_and_damage_is_noticed() {
        let lists = [
            (of(b"peeters"), Known::FAMILY),
            (of(b"jan"), Known::GIVEN),
            (of(b"jan"), Known::commonness(1, 2)),
        ];
        let mut weights = vec![[0i16; LABELS]; 16];
        weights[bucket(of(b"x"), 4)] = [-5, 300, 7];
        let bytes = Model::write(-40, [[1, 2, 3], [4, 5, 6], [7, 8, -9]], &lists, &weights);
        let model = Model::read(&bytes).unwrap();
        assert_eq!((model.threshold, model.transitions[2][2]), (-40, -9));
        assert_eq!(model.known(of(b"peeters")), Known::FAMILY);
        let jan = model.known(of(b"jan"));
        assert!(jan.any(Known::GIVEN) && jan.common(1) == 2 && jan.common(0) == 0);
        assert_eq!(model.known(of(b"nobody")), Known::default());
        assert_eq!(model.weights(of(b"x")), [-5, 300, 7]);
        for cut in [0, 7, 8, 30, 100, bytes.len() - 1] {
            assert!(Model::read(&bytes[..cut]).is_err(), "{cut}");
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        assert_eq!(Model::read(&longer).unwrap_err(), ModelError::Damaged);
    }
}
