//! The lists: what is known of words and phrases, and what slots are filled with.
//!
//! 1. Our own, in `training/names/`: names by community, and what looks like a person and is none.
//! 2. Other people's, installed from package registries at pinned versions (`tools/names/`): given and family names, and
//!    how common words are in the four languages.
//! 3. The project's: communes, authorities, and every word of the corpus.

use crate::Failure;
use crate::corpus::CorpusText;
use becivic_core::names::hash::{self, Hash};
use becivic_core::names::model::Known;
use becivic_core::names::tokens::{self, folded};
use becivic_core::names::words;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The four languages, as files are called.
pub const LANGUAGES: [&str; 4] = ["fr", "nl", "de", "en"];

/// How people of a community are called.
#[derive(Clone, Debug, Default)]
pub struct Community {
    /// Given names.
    pub given: Vec<String>,
    /// Family names.
    pub family: Vec<String>,
    /// Whether the family name often comes first, and two given names after it.
    pub family_first: bool,
}

/// Everything that is listed.
pub struct Lists {
    /// Our own names, by community.
    pub communities: BTreeMap<String, Community>,
    /// Other people's lists.
    pub others: Community,
    /// What is no person: kind, then (language or `*`, entry).
    pub lookalikes: BTreeMap<String, Vec<(String, String)>>,
    /// Communes in every language they have a name in.
    pub communes: Vec<String>,
    known: BTreeMap<Hash, Known>,
}

/// Kinds whose entries are phrases that are never people.
const PHRASES: &[&str] = &[
    "streets",
    "hospitals",
    "schools",
    "organisations",
    "health-funds",
    "authorities",
    "laws",
    "commune-parts",
    "foreign-places",
];
/// Kinds whose entries are also called by what follows their type word.
const SHORTENED: &[&str] = &["hospitals", "schools"];
/// Names of our own lists.
const OWN: Known = Known(Known::GIVEN_OWN.0 | Known::FAMILY_OWN.0);
/// Kinds whose words are places.
const PLACES: &[&str] = &["commune-parts", "foreign-places"];
/// Kinds whose words are none of a name.
const BENIGN: &[&str] = &[
    "documents",
    "digital-tools",
    "job-titles",
    "months-days",
    "nationalities",
    "health-funds",
    "authorities",
];

impl Lists {
    /// Reads them all.
    pub fn read(
        training: &Path,
        others: &Path,
        tables: &Path,
        data: &Path,
        corpus: &CorpusText,
    ) -> Result<Self, Failure> {
        let mut lists = Self {
            communities: communities(&training.join("communities"))?,
            others: strangers(others)?,
            lookalikes: lookalikes(&training.join("lookalikes"))?,
            communes: communes(&data.join("communes.json"))?,
            known: BTreeMap::new(),
        };
        lists.learn_names();
        lists.learn_words(&tables.join("words.tsv"))?;
        lists.learn_places(data, &tables.join("places.txt"))?;
        lists.learn_corpus(corpus);
        Ok(lists)
    }

    /// What the model is given. That an everyday word is also somebody's name somewhere is left out, unless we list it.
    pub fn known(&self) -> Vec<(Hash, Known)> {
        let everyday = |known: &Known| (0..LANGUAGES.len()).any(|language| known.common(language) == 3);
        let told = |known: &Known| match everyday(known) {
            true if known.any(Known::GIVEN_OWN) || known.any(Known::FAMILY_OWN) => *known,
            true => Known(known.0 & !(Known::GIVEN.0 | Known::FAMILY.0 | Known::PLACE.0)),
            false => *known,
        };
        self.known.iter().map(|(hash, known)| (*hash, told(known))).collect()
    }

    /// Names of our own lists that are everyday words in one of the languages: only what stands around them tells.
    pub fn twofold(&self) -> Community {
        let everyday = |name: &&String| {
            let known = self.known.get(&hash::of(folded(name).as_bytes())).copied().unwrap_or_default();
            (0..LANGUAGES.len()).any(|language| known.common(language) >= 2)
        };
        let of = |names: fn(&Community) -> &Vec<String>| -> Vec<String> {
            self.communities.values().flat_map(names).filter(everyday).cloned().collect()
        };
        Community { given: of(|it| &it.given), family: of(|it| &it.family), family_first: false }
    }

    /// The entries of a kind in a language.
    pub fn of(&self, kind: &str, language: &str) -> Vec<&str> {
        let entries = self.lookalikes.get(kind).map(Vec::as_slice).unwrap_or_default();
        let fits = entries.iter().filter(|(of, _)| of == language || of == "*");
        fits.map(|(_, entry)| entry.as_str()).collect()
    }

    fn tell(&mut self, hash: Hash, known: Known) {
        let entry = self.known.entry(hash).or_default();
        *entry = entry.with(known);
    }

