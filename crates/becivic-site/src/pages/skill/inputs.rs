//! What a skill asks about before it can be followed: its inputs, and the parts of a profile it looks at.

use super::{Section, Subject, authored};
use crate::doc::{Inline, code, lines, text};
use becivic_core::skill::Input;

/// The list; nothing where nothing is asked.
pub fn section(subject: &Subject<'_>) -> Option<Section> {
    let front = subject.seen.front()?;
    let context = front.user_context_needed.iter().flatten().map(|name| vec![code(name)]);
    let asked: Vec<Vec<Inline>> = front.inputs().iter().map(line).chain(context).collect();
    let title = subject.words.skill.inputs;
    (!asked.is_empty()).then(|| Section { name: "inputs", title, blocks: vec![lines(asked)] })
}

/// The question where there is one, the name, the type, and what can be chosen.
fn line(input: &Input) -> Vec<Inline> {
    let question = input.label.as_deref().or(input.description.as_deref());
    let mut line: Vec<Inline> = Vec::new();
    if let Some(question) = question {
        line.extend([authored(question), text(" ")]);
    }
    line.extend([code(&input.name), text(" "), code(input.io_type.as_str())]);
    if let Some(options) = input.options.as_deref().filter(|options| !options.is_empty()) {
        line.extend([text(": "), authored(&options.join(", "))]);
    }
    line
}
