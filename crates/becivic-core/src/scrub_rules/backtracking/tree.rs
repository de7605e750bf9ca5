//! A pattern as a tree over a small alphabet.

use fancy_regex::{Assertion, AstNode, Expr, LookAround, Regex};

/// Ends the texts: in no literal and in no ordinary class.
pub(super) const STRANGER: char = '\u{1}';

/// The characters texts are made of, the likely ones first.
pub(super) fn alphabet() -> impl Iterator<Item = char> {
    let likely = "a0 A-.@/_é".chars();
    let printable = (' '..='~').filter(|c| !"a0 A-.@/_".contains(*c));
    likely.chain(printable).chain(['\n', STRANGER])
}

/// A part of a pattern.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// One character out of these.
    One(Vec<char>),
    /// One after the other.
    Sequence(Vec<Node>),
    /// The first that fits.
    Choice(Vec<Node>),
    /// Again and again.
    Repeat { child: Box<Node>, least: usize, most: usize, greedy: bool },
    /// Whether something fits here, without moving.
    Look { child: Box<Node>, behind: bool, wanted: bool },
    /// A place between characters.
    Edge(Edge),
}

/// A place between characters.
#[derive(Clone, Copy, Debug)]
pub(super) enum Edge {
    Start,
    End,
    LineStart,
    LineEnd,
    Word,
    NotWord,
}

impl Node {
    /// Parses a pattern; `None` when it does not parse or uses something not modelled.
    pub(super) fn parse(pattern: &str, flags: &str) -> Option<Self> {
        let ours: String = flags.chars().filter(|flag| matches!(flag, 'i' | 'm' | 's')).collect();
        let prefixed = if ours.is_empty() { pattern.to_owned() } else { format!("(?{ours}){pattern}") };
        let tree = Expr::parse_tree(&prefixed).ok()?;
        build(&tree.expr)
    }
}

fn build(expr: &Expr) -> Option<Node> {
    match expr {
        Expr::Empty => Some(Node::Sequence(Vec::new())),
        Expr::Any { newline, .. } => Some(Node::One(alphabet().filter(|c| *newline || *c != '\n').collect())),
        Expr::Literal { val, casei } => {
            let one = |c: char| {
                let same = |other: char| other == c || (*casei && other.to_lowercase().eq(c.to_lowercase()));
                let mut members: Vec<char> = alphabet().filter(|other| same(*other)).collect();
                if !members.contains(&c) {
                    members.push(c);
                }
                Node::One(members)
            };
            Some(Node::Sequence(val.chars().map(one).collect()))
        }
        Expr::Delegate { inner, casei } => class(inner, *casei),
        Expr::Concat(parts) => parts.iter().map(build).collect::<Option<_>>().map(Node::Sequence),
        Expr::Alt(parts) => parts.iter().map(build).collect::<Option<_>>().map(Node::Choice),
        Expr::Group(child) => build(child),
        Expr::AstNode(AstNode::AstGroup { inner, .. }, _) => build(inner),
        Expr::LookAround(child, kind) => {
            let (behind, wanted) = match kind {
                LookAround::LookAhead => (false, true),
                LookAround::LookAheadNeg => (false, false),
                LookAround::LookBehind => (true, true),
                LookAround::LookBehindNeg => (true, false),
            };
            Some(Node::Look { child: Box::new(build(child)?), behind, wanted })
        }
        Expr::Repeat { child, lo, hi, greedy, .. } => {
            Some(Node::Repeat { child: Box::new(build(child)?), least: *lo, most: *hi, greedy: *greedy })
        }
        Expr::Assertion(assertion) => edge(assertion).map(Node::Edge),
        _ => None, // the parser knows constructs that JavaScript has not; none is modelled
    }
}

fn edge(assertion: &Assertion) -> Option<Edge> {
    match assertion {
        Assertion::StartText => Some(Edge::Start),
        Assertion::EndText => Some(Edge::End),
        Assertion::StartLine { .. } => Some(Edge::LineStart),
        Assertion::EndLine { .. } => Some(Edge::LineEnd),
        Assertion::WordBoundary => Some(Edge::Word),
        Assertion::NotWordBoundary => Some(Edge::NotWord),
        _ => None,
    }
}

/// A character class, asked about every character of the alphabet.
fn class(inner: &str, insensitive: bool) -> Option<Node> {
    let flag = if insensitive { "(?i)" } else { "" };
    let regex = Regex::new(&format!("{flag}\\A(?:{inner})\\z")).ok()?;
    let mut buffer = [0; 4];
    let members = alphabet().filter(|c| regex.is_match(&*c.encode_utf8(&mut buffer)).unwrap_or(true));
    Some(Node::One(members.collect()))
}