    fn tell_words(&mut self, text: &str, known: Known, least_letters: usize) {
        for token in tokens::cut(text) {
            let word = folded(&text[token.span.clone()]);
            if token.shape.is_word() && word.chars().count() >= least_letters {
                self.tell(token.word, known);
                word.split('-')
                    .filter(|part| part.len() > 2)
                    .for_each(|part| self.tell(hash::of(part.as_bytes()), known));
            }
        }
    }

    fn tell_phrase(&mut self, text: &str, known: Known) {
        words::phrase(text, known).into_iter().for_each(|(hash, known)| self.tell(hash, known));
    }

    /// A phrase that is no person, unless its one word is a name of our own lists too.
    fn tell_place(&mut self, text: &str) {
        let known = self.known.get(&hash::of(folded(text).as_bytes())).copied().unwrap_or_default();
        let everyday =
            (0..LANGUAGES.len()).any(|language| known.common(language) >= 2) && !known.any(Known::PLACE);
        if !known.any(OWN) && !everyday {
            self.tell_phrase(text, Known::PHRASE);
        }
    }

    /// What is left of an institution's name without the words for what it is, where that is two words or more.
    fn shortened(&self, entry: &str) -> Option<String> {
        let small = |word: &&str| !word.starts_with(char::is_uppercase);
        let mut words: Vec<&str> = entry.split(' ').collect();
        while words.first().is_some_and(|word| self.is_type(word) || small(word)) {
            words.remove(0);
        }
        while words.last().is_some_and(|word| self.is_type(word) || small(word)) {
            words.pop();
        }
        (words.len() > 1 && words.len() < entry.split(' ').count()).then(|| words.join(" "))
    }

    fn is_type(&self, word: &str) -> bool {
        self.known.get(&hash::of(folded(word).as_bytes())).is_some_and(|known| known.any(Known::TYPE))
    }

    fn learn_names(&mut self) {
        let particles: BTreeSet<String> = particles();
        let own: Vec<(Known, String)> = self
            .communities
            .values()
            .flat_map(|community| {
                let given =
                    community.given.iter().map(|name| (Known::GIVEN_OWN.with(Known::GIVEN), name.clone()));
                given.chain(
                    community.family.iter().map(|name| (Known::FAMILY_OWN.with(Known::FAMILY), name.clone())),
                )
            })
            .collect();
        let given = self.others.given.iter().map(|name| (Known::GIVEN, name.clone()));
        let family = self.others.family.iter().map(|name| (Known::FAMILY, name.clone()));
        let all: Vec<(Known, String)> = own.into_iter().chain(given).chain(family).collect();
        for (known, name) in all {
            for token in tokens::cut(&name) {
                let word = folded(&name[token.span.clone()]);
                // Alone, Do and Van are names; inside one they are particles.
                let inside = name.contains(' ');
                let counts = word.chars().count() >= if inside { 4 } else { 2 };
                if token.shape.is_word() && counts && !(inside && particles.contains(&word)) {
                    self.tell(token.word, known);
                    if known.any(Known::GIVEN_OWN.with(Known::FAMILY_OWN)) {
                        let skeleton = tokens::skeleton_of(&word);
                        skeleton.into_iter().for_each(|skeleton| self.tell(skeleton, Known::LIKE));
                    }
                }
            }
        }
    }

    fn learn_words(&mut self, counts: &Path) -> Result<(), Failure> {
        words::listed().into_iter().for_each(|(hash, known)| self.tell(hash, known));
        let text = fs::read_to_string(counts).map_err(|error| format!("{}: {error}", counts.display()))?;
        for line in text.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [language, word, centibels] = fields[..] else {
                return Err("words.tsv has three columns".into());
            };
            let language =
                LANGUAGES.iter().position(|it| *it == language).ok_or("an unknown language in words.tsv")?;
            let centibels: i32 = centibels.parse()?;
            let class = if centibels >= -400 {
                3
            } else if centibels >= -500 {
                2
            } else {
                1
            };
            let word = folded(word);
            let known = self.known.get(&hash::of(word.as_bytes())).copied().unwrap_or_default();
            let most = class.max(known.common(language));
            self.tell(hash::of(word.as_bytes()), Known::commonness(language, most));
        }
        Ok(())
    }

    fn learn_places(&mut self, data: &Path, places: &Path) -> Result<(), Failure> {
        let entries: Vec<(String, String)> = self
            .lookalikes
            .iter()
            .flat_map(|(kind, entries)| entries.iter().map(|(_, entry)| (kind.clone(), entry.clone())))
            .collect();
        for (kind, entry) in &entries {
            if PHRASES.contains(&kind.as_str()) {
                self.tell_place(entry);
            }
            if SHORTENED.contains(&kind.as_str()) {
                // "AZ Jan Portaels" is called "Jan Portaels" too.
                let short = self.shortened(entry);
                short.iter().for_each(|short| self.tell_place(short));
            }
            if PLACES.contains(&kind.as_str()) {
                self.tell_words(entry, Known::PLACE, 3);
            }
            if BENIGN.contains(&kind.as_str()) {
                self.tell_words(entry, Known::BENIGN, 2);
            }
        }
        let places = fs::read_to_string(places).map_err(|error| format!("{}: {error}", places.display()))?;
        for place in self.communes.clone().iter().map(String::as_str).chain(places.lines()) {
            self.tell_place(place);
            self.tell_words(place, Known::PLACE, 4);
        }
        for name in strings(&json(&data.join("authorities.json"))?, &|key| key.starts_with("name")) {
            self.tell_phrase(&name, Known::PHRASE);
            self.tell_words(&name, Known::BENIGN, 2);
        }
        Ok(())
    }

    /// Words that the corpus writes with a capital and that are not names of our own lists.
    fn learn_corpus(&mut self, corpus: &CorpusText) {
        for line in &corpus.lines {
            for token in tokens::cut(line) {
                let known = self.known.get(&token.word).copied().unwrap_or_default();
                if token.shape.is_word() && token.letters > 1 && !known.any(OWN) {
                    self.tell(token.word, Known::BENIGN);
                }
            }
        }
    }
}

