//! A backtracking matcher that counts its steps and gives up at a limit.

use super::tree::Node;
use crate::jsregex::tree::Edge;

/// Whether looking for the first match, from every start, stays within the steps.
pub(super) fn search_is_bounded(root: &Node, text: &[char], max_steps: u32) -> bool {
    let mut matcher = Matcher { text, left: max_steps, depth: 0 };
    for start in 0..=text.len() {
        let found = matcher.run(root, start, &mut |_, _| true);
        if matcher.left == 0 {
            return false;
        }
        if found {
            break;
        }
    }
    true
}

struct Matcher<'a> {
    text: &'a [char],
    left: u32,
    depth: usize,
}

/// Nesting of one attempt: the texts are 64 characters, and no ordinary pattern visits more than a few
/// nodes per character. Deeper counts as out of steps, and keeps our own stack small.
const MAX_DEPTH: usize = 1_000;

/// What is to fit after a node; told where the node ended.
type Rest<'r> = &'r mut dyn FnMut(&mut Matcher<'_>, usize) -> bool;

impl Matcher<'_> {
    /// Whether `node` fits at `at` and `rest` fits after it. Out of steps, everything "fits", so that the
    /// whole search ends at once.
    fn run(&mut self, node: &Node, at: usize, rest: Rest<'_>) -> bool {
        self.left = if self.depth < MAX_DEPTH { self.left.saturating_sub(1) } else { 0 };
        if self.left == 0 {
            return true;
        }
        self.depth += 1;
        let fits = self.visit(node, at, rest);
        self.depth -= 1;
        fits
    }

    fn visit(&mut self, node: &Node, at: usize, rest: Rest<'_>) -> bool {
        match node {
            Node::One { members, back: false } => match self.text.get(at) {
                Some(c) if members.contains(c) => rest(self, at + 1),
                Some(_) | None => false,
            },
            Node::One { members, back: true } => {
                match at.checked_sub(1).and_then(|before| Some((before, self.text.get(before)?))) {
                    Some((before, c)) if members.contains(c) => rest(self, before),
                    Some(_) | None => false,
                }
            }
            Node::Sequence(parts) => self.sequence(parts, at, rest),
            Node::Choice(parts) => parts.iter().any(|part| self.run(part, at, rest)),
            Node::Repeat { child, least, most, greedy } => {
                let bounds = Bounds { least: *least, most: *most, greedy: *greedy };
                self.repeat(child, bounds, at, rest)
            }
            Node::Look { child, wanted } => {
                let fits = self.run(child, at, &mut |_, _| true);
                self.left == 0 || (fits == *wanted && rest(self, at))
            }
            Node::Edge(edge) => self.is_at(*edge, at) && rest(self, at),
        }
    }

    fn sequence(&mut self, parts: &[Node], at: usize, rest: Rest<'_>) -> bool {
        match parts.split_first() {
            None => rest(self, at),
            Some((first, others)) => {
                self.run(first, at, &mut |matcher, next| matcher.sequence(others, next, rest))
            }
        }
    }

    fn repeat(&mut self, child: &Node, bounds: Bounds, at: usize, rest: Rest<'_>) -> bool {
        if bounds.least == 0 && !bounds.greedy && rest(self, at) {
            return true;
        }
        if bounds.most > 0 {
            let fewer = bounds.fewer();
            let again = self.run(child, at, &mut |matcher, next| {
                // An empty round is taken only while rounds are owed, as in JavaScript.
                (next != at || bounds.least > 0) && matcher.repeat(child, fewer, next, rest)
            });
            if again {
                return true;
            }
        }
        bounds.least == 0 && bounds.greedy && rest(self, at)
    }

    fn is_at(&self, edge: Edge, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|index| self.text.get(index));
        let after = self.text.get(at);
        let word = |c: Option<&char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_');
        match edge {
            Edge::Start => before.is_none(),
            Edge::End => after.is_none(),
            Edge::LineStart => before.is_none_or(|c| *c == '\n'),
            Edge::LineEnd => after.is_none_or(|c| *c == '\n'),
            Edge::Word => word(before) != word(after),
            Edge::NotWord => word(before) == word(after),
        }
    }
}

#[derive(Clone, Copy)]
struct Bounds {
    least: usize,
    most: usize,
    greedy: bool,
}

impl Bounds {
    fn fewer(self) -> Self {
        let most = if self.most == usize::MAX { self.most } else { self.most - 1 };
        Self { least: self.least.saturating_sub(1), most, ..self }
    }
}
