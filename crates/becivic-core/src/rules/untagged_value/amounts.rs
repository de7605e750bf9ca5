//! Numbers that say how much, how long or how old, in English.

/// What is counted.
const UNITS: &[&str] = &[
    "day", "days", "week", "weeks", "month", "months", "year", "years", "hour", "hours", "minute", "minutes",
    "quarter", "quarters", "semester", "semesters", "euro", "euros", "eur", "cent", "cents", "dollar", "dollars",
    "pound", "pounds", "€", "£", "$", "%", "percent",
];

/// Money named before its amount.
const MONEY: &[&str] = &["€", "£", "$", "eur", "euro", "euros"];

/// What may stand between a number and its unit.
const BETWEEN: &[&str] = &[
    "working", "calendar", "consecutive", "full", "whole", "business", "school", "or", "more", "actual", "worked",
];

/// What makes a number a threshold, whatever follows it.
const THRESHOLDS: &[&str] = &["aged", "over", "under", "above", "below"];

/// Numbers in words; compounds are made of these.
const WORDS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty",
    "sixty", "seventy", "eighty", "ninety", "hundred", "thousand",
];

/// Where a number with a unit begins.
pub fn amounts(text: &str) -> Vec<usize> {
    let words: Vec<(usize, String)> = words(text).collect();
    let mut found = Vec::new();
    for (index, (at, word)) in words.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| words.get(before)).map(|(_, word)| word.as_str());
        let after: Vec<&str> = words.iter().skip(index + 1).take(4).map(|(_, word)| word.as_str()).collect();
        let is_amount = is_whole(word)
            || (is_number(word) && (is_counted(&after) || before.is_some_and(|word| MONEY.contains(&word))))
            || (is_figure(word) && before.is_some_and(|word| THRESHOLDS.contains(&word)))
            || (matches!(word.as_str(), "a" | "an") && before == Some("within") && is_counted(&after));
        if is_amount {
            found.push(*at);
        }
    }
    found
}

/// Whether a unit follows.
fn is_counted(after: &[&str]) -> bool {
    let mut after = after.iter().skip_while(|word| BETWEEN.contains(word));
    match after.next() {
        Some(&"per") => after.next() == Some(&"cent"),
        Some(unit) => UNITS.contains(unit),
        None => false,
    }
}

/// Words in lower case, without the punctuation around them, each with its place. Blanks written as entities part
/// words too.
fn words(text: &str) -> impl Iterator<Item = (usize, String)> {
    let around = |c: char| c.is_ascii_punctuation() && !matches!(c, '%' | '-' | '$') || matches!(c, '’' | '“' | '”');
    let blanks = text.replace("&nbsp;", "      ").replace("&#32;", "     ").replace("&#160;", "      ");
    let mut words = Vec::new();
    for word in blanks.split_whitespace() {
        let word = word.trim_matches(around);
        let at = word.as_ptr() as usize - blanks.as_ptr() as usize;
        words.push((at, word.to_lowercase().replace('\u{2011}', "-")));
    }
    words.into_iter()
}

/// A number and its unit in one word: `€20`, `eur20`, `50%`, `48h`, `5-year`, `18-year-old`.
fn is_whole(word: &str) -> bool {
    let money = MONEY.iter().filter_map(|money| word.strip_prefix(money).or(word.strip_suffix(money)));
    let share = ["%", "h", "min"].iter().filter_map(|unit| word.strip_suffix(unit));
    let mut parts = word.split('-');
    let joined = parts.next().is_some_and(is_number) && parts.next().is_some_and(|unit| UNITS.contains(&unit));
    joined || money.chain(share).any(is_figure)
}

fn is_number(word: &str) -> bool {
    let ordinal = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending));
    let in_words = !word.is_empty() && word.split('-').all(|part| WORDS.contains(&part));
    in_words || is_figure(word) || ordinal.is_some_and(is_figure)
}

fn is_figure(word: &str) -> bool {
    let part_of_number = |c: char| c.is_numeric() || matches!(c, '.' | ',' | '-' | '–');
    word.starts_with(char::is_numeric) && word.chars().all(part_of_number)
}

#[cfg(test)]
mod tests {
    use super::amounts;

    #[test]
    fn numbers_with_a_unit_are_amounts() {
        for text in [
            "8 days", "within 8 working days.", "€20", "€ 20", "20 €", "EUR 20", "EUR20", "1,000 euros", "three months",
            "a 5-year stay", "(50%)", "10 per cent", "one month", "within a month", "forty-eight hours", "48h", "the 8th day",
            "8 or more days", "aged 18", "over 65", "an 18-year-old", "8&nbsp;days", "8\u{2011}day", "２０ euros", "1½ years", "$20",
        ] {
            assert_eq!(amounts(text).len(), 1, "{text}");
        }
        for text in [
            "article 12bis", "since 2018-02-19", "Annex 15", "the four languages", "once a year", "model 596.2", "A2",
            "over the counter", "one of the two", "every day", "a week later",
        ] {
            assert!(amounts(text).is_empty(), "{text}");
        }
    }
}
