//! From JavaScript's syntax to the tree, refusing what cannot be run in bounded time.

use super::sets;
use super::tree::{Edge, Node};
use oxc_allocator::Allocator;
use oxc_regular_expression::ast::{
    BoundaryAssertionKind, CharacterClass, CharacterClassContents, CharacterClassEscapeKind, Disjunction,
    LookAroundAssertionKind, Term, UnicodePropertyEscape,
};
use oxc_regular_expression::{LiteralParser, Options};
use regex_syntax::hir::ClassUnicode;
use std::cell::RefCell;
use std::sync::Arc;

/// Groups within groups; the parser and all that follows recurse.
const MAX_DEPTH: usize = 50;

/// A count in braces may not be larger.
const MAX_COUNT: u64 = 100_000;

/// Why a pattern is not taken. The sentences go on "the pattern …".
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// A syntax error.
    #[error("does not compile as JavaScript")]
    Syntax,
    /// A flag other than i, m, s, u, or one twice.
    #[error("has a flag other than i, m, s and u, or one of them twice")]
    Flags,
    /// `\1`, `\k<name>`.
    #[error("refers back to a group, which no engine can match in bounded time")]
    Reference,
    /// `(?i:…)`.
    #[error("changes its flags inside a group, which most engines do not know")]
    Modifiers,
    /// `\p{…}` that the tables do not have.
    #[error("names a property of characters that is not known here")]
    Property,
    /// Groups within groups within groups.
    #[error("nests groups too deeply")]
    Depth,
    /// Too many instructions.
    #[error("is too large once its repetitions are written out")]
    Size,
    /// A lookaround that may read far and is more than an automaton can read.
    #[error("has a lookaround that may read far and holds another, or an edge of a word or line")]
    Look,
    /// `(?:a?)*`.
    #[error("repeats a part that may be empty")]
    EmptyRepeat,
}

impl Refused {
    /// What the author can do.
    pub fn help(self) -> &'static str {
        match self {
            Self::Syntax => "Try it with new RegExp(pattern, flags).",
            Self::Flags => "Keep to i, m, s and u; the search is always over the whole text.",
            Self::Reference => "Write out what may be repeated.",
            Self::Modifiers => "Set the flag for the whole pattern, or write out both cases.",
            Self::Property => "Use a general category, a script or a binary property of Unicode.",
            Self::Depth => "Use fewer groups: at most 50 within each other.",
            Self::Size => "Use smaller counts, or fewer counted parts within each other.",
            Self::Look => {
                "Let it read 256 characters at most, or write what is inside without lookarounds, \\b, ^ and $ of lines."
            }
            Self::EmptyRepeat => "Let the repeated part ask for at least one character.",
        }
    }
}

pub(super) fn parse(pattern: &str, flags: &str) -> Result<Node, Refused> {
    let known = flags.chars().all(|flag| "imsu".contains(flag));
    let once = "imsu".chars().all(|flag| flags.matches(flag).count() < 2);
    if !known || !once {
        return Err(Refused::Flags);
    }
    if depth(pattern) > MAX_DEPTH {
        return Err(Refused::Depth);
    }
    let allocator = Allocator::default();
    let parser = LiteralParser::new(&allocator, pattern, Some(flags), Options::default());
    let tree = parser.parse().map_err(|_| Refused::Syntax)?;
    let has = |flag: char| flags.contains(flag);
    let reader = Reader {
        ignore_case: has('i'),
        lines: has('m'),
        dot_all: has('s'),
        unicode: has('u'),
        closed: RefCell::default(),
        shared: RefCell::default(),
    };
    reader.choice(&tree.body)
}

/// How deep groups nest, counting every bracket that is not escaped.
fn depth(pattern: &str) -> usize {
    let (mut now, mut most, mut escaped) = (0_usize, 0, false);
    for byte in pattern.bytes() {
        match byte {
            _ if escaped => {}
            b'(' => now += 1,
            b')' => now = now.saturating_sub(1),
            _ => {}
        }
        escaped = byte == b'\\' && !escaped;
        most = most.max(now);
    }
    most
}

struct Reader {
    ignore_case: bool,
    lines: bool,
    dot_all: bool,
    unicode: bool,
    /// Sets and what they become when case is ignored: patterns repeat the same large sets.
    closed: RefCell<Vec<(ClassUnicode, ClassUnicode)>>,
    /// The sets of the tree.
    shared: RefCell<Vec<Arc<ClassUnicode>>>,
}

impl Reader {
    fn choice(&self, body: &Disjunction<'_>) -> Result<Node, Refused> {
        let mut parts = Vec::with_capacity(body.body.len());
        for alternative in &body.body {
            let terms: Result<Vec<Node>, Refused> =
                alternative.body.iter().map(|term| self.term(term)).collect();
            parts.push(single(terms?, Node::Sequence));
        }
        Ok(single(parts, Node::Choice))
    }

