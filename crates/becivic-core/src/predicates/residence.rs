//! Years of legal residence, from the months of the residency history.
//!
//! 1. A period counts unless it says outright that it rested on nothing: permit `none`, and no visa or
//!    visa `none`. (Citizens need neither and leave both out.)
//! 2. Months are counted once, however periods overlap; the last month counts; months to come do not.
//! 3. Full years only. Whether they must be unbroken is for the procedure to say, not for routing.

use super::Month;
use crate::profile::{PermitType, ResidencyPeriod, VisaType};

/// Full years of legal residence up to and including this month.
pub fn years(history: &[ResidencyPeriod], today: Month) -> u32 {
    let now = number(today);
    let mut spans: Vec<(i64, i64)> = history
        .iter()
        .filter(|period| is_legal(period))
        .filter_map(|period| Some((month(&period.start)?, end(&period.end, now)?)))
        .filter(|(start, end)| start <= end)
        .collect();
    spans.sort_unstable();
    let mut months = 0;
    let mut counted = i64::MIN; // the last month counted so far
    for (start, end) in spans {
        let from = start.max(counted.saturating_add(1));
        if end >= from {
            months += end - from + 1;
            counted = end;
        }
    }
    u32::try_from(months / 12).unwrap_or(0)
}

fn is_legal(period: &ResidencyPeriod) -> bool {
    let without_visa = matches!(period.visa_type, None | Some(VisaType::None));
    !(period.permit_type == Some(PermitType::None) && without_visa)
}

fn end(text: &str, now: i64) -> Option<i64> {
    if text == "current" { Some(now) } else { Some(month(text)?.min(now)) }
}

/// A `YYYY-MM` as a count of months.
fn month(text: &str) -> Option<i64> {
    let (year, month) = text.split_once('-')?;
    Some(number((year.parse().ok()?, month.parse().ok()?)))
}

fn number((year, month): Month) -> i64 {
    i64::from(year) * 12 + i64::from(month)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stay(start: &str, end: &str, permit: Option<PermitType>) -> ResidencyPeriod {
        ResidencyPeriod {
            start: start.to_owned(),
            end: end.to_owned(),
            visa_type: None,
            permit_type: permit,
            country_of_last_residence: None,
        }
    }

    #[test]
    fn full_years_counted_once_up_to_now() {
        let today = (2026, 5);
        assert_eq!(years(&[], today), 0);
        assert_eq!(years(&[stay("2025-06", "current", None)], today), 1);
        assert_eq!(years(&[stay("2025-07", "current", None)], today), 0);
        let overlapping = [stay("2020-01", "2022-12", None), stay("2021-01", "2023-12", None)];
        assert_eq!(years(&overlapping, today), 4);
        assert_eq!(years(&[stay("2026-01", "2040-12", None)], today), 0);
        assert_eq!(years(&[stay("2030-01", "current", None)], today), 0);
        assert_eq!(years(&[stay("2010-01", "current", Some(PermitType::None))], today), 0);
        assert_eq!(years(&[stay("2010-01", "current", Some(PermitType::A))], today), 16);
    }
}