fn particles() -> BTreeSet<String> {
    let particles = words::WORDS.iter().filter(|(known, _)| *known == Known::PARTICLE);
    particles.flat_map(|(_, words)| words.split_whitespace()).map(str::to_owned).collect()
}

fn files(folder: &Path) -> Result<Vec<(String, String)>, Failure> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        files.push((name, fs::read_to_string(&path)?));
    }
    files.sort();
    Ok(files)
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn communities(folder: &Path) -> Result<BTreeMap<String, Community>, Failure> {
    let mut all = BTreeMap::new();
    for (name, text) in files(folder)? {
        let mut community = Community::default();
        let mut family = false;
        for line in lines(&text) {
            match line {
                "[given]" => family = false,
                "[family]" => family = true,
                "[family-first]" => community.family_first = true,
                name if family => community.family.push(name.to_owned()),
                name => community.given.push(name.to_owned()),
            }
        }
        all.insert(name, community);
    }
    Ok(all)
}

fn lookalikes(folder: &Path) -> Result<BTreeMap<String, Vec<(String, String)>>, Failure> {
    let mut all = BTreeMap::new();
    for (kind, text) in files(folder)? {
        let entries = lines(&text).filter_map(|line| line.split_once('\t'));
        all.insert(kind, entries.map(|(language, entry)| (language.to_owned(), entry.to_owned())).collect());
    }
    Ok(all)
}

/// Name lists that come with packages.
fn strangers(folder: &Path) -> Result<Community, Failure> {
    let modules = folder.join("node_modules");
    let dataset = modules.join("pii-filter/dist/lang/nl/dataset");
    let mut community = Community::default();
    community.given.extend(
        strings(&json(&dataset.join("ds_first_name_0.json"))?["main"], &|_| true)
            .iter()
            .map(|name| titled(name)),
    );
    for part in ["ds_family_name_0.json", "ds_family_name_1.json", "ds_family_name_2.json"] {
        community
            .family
            .extend(strings(&json(&dataset.join(part))?["main"], &|_| true).iter().map(|name| titled(name)));
    }
    let wikidata = fs::read_to_string(modules.join("wikidata-person-names/index.mjs"))?;
    let mut family = false;
    for line in wikidata.lines() {
        if line.contains("export const") {
            family = line.contains("FAMILY");
        }
        let Some(name) = line.trim().strip_prefix('"').and_then(|rest| rest.split('"').next()) else {
            continue;
        };
        if name.contains(['(', '\\']) {
            continue;
        }
        if family { community.family.push(name.to_owned()) } else { community.given.push(name.to_owned()) }
    }
    Ok(community)
}

/// A name written without capitals, with them.
fn titled(name: &str) -> String {
    let particles = particles();
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    let words: Vec<String> = name
        .split(' ')
        .map(|word| {
            if particles.contains(word) {
                word.to_owned()
            } else {
                word.split('-').map(capital).collect::<Vec<_>>().join("-")
            }
        })
        .collect();
    words.join(" ")
}

fn communes(path: &Path) -> Result<Vec<String>, Failure> {
    let mut all = strings(&json(path)?, &|key| key.starts_with("name_"));
    all.sort();
    all.dedup();
    Ok(all)
}

fn json(path: &Path) -> Result<Value, Failure> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(serde_json::from_str(&text)?)
}

/// Every string of a value that stands under a key that is asked for, or in an array.
fn strings(value: &Value, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
    match value {
        Value::Array(items) => items
            .iter()
            .flat_map(|item| match item {
                Value::String(text) => vec![text.clone()],
                item => strings(item, wanted),
            })
            .collect(),
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(key, field)| match field {
                Value::String(text) if wanted(key) => vec![text.clone()],
                Value::String(_) => Vec::new(),
                Value::Object(names) if wanted(key) => {
                    names.values().filter_map(Value::as_str).map(str::to_owned).collect()
                }
                field => strings(field, wanted),
            })
            .collect(),
        _ => Vec::new(),
    }
}
