//! A diagram for a process that branches and came without one: its title, and one arrow per branch.
//!
//! The branches are the lines of the `Branching layer` that begin a list item or a heading of their own, as plain words.

use crate::corpus::Skill;

/// More branches than this make no readable picture.
const MOST_BRANCHES: usize = 8;

/// Longest label, in characters.
const LONGEST_LABEL: usize = 60;

/// The diagram a skill needs; `None` when it has no branches.
pub fn of(skill: &Skill) -> Option<String> {
    let section = skill.section("Branching layer")?;
    let text = skill.source.slice(section.content);
    let branches = text.lines().filter_map(|line| {
        let line = line.trim();
        let item =
            line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).or_else(|| line.strip_prefix("### "));
        item.map(label).filter(|label| !label.is_empty())
    });
    let branches: Vec<String> = branches.take(MOST_BRANCHES).collect();
    let title = skill.front.as_ref().map_or(String::new(), |front| label(&front.title));
    let mut diagram = format!("flowchart TD\n  start([{title}]) --> fork{{Which case is yours?}}\n");
    if branches.is_empty() {
        diagram.push_str("  fork --> done([Follow the process])\n");
    }
    for (index, branch) in branches.iter().enumerate() {
        diagram.push_str(&format!("  fork --> case{}[{branch}]\n", index + 1));
    }
    Some(diagram)
}

/// Plain words: no tags, no marks that mean something in a diagram.
fn label(text: &str) -> String {
    let mut words = String::new();
    let mut in_tag = false;
    for character in text.chars() {
        match character {
            '<' => in_tag = true,
            '>' if in_tag => in_tag = false,
            _ if in_tag => {}
            c if c.is_alphanumeric() || matches!(c, ' ' | ',' | '.' | '-' | '\'' | '’') => words.push(c),
            _ => words.push(' '),
        }
    }
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(LONGEST_LABEL).collect::<String>().trim().to_owned()
}
