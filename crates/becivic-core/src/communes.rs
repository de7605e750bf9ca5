//! `data/communes.json` (§6.4) as types, and what a schema cannot say of it.
//!
//! 1. NIS codes, slugs and postal codes belong to one commune each (the ordinary postal codes are all
//!    the file holds).
//! 2. The list is sorted by NIS code, so that a refresh is a readable diff.
//! 3. The first digits of a NIS code name the province, and with it the region.
//! 4. Languages fit the language area: both in Brussels, Dutch first in Flanders, French or German first
//!    in Wallonia, German in the arrondissement of Verviers (63) only.

use crate::finding::PointedProblem;
use crate::vocabulary::{Language, Region, words};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// The communes file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // field names are the specification's
pub struct Communes {
    pub nomenclature_date: String,
    pub source: String,
    pub fetched_at: String,
    pub communes: Vec<Commune>,
}

impl Communes {
    /// The commune with this NIS code or slug.
    pub fn find(&self, nis_or_slug: &str) -> Option<&Commune> {
        self.communes.iter().find(|commune| commune.nis_code == nis_or_slug || commune.slug == nis_or_slug)
    }
}

/// One commune. All nine fields are written; null where one does not apply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Commune {
    pub nis_code: String,
    pub slug: String,
    #[serde(deserialize_with = "written")]
    pub name_fr: Option<String>,
    #[serde(deserialize_with = "written")]
    pub name_nl: Option<String>,
    #[serde(deserialize_with = "written")]
    pub name_de: Option<String>,
    pub region: Region,
    #[serde(deserialize_with = "written")]
    pub province: Option<Province>,
    pub postal_codes: Vec<String>,
    pub languages_available: Vec<CommuneLanguage>,
}

impl Commune {
    /// Its name in the reader's language, else in the first of its own, else in any; and which language that is.
    pub fn named(&self, reader: Language) -> Option<(Language, &str)> {
        let of = |language| {
            let name = match language {
                Language::Fr => self.name_fr.as_deref(),
                Language::Nl => self.name_nl.as_deref(),
                Language::De => self.name_de.as_deref(),
                Language::En => None,
            };
            name.map(|name| (language, name))
        };
        let own = self.languages_available.iter().map(|language| match language {
            CommuneLanguage::Fr => Language::Fr,
            CommuneLanguage::Nl => Language::Nl,
            CommuneLanguage::De => Language::De,
        });
        let order = std::iter::once(reader).chain(own).chain([Language::Fr, Language::Nl, Language::De]);
        order.into_iter().find_map(of)
    }
}

/// A field that must be there, be it as null.
fn written<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(from)
}

words! {
    /// The ten provinces; Brussels has none.
    #[allow(missing_docs)]
    Province {
        Antwerpen = "antwerpen", VlaamsBrabant = "vlaams-brabant", BrabantWallon = "brabant-wallon",
        WestVlaanderen = "west-vlaanderen", OostVlaanderen = "oost-vlaanderen", Hainaut = "hainaut",
        Liege = "liege", Limburg = "limburg", Luxembourg = "luxembourg", Namur = "namur",
    }
}

words! {
    /// Languages of communes; English is never one (law of 18 July 1966).
    CommuneLanguage {
        /// French.
        Fr = "fr",
        /// Dutch.
        Nl = "nl",
        /// German.
        De = "de",
    }
}

/// Everything the schema cannot say.
pub fn check(file: &Communes) -> Vec<PointedProblem> {
    let mut problems = Vec::new();
    let mut say =
        |pointer: String, message: String, help: &str| problems.push((pointer, message, help.to_owned()));
    let mut owners: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    let mut before = "";
    for (index, commune) in file.communes.iter().enumerate() {
        let nis = commune.nis_code.as_str();
        let mut claims = vec![
            ("nis_code".to_owned(), "NIS code", nis),
            ("slug".to_owned(), "slug", commune.slug.as_str()),
        ];
        for (at, code) in commune.postal_codes.iter().enumerate() {
            claims.push((format!("postal_codes/{at}"), "postal code", code));
        }
        for (field, what, text) in claims {
            match owners.insert((what, text), nis) {
                Some(other) if what == "NIS code" || other != nis => say(
                    format!("/communes/{index}/{field}"),
                    format!("the {what} {text} belongs to two communes"),
                    "Keep it where the nomenclature has it.",
                ),
                Some(_) | None => {}
            }
        }
        if nis < before {
            say(
                format!("/communes/{index}"),
                format!("{nis} comes after {before}"),
                "Sort the communes by NIS code.",
            );
        }
        before = nis;
        if place(nis) != Some((commune.region, commune.province)) {
            say(
                format!("/communes/{index}/province"),
                format!("{nis} is not the code of a commune in this province and region"),
                "The first digits of the NIS code name the province.",
            );
        }
        if !speaks_plausibly(commune) {
            say(
                format!("/communes/{index}/languages_available"),
                format!("the languages of {nis} do not fit its language area"),
                "Name the languages the commune writes letters in, the usual one first.",
            );
        }
    }
    problems
}

