//! International bank account numbers.
//!
//! 1. The country is in the registry, and what follows has the length and the characters it lays down.
//! 2. The check digits are 02 to 98, as the rule makes them: 98 less a remainder.
//! 3. With the first four characters moved to the end and letters read as 10 to 35, the number leaves 1
//!    modulo 97 (ISO 7064).
//! 4. A Belgian account also ends in its own check. Other countries' own checks are not looked at.

use super::belgian::remainder_or_97;
use super::digits::{digits, number};

/// The four steps above.
pub(super) fn iban(text: &[u8]) -> bool {
    let Some((&[first, second, tens, units], account)) = text.split_first_chunk() else { return false };
    let Some(structure) = structure(first, second) else { return false };
    let Some(check) = digits::<2>(&[tens, units]) else { return false };
    (2..=98).contains(&number(&check))
        && fits(account, structure)
        && remainder(account.iter().chain(&[first, second, tens, units])) == 1
        && ((first, second) != (b'B', b'E') || belgian_account(account))
}

/// Twelve digits of which the last two are the first ten modulo 97, 97 for 0.
fn belgian_account(account: &[u8]) -> bool {
    let Some(digits) = digits::<12>(account) else { return false };
    number(&digits[10..]) == remainder_or_97(number(&digits[..10]))
}

/// The number the characters spell, letters as two digits, modulo 97.
fn remainder<'t>(characters: impl Iterator<Item = &'t u8>) -> u64 {
    /// Far enough below the end of 64 bits for two more digits.
    const ROOM: u64 = u64::MAX / 1_000;
    let spelled = characters.fold(0, |number: u64, &character| {
        let number = if number < ROOM { number } else { number % 97 };
        match character {
            b'0'..=b'9' => number * 10 + u64::from(character - b'0'),
            _ => number * 100 + u64::from(character.wrapping_sub(b'A')) + 10,
        }
    });
    spelled % 97
}

/// Whether the account has the runs of characters a structure asks for, and no more.
fn fits(mut account: &[u8], structure: &str) -> bool {
    let mut length = 0;
    for symbol in structure.bytes() {
        let belongs = match symbol {
            b'n' => u8::is_ascii_digit,
            b'a' => u8::is_ascii_uppercase,
            b'c' => u8::is_ascii_alphanumeric,
            digit => {
                length = length * 10 + usize::from(digit.wrapping_sub(b'0'));
                continue;
            }
        };
        match account.split_at_checked(length) {
            Some((run, rest)) if run.iter().all(belongs) => (account, length) = (rest, 0),
            _ => return false,
        }
    }
    account.is_empty()
}

/// The structure of a country's accounts.
fn structure(first: u8, second: u8) -> Option<&'static str> {
    let place = usize::from(PLACES.get(country(first, second)?).copied()?);
    REGISTRY.get(place).map(|(_, structure)| *structure)
}

/// Where two letters are among all pairs of letters.
const fn country(first: u8, second: u8) -> Option<usize> {
    if !first.is_ascii_uppercase() || !second.is_ascii_uppercase() {
        return None;
    }
    Some((first - b'A') as usize * 26 + (second - b'A') as usize)
}

/// For each pair of letters, the country's place in the registry, or one that is past its end.
static PLACES: [u8; 26 * 26] = {
    let mut places = [u8::MAX; 26 * 26];
    let mut place = 0;
    while place < REGISTRY.len() {
        let code = REGISTRY[place].0.as_bytes();
        if let Some(pair) = country(code[0], code[1]) {
            places[pair] = place as u8;
        }
        place += 1;
    }
    places
};

