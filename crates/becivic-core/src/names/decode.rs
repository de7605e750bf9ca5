//! From features to spans, in whole numbers, so that every machine finds the same.
//!
//! 1. Each label of each token gets the sum of its features' weights. An everyday word among everyday words is no part of a name
//!    ([`super::everyday`]), and its features are not asked: of most notes, that is most words.
//! 2. Two passes, from the left and from the right, give for each token and label the best sum of any labelling in which it
//!    has that label (max-marginals of the chain). A word that is no part of a name ends the chain: each stretch between such words is one
//!    of its own.
//! 3. A token's margin is how much better the best labelling with a name there is than the best without. Tokens from the
//!    model's threshold up are part of a name; where a new one is likelier to begin than the old to go on, it does.

use super::everyday;
use super::model::{LABELS, Model};
use super::sentence::Sentence;
use std::ops::Range;

const NONE: usize = 0;
const BEGINS: usize = 1;
const GOES_ON: usize = 2;

/// Some tokens that are a name, and by how much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The tokens.
    pub tokens: Range<usize>,
    /// The largest margin of one of them.
    pub margin: i32,
}

/// Reads a text, and tells the margin of each token, and whether a name rather begins there than goes on.
pub fn read(text: &str, model: &Model<'_>) -> (Sentence, Vec<(i32, bool)>) {
    let mut sentence = Sentence::glance(text, model);
    let no_names = everyday::no_names(&sentence);
    sentence.look_closer(model, |at| no_names.get(at) == Some(&false));
    let margins = margins(&sentence, model, &no_names);
    (sentence, margins)
}

/// The margins of all tokens, of which some are known to be no part of a name.
fn margins(sentence: &Sentence, model: &Model<'_>, no_names: &[bool]) -> Vec<(i32, bool)> {
    let mut margins = Vec::with_capacity(no_names.len());
    for stretch in no_names.chunk_by(|one, other| one == other) {
        let (from, to) = (margins.len(), margins.len() + stretch.len());
        if stretch.first() == Some(&true) {
            margins.resize(to, NO_NAME);
            continue;
        }
        let scores: Vec<[i32; LABELS]> = (from..to).map(|at| score(sentence, model, at)).collect();
        // After the last token a name may be over or not; before a word that is no part of one it is over.
        let after = match to < no_names.len() {
            true => std::array::from_fn(|label| model.transitions[label][NONE]),
            false => [0; LABELS],
        };
        add_margins(&scores, model, after, &mut margins);
    }
    margins
}

/// Adds the margins of a stretch, given what it weighs to end with each label.
fn add_margins(
    scores: &[[i32; LABELS]],
    model: &Model<'_>,
    after: [i32; LABELS],
    margins: &mut Vec<(i32, bool)>,
) {
    // Before the first token there is no name that could go on.
    let from_left =
        best(scores.iter(), model.transitions[NONE], |before, after| model.transitions[before][after]);
    let from_right = best(scores.iter().rev(), after, |after, before| model.transitions[before][after]);
    let both = scores.iter().zip(from_left.iter().zip(from_right.iter().rev()));
    margins.extend(both.map(|(own, (left, right))| {
        let through: [i32; LABELS] = std::array::from_fn(|label| left[label] + right[label] - own[label]);
        let name = through[BEGINS].max(through[GOES_ON]);
        (name - through[NONE], through[BEGINS] > through[GOES_ON])
    }));
}

/// The names the model sees.
pub fn runs(margins: &[(i32, bool)], threshold: i32) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (at, (margin, begins)) in margins.iter().enumerate() {
        if *margin < threshold {
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.tokens.end == at && !begins => {
                run.tokens.end = at + 1;
                run.margin = run.margin.max(*margin);
            }
            _ => runs.push(Run { tokens: at..at + 1, margin: *margin }),
        }
    }
    runs
}

/// The margin of a token that is no part of a name, whatever stands around it.
const NO_NAME: (i32, bool) = (-OUT_OF_REACH, false);
/// More than all features of a token weigh together, and far from what an `i32` holds.
const OUT_OF_REACH: i32 = 1 << 24;

