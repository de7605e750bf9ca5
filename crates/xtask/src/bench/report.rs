//! The table of a bench, for people and for programs.
//!
//! 1. A line is a name, a value, a unit and, where there is one, the bound it must not pass.
//! 2. Print the lines in columns; a broken bound says so.
//! 3. Write the same lines as JSON.

use std::path::Path;

use anyhow::{Context, Result};

use crate::Outcome;

/// One measured number.
#[derive(Debug, Clone)]
pub struct Line {
    /// What was measured.
    pub name: &'static str,
    /// The number.
    pub value: f64,
    /// Its unit; empty for a ratio.
    pub unit: &'static str,
    /// The most it may be.
    pub bound: Option<f64>,
}

/// A number that is only reported.
pub fn number(name: &'static str, value: f64, unit: &'static str) -> Line {
    Line { name, value, unit, bound: None }
}

/// A number that must be at most `bound`.
pub fn bounded(name: &'static str, value: f64, unit: &'static str, bound: f64) -> Line {
    Line { bound: Some(bound), ..number(name, value, unit) }
}

impl Line {
    fn is_broken(&self) -> bool {
        self.bound.is_some_and(|bound| self.value.is_nan() || self.value > bound)
    }

    fn verdict(&self) -> String {
        match self.bound {
            None => String::new(),
            Some(bound) if self.is_broken() => format!("at most {bound}: BROKEN"),
            Some(bound) => format!("at most {bound}: fine"),
        }
    }
}

/// Prints the lines, writes them to `file`, and says whether every bound holds.
pub fn publish(lines: &[Line], file: &Path) -> Result<Outcome> {
    print!("{}", table(lines));
    let json = serde_json::to_string_pretty(&json(lines))? + "\n";
    std::fs::write(file, json).with_context(|| format!("{} cannot be written", file.display()))?;
    Ok(if lines.iter().any(Line::is_broken) { Outcome::Findings } else { Outcome::Fine })
}

fn table(lines: &[Line]) -> String {
    let mut text = String::new();
    for line in lines {
        let row = format!("{:<44} {:>10.3} {:<5} {}", line.name, line.value, line.unit, line.verdict());
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

fn json(lines: &[Line]) -> serde_json::Value {
    let rows: Vec<_> = lines
        .iter()
        .map(|line| {
            serde_json::json!({
                "name": line.name, "value": line.value, "unit": line.unit,
                "bound": line.bound, "broken": line.is_broken(),
            })
        })
        .collect();
    serde_json::json!({ "lines": rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_over_its_bound_is_broken_and_so_is_no_number() {
        assert!(!bounded("r", 4.0, "", 4.0).is_broken());
        assert!(bounded("r", 4.01, "", 4.0).is_broken());
        assert!(bounded("r", f64::NAN, "", 4.0).is_broken());
        assert!(!number("r", 99.0, "").is_broken());
    }

    #[test]
    fn the_copy_for_programs_has_the_same_lines() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("check.json");
        let lines = [number("bodies", 1.5, "MB"), bounded("ratio", 5.0, "", 4.0)];
        assert_eq!(publish(&lines, &file).unwrap(), Outcome::Findings);
        let copy: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        assert_eq!(copy["lines"][0]["value"], 1.5);
        assert_eq!(copy["lines"][1]["broken"], true);
    }
}
