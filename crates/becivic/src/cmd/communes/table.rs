//! The table of communes: columns by name, lists separated by `|`.

use super::Mistake;
use becivic_core::communes::{Commune, CommuneLanguage, Province};
use becivic_core::vocabulary::Region;
use csv::StringRecord;

/// A commune and the line it stands on.
pub struct Row {
    /// Its line, from 1.
    pub line: u64,
    /// The commune.
    pub commune: Commune,
}

/// The columns that are read.
const COLUMNS: [&str; 9] = ["nis", "slug", "fr", "nl", "de", "region", "province", "postcodes", "languages"];

/// Reads a table; every row that does not fit is a mistake.
pub fn read(bytes: &[u8]) -> Result<Vec<Row>, Vec<Mistake>> {
    let mut reader = csv::ReaderBuilder::new().from_reader(bytes);
    let header = match reader.headers() {
        Ok(header) => header.clone(),
        Err(error) => return Err(vec![(1, error.to_string())]),
    };
    let mut at = [0; COLUMNS.len()];
    for (column, at) in COLUMNS.iter().zip(&mut at) {
        match header.iter().position(|name| name == *column) {
            Some(index) => *at = index,
            None => return Err(vec![(1, format!("the table has no column `{column}`"))]),
        }
    }
    let mut rows = Vec::new();
    let mut mistakes = Vec::new();
    for record in reader.records() {
        match record {
            Ok(record) => {
                let line = record.position().map_or(0, |position| line(bytes, position));
                match commune(&record, at) {
                    Ok(commune) => rows.push(Row { line, commune }),
                    Err(message) => mistakes.push((line, message)),
                }
            }
            Err(error) => {
                let line = error.position().map_or(0, |position| line(bytes, position));
                mistakes.push((line, unreadable(&error)));
            }
        }
    }
    if mistakes.is_empty() { Ok(rows) } else { Err(mistakes) }
}

/// The line a row starts on, from 1. A row's position lies before the rest of the line end above it (the LF of
/// CR LF) and before empty lines, so the reader's own count may be too small.
fn line(bytes: &[u8], position: &csv::Position) -> u64 {
    let at = usize::try_from(position.byte()).unwrap_or(usize::MAX).min(bytes.len());
    let (before, rest) = bytes.split_at(at);
    let skipped = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let before = bytes.get(..before.len() + skipped).unwrap_or(before);
    let mut ends = 0;
    for (index, byte) in before.iter().enumerate() {
        let lone_return = *byte == b'\r' && before.get(index + 1) != Some(&b'\n');
        ends += u64::from(*byte == b'\n' || lone_return);
    }
    ends + 1
}

fn commune(record: &StringRecord, at: [usize; COLUMNS.len()]) -> Result<Commune, String> {
    let [nis, slug, fr, nl, de, region, province, postcodes, languages] =
        at.map(|index| record.get(index).unwrap_or_default().trim());
    let name = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let region = word("region", Region::ALL, region)?;
    let province = match province {
        "" => None,
        province => Some(word("province", Province::ALL, province)?),
    };
    let spoken = list(languages).map(|text| word("language", CommuneLanguage::ALL, text));
    Ok(Commune {
        nis_code: nis.to_owned(),
        slug: slug.to_owned(),
        name_fr: name(fr),
        name_nl: name(nl),
        name_de: name(de),
        region,
        province,
        postal_codes: list(postcodes).map(str::to_owned).collect(),
        languages_available: spoken.collect::<Result<_, _>>()?,
    })
}

fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split('|').map(str::trim).filter(|entry| !entry.is_empty())
}

/// The word of a closed list, or a sentence with the list.
fn word<T: Copy + std::fmt::Display>(what: &str, all: &[T], text: &str) -> Result<T, String> {
    all.iter().copied().find(|word| word.to_string() == text).ok_or_else(|| {
        let all: Vec<String> = all.iter().map(T::to_string).collect();
        format!("this is no {what}; use one of: {}", all.join(", "))
    })
}

fn unreadable(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "the row is not UTF-8 text".to_owned(),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("the row has {len} fields; the header has {expected_len}")
        }
        _ => error.to_string(),
    }
}
