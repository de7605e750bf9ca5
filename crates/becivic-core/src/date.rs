//! Whether a written day exists in the calendar. No clock: nothing here knows what day it is.

/// Whether a text is `YYYY-MM-DD` and that day exists.
pub fn is_real(text: &str) -> bool {
    let mut parts = text.split('-');
    let mut part = |length: usize| {
        let part = parts.next().filter(|part| part.len() == length)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<u32>().ok())?
    };
    let (Some(year), Some(month), Some(day)) = (part(4), part(2), part(2)) else {
        return false;
    };
    parts.next().is_none() && day >= 1 && day <= days_in(year, month)
}

/// Days of a month; none where there is no such month.
pub(crate) fn days_in(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_of_the_calendar_are_real() {
        for day in ["2026-01-31", "2024-02-29", "2000-02-29", "0001-12-31"] {
            assert!(is_real(day), "{day}");
        }
        for day in [
            "2026-02-30",
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-1-01",
            "May 2026",
            "",
            "2026-01-01-",
        ] {
            assert!(!is_real(day), "{day}");
        }
    }
}
