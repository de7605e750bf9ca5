//! Days and months as people write them, in the reader's language: the one place where a page makes words of a date.
//!
//! What is stored is `2026-05-12`, `2026-05` or a time of that day. Times lose their hour: days are all that is published. What is
//! none of these stays as it was written.

use crate::words::Words;
use becivic_core::vocabulary::Language;

const MONTHS: [[&str; 4]; 12] = [
    ["January", "janvier", "januari", "Januar"],
    ["February", "février", "februari", "Februar"],
    ["March", "mars", "maart", "März"],
    ["April", "avril", "april", "April"],
    ["May", "mai", "mei", "Mai"],
    ["June", "juin", "juni", "Juni"],
    ["July", "juillet", "juli", "Juli"],
    ["August", "août", "augustus", "August"],
    ["September", "septembre", "september", "September"],
    ["October", "octobre", "oktober", "Oktober"],
    ["November", "novembre", "november", "November"],
    ["December", "décembre", "december", "Dezember"],
];

/// The day of a time, as it is stored.
pub fn day_of(time: &str) -> &str {
    time.split('T').next().unwrap_or(time)
}

/// Whether it is a day or a month of the calendar.
pub fn is_date(time: &str) -> bool {
    read(day_of(time)).is_some()
}

/// A day or a month in words: "12 May 2026", "1er mai 2026", "12 mei 2026", "12. Mai 2026", "May 2026".
pub fn in_words(time: &str, words: &Words) -> String {
    let date = day_of(time);
    read(date).map_or_else(|| date.to_owned(), |date| written(date, words.language))
}

/// Year, month and, where there is one, day.
fn read(date: &str) -> Option<(&str, usize, Option<u8>)> {
    let whole = if date.len() == 7 { format!("{date}-01") } else { date.to_owned() };
    if !becivic_core::date::is_real(&whole) {
        return None;
    }
    let mut parts = date.split('-');
    let (year, month) = (parts.next()?, parts.next()?.parse().ok()?);
    Some((year, month, parts.next().and_then(|day| day.parse().ok())))
}

fn written((year, month, day): (&str, usize, Option<u8>), language: Language) -> String {
    let at = match language {
        Language::En => 0,
        Language::Fr => 1,
        Language::Nl => 2,
        Language::De => 3,
    };
    let month = month.checked_sub(1).and_then(|month| MONTHS.get(month)).map_or("", |names| names[at]);
    match (day, language) {
        (None, _) => format!("{month} {year}"),
        (Some(1), Language::Fr) => format!("1er {month} {year}"),
        (Some(day), Language::De) => format!("{day}. {month} {year}"),
        (Some(day), _) => format!("{day} {month} {year}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::of;

    #[test]
    fn a_day_is_written_as_its_language_does() {
        let all = |time: &str| Language::ALL.iter().map(|it| in_words(time, of(*it))).collect::<Vec<_>>();
        assert_eq!(all("2026-05-12"), ["12 mai 2026", "12 mei 2026", "12. Mai 2026", "12 May 2026"]);
        assert_eq!(
            all("2026-08-01T23:59:59Z"),
            ["1er août 2026", "1 augustus 2026", "1. August 2026", "1 August 2026"]
        );
        assert_eq!(all("2026-12"), ["décembre 2026", "december 2026", "Dezember 2026", "December 2026"]);
    }

    #[test]
    fn what_is_no_date_stays_as_it_is() {
        for odd in ["2026", "2026-13", "2026-02-30", "spring", ""] {
            assert!(in_words(odd, of(Language::Nl)) == odd && !is_date(odd));
        }
    }
}