    fn term(&self, term: &Term<'_>) -> Result<Node, Refused> {
        match term {
            Term::BoundaryAssertion(edge) => Ok(Node::Edge(match edge.kind {
                BoundaryAssertionKind::Start if self.lines => Edge::LineStart,
                BoundaryAssertionKind::Start => Edge::Start,
                BoundaryAssertionKind::End if self.lines => Edge::LineEnd,
                BoundaryAssertionKind::End => Edge::End,
                BoundaryAssertionKind::Boundary => Edge::Word,
                BoundaryAssertionKind::NegativeBoundary => Edge::NotWord,
            })),
            Term::LookAroundAssertion(look) => {
                let (behind, negated) = match look.kind {
                    LookAroundAssertionKind::Lookahead => (false, false),
                    LookAroundAssertionKind::NegativeLookahead => (false, true),
                    LookAroundAssertionKind::Lookbehind => (true, false),
                    LookAroundAssertionKind::NegativeLookbehind => (true, true),
                };
                let child = self.choice(&look.body)?;
                Ok(Node::Look { child: Box::new(child), behind, negated })
            }
            Term::Quantifier(quantifier) => {
                let child = self.term(&quantifier.body)?;
                let (least, most) = (quantifier.min, quantifier.max);
                if most != Some(least) && child.least() == 0 {
                    return Err(Refused::EmptyRepeat);
                }
                let count = |count: u64| u32::try_from(count).ok().filter(|_| count <= MAX_COUNT);
                let least = count(least).ok_or(Refused::Size)?;
                let most = most.map(|most| count(most).ok_or(Refused::Size)).transpose()?;
                Ok(Node::Repeat { child: Box::new(child), least, most, greedy: quantifier.greedy })
            }
            Term::Character(character) => {
                Ok(self.one(self.closed(sets::range(character.value, character.value, self.unicode))))
            }
            Term::Dot(_) if self.dot_all => Ok(self.one(sets::negated(ClassUnicode::empty()))),
            Term::Dot(_) => Ok(self.one(sets::negated(sets::line_ends()))),
            Term::CharacterClassEscape(escape) => Ok(self.one(self.closed(self.escape(escape.kind)))),
            Term::UnicodePropertyEscape(escape) => Ok(self.one(self.closed(property(escape)?))),
            Term::CharacterClass(class) => self.class(class).map(|set| self.one(set)),
            Term::CapturingGroup(group) => self.choice(&group.body),
            Term::IgnoreGroup(group) if group.modifiers.is_some() => Err(Refused::Modifiers),
            Term::IgnoreGroup(group) => self.choice(&group.body),
            Term::IndexedReference(_) | Term::NamedReference(_) => Err(Refused::Reference),
        }
    }

    /// One character out of these; sets that are alike are kept once.
    fn one(&self, set: ClassUnicode) -> Node {
        let mut shared = self.shared.borrow_mut();
        if let Some(known) = shared.iter().find(|known| ***known == set) {
            return Node::One(Arc::clone(known));
        }
        let set = Arc::new(set);
        shared.push(Arc::clone(&set));
        Node::One(set)
    }

    /// The set and, where case is ignored, everything that equals a member.
    fn closed(&self, set: ClassUnicode) -> ClassUnicode {
        if !self.ignore_case {
            return set;
        }
        let mut closed = self.closed.borrow_mut();
        if let Some((_, known)) = closed.iter().find(|(known, _)| *known == set) {
            return known.clone();
        }
        let whole = sets::ignoring_case(set.clone(), self.unicode);
        closed.push((set, whole.clone()));
        whole
    }

    fn escape(&self, kind: CharacterClassEscapeKind) -> ClassUnicode {
        let words = || sets::words(self.ignore_case && self.unicode);
        match kind {
            CharacterClassEscapeKind::D => sets::digits(),
            CharacterClassEscapeKind::NegativeD => sets::negated(sets::digits()),
            CharacterClassEscapeKind::S => sets::spaces(),
            CharacterClassEscapeKind::NegativeS => sets::negated(sets::spaces()),
            CharacterClassEscapeKind::W => words(),
            CharacterClassEscapeKind::NegativeW => sets::negated(words()),
        }
    }

    /// Case is ignored before the set is turned around, as JavaScript does.
    fn class(&self, class: &CharacterClass<'_>) -> Result<ClassUnicode, Refused> {
        let mut set = ClassUnicode::empty();
        for part in &class.body {
            let part = match part {
                CharacterClassContents::CharacterClassRange(range) => {
                    sets::range(range.min.value, range.max.value, self.unicode)
                }
                CharacterClassContents::CharacterClassEscape(escape) => self.escape(escape.kind),
                CharacterClassContents::UnicodePropertyEscape(escape) => property(escape)?,
                CharacterClassContents::Character(c) => sets::range(c.value, c.value, self.unicode),
                CharacterClassContents::NestedCharacterClass(_)
                | CharacterClassContents::ClassStringDisjunction(_) => return Err(Refused::Syntax),
            };
            set.union(&part);
        }
        let set = self.closed(set);
        Ok(if class.negative { sets::negated(set) } else { set })
    }
}

fn property(escape: &UnicodePropertyEscape<'_>) -> Result<ClassUnicode, Refused> {
    let value = escape.value.as_ref().map(|value| value.as_str());
    let set = sets::property(escape.name.as_str(), value).ok_or(Refused::Property)?;
    Ok(if escape.negative { sets::negated(set) } else { set })
}

/// The only part by itself, or several together.
fn single(mut parts: Vec<Node>, together: fn(Vec<Node>) -> Node) -> Node {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            together(parts)
        }
        None => together(parts),
    }
}
