//! Rules taken apart into what automata can answer.
//!
//! 1. A choice whose alternatives hold lookarounds of their own is multiplied out, if what stands before it fits in one way, so
//!    that a rule becomes a few branches, in the order in which they are tried.
//! 2. A branch that could begin as words do and as numbers do becomes two: each kind is looked for in its own way.
//! 3. A branch is: conditions at its start, a body, conditions at its end. A condition is a lookaround of more
//!    than one character, or several that forbid something at the same place; those of one character are part of the body.
//!    What the branch implies anyhow is not asked.
//! 4. A lookaround in the middle of a body, or at its end, is a condition that is asked when the body has been walked so far.
//!    One that holds others is left out. Such a branch is not exact: where it fits, the rule's own machine has the last word.

mod choices;
mod implied;

use super::TooLarge;
use super::checks;
use super::nfa::{Asked, At};
use super::pivots::{self, Pivot};
use super::steps::{Builder, Direction, MAX_COUNTED, is_single};
use super::strides::Strides;
use crate::jsregex::first::{Bytes, first, last};
use crate::jsregex::negated;
use crate::jsregex::tree::Node;
use choices::multiply;
use implied::is_implied;
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// Characters that a condition reads at most before there is another way.
const MAX_READ: u64 = 32;

/// Characters that are read sooner than most branches are walked.
const FEW: u64 = 4;

/// Characters that stand around a part of a text and all that is walked from it, at least.
pub(super) const REACH: u64 = 880;

/// Characters that conditions asked together read at most.
const MAX_BEFORE: u64 = 400;

/// One way of matching a rule.
#[derive(Debug)]
pub(super) struct Branch {
    /// The rule, by its place in the lane.
    pub(super) rule: usize,
    /// Where the steps of the body begin.
    pub(super) body: At,
    /// Where those of the body begin that do not count, should counting take too many states.
    pub(super) wide: At,
    /// Whether it, or its pivot, can begin as words do.
    pub(super) is_word: bool,
    /// What has to hold where it begins.
    pub(super) lead: Vec<Asked>,
    /// So many of these have to stand before it, which is rare and soon told.
    pub(super) first: usize,
    /// So many of all of these are asked before the body is walked.
    pub(super) early: usize,
    /// What has to hold where it ends.
    pub(super) tail: Vec<Asked>,
    /// A condition that must not hold where it ends, and may read far.
    pub(super) forbidden: Option<u32>,
    /// Bytes it may have at most.
    pub(super) reach: usize,
    /// Whether nothing was left out.
    pub(super) is_exact: bool,
    /// Whether it is walked together with others, and comes to be asked about only where it fits, but for what it asks.
    pub(super) is_walked: bool,
    /// Whether conditions are asked in the middle of it.
    pub(super) asks: bool,
    /// How many ASCII letters and digits its matches have, if that is always the same.
    pub(super) length: Option<usize>,
    /// The pieces it is walked in, if it is not walked in one.
    pub(super) strides: Option<Strides>,
    /// How it is found, if not by its beginning.
    pub(super) pivot: Option<Pivot>,
    /// Whether it, or another branch of the rule, has one.
    pub(super) waits: bool,
}

impl Branch {
    /// Puts what is asked of its beginning in order, once it is known whether it is walked with others. Then it fits but for what it asks,
    /// and what is soon told is asked before how it goes on. Otherwise what reads far is: once that is known for the whole text, it is
    /// told sooner than whether the branch fits. So is what a few characters tell.
    pub(super) fn put_in_order(&mut self, conditions: &[Condition]) {
        let is_early = |asked: &Asked| {
            let condition = conditions.get(asked.condition as usize);
            condition.is_some_and(|condition| match self.is_walked {
                true => !condition.is_far(),
                false => condition.is_far() || condition.is_soon_told(),
            })
        };
        let others = self.lead.get_mut(self.first..).unwrap_or_default();
        others.sort_by_key(|asked| !is_early(asked));
        self.early = self.first + others.iter().take_while(|asked| is_early(asked)).count();
    }

    /// Where the steps begin that are looked for: those of the pivot, where there is one.
    pub(super) fn looked_for_at(&self) -> At {
        self.pivot.as_ref().map_or(self.body, |pivot| pivot.at)
    }
}

