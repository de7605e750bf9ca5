//! What a skill asks about before it can be followed: its inputs, and the parts of a profile it looks at.

use super::{Section, Subject, authored};
use crate::doc::{Inline, code, lines, text};
use becivic_core::skill::Input;

/// The list; nothing where nothing is asked.
pub fn section(subject: &Subject<'_>) -> Option<Section> {
    let front = subject.seen.front()?;
    let context = front.user_context_needed.iter().flatten();
    let context = context.map(|name| vec![authored(&spelled(name)), text(" – "), code(name)]);
    let asked: Vec<Vec<Inline>> = front.inputs().iter().map(line).chain(context).collect();
    let title = subject.words.skill.inputs;
    (!asked.is_empty()).then(|| Section { name: "inputs", title, blocks: vec![lines(asked)] })
}

/// The question, the name, the type, and what can be chosen.
fn line(input: &Input) -> Vec<Inline> {
    let question = input.label.clone().or_else(|| input.description.clone());
    let question = question.unwrap_or_else(|| spelled(&input.name));
    let mut line =
        vec![authored(&question), text(" – "), code(&input.name), text(", "), code(input.io_type.as_str())];
    if let Some(options) = input.options.as_deref().filter(|options| !options.is_empty()) {
        line.extend([text(": "), authored(&options.join(", "))]);
    }
    line
}

/// A name as people would write it.
fn spelled(name: &str) -> String {
    name.replace('_', " ")
}