fn score(sentence: &Sentence, model: &Model<'_>, at: usize) -> [i32; LABELS] {
    let mut sums = [0; LABELS];
    sentence.features(at, |feature| {
        for (sum, weight) in sums.iter_mut().zip(model.weights(feature)) {
            *sum += weight;
        }
    });
    sums
}

/// The best sum up to and with each token, label by label. Kept small by taking off the best so far: only differences count.
fn best<'s>(
    scores: impl Iterator<Item = &'s [i32; LABELS]>,
    start: [i32; LABELS],
    transition: impl Fn(usize, usize) -> i32,
) -> Vec<[i32; LABELS]> {
    let mut all: Vec<[i32; LABELS]> = Vec::with_capacity(scores.size_hint().0);
    for own in scores {
        let here = match all.last() {
            None => std::array::from_fn(|label| own[label] + start[label]),
            Some(before) => {
                let top = before.iter().copied().max().unwrap_or(0);
                std::array::from_fn(|label| {
                    let reach = |from: usize| before[from] - top + transition(from, label);
                    own[label] + (0..LABELS).map(reach).max().unwrap_or(0)
                })
            }
        };
        all.push(here);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scrub::Folded;
    use std::path::Path;

    /// The margins of a whole text as one chain, in which some words cannot be part of a name.
    fn in_one_chain(sentence: &Sentence, model: &Model<'_>, no_names: &[bool]) -> Vec<(i32, bool)> {
        let score = |(at, no_name): (usize, &bool)| match no_name {
            true => [0, -OUT_OF_REACH, -OUT_OF_REACH],
            false => score(sentence, model, at),
        };
        let scores: Vec<[i32; LABELS]> = no_names.iter().enumerate().map(score).collect();
        let mut margins = Vec::new();
        add_margins(&scores, model, [0; LABELS], &mut margins);
        let spared = margins.iter_mut().zip(no_names).filter(|(_, no_name)| **no_name);
        spared.for_each(|(margin, _)| {
            assert!(margin.0 < -OUT_OF_REACH / 2);
            *margin = NO_NAME;
        });
        margins
    }

    /// What the shortcut says of everyday words, the model says too: the same names, by the same margins, but for one line.
    #[test]
    fn asking_about_every_word_finds_the_same_names() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let weights = std::fs::read(root.join("models/names.bin")).unwrap();
        let model = Model::read(&weights).unwrap();
        let mut texts = std::fs::read_to_string(root.join("training/names/prose.txt")).unwrap();
        for language in ["fr", "nl", "de", "en"] {
            for set in ["", "tuning-"] {
                let path = root.join(format!("fixtures/names/{set}{language}.txt"));
                texts.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
        let (mut spared, mut all, mut names, mut otherwise) = (0, 0, 0, Vec::new());
        for line in texts.lines() {
            let marked = line.rsplit('\t').next().unwrap_or(line).replace("[[", "").replace("]]", "");
            for text in [marked.to_lowercase(), marked.to_uppercase(), marked] {
                let folded = Folded::new(&text);
                let sentence = Sentence::read(folded.text(), &model);
                let no_names = everyday::no_names(&sentence);
                let asked = margins(&sentence, &model, &vec![false; no_names.len()]);
                let read = super::read(folded.text(), &model).1;
                assert_eq!(read, in_one_chain(&sentence, &model, &no_names), "{text}");
                let found = runs(&read, model.threshold);
                let asked = runs(&asked, model.threshold);
                if found != asked {
                    otherwise.push(text);
                }
                spared += no_names.iter().filter(|it| **it).count();
                all += no_names.len();
                names += found.len();
            }
        }
        // Asked, the model takes "alice chatbot of the energy" for a name.
        assert_eq!(
            otherwise,
            ["the alice chatbot of the energy supplier doesn't understand \"moving abroad\"."]
        );
        assert!(spared * 3 > all && names > 2_000, "{spared} of {all} tokens spared, {names} names");
    }
}