/// Region and province by the first digits of a NIS code.
fn place(nis: &str) -> Option<(Region, Option<Province>)> {
    use Province as P;
    let mut digits = nis.bytes();
    Some(match (digits.next()?, digits.next()?) {
        (b'1', _) => (Region::Flanders, Some(P::Antwerpen)),
        (b'2', b'1') => (Region::Brussels, None),
        (b'2', b'3' | b'4') => (Region::Flanders, Some(P::VlaamsBrabant)),
        (b'2', b'5') => (Region::Wallonia, Some(P::BrabantWallon)),
        (b'3', _) => (Region::Flanders, Some(P::WestVlaanderen)),
        (b'4', _) => (Region::Flanders, Some(P::OostVlaanderen)),
        (b'5', _) => (Region::Wallonia, Some(P::Hainaut)),
        (b'6', _) => (Region::Wallonia, Some(P::Liege)),
        (b'7', _) => (Region::Flanders, Some(P::Limburg)),
        (b'8', _) => (Region::Wallonia, Some(P::Luxembourg)),
        (b'9', _) => (Region::Wallonia, Some(P::Namur)),
        (_, _) => return None,
    })
}

fn speaks_plausibly(commune: &Commune) -> bool {
    use CommuneLanguage as L;
    let languages = commune.languages_available.as_slice();
    match commune.region {
        Region::Brussels => languages.len() == 2 && !languages.contains(&L::De),
        Region::Flanders => languages.first() == Some(&L::Nl) && !languages.contains(&L::De),
        Region::Wallonia => {
            let first_fits = matches!(languages.first(), Some(L::Fr | L::De));
            first_fits && (!languages.contains(&L::De) || commune.nis_code.starts_with("63"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn commune(
        nis: &str,
        slug: &str,
        region: &str,
        province: Option<&str>,
        code: &str,
        languages: &[&str],
    ) -> serde_json::Value {
        json!({"nis_code": nis, "slug": slug, "name_fr": slug, "name_nl": null, "name_de": null, "region": region,
               "province": province, "postal_codes": [code], "languages_available": languages})
    }

    fn found(communes: Vec<serde_json::Value>) -> Vec<String> {
        let value = json!({"nomenclature_date": "2025-01-01", "source": "https://statbel.fgov.be/",
                           "fetched_at": "2026-11-15", "communes": communes});
        let file: Communes = serde_json::from_value(value).expect("well-formed");
        check(&file).into_iter().map(|(pointer, ..)| pointer).collect()
    }

    #[test]
    fn a_right_list_has_no_problems() {
        let list = vec![
            commune("21009", "ixelles", "brussels", None, "1050", &["fr", "nl"]),
            commune("23098", "drogenbos", "flanders", Some("vlaams-brabant"), "1620", &["nl", "fr"]),
            commune("63023", "eupen", "wallonia", Some("liege"), "4700", &["de", "fr"]),
        ];
        assert_eq!(found(list), Vec::<String>::new());
    }

    #[test]
    fn each_rule_finds_its_mistake() {
        let list = vec![
            commune("44021", "gent", "flanders", Some("antwerpen"), "9000", &["nl"]),
            commune("25005", "beauvechain", "wallonia", Some("brabant-wallon"), "9000", &["de"]),
            commune("44021", "gent", "flanders", Some("oost-vlaanderen"), "9030", &["fr"]),
        ];
        let expected = [
            "/communes/0/province",
            "/communes/1/postal_codes/0",
            "/communes/1",
            "/communes/1/languages_available",
            "/communes/2/nis_code",
            "/communes/2/languages_available",
        ];
        assert_eq!(found(list), expected);
    }
}