/// Something to be read before or after a place. Rules share those that are alike.
#[derive(Debug)]
pub(super) struct Condition {
    child: Node,
    pub(super) behind: bool,
    /// Where its steps begin.
    pub(super) start: At,
    /// Where the steps begin that read the other way, from anywhere, if it may read far.
    pub(super) towards: Option<At>,
    /// Whether it reads no further than what stands around a part of a text.
    pub(super) is_in_reach: bool,
}

impl Condition {
    /// Whether it may read far.
    pub(super) fn is_far(&self) -> bool {
        self.towards.is_some()
    }

    /// Whether it reads a few characters at most.
    fn is_soon_told(&self) -> bool {
        self.child.most().is_some_and(|most| most <= FEW)
    }
}

/// Conditions that are asked together: what has to stand before a place. They are read without counting, so a
/// condition that fits here may not do so when asked alone.
#[derive(Debug)]
pub(super) struct Together {
    /// Where the steps of all begin.
    pub(super) start: At,
    /// Where those of each end, in order.
    pub(super) ends: Vec<At>,
    /// For each condition, its bit.
    pub(super) bits: Vec<Option<u32>>,
    /// Characters to be read.
    pub(super) characters: usize,
}

/// Takes rules apart.
#[derive(Debug, Default)]
pub(super) struct Taken {
    pub(super) steps: Builder,
    pub(super) branches: Vec<Branch>,
    pub(super) conditions: Vec<Condition>,
}

impl Taken {
    /// Adds a rule.
    pub(super) fn add(&mut self, rule: usize, tree: &Node) -> Result<(), TooLarge> {
        let mut whole = Vec::new();
        multiply(&flat(&apart(tree)), &mut whole);
        let first = self.branches.len();
        for parts in whole.into_iter().flat_map(by_beginning) {
            let branch = self.branch(rule, &parts)?;
            self.branches.push(branch);
        }
        // Matches are taken in order, and pivots are not found in order of the places where the rule begins.
        let ours = self.branches.get_mut(first..).unwrap_or_default();
        let waits = ours.iter().any(|branch| branch.pivot.is_some());
        for branch in ours {
            branch.waits = waits;
        }
        Ok(())
    }

    fn branch(&mut self, rule: usize, parts: &[Node]) -> Result<Branch, TooLarge> {
        let is_width = |part: &Node| !matches!(part, Node::Look { .. } | Node::Edge(_));
        let body_from = parts.iter().position(is_width).unwrap_or(parts.len());
        let body_to = parts.iter().rposition(is_width).map_or(parts.len(), |at| at + 1);
        let (mut first, mut last, mut body) = (Vec::new(), Vec::new(), Vec::new());
        for (index, part) in parts.iter().enumerate() {
            let list = match part {
                Node::Look { child, behind, .. } if is_single(child, *behind) => &mut body,
                Node::Look { .. } if index < body_from => &mut first,
                Node::Look { .. } if index >= body_to => &mut last,
                _ => &mut body,
            };
            list.push(part);
        }
        let follows = parts.get(body_from..).unwrap_or_default().iter().collect::<Vec<&Node>>();
        let first = needed(&first, &follows);
        let mut is_exact = true;
        let [mut lead, mut tail] = [self.asked(&first, &mut is_exact)?, self.asked(&last, &mut is_exact)?];
        let asks = self.asked_in(&body)?;
        let start = self.steps.here();
        let before = last_before(parts.get(..body_from).unwrap_or_default());
        before.iter().for_each(|bytes| self.steps.after(bytes));
        let pivot_at = pivots::split(&body);
        let mut pivot = None;
        for (index, part) in body.iter().enumerate() {
            if let Some((_, reach)) = pivot_at.as_ref().filter(|(at, _)| *at == index) {
                pivot = Some(Pivot::new(&mut self.steps, &body[..index], *reach));
            }
            is_exact &= self.steps.add(part, Direction::Forwards)?;
        }
        tail.iter().for_each(|asked| self.steps.ask(*asked));
        self.steps.done();
        let begin = |steps: &mut Builder| before.iter().for_each(|bytes| steps.after(bytes));
        let strides = match Strides::find(&body) {
            Some(at) => Strides::new(&mut self.steps, &body, at, &tail, begin)?,
            None => None,
        };
        let wide = self.steps.here();
        self.steps.is_wide = true;
        before.iter().for_each(|bytes| self.steps.after(bytes));
        for part in &body {
            self.steps.add(part, Direction::Forwards)?;
        }
        self.steps.is_wide = false;
        self.steps.asks.clear();
        self.steps.done();
        let conditions = &self.conditions;
        let is_rare = |asked: &Asked| {
            !asked.negated
                && conditions.get(asked.condition as usize).is_some_and(|condition| condition.behind)
        };
        // Those that read little are soon told.
        let most = |asked: &Asked| {
            let condition = conditions.get(asked.condition as usize);
            condition.and_then(|condition| condition.child.most()).unwrap_or(u64::MAX)
        };
        lead.sort_by_key(|asked| (!is_rare(asked), most(asked)));
        tail.sort_by_key(most);
        let first_count = lead.iter().take_while(|asked| is_rare(asked)).count();
        let forbids_far = |asked: &&Asked| {
            asked.negated && conditions.get(asked.condition as usize).is_some_and(Condition::is_far)
        };
        let forbidden = tail.iter().find(forbids_far).map(|asked| asked.condition);
        let most = parts.iter().try_fold(0_u64, |all, part| Some(all.saturating_add(part.most()?)));
        let reach = most.and_then(|most| usize::try_from(most.saturating_mul(4)).ok()).unwrap_or(usize::MAX);
        Ok(Branch {
            rule,
            body: start,
            is_word: begins_as_words(body.get(pivot_at.map_or(0, |(at, _)| at)..).unwrap_or_default()),
            wide,
            lead,
            first: first_count,
            early: first_count,
            tail,
            forbidden,
            reach,
            is_exact,
            is_walked: false,
            asks,
            length: checks::length(parts),
            strides,
            pivot,
            waits: false,
        })
    }

