//! Templates of our own (`training/names/templates/`), filled: a name in a slot for people is marked, everything else is not.

use crate::Failure;
use crate::example::Example;
use crate::lists::{LANGUAGES, Lists};
use crate::people::People;
use crate::random::Random;
use std::fs;
use std::path::Path;

/// Months and weekdays, by language.
const MONTHS: [&str; 4] = [
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "January February March April May June July August September October November December",
];
const DAYS: [&str; 4] = [
    "lundi mardi mercredi jeudi vendredi samedi",
    "maandag dinsdag woensdag donderdag vrijdag zaterdag",
    "Montag Dienstag Mittwoch Donnerstag Freitag Samstag",
    "Monday Tuesday Wednesday Thursday Friday Saturday",
];

/// Titles and functions as they stand before a name: family name alone, or any form.
const TITLES: [&[&str]; 4] = [
    &[
        "Mme {F}",
        "M. {F}",
        "Madame {F}",
        "Monsieur {F}",
        "Mr {F}",
        "Mlle {F}",
        "Maître {F}",
        "Me {F}",
        "Dr {F}",
        "Docteur {F}",
        "Prof. {F}",
        "mme {F}",
        "monsieur {F}",
        "madame {F}",
        "l'agent {P}",
        "l'agente {P}",
        "l'employée {P}",
        "le notaire {F}",
        "l'avocate {P}",
        "la fonctionnaire {P}",
        "l'inspecteur {F}",
        "l'assistante sociale {P}",
        "la juge {F}",
        "Monsieur {P}",
        "Madame {P}",
        "l'échevine {P}",
    ],
    &[
        "mevrouw {F}",
        "Mevrouw {F}",
        "mevr. {F}",
        "Mevr. {F}",
        "meneer {F}",
        "dhr. {F}",
        "Dhr. {F}",
        "de heer {F}",
        "mr. {F}",
        "juffrouw {F}",
        "dokter {F}",
        "Dr. {F}",
        "meester {F}",
        "notaris {F}",
        "advocaat {P}",
        "prof. {F}",
        "loketbediende {P}",
        "ambtenaar {P}",
        "wijkagent {P}",
        "inspecteur {F}",
        "maatschappelijk werker {P}",
        "mevrouw {P}",
        "de heer {P}",
        "schepen {P}",
        "juf {G}",
        "meester {G}",
        "mw. {F}",
    ],
    &[
        "Frau {F}",
        "Herr {F}",
        "Herrn {F}",
        "Dr. {F}",
        "Frau Dr. {F}",
        "Prof. {F}",
        "Notar {F}",
        "Notarin {F}",
        "Rechtsanwalt {P}",
        "Anwältin {P}",
        "Frau {P}",
        "Herr {P}",
        "Sachbearbeiter {P}",
        "Sachbearbeiterin {F}",
        "Beamtin {P}",
        "Bezirkspolizist {F}",
        "Richterin {F}",
        "Schöffe {P}",
        "Hr. {F}",
        "Fr. {F}",
        "Kollegin {F}",
        "Standesbeamte {F}",
    ],
    &[
        "Mr {F}",
        "Mrs {F}",
        "Ms {F}",
        "Mr. {F}",
        "Mrs. {F}",
        "Ms. {F}",
        "Miss {F}",
        "Dr {F}",
        "Dr. {F}",
        "Professor {F}",
        "Prof. {F}",
        "Mr {P}",
        "Ms {P}",
        "Officer {F}",
        "Inspector {F}",
        "Madam {F}",
        "notary {P}",
        "attorney {P}",
        "the clerk {P}",
        "agent {F}",
        "judge {F}",
        "Me {F}",
        "Maître {F}",
        "Madame {F}",
        "Mme {F}",
        "Mevrouw {F}",
        "Monsieur {F}",
    ],
];

/// The sentences of a language.
pub fn read(folder: &Path, language: usize) -> Result<Vec<String>, Failure> {
    let mut templates = Vec::new();
    for part in ["", "-more"] {
        let path = folder.join(format!("{}{part}.txt", LANGUAGES[language]));
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        templates.extend(lines.map(str::to_owned));
    }
    Ok(templates)
}

