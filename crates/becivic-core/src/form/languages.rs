//! In which languages the administration deals with a person: those of the commune, else those that every commune of the
//! region has. Who is not in Belgium yet may choose any of the three (§8.7.4).

use super::known::Known;
use super::shape::Section;
use super::words::Words;
use crate::communes::{Commune, CommuneLanguage, Communes};
use crate::corpus::Corpus;
use crate::profile::{AdministrationLanguage, ProfileRegion};
use crate::vocabulary::{Language, Region};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The languages of the administration, by place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AdministrationLanguages {
    /// By region: what every commune of it has.
    pub by_region: BTreeMap<ProfileRegion, Vec<AdministrationLanguage>>,
    /// By NIS code, of the communes that have others than their region's: these win.
    pub by_commune: BTreeMap<String, Vec<AdministrationLanguage>>,
    /// What is said to somebody who is not in Belgium yet.
    pub hint_not_in_belgium_yet: String,
}

/// A commune to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommuneChoice {
    /// Its NIS code.
    pub nis5: String,
    /// Its name in the reader's language, else in its own.
    pub name: String,
    /// Its names in other languages, where they differ.
    pub also: Vec<String>,
    /// Its region, as profiles name them.
    pub region: ProfileRegion,
    /// The languages it deals with people in, the usual one first.
    pub languages: Vec<AdministrationLanguage>,
}

/// The communes of a corpus, by name.
pub fn commune_choices(corpus: &Corpus, reader: Language) -> Vec<CommuneChoice> {
    let choice = |commune: Commune| {
        let name = commune.named(reader).map_or(commune.slug.as_str(), |(_, name)| name).to_owned();
        let region = region(&commune);
        let languages = languages(&commune);
        let names = [commune.name_fr, commune.name_nl, commune.name_de].into_iter().flatten();
        let mut also: Vec<String> = names.filter(|other| *other != name).collect();
        also.sort();
        also.dedup();
        CommuneChoice { nis5: commune.nis_code, name, also, region, languages }
    };
    let mut choices: Vec<CommuneChoice> = communes(corpus).into_iter().map(choice).collect();
    choices.sort_by(|a, b| (&a.name, &a.nis5).cmp(&(&b.name, &b.nis5)));
    choices
}

/// The languages, by place.
pub(super) fn map(corpus: &Corpus, words: &Words) -> AdministrationLanguages {
    let communes = communes(corpus);
    let mut by_region: BTreeMap<ProfileRegion, Vec<AdministrationLanguage>> = BTreeMap::new();
    for commune in &communes {
        let own = languages(commune);
        let shared = by_region.entry(region(commune)).or_insert_with(|| own.clone());
        shared.retain(|language| own.contains(language));
    }
    let all = AdministrationLanguage::ALL.to_vec();
    by_region.insert(ProfileRegion::NotInBelgiumYet, all.clone());
    for region in ProfileRegion::ALL {
        by_region.entry(*region).or_insert_with(|| all.clone());
    }
    let others = communes.iter().filter_map(|commune| {
        let (own, shared) = (languages(commune), by_region.get(&region(commune))?);
        (own != *shared).then(|| (commune.nis_code.clone(), own))
    });
    AdministrationLanguages {
        by_commune: others.collect(),
        by_region,
        hint_not_in_belgium_yet: words.administration_language_abroad.to_owned(),
    }
}

/// Where the place is known and not asked, the languages to choose from are those of the place.
pub(super) fn narrow(sections: &mut [Section], languages: &AdministrationLanguages, known: &Known) {
    let fields = || sections.iter().flat_map(|section| &section.fields);
    if fields().any(|field| matches!(field.name.as_str(), "region" | "commune_nis5")) {
        return;
    }
    let by_commune = known.text("commune_nis5").and_then(|nis5| languages.by_commune.get(nis5));
    let by_region = || languages.by_region.get(&ProfileRegion::named(known.text("region")?)?);
    let Some(allowed) = by_commune.or_else(by_region) else { return };
    let fields = sections.iter_mut().flat_map(|section| &mut section.fields);
    for field in fields.filter(|field| field.name == "administration_language") {
        field.options.retain(|option| allowed.iter().any(|language| language.as_str() == option.value));
    }
}

fn communes(corpus: &Corpus) -> Vec<Commune> {
    let file = corpus.communes.as_ref().and_then(|file| Communes::deserialize(&file.value).ok());
    file.map(|file| file.communes).unwrap_or_default()
}

/// The region as profiles name it: communes whose first language is German make up the German-speaking Community.
fn region(commune: &Commune) -> ProfileRegion {
    let first = commune.languages_available.first();
    match (commune.region, first) {
        (Region::Brussels, _) => ProfileRegion::BrusselsCapital,
        (Region::Flanders, _) => ProfileRegion::Flanders,
        (Region::Wallonia, Some(CommuneLanguage::De)) => ProfileRegion::GermanSpeakingCommunity,
        (Region::Wallonia, Some(CommuneLanguage::Fr | CommuneLanguage::Nl) | None) => ProfileRegion::Wallonia,
    }
}

fn languages(commune: &Commune) -> Vec<AdministrationLanguage> {
    let spoken = |language: &CommuneLanguage| match language {
        CommuneLanguage::Fr => AdministrationLanguage::Fr,
        CommuneLanguage::Nl => AdministrationLanguage::Nl,
        CommuneLanguage::De => AdministrationLanguage::De,
    };
    commune.languages_available.iter().map(spoken).collect()
}