    /// Makes conditions of lookarounds at one place. Those that are soon told and forbid something are one condition.
    fn asked(&mut self, looks: &[&Node], is_exact: &mut bool) -> Result<Vec<Asked>, TooLarge> {
        let (mut all, mut forbidden) = (Vec::new(), [Vec::new(), Vec::new()]);
        for look in looks {
            let Node::Look { child, behind, negated } = look else { continue };
            let is_short = child.most().is_some_and(|most| most <= MAX_READ) && counted(child) <= 1;
            if *negated && !is_hard(child) && is_short {
                forbidden[usize::from(*behind)].push(Node::clone(child));
            } else {
                all.push((Node::clone(child), *behind, *negated));
            }
        }
        for (children, behind) in
            forbidden.into_iter().zip([false, true]).filter(|(list, _)| !list.is_empty())
        {
            all.push((Node::Choice(children), behind, true));
        }
        let mut asked = Vec::new();
        for (child, behind, negated) in all {
            match self.condition(&child, behind)? {
                Some(condition) => asked.push(Asked { condition, negated }),
                None => *is_exact = false,
            }
        }
        Ok(asked)
    }

    /// Makes conditions of the lookarounds in a body, and tells whether there are any.
    fn asked_in(&mut self, body: &[&Node]) -> Result<bool, TooLarge> {
        let mut looks = Vec::new();
        body.iter().for_each(|part| hard_looks(part, &mut looks));
        let mut asks = Vec::new();
        for (child, behind) in looks {
            if let Some(condition) = self.condition(child, behind)? {
                asks.push((child.clone(), behind, condition));
            }
        }
        self.steps.asks = asks;
        Ok(!self.steps.asks.is_empty())
    }

