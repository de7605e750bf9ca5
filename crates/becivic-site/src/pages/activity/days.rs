//! Days of the calendar as they are written, one after the other. No clock: the last one is handed in.

/// This many days up to a day, the earliest first; none where the day is no day.
pub fn until(last: &str, count: usize) -> Vec<String> {
    let Some(mut number) = read(last) else { return Vec::new() };
    let mut days = Vec::with_capacity(count);
    for _ in 0..count {
        days.push(written(number));
        number -= 1;
    }
    days.reverse();
    days
}

/// The number of a day, counted from the first of January 1970.
fn read(day: &str) -> Option<i64> {
    if !becivic_core::date::is_real(day) {
        return None;
    }
    let mut parts = day.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    // Years begin in March here, so that the leap day is the last of a year; 400 years have 146,097 days.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// The day of a number: the way back.
fn written(number: i64) -> String {
    let number = number + 719_468;
    let (era, of_era) = (number.div_euclid(146_097), number.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_go_back_over_months_leap_days_and_years() {
        assert_eq!(until("2024-03-01", 3), ["2024-02-28", "2024-02-29", "2024-03-01"]);
        assert_eq!(until("2100-03-01", 2), ["2100-02-28", "2100-03-01"]);
        assert_eq!(until("2027-01-01", 2), ["2026-12-31", "2027-01-01"]);
        assert_eq!(read("1970-01-01"), Some(0));
        assert!(until("yesterday", 3).is_empty() && until("", 3).is_empty());
    }

    #[test]
    fn four_hundred_years_of_days_are_all_real_and_different() {
        let days = until("2126-12-31", 146_097);
        assert!(days.iter().all(|day| becivic_core::date::is_real(day)));
        assert!(days.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(days.first().map(String::as_str), Some("1727-01-01"));
    }
}
