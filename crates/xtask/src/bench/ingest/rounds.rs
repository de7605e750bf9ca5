//! Two servers side by side: measured in turns, so that what else the machine does falls on both alike.

use std::net::SocketAddr;

use anyhow::Result;

use super::load::{self, Reached};
use super::request::Asking;

/// Measurements of each; the median counts.
const ROUNDS: u64 = 5;

/// Concerns sent to each in turns.
pub fn posts<const N: usize>(addresses: [&[SocketAddr]; N], seconds: f64) -> Result<[Reached; N]> {
    in_turns(|which, round| load::run(addresses[which], Asking::Post, seconds, round * 100 + which as u64))
}

/// Questions sent to each in turns, after these ids.
pub fn gets<const N: usize>(
    addresses: [(&[SocketAddr], &[String]); N],
    seconds: f64,
) -> Result<[Reached; N]> {
    in_turns(|which, round| {
        let (addresses, ids) = addresses[which];
        load::run(addresses, Asking::Get(ids), seconds, round)
    })
}

/// A page asked of each in turns.
pub fn pages<const N: usize>(
    addresses: [&[SocketAddr]; N],
    path: &str,
    seconds: f64,
) -> Result<[Reached; N]> {
    in_turns(|which, round| load::run(addresses[which], Asking::Page(path), seconds, round))
}

/// The same servers asked in several ways, in turns.
pub fn both_ways<const N: usize>(
    addresses: &[SocketAddr],
    requests: [&str; N],
    seconds: f64,
) -> Result<[Reached; N]> {
    in_turns(|which, round| load::run(addresses, Asking::Whole(requests[which]), seconds, round))
}

fn in_turns<const N: usize>(mut measure: impl FnMut(usize, u64) -> Result<Reached>) -> Result<[Reached; N]> {
    let mut runs: [Vec<Reached>; N] = std::array::from_fn(|_| Vec::new());
    for round in 0..ROUNDS {
        for (which, runs) in runs.iter_mut().enumerate() {
            runs.push(measure(which, round)?);
        }
    }
    Ok(runs.map(middle))
}

/// The median of each number, all answers together, the ids of the last run.
fn middle(mut runs: Vec<Reached>) -> Reached {
    let of = |number: fn(&Reached) -> f64| {
        let mut numbers: Vec<f64> = runs.iter().map(number).collect();
        median(&mut numbers)
    };
    let (rate, p50, p99) = (of(|run| run.rate), of(|run| run.p50), of(|run| run.p99));
    let answers = runs.iter().map(|run| run.answers).sum();
    Reached { rate, p50, p99, answers, ids: runs.pop().map(|run| run.ids).unwrap_or_default() }
}

/// The middle one; no number when there is none.
pub fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_measured_in_every_round_and_the_median_counts() {
        let mut order = Vec::new();
        let [first, second] = in_turns(|which, round| {
            order.push(which);
            let rate = if round == 0 { 1_000.0 } else { 10.0 * (which + 1) as f64 };
            Ok(Reached { rate, ..Reached::default() })
        })
        .unwrap();
        assert_eq!((first.rate, second.rate), (10.0, 20.0));
        assert_eq!(order[..4], [0, 1, 0, 1]);
        assert!(median(&mut []).is_nan());
    }
}