    /// The conditions that have to stand before branches that begin as numbers do, as one. Words are rare where they are looked for, and
    /// what stands before them often is not.
    pub(super) fn together(&mut self) -> Result<Together, TooLarge> {
        let first = |branch: &Branch| branch.lead.iter().take(branch.first).copied().collect::<Vec<Asked>>();
        let numbers = self.branches.iter().filter(|branch| !branch.is_word);
        let mut asked: Vec<u32> = numbers.flat_map(first).map(|asked| asked.condition).collect();
        asked.sort_unstable();
        asked.dedup();
        let most =
            |index: &u32| self.conditions.get(*index as usize).and_then(|condition| condition.child.most());
        asked.retain(|index| most(index).is_some_and(|most| most <= MAX_BEFORE));
        asked.truncate(64);
        let (mut starts, mut ends, mut characters) = (Vec::new(), Vec::new(), 0);
        self.steps.is_wide = true;
        for condition in asked.iter().filter_map(|index| self.conditions.get(*index as usize)) {
            starts.push(self.steps.here());
            self.steps.add(&condition.child, Direction::Backwards)?;
            ends.push(self.steps.here());
            self.steps.done();
            characters = characters.max(condition.child.most().unwrap_or(MAX_BEFORE).min(MAX_BEFORE));
        }
        self.steps.is_wide = false;
        let bit = |index| asked.binary_search(&index).ok().and_then(|bit| u32::try_from(bit).ok());
        let bits = (0..).take(self.conditions.len()).map(bit).collect();
        // One more, which may be asked about without being read.
        let characters = usize::try_from(characters).unwrap_or(usize::MAX).saturating_add(1);
        Ok(Together { start: self.steps.fork(&starts), ends, bits, characters })
    }

    /// The number of a condition, if automata can read it.
    fn condition(&mut self, child: &Node, behind: bool) -> Result<Option<u32>, TooLarge> {
        let is_same = |known: &Condition| known.behind == behind && known.child == *child;
        let number = |index: usize| u32::try_from(index).map_err(|_| TooLarge);
        if let Some(index) = self.conditions.iter().position(is_same) {
            return number(index).map(Some);
        }
        let start = self.steps.here();
        let direction = if behind { Direction::Backwards } else { Direction::Forwards };
        if !self.steps.add(child, direction)? {
            self.steps.truncate(start);
            return Ok(None);
        }
        self.steps.done();
        let towards = child.most().is_none_or(|most| most > MAX_READ).then(|| self.steps.here());
        if towards.is_some() {
            self.steps.anywhere();
            self.steps.add(child, direction.reversed())?;
            self.steps.done();
        }
        let is_in_reach = child.most().is_some_and(|most| most <= REACH);
        self.conditions.push(Condition { child: child.clone(), behind, start, towards, is_in_reach });
        number(self.conditions.len() - 1).map(Some)
    }
}

/// The lookarounds at the beginning of a branch without those that what follows implies, or another of them.
fn needed<'n>(looks: &[&'n Node], follows: &[&Node]) -> Vec<&'n Node> {
    let ahead = |look: &&'n Node| match look {
        Node::Look { child, behind: false, negated: false } => Some(&**child),
        _ => None,
    };
    let mut needed = looks.to_vec();
    let mut index = 0;
    while let Some(look) = needed.get(index) {
        let others =
            (0..).zip(&needed).filter(|(other, _)| *other != index).filter_map(|(_, other)| ahead(other));
        let mut ways = others.map(|other| vec![other]).chain([follows.to_vec()]);
        if ahead(look).is_some_and(|looked_for| ways.any(|way| is_implied(looked_for, &way))) {
            needed.remove(index);
        } else {
            index += 1;
        }
    }
    needed
}

/// Whether these parts can begin with a character that prose is made of.
fn begins_as_words(parts: &[&Node]) -> bool {
    let common = (b'A'..=b'Z').chain(b'a'..=b'z').chain(*b" .,-'");
    begins_with(parts, common)
}

/// Whether these parts can begin with one of these.
fn begins_with(parts: &[&Node], mut bytes: impl Iterator<Item = u8>) -> bool {
    let [begins] = first::<1>(parts);
    bytes.any(|byte| begins.has(usize::from(byte)))
}

/// What can begin as words do and as numbers do too, taken apart: at a digit it is a number.
fn by_beginning(parts: Vec<Node>) -> Vec<Vec<Node>> {
    let all: Vec<&Node> = parts.iter().collect();
    if !begins_as_words(&all) || !begins_with(&all, b'0'..=b'9') || pivots::split(&all).is_some() {
        return vec![parts];
    }
    let digits = ClassUnicode::new([ClassUnicodeRange::new('0', '9')]);
    let begins = |class: ClassUnicode| Node::Look {
        child: Box::new(Node::One(class.into())),
        behind: false,
        negated: false,
    };
    let with = |class| std::iter::once(begins(class)).chain(parts.iter().cloned()).collect();
    vec![with(digits.clone()), with(negated(digits))]
}

