//! Names that addresses within a page lead to: each is given once.

use becivic_core::site::slug;
use std::collections::HashMap;

/// The names of one page: how often each was asked for.
#[derive(Default)]
pub struct Names {
    asked: HashMap<String, usize>,
}

impl Names {
    /// A name for something with this title: its words, and a number where those are taken.
    pub fn give(&mut self, title: &str) -> String {
        let mut name = slug(title);
        if name.is_empty() {
            name.push_str("section");
        }
        loop {
            let asked = self.asked.entry(name.clone()).or_insert(0);
            *asked += 1;
            if *asked == 1 {
                return name;
            }
            name = format!("{name}-{asked}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_given_twice() {
        let mut names = Names::default();
        let given: Vec<String> =
            ["A b", "A b", "a-b-2", "a b", "!", "?"].map(|title| names.give(title)).into();
        assert_eq!(given, ["a-b", "a-b-2", "a-b-2-2", "a-b-3", "section", "section-2"]);
    }
}
