//! The table of a bench, for people and for programs: speeds have a least, costs have a most.
//!
//! 1. A line is a name, a value, a unit and, where there is one, a bound.
//! 2. Print the lines in columns; a broken bound says so.
//! 3. Write the same lines as JSON.

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
pub struct Line {
    name: String,
    value: f64,
    unit: &'static str,
    bound: Option<Bound>,
}

/// A number that is only reported.
pub fn number(name: impl Into<String>, value: f64, unit: &'static str) -> Line {
    Line { name: name.into(), value, unit, bound: None }
}

/// A number with a bound.
pub fn bounded(name: impl Into<String>, value: f64, unit: &'static str, bound: Bound) -> Line {
    Line { bound: Some(bound), ..number(name, value, unit) }
}

impl Line {
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

/// Prints the lines, writes them to `file`, and says whether every bound holds.
pub fn publish(lines: &[Line], file: &Path) -> Result<Outcome> {
    for line in lines {
        let shown = format!("{:<52} {:>12.3} {:<7} {}", line.name, line.value, line.unit, line.verdict());
        println!("{}", shown.trim_end());
    }
    let json = serde_json::to_string_pretty(&json(lines))? + "\n";
    std::fs::write(file, json).with_context(|| format!("{} cannot be written", file.display()))?;
    Ok(if lines.iter().any(Line::is_broken) { Outcome::Findings } else { Outcome::Fine })
}

fn json(lines: &[Line]) -> serde_json::Value {
    let lines: Vec<_> = lines
        .iter()
        .map(|line| {
            let (most, least) = match line.bound {
                None => (None, None),
                Some(Bound::AtMost(most)) => (Some(most), None),
                Some(Bound::AtLeast(least)) => (None, Some(least)),
            };
            serde_json::json!({
                "name": line.name, "value": line.value, "unit": line.unit,
                "at_most": most, "at_least": least, "broken": line.is_broken(),
            })
        })
        .collect();
    serde_json::json!({ "lines": lines })
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
        let lines = [number("text", 1.5, "MB"), bounded("speed", 5.0, "MB/s", Bound::AtLeast(6.0))];
        assert_eq!(publish(&lines, &file).unwrap(), Outcome::Findings);
        let copy: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        assert_eq!(copy["lines"][0]["value"], 1.5);
        assert_eq!(copy["lines"][1]["broken"], true);
    }
}