/// A part as parts that follow one another.
fn flat(node: &Node) -> Vec<Node> {
    match node {
        Node::Sequence(parts) => parts.iter().flat_map(flat).collect(),
        Node::Repeat { child, least: 1, most: Some(1), .. } => flat(child),
        Node::Choice(parts) if parts.len() == 1 => parts.iter().flat_map(flat).collect(),
        other => vec![other.clone()],
    }
}

/// A part with lookarounds that forbid several things taken apart: what is one character, which is soon told, and the rest.
fn apart(node: &Node) -> Node {
    match node {
        Node::Sequence(parts) => Node::Sequence(parts.iter().map(apart).collect()),
        Node::Choice(parts) => Node::Choice(parts.iter().map(apart).collect()),
        Node::Repeat { child, least, most, greedy } => {
            Node::Repeat { child: Box::new(apart(child)), least: *least, most: *most, greedy: *greedy }
        }
        Node::Look { child, behind, negated: true } => match flat(child).as_slice() {
            [Node::Choice(parts)] => {
                let (single, others): (Vec<&Node>, Vec<&Node>) =
                    parts.iter().partition(|part| is_single(part, *behind));
                let forbid =
                    |child: Node| Node::Look { child: Box::new(child), behind: *behind, negated: true };
                let together = |parts: Vec<&Node>| Node::Choice(parts.into_iter().cloned().collect());
                let groups = [single, others].into_iter().filter(|group| !group.is_empty());
                Node::Sequence(groups.map(|group| forbid(together(group))).collect())
            }
            _ => node.clone(),
        },
        Node::One(_) | Node::Look { .. } | Node::Edge(_) => node.clone(),
    }
}

/// Whether a lookaround of more than one character is anywhere in a part.
pub(super) fn is_hard(node: &Node) -> bool {
    match node {
        Node::One(_) | Node::Edge(_) => false,
        Node::Sequence(parts) | Node::Choice(parts) => parts.iter().any(is_hard),
        Node::Repeat { child, .. } => is_hard(child),
        Node::Look { child, behind, .. } => !is_single(child, *behind),
    }
}

/// How many repetitions on one way through a part may vary in length by more than a little, two standing for more. Counting several at
/// once takes many states.
fn counted(node: &Node) -> usize {
    match node {
        Node::One(_) | Node::Edge(_) | Node::Look { .. } => 0,
        Node::Sequence(parts) => parts.iter().fold(0, |all, part| (all + counted(part)).min(2)),
        Node::Choice(parts) => parts.iter().map(counted).max().unwrap_or(0),
        Node::Repeat { child, least, most, .. } => {
            let varies = most.is_none_or(|most| most.saturating_sub(*least) > MAX_COUNTED);
            let inside = if *most == Some(1) { counted(child) } else { 2 * counted(child) };
            (usize::from(varies) + inside).min(2)
        }
    }
}

/// Lookarounds of more than one character that are not in another: what each holds, and whether it looks behind.
fn hard_looks<'n>(node: &'n Node, found: &mut Vec<(&'n Node, bool)>) {
    match node {
        Node::One(_) | Node::Edge(_) => {}
        Node::Sequence(parts) | Node::Choice(parts) => parts.iter().for_each(|part| hard_looks(part, found)),
        Node::Repeat { child, .. } => hard_looks(child, found),
        Node::Look { child, behind, .. } if is_single(child, *behind) => {}
        Node::Look { child, behind, .. } => found.push((child, *behind)),
    }
}

/// The last bytes of what has to stand before a place, for each condition that asks for something: told by the
/// character before it alone, a branch is mostly given up at once.
fn last_before(conditions: &[Node]) -> Vec<Bytes> {
    let last = |condition: &Node| match condition {
        Node::Look { child, behind: true, negated: false } => Some(last(child)),
        _ => None,
    };
    conditions.iter().filter_map(last).filter(|bytes| *bytes != Bytes::ALL).collect()
}