/// Fills templates.
pub struct Filler<'l> {
    lists: &'l Lists,
    people: &'l People<'l>,
    language: usize,
}

impl<'l> Filler<'l> {
    /// For one language.
    pub fn new(lists: &'l Lists, people: &'l People<'l>, language: usize) -> Self {
        Self { lists, people, language }
    }

    /// One filling of a template.
    pub fn fill(&self, template: &str, random: &mut Random) -> Result<Example, Failure> {
        let mut example = Example::default();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let (slot, after) =
                after.split_once('}').ok_or_else(|| format!("a slot without an end: {template}"))?;
            push(&mut example, before, false);
            let filled = self.slot(slot, &mut example, random);
            let (text, is_name) = filled.ok_or_else(|| format!("no slot {{{slot}}}: {template}"))?;
            push(&mut example, &text, is_name);
            rest = after;
        }
        push(&mut example, rest, false);
        Ok(example)
    }

    /// What a slot is filled with, and whether that is a person; a title before one is pushed by the way.
    fn slot(&self, slot: &str, example: &mut Example, random: &mut Random) -> Option<(String, bool)> {
        if slot == "T" {
            let (title, name) = random.pick(TITLES[self.language]).split_once('{')?;
            push(example, title, false);
            return self.slot(name.strip_suffix('}')?, example, random);
        }
        let person = match slot {
            "P" => Some(self.people.person(random)),
            "G" => Some(self.people.given(random)),
            "F" => Some(self.people.family(random)),
            _ => None,
        };
        if let Some(person) = person {
            return Some((person, true));
        }
        let plain = match slot {
            "M" => (*random.pick(&words(MONTHS[self.language]))).to_owned(),
            "D" => (*random.pick(&words(DAYS[self.language]))).to_owned(),
            "N" => (1 + random.below(30)).to_string(),
            "U" => {
                let amount = 5 + random.below(300);
                let written = ["{} euro", "{} €", "{},50 EUR", "€{}"];
                random.pick(&written).replace("{}", &amount.to_string())
            }
            "I" => {
                let (hour, minute) = (8 + random.below(10), ["00", "15", "30", "45"][random.below(4)]);
                format!("{hour}{}{minute}", random.pick(&["h", ":", "."]))
            }
            "C" if random.percent(60) => random.pick(&self.lists.communes).clone(),
            _ => self.listed(slot, example, random)?,
        };
        Some((plain, false))
    }

    /// An entry of the list a slot stands for, with a capital where a sentence begins.
    fn listed(&self, slot: &str, example: &Example, random: &mut Random) -> Option<String> {
        let kind = match slot {
            "C" => "commune-parts",
            "S" => "streets",
            "A" => "authorities",
            "O" if random.percent(15) => "health-funds",
            "O" => "organisations",
            "H" => "hospitals",
            "K" => "schools",
            "L" => "laws",
            "X" => "nationalities",
            "Y" | "Z" => "foreign-places",
            "J" => "job-titles",
            "W" => "documents",
            "E" => "digital-tools",
            _ => return None,
        };
        let entries = self.lists.of(kind, LANGUAGES[self.language]);
        if entries.is_empty() {
            return None;
        }
        let entry = *random.pick(&entries);
        let before = example.pieces.last().map_or("", |(text, _)| text.trim_end());
        let begins = before.is_empty() || before.ends_with(['.', '!', '?']);
        Some(if begins { capitalised(entry) } else { entry.to_owned() })
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn words(list: &str) -> Vec<&str> {
    list.split(' ').collect()
}

fn push(example: &mut Example, text: &str, is_name: bool) {
    match example.pieces.last_mut() {
        Some((last, false)) if !is_name => last.push_str(text),
        _ if text.is_empty() => {}
        _ => example.pieces.push((text.to_owned(), is_name)),
    }
}
