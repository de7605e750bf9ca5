//! The data files: communes and authorities.
//!
//! 1. Forty communes that do not exist, spread over the eleven areas of [`AREAS`], with codes in
//!    the right hundreds and languages that fit.
//! 2. A handful of authorities under their public names.

use serde_json::{Value, json};

/// How many communes there are.
pub const COMMUNES: usize = 40;

/// Region, province, first digits of the code, languages.
const AREAS: &[(&str, Option<&str>, usize, &[&str])] = &[
    ("brussels", None, 21, &["fr", "nl"]),
    ("flanders", Some("antwerpen"), 11, &["nl"]),
    ("flanders", Some("vlaams-brabant"), 23, &["nl"]),
    ("wallonia", Some("brabant-wallon"), 25, &["fr"]),
    ("flanders", Some("west-vlaanderen"), 31, &["nl"]),
    ("flanders", Some("oost-vlaanderen"), 41, &["nl"]),
    ("wallonia", Some("hainaut"), 51, &["fr"]),
    ("wallonia", Some("liege"), 63, &["de", "fr"]),
    ("flanders", Some("limburg"), 73, &["nl", "fr"]),
    ("wallonia", Some("luxembourg"), 81, &["fr"]),
    ("wallonia", Some("namur"), 91, &["fr"]),
];

const NAMES: &[(&str, &str)] = &[
    ("Clairval", "Helderdal"),
    ("Hautmont", "Hoogberg"),
    ("Pontneuf", "Nieuwbrug"),
    ("Grandpré", "Grootweide"),
];

/// Id, level, French, Dutch, German and English name, host, role.
pub const AUTHORITIES: &[(&str, &str, [&str; 4], &str, &str)] = &[
    (
        "dofi",
        "federal",
        ["Office des étrangers", "Dienst Vreemdelingenzaken", "Ausländeramt", "Immigration Office"],
        "dofi.ibz.be",
        "entry and residence",
    ),
    (
        "dgiac-rrn",
        "federal",
        ["Registre national", "Rijksregister", "Nationalregister", "National Register"],
        "ibz.rrn.fgov.be",
        "population registers and identity cards",
    ),
    (
        "spf-finances",
        "federal",
        ["SPF Finances", "FOD Financiën", "FÖD Finanzen", "FPS Finance"],
        "finances.belgium.be",
        "taxes",
    ),
    ("onem", "federal", ["ONEM", "RVA", "LfA", "National Employment Office"], "onem.be", "unemployment"),
    (
        "irisbox",
        "brussels",
        ["IRISbox", "IRISbox", "IRISbox", "IRISbox"],
        "irisbox.irisnet.be",
        "electronic counter of the Brussels communes",
    ),
    (
        "vlaanderen",
        "flanders",
        ["Autorité flamande", "Vlaamse overheid", "Flämische Behörde", "Flemish Government"],
        "vlaanderen.be",
        "regional portal",
    ),
    (
        "wallonie",
        "wallonia",
        [
            "Service public de Wallonie",
            "Waalse overheid",
            "Öffentlicher Dienst der Wallonie",
            "Walloon Public Service",
        ],
        "wallonie.be",
        "regional portal",
    ),
];

/// The code of a commune: its area's digits, then a number no real commune of the area has.
pub fn nis(index: usize) -> String {
    let (_, _, area, _) = AREAS[index % AREAS.len()];
    format!("{area}{}", 900 + index)
}

/// `data/communes.json`.
pub fn communes_file() -> serde_json::Result<String> {
    let mut order: Vec<usize> = (0..COMMUNES).collect();
    order.sort_by_key(|index| nis(*index));
    let communes: Vec<_> = order.into_iter().map(commune).collect();
    pretty(&json!({
        "nomenclature_date": "2025-01-01",
        "source": "https://statbel.fgov.be/en/open-data/code-refnis",
        "fetched_at": "2026-05-28",
        "communes": communes,
    }))
}

/// `data/authorities.json`.
pub fn authorities_file() -> serde_json::Result<String> {
    let authorities: Vec<_> = AUTHORITIES
        .iter()
        .map(|(id, level, [fr, nl, de, en], domain, role)| {
            json!({"id": id, "level": level, "name_fr": fr, "name_nl": nl, "name_de": de,
                   "name_en": en, "domain": domain, "role": role})
        })
        .collect();
    pretty(&json!({"schema_version": 1, "authorities": authorities}))
}

fn commune(index: usize) -> Value {
    let (region, province, _, languages) = AREAS[index % AREAS.len()];
    let (french, dutch) = NAMES[index / AREAS.len() % NAMES.len()];
    let named =
        |language: &str, name: &str| languages.contains(&language).then(|| format!("{name} {}", index + 1));
    json!({
        "nis_code": nis(index),
        "slug": format!("{}-{}", dutch.to_lowercase(), index + 1),
        "name_fr": named("fr", french),
        "name_nl": named("nl", dutch),
        "name_de": named("de", french),
        "region": region,
        "province": province,
        "postal_codes": [format!("{}", 1_000 + index * 200)],
        "languages_available": languages,
    })
}

fn pretty(value: &Value) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn communes_have_codes_slugs_and_names_of_their_own() {
        let file: Value = serde_json::from_str(&communes_file().unwrap()).unwrap();
        let communes = file["communes"].as_array().unwrap();
        for key in ["nis_code", "slug"] {
            let mut values: Vec<_> = communes.iter().map(|c| c[key].as_str().unwrap()).collect();
            values.sort_unstable();
            values.dedup();
            assert_eq!(values.len(), COMMUNES);
        }
        for commune in communes {
            assert_eq!(commune["nis_code"].as_str().unwrap().len(), 5);
            let names = ["name_fr", "name_nl", "name_de"];
            assert!(names.iter().any(|name| commune[name].is_string()));
        }
    }
}