/// The countries of the IBAN registry and what follows the check digits in each: runs of digits (`n`), of
/// letters (`a`), or of both (`c`), each with its length.
const REGISTRY: [(&str, &str); 89] = [
    ("AD", "8n12c"),
    ("AE", "19n"),
    ("AL", "8n16c"),
    ("AT", "16n"),
    ("AZ", "4a20c"),
    ("BA", "16n"),
    ("BE", "12n"),
    ("BG", "4a6n8c"),
    ("BH", "4a14c"),
    ("BI", "23n"),
    ("BR", "23n1a1c"),
    ("BY", "4c4n16c"),
    ("CH", "5n12c"),
    ("CR", "18n"),
    ("CY", "8n16c"),
    ("CZ", "20n"),
    ("DE", "18n"),
    ("DJ", "23n"),
    ("DK", "14n"),
    ("DO", "4c20n"),
    ("EE", "16n"),
    ("EG", "25n"),
    ("ES", "20n"),
    ("FI", "14n"),
    ("FK", "2a12n"),
    ("FO", "14n"),
    ("FR", "10n11c2n"),
    ("GB", "4a14n"),
    ("GE", "2a16n"),
    ("GI", "4a15c"),
    ("GL", "14n"),
    ("GR", "7n16c"),
    ("GT", "24c"),
    ("HN", "4a20n"),
    ("HR", "17n"),
    ("HU", "24n"),
    ("IE", "4a14n"),
    ("IL", "19n"),
    ("IQ", "4a15n"),
    ("IS", "22n"),
    ("IT", "1a10n12c"),
    ("JO", "4a4n18c"),
    ("KW", "4a22c"),
    ("KZ", "3n13c"),
    ("LB", "4n20c"),
    ("LC", "4a24c"),
    ("LI", "5n12c"),
    ("LT", "16n"),
    ("LU", "3n13c"),
    ("LV", "4a13c"),
    ("LY", "21n"),
    ("MC", "10n11c2n"),
    ("MD", "20c"),
    ("ME", "18n"),
    ("MK", "3n10c2n"),
    ("MN", "16n"),
    ("MR", "23n"),
    ("MT", "4a5n18c"),
    ("MU", "4a19n3a"),
    ("NI", "4a20n"),
    ("NL", "4a10n"),
    ("NO", "11n"),
    ("OM", "3n16c"),
    ("PK", "4a16c"),
    ("PL", "24n"),
    ("PS", "4a21c"),
    ("PT", "21n"),
    ("QA", "4a21c"),
    ("RO", "4a16c"),
    ("RS", "18n"),
    ("RU", "14n15c"),
    ("SA", "2n18c"),
    ("SC", "4a20n3a"),
    ("SD", "14n"),
    ("SE", "20n"),
    ("SI", "15n"),
    ("SK", "20n"),
    ("SM", "1a10n12c"),
    ("SO", "19n"),
    ("ST", "21n"),
    ("SV", "4a20n"),
    ("TL", "19n"),
    ("TN", "20n"),
    ("TR", "6n16c"),
    ("UA", "6n19c"),
    ("VA", "18n"),
    ("VG", "4a16n"),
    ("XK", "16n"),
    ("YE", "4a4n18c"),
];

#[cfg(test)]
mod tests {
    use super::super::{Checksum, check};
    use super::*;

    #[test]
    fn accounts_of_the_registry() {
        check(
            Checksum::Iso7064Modulo97Iban,
            &[
                "BE74 0000 0000 0707",
                "BE54363000005797", // the national remainder is 0
                "be68 5390 0754 7034",
                "DE89 3704 0044 0532 0130 00",
                "FR14 2004 1010 0505 0001 3M02 606",
                "MT84MALT011000012345MTLCAST001S",
                "NO9386011117947",
                "NL91ABNA0417164300",
            ],
            &[
                "BE75 0000 0000 0707",
                "BE41091811735141", // the national check is wrong
                "BE68A39007547034",
                "BE6853900754703",
                "DE8937040044053201300",
                "FR1420041010050500013M02607",
                "NL91ABNA04171643000",
                "NL19ABNA0417164300",
                "GB29601613NWBK31926819", // letters where digits belong
                "US64SVBKUS6S3300958879", // no country of the registry
                "B",
                "BE",
                "BE74",
            ],
        );
    }

    #[test]
    fn check_digits_are_02_to_98() {
        // 97 more or less leaves the same remainder, and no bank writes it.
        let holds =
            |check: &str, account: &str| Checksum::Iso7064Modulo97Iban.holds(&format!("EE{check}{account}"));
        let account = (0..97).map(|n| format!("{n:016}")).find(|account| holds("98", account));
        assert!(!holds("01", &account.expect("one account in 97 has 98")));
    }

    #[test]
    fn the_registry_is_in_order_and_well_formed() {
        assert!(REGISTRY.is_sorted_by(|left, right| left.0 < right.0));
        for (code, structure) in REGISTRY {
            let runs: Vec<_> = structure.split_inclusive(['n', 'a', 'c']).collect();
            let lengths = runs.iter().map(|run| run[..run.len() - 1].parse::<usize>().expect("a length"));
            assert!((11..=30).contains(&lengths.sum::<usize>()), "{code}");
            assert_eq!(super::structure(code.as_bytes()[0], code.as_bytes()[1]), Some(structure));
        }
    }
}
