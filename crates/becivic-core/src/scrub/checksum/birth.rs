//! European numbers that hold their bearer's birth date: the day must exist, and then the check must hold.

use super::digits::{digits, is_date, is_date_of_some_century, luhn, number, verhoeff, weighted};

/// Italian tax code: six letters of the name, year, month letter, day (40 more for women), four
/// characters of the birth place, and a letter from two tables of values modulo 26. Where two people
/// would share a code, letters L to V stand for some of the digits.
///
/// Days above 71 are refused. A provisional code of eleven digits is not judged here.
pub(super) fn italian_codice_fiscale(text: &[u8]) -> bool {
    let Ok(text) = <[u8; 16]>::try_from(text) else { return false };
    let [_, _, _, _, _, _, year_tens, year, month, day_tens, day, place, a, b, c, letter] = text;
    let letters = text[..6].iter().chain([&place, &letter]).all(u8::is_ascii_uppercase);
    if !letters || [a, b, c].into_iter().any(|character| omocodia(character).is_none()) {
        return false;
    }
    let two = |tens, units| Some(omocodia(tens)? * 10 + omocodia(units)?);
    let (Some(year), Some(day)) = (two(year_tens, year), two(day_tens, day)) else { return false };
    let Some(month) = b"ABCDEHLMPRST".iter().position(|&known| known == month) else { return false };
    let day = if day > 40 { day - 40 } else { day };
    is_date_of_some_century(year, month as u64 + 1, day) && italian_sum(&text[..15]) == letter - b'A'
}

/// The digit a character stands for, be it written as a letter.
fn omocodia(character: u8) -> Option<u64> {
    match character {
        b'0'..=b'9' => Some(u64::from(character - b'0')),
        _ => b"LMNPQRSTUV".iter().position(|&letter| letter == character).map(|digit| digit as u64),
    }
}

/// The sum of the characters' values modulo 26. A digit counts like the letter of its rank; the first
/// character and every second after it count by a table of their own.
fn italian_sum(characters: &[u8]) -> u8 {
    const ODD: [u8; 26] =
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
    let value = |(place, &character): (usize, &u8)| {
        let plain = if character.is_ascii_digit() { character - b'0' } else { character.wrapping_sub(b'A') };
        if place % 2 == 0 { ODD.get(usize::from(plain)).copied().unwrap_or_default() } else { plain }
    };
    characters.iter().enumerate().map(value).fold(0, |sum, value| (sum + value) % 26)
}

/// Polish PESEL: YYMMDD with the century in the month (80 more for the 1800s, then 0, 20, 40, 60), four
/// digits, and one that brings the sum weighted 1, 3, 7, 9 to a multiple of ten.
pub(super) fn polish_pesel(text: &[u8]) -> bool {
    let Some(digits) = digits::<11>(text) else { return false };
    let month = number(&digits[2..4]);
    let century = [1900, 2000, 2100, 2200, 1800].get((month / 20) as usize).copied().unwrap_or_default();
    is_date(century + number(&digits[..2]), month % 20, number(&digits[4..6]))
        && weighted(&digits, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]).is_multiple_of(10)
}

