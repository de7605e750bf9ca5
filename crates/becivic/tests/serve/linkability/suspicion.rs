//! Whether values say who belongs together, compared with what they would say if people were dealt out at random.
//!
//! 1. Two figures: how many pairs of one person have equal values, and how near the ranks of such pairs are on average.
//! 2. The same figures for people shuffled over the same values, many times: their mean and spread.
//! 3. A figure that lies more than [`LIMIT`] spreads on the joining side is no chance.

use crate::dice::Dice;
use becivic_server::db::Value;
use std::cmp::Ordering;

/// Chance reaches this about once in a billion columns.
const LIMIT: f64 = 6.0;

const SHUFFLES: usize = 300;

/// Whether the values join those of one person.
pub fn suspicious(values: &[(usize, Value)], dice: &mut Dice) -> bool {
    // What is empty joins nobody.
    let values: Vec<&(usize, Value)> = values.iter().filter(|(_, value)| *value != Value::Null).collect();
    let mut people: Vec<usize> = values.iter().map(|(person, _)| *person).collect();
    let ranks = ranks(&values.iter().map(|(_, value)| value).collect::<Vec<_>>());
    let (equal, near) = figures(&people, &ranks);
    let mut shuffled = (Vec::new(), Vec::new());
    for _ in 0..SHUFFLES {
        dice.shuffle(&mut people);
        let (equal, near) = figures(&people, &ranks);
        shuffled.0.push(equal);
        shuffled.1.push(near);
    }
    let far = |figure: f64, chance: &[f64]| {
        let mean = chance.iter().sum::<f64>() / chance.len() as f64;
        let spread = chance.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / chance.len() as f64;
        // Without any spread a figure can only be what it is for everybody; half a pair keeps the division honest.
        (figure - mean) / spread.sqrt().max(0.5)
    };
    far(equal, &shuffled.0) > LIMIT || far(near, &shuffled.1) > LIMIT
}

/// The rank of each value in their order; equal values share one.
fn ranks(values: &[&Value]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| compare(values[*a], values[*b]));
    let mut ranks = vec![0; values.len()];
    for pair in 0..order.len() {
        let same = pair > 0 && compare(values[order[pair]], values[order[pair - 1]]) == Ordering::Equal;
        ranks[order[pair]] = if same { ranks[order[pair - 1]] } else { pair };
    }
    ranks
}

fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Bytes(a), Value::Bytes(b)) => a.cmp(b),
        (a, b) => panic!("one column holds {a:?} and {b:?}"),
    }
}

/// Over pairs of one person: how many are equal, and how near they are (larger is nearer).
fn figures(people: &[usize], ranks: &[usize]) -> (f64, f64) {
    let mut of_person: Vec<Vec<usize>> = Vec::new();
    for (person, rank) in people.iter().zip(ranks) {
        if of_person.len() <= *person {
            of_person.resize(person + 1, Vec::new());
        }
        of_person[*person].push(*rank);
    }
    let (mut equal, mut apart) = (0.0, 0.0);
    for own in &of_person {
        for (at, one) in own.iter().enumerate() {
            for other in &own[at + 1..] {
                equal += f64::from(u8::from(one == other));
                apart += one.abs_diff(*other) as f64;
            }
        }
    }
    (equal, -apart)
}
