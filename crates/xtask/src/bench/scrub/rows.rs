//! The table of this bench: speeds have a least, counts have a most.
//!
//! 1. A row is a name, a value, a unit and, where there is one, a bound.
//! 2. Print the rows in columns; a broken bound says so.
//! 3. Write the same rows as JSON.

use std::path::Path;

use anyhow::{Context, Result};

use crate::Outcome;

/// A limit of a value.
#[derive(Debug, Clone, Copy)]
pub enum Bound {
    /// It may be less, never more.
    AtMost(f64),
    /// It may be more, never less.
    AtLeast(f64),
}

/// One measured number.
#[derive(Debug, Clone)]
pub struct Row {
    name: String,
    value: f64,
    unit: &'static str,
    bound: Option<Bound>,
}

/// A number that is only reported.
pub fn number(name: impl Into<String>, value: f64, unit: &'static str) -> Row {
    Row { name: name.into(), value, unit, bound: None }
}

/// A number with a bound.
pub fn bounded(name: impl Into<String>, value: f64, unit: &'static str, bound: Bound) -> Row {
    Row { bound: Some(bound), ..number(name, value, unit) }
}

impl Row {
    fn is_broken(&self) -> bool {
        self.bound.is_some_and(|bound| match bound {
            Bound::AtMost(most) => self.value.is_nan() || self.value > most,
            Bound::AtLeast(least) => self.value.is_nan() || self.value < least,
        })
    }

    fn verdict(&self) -> String {
        let held = if self.is_broken() { "BROKEN" } else { "fine" };
        match self.bound {
            None => String::new(),
            Some(Bound::AtMost(most)) => format!("at most {most}: {held}"),
            Some(Bound::AtLeast(least)) => format!("at least {least}: {held}"),
        }
    }
}

/// Prints the rows, writes them to `file`, and says whether every bound holds.
pub fn publish(rows: &[Row], file: &Path) -> Result<Outcome> {
    for row in rows {
        let line = format!("{:<52} {:>12.3} {:<7} {}", row.name, row.value, row.unit, row.verdict());
        println!("{}", line.trim_end());
    }
    let json = serde_json::to_string_pretty(&json(rows))? + "\n";
    std::fs::write(file, json).with_context(|| format!("{} cannot be written", file.display()))?;
    Ok(if rows.iter().any(Row::is_broken) { Outcome::Findings } else { Outcome::Fine })
}

fn json(rows: &[Row]) -> serde_json::Value {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            let (most, least) = match row.bound {
                None => (None, None),
                Some(Bound::AtMost(most)) => (Some(most), None),
                Some(Bound::AtLeast(least)) => (None, Some(least)),
            };
            serde_json::json!({
                "name": row.name, "value": row.value, "unit": row.unit,
                "at_most": most, "at_least": least, "broken": row.is_broken(),
            })
        })
        .collect();
    serde_json::json!({ "lines": rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_on_the_wrong_side_of_its_bound_is_broken_and_so_is_no_number() {
        assert!(!bounded("r", 4.0, "", Bound::AtMost(4.0)).is_broken());
        assert!(bounded("r", 4.1, "", Bound::AtMost(4.0)).is_broken());
        assert!(!bounded("r", 4.0, "", Bound::AtLeast(4.0)).is_broken());
        assert!(bounded("r", 3.9, "", Bound::AtLeast(4.0)).is_broken());
        assert!(bounded("r", f64::NAN, "", Bound::AtLeast(4.0)).is_broken());
        assert!(!number("r", 0.0, "").is_broken());
    }

    #[test]
    fn the_copy_for_programs_has_the_same_rows() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("scrub.json");
        let rows = [number("text", 1.5, "MB"), bounded("speed", 5.0, "MB/s", Bound::AtLeast(6.0))];
        assert_eq!(publish(&rows, &file).unwrap(), Outcome::Findings);
        let copy: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        assert_eq!(copy["lines"][0]["value"], 1.5);
        assert_eq!(copy["lines"][1]["broken"], true);
    }
}