/// Romanian CNP: sex and century, YYMMDD, county, serial, and a weighted sum modulo eleven with 1 for ten.
///
/// The first digit of residents and foreigners (7, 8, 9) leaves the century open.
pub(super) fn romanian_cnp(text: &[u8]) -> bool {
    let Some(digits) = digits::<13>(text) else { return false };
    let century = match digits[0] {
        0 => return false,
        1 | 2 => 1900,
        3 | 4 => 1800,
        _ => 2000,
    };
    let check = match weighted(&digits[..12], &[2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11 {
        10 => 1,
        remainder => remainder,
    };
    // Counties 1 to 39, Bucharest and its sectors, the two newer counties, and the codes without a county.
    let known = matches!(number(&digits[7..9]), 1..=48 | 51 | 52 | 70 | 80..=83);
    known
        && is_date(century + number(&digits[1..3]), number(&digits[3..5]), number(&digits[5..7]))
        && u32::from(digits[12]) == check
}

/// Bulgarian EGN: YYMMDD with the century in the month (20 more for the 1800s, 40 more for the 2000s),
/// three digits, and a weighted sum modulo eleven with 0 for ten.
pub(super) fn bulgarian_egn(text: &[u8]) -> bool {
    let Some(digits) = digits::<10>(text) else { return false };
    let (century, month) = match number(&digits[2..4]) {
        month @ 0..=20 => (1900, month),
        month @ 21..=40 => (1800, month - 20),
        month => (2000, month - 40),
    };
    let sum = weighted(&digits[..9], &[2, 4, 8, 5, 10, 9, 7, 3, 6]);
    is_date(century + number(&digits[..2]), month, number(&digits[4..6]))
        && u32::from(digits[9]) == sum % 11 % 10
}

/// Czech or Slovak birth number: YYMMDD, 50 more on the month for women, and three digits until 1953;
/// since then four, the first nine modulo eleven giving the last, 0 for ten.
///
/// Where a day ran out of numbers the month gets 20 more, on ten digits only. No other month is read as
/// one.
pub(super) fn czech_slovak(text: &[u8]) -> bool {
    let (text, last) = match text {
        [nine @ .., last] if nine.len() == 9 => (nine, Some(*last)),
        _ => (text, None),
    };
    let Some(digits) = digits::<9>(text) else { return false };
    let month = match number(&digits[2..4]) {
        month @ 51.. => month - 50,
        month => month,
    };
    let month = if month > 20 && last.is_some() { month - 20 } else { month };
    let year = match (number(&digits[..2]), last) {
        (year @ 80.., None) => 1800 + year,
        (54.., None) => return false,
        (year @ ..54, Some(_)) => 2000 + year,
        (year, _) => 1900 + year,
    };
    let check = b'0' + (number(&digits) % 11 % 10) as u8;
    is_date(year, month, number(&digits[4..6])) && last.is_none_or(|last| last == check)
}

/// Luxembourg matricule: YYYYMMDD and three digits, then two checks on those eleven, one by Luhn and one by
/// Verhoeff. An unknown month or day is 00.
///
/// Birth years are 1800 to 2099.
pub(super) fn luxembourg_matricule(text: &[u8]) -> bool {
    let Some(digits) = digits::<13>(text) else { return false };
    let (year, month, day) = (number(&digits[..4]), number(&digits[4..6]), number(&digits[6..8]));
    (1800..2100).contains(&year)
        && is_date(year, month.max(1), day.max(1))
        && luhn(&digits[..12])
        && verhoeff(digits[..11].iter().chain(&digits[12..]).copied())
}

/// Finnish HETU: DDMMYY, a sign for the century, three digits, and the character that the nine digits
/// modulo 31 point to.
///
/// The signs + and - are gone by now, so ten characters mean the 1800s or the 1900s and eleven have a
/// letter for the century. Serials from 900, which are temporary, hold like others; 000 and 001 are
/// never given.
pub(super) fn finnish_hetu(text: &[u8]) -> bool {
    let (date, century, serial, character) = match *text {
        [a, b, c, d, e, f, g, h, i, character] => ([a, b, c, d, e, f], 1900, [g, h, i], character),
        [a, b, c, d, e, f, sign, g, h, i, character] => {
            let century = match sign {
                b'A'..=b'F' => 2000,
                b'U'..=b'Y' => 1900,
                _ => return false,
            };
            ([a, b, c, d, e, f], century, [g, h, i], character)
        }
        _ => return false,
    };
    let (Some(date), Some(serial)) = (digits::<6>(&date), digits::<3>(&serial)) else { return false };
    let (all, serial) = (number(&date) * 1000 + number(&serial), number(&serial));
    serial >= 2
        && is_date(century + number(&date[4..]), number(&date[2..4]), number(&date[..2]))
        && b"0123456789ABCDEFHJKLMNPRSTUVWXY".get((all % 31) as usize) == Some(&character)
}

/// Norwegian birth number: DDMMYY, three digits that also tell the century, and two checks, each of
/// which brings a weighted sum to a multiple of eleven. A D number adds 40 to the day, a health
/// service's number 40 to the month.
///
/// Numbers of births to come hold; those without a birth date (first digit 8 or 9) do not.
pub(super) fn norwegian_fodselsnummer(text: &[u8]) -> bool {
    let Some(digits) = digits::<11>(text) else { return false };
    let less_40 = |value: u64| if value > 40 { value - 40 } else { value };
    let (day, month) = (less_40(number(&digits[..2])), less_40(number(&digits[2..4])));
    let century = match (number(&digits[6..9]), number(&digits[4..6])) {
        (..500, _) | (900.., 40..) => 1900,
        (500..750, 54..) => 1800,
        (500.., ..40) => 2000,
        _ => return false,
    };
    is_date(century + number(&digits[4..6]), month, day)
        && weighted(&digits, &[3, 7, 6, 1, 8, 9, 4, 5, 2, 1]).is_multiple_of(11)
        && weighted(&digits, &[5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
}

/// Greek AMKA: DDMMYY, four digits, and a Luhn digit.
pub(super) fn greek_amka(text: &[u8]) -> bool {
    let Some(digits) = digits::<11>(text) else { return false };
    is_date_of_some_century(number(&digits[4..6]), number(&digits[2..4]), number(&digits[..2]))
        && luhn(&digits)
}

/// Swedish personal number: YYMMDD or YYYYMMDD, three digits, and a Luhn digit on the last ten. A
/// coordination number adds 60 to the day.
///
/// With ten digits the century is open, be it written with + or -.
pub(super) fn swedish_personnummer(text: &[u8]) -> bool {
    let Some((century, text)) = text.split_last_chunk::<10>() else { return false };
    let Some(digits) = digits::<10>(text) else { return false };
    let day = match number(&digits[4..6]) {
        day @ 61.. => day - 60,
        day => day,
    };
    let (year, month) = (number(&digits[..2]), number(&digits[2..4]));
    let real = match century {
        b"" => is_date_of_some_century(year, month, day),
        b"18" => is_date(1800 + year, month, day),
        b"19" => is_date(1900 + year, month, day),
        b"20" => is_date(2000 + year, month, day),
        _ => false,
    };
    real && luhn(&digits)
}

#[cfg(test)]
mod tests {
    use super::super::{Checksum, check};

    #[test]
    fn italian_codes() {
        check(
            Checksum::ItalianCodiceFiscale,
            &[
                "XXXXXX00A01Z000R",
                "xxx xxx 00b69 z00l u", // a woman, a letter for a digit
                "XXXXXXLLB29Z000B",
            ],
            &[
                "XXXXXX00A01Z000S",
                "XXXXXX01B29Z000O", // no such day
                "XXXXXX00A81Z000Z", // day 81
                "XXXXXX00F01Z000R",
                "XXXXX100A01Z000R",
                "XXXXXX00A01Z00AR",
                "XXXXXX00A01Z000",
                "12345678903",
            ],
        );
    }

    #[test]
    fn polish_numbers() {
        check(
            Checksum::PolishPesel,
            &[
                "00810100019", // 1800
                "96222999992", // 2000s
            ],
            &[
                "00810100018",
                "00022900010", // 1900 was no leap year
                "00130100010",
                "0081010019",
            ],
        );
    }

    #[test]
    fn romanian_numbers() {
        check(
            Checksum::RomanianCnp,
            &[
                "3000101800009", // 1800
                "5960229010006", // 2000s
                "7000229010003", // no century
            ],
            &[
                "3000101800008",
                "1000229010002", // 1900 was no leap year
                "1000101490002", // county 49
                "0000101010004",
                "300010180009",
            ],
        );
    }

    #[test]
    fn bulgarian_numbers() {
        check(
            Checksum::BulgarianEgn,
            &[
                "0021010008", // 1800
                "9642299990", // 2000s
            ],
            &[
                "0021010007",
                "0002290001", // 1900 was no leap year
                "0013010000",
                "002101008",
            ],
        );
    }

    #[test]
    fn czech_and_slovak_numbers() {
        check(
            Checksum::CzechSlovakBirthNumber,
            &[
                "530101/9999",
                "535101/9993", // a woman
                "5321019990",  // more than a day holds
                "5371019995",
                "000101/999", // until 1953, no check
                "855101999",
            ],
            &[
                "5301019990",
                "0041019990", // month 41
                "540101999",  // nine digits in 1954
                "002101999",
                "0013019",
                "000229/999",
            ],
        );
    }

    #[test]
    fn luxembourg_numbers() {
        check(
            Checksum::LuxembourgMatricule,
            &[
                "1800 0101 001 64",
                "1893120105732", // the documentation's example
                "1900000000170", // month and day unknown
                "1900000100168",
            ],
            &[
                "1800010100165",
                "1800010100174",
                "1899022900151", // no leap year
                "2100010100113",
                "1900130100110",
                "180001010016",
            ],
        );
    }

    #[test]
    fn finnish_codes() {
        check(
            Checksum::FinnishHetu,
            &["010100-002H", "010100+900F", "290200A900B", "010100Y900f", "0101000 02H"],
            &[
                "010100-002J",
                "010100-001F", // serial 001
                "290200-900B", // 1900 was no leap year
                "290200U900B",
                "290200G900B",
                "010100-02H",
                "010100AA002H",
            ],
        );
    }

    #[test]
    fn norwegian_numbers() {
        check(
            Checksum::NorwegianFodselsnummer,
            &[
                "010154 50068", // 1854
                "41015450051",  // D number
                "01415450040",  // health service
                "01419999926",  // 1999, health service
                "29023699956",  // 2000s
            ],
            &[
                "01015450069",
                "01015450168",
                "29020000145", // 1900 was no leap year
                "01014550131", // no century
                "81015450045",
                "0101545006",
            ],
        );
    }

    #[test]
    fn greek_numbers() {
        check(
            Checksum::GreekAmka,
            &["29020000005", "010100-00006"],
            &[
                "29020000006",
                "29020100003", // no leap year
                "2902000005",
            ],
        );
    }

    #[test]
    fn swedish_numbers() {
        check(
            Checksum::SwedishPersonnummer,
            &[
                "000229-0005",
                "000229+0005",
                "20000229-0005",
                "180001010008",
                "0001610005", // coordination number
                "18000161-0005",
            ],
            &[
                "000229-0006",
                "190002290005", // 1900 was no leap year
                "210001010008",
                "8000229000",
                "00002290005",
            ],
        );
    }
}
