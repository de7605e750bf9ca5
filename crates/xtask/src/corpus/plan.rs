//! The plan of a corpus: who exists, at which status, and who needs whom.
//!
//! 1. Names: the index is spread over all verb, object and qualifier triples by a step that shares
//!    no factor with their number, so names repeat only when the triples are used up, and then
//!    carry a number.
//! 2. Statuses: drafts 3 %, alpha 60 %, beta 20 %, stable 15 %, deprecated 2 %; the version fits.
//!    Skill 0 is the fallback every corpus has.
//! 3. Edges: a skill requires up to five earlier skills, so there is no cycle; never a deprecated
//!    one, never the fallback. Popular skills are required more often. Paths likewise.
//! 4. Citations: two to six values and three to eight references out of a shared catalogue.

use super::rng::Rng;
use super::words::{OBJECTS, QUALIFIERS, VERBS};

/// The id of skill 0.
pub const FALLBACK: &str = "meta-no-skill-fallback";

/// The status of a skill or path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// A skeleton: a title and no text.
    Draft,
    /// New.
    Alpha,
    /// Confirmed by some.
    Beta,
    /// Confirmed by many.
    Stable,
    /// Replaced; never required by others.
    Deprecated,
}

impl Status {
    /// As the frontmatter spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Alpha => "alpha",
            Self::Beta => "beta",
            Self::Stable => "stable",
            Self::Deprecated => "deprecated",
        }
    }

    /// A version of the line that belongs to the status; a deprecated one keeps the line it had.
    pub fn version(self, rng: &mut Rng) -> String {
        let line = match self {
            Self::Draft => "0.0",
            Self::Alpha | Self::Deprecated => "0.1",
            Self::Beta => "0.2",
            Self::Stable => "1.0",
        };
        format!("{line}.{}", rng.below(6))
    }

    fn draw(rng: &mut Rng) -> Self {
        match rng.below(100) {
            0..3 => Self::Draft,
            3..63 => Self::Alpha,
            63..83 => Self::Beta,
            83..98 => Self::Stable,
            _ => Self::Deprecated,
        }
    }
}

/// One skill, before its text.
#[derive(Debug, Clone)]
pub struct Skill {
    /// Folder name and id.
    pub id: String,
    /// Title.
    pub title: String,
    /// Domain of the graph.
    pub domain: &'static str,
    /// Status.
    pub status: Status,
    /// Skills it requires, all with a lower index.
    pub requires: Vec<usize>,
    /// Paths it requires.
    pub paths: Vec<usize>,
    /// Catalogue values it cites.
    pub values: Vec<usize>,
    /// Catalogue references it cites.
    pub references: Vec<usize>,
    /// What replaced it, when it is deprecated.
    pub superseded_by: Option<usize>,
}

/// One path, before its sources.
#[derive(Debug, Clone)]
pub struct Route {
    /// Key and id.
    pub id: String,
    /// Title, without its article: "household record, as a student".
    pub title: String,
    /// Status: alpha, beta, stable or deprecated.
    pub status: Status,
    /// Skills that require it, at most five.
    pub related: Vec<usize>,
}

/// The whole corpus, before its texts.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The seed everything comes from.
    pub seed: u64,
    /// All skills; the first is the fallback.
    pub skills: Vec<Skill>,
    /// All paths.
    pub routes: Vec<Route>,
    /// How many values and how many references the catalogue holds.
    pub catalogue: usize,
}

/// Kinds of random streams, one number each.
pub mod stream {
    /// The plan of a skill.
    pub const PLAN: u64 = 1;
    /// The plan of a path.
    pub const ROUTE: u64 = 2;
    /// The text of a skill.
    pub const TEXT: u64 = 3;
    /// The sources of a path.
    pub const SOURCES: u64 = 4;
    /// A catalogue value.
    pub const VALUE: u64 = 5;
    /// A catalogue reference.
    pub const REFERENCE: u64 = 6;
}

impl Plan {
    /// Plans a corpus of this size.
    pub fn new(skills: usize, paths: usize, seed: u64) -> Self {
        let mut plan = Self {
            seed,
            skills: Vec::with_capacity(skills),
            routes: (0..paths).map(|index| route(seed, index)).collect(),
            catalogue: (skills / 2).max(8),
        };
        let mut open_routes: Vec<usize> = (0..paths).collect();
        open_routes.retain(|index| plan.routes[*index].status != Status::Deprecated);
        let mut eligible = Vec::with_capacity(skills);
        for index in 0..skills {
            let skill = plan.skill(index, &eligible, &open_routes);
            for path in &skill.paths {
                let related = &mut plan.routes[*path].related;
                if related.len() < 5 {
                    related.push(index);
                }
            }
            if index > 0 && skill.status != Status::Deprecated {
                eligible.push(index);
            }
            plan.skills.push(skill);
        }
        plan
    }

    fn skill(&self, index: usize, eligible: &[usize], routes: &[usize]) -> Skill {
        let mut rng = Rng::stream(self.seed, stream::PLAN, index);
        if index == 0 {
            return self.fallback(&mut rng);
        }
        let ([verb, object, qualifier], suffix) = name(self.seed, index, VERBS.len());
        let (verb, title) = VERBS[verb];
        let (object, thing, domain) = OBJECTS[object];
        let (qualifier, whom) = QUALIFIERS[qualifier];
        let status = Status::draw(&mut rng);
        let text = status != Status::Draft;
        let count = |rng: &mut Rng, most: usize| if text { rng.below(most + 1) } else { 0 };
        let required = count(&mut rng, 5);
        let routed = count(&mut rng, 4);
        let superseded_by = (status == Status::Deprecated && !eligible.is_empty())
            .then(|| eligible[rng.popular(eligible.len())]);
        Skill {
            id: format!("{verb}-{object}-{qualifier}{suffix}"),
            title: format!("{title} {thing} {whom}{}", suffix.replace('-', ", part ")),
            domain,
            status,
            requires: draw(&mut rng, required, eligible),
            paths: draw(&mut rng, routed, routes),
            values: self.citations(&mut rng, 2, 6),
            references: self.citations(&mut rng, 3, 8),
            superseded_by,
        }
    }

    fn fallback(&self, rng: &mut Rng) -> Skill {
        Skill {
            id: FALLBACK.to_owned(),
            title: "When no skill covers the request".to_owned(),
            domain: "meta",
            status: Status::Stable,
            requires: Vec::new(),
            paths: Vec::new(),
            values: Vec::new(),
            references: self.citations(rng, 1, 1),
            superseded_by: None,
        }
    }

    fn citations(&self, rng: &mut Rng, low: usize, high: usize) -> Vec<usize> {
        let mut chosen = Vec::new();
        for _ in 0..rng.between(low, high) {
            let one = rng.popular(self.catalogue);
            if !chosen.contains(&one) {
                chosen.push(one);
            }
        }
        chosen
    }
}

fn route(seed: u64, index: usize) -> Route {
    let mut rng = Rng::stream(seed, stream::ROUTE, index);
    let ([kind, object, qualifier], suffix) = name(seed, index, KINDS.len());
    let (kind, noun) = KINDS[kind];
    let (object, thing, _) = OBJECTS[object];
    let (qualifier, whom) = QUALIFIERS[qualifier];
    let status = match Status::draw(&mut rng) {
        Status::Draft => Status::Alpha,
        status => status,
    };
    Route {
        id: format!("{object}-{kind}-{qualifier}{suffix}"),
        title: format!("{noun} for {thing} {whom}{}", suffix.replace('-', ", part ")),
        status,
        related: Vec::new(),
    }
}

/// What a path leads to: id part and noun.
const KINDS: &[(&str, &str)] = &[
    ("certificate", "Certificate"),
    ("extract", "Extract"),
    ("duplicate", "Duplicate"),
    ("form", "Form"),
    ("proof", "Proof"),
    ("receipt", "Receipt"),
];

/// The three parts of the name with this index, and a number when all triples are used up.
fn name(seed: u64, index: usize, firsts: usize) -> ([usize; 3], String) {
    let triples = firsts * OBJECTS.len() * QUALIFIERS.len();
    let offset = Rng::stream(seed, firsts as u64, 0).below(triples);
    let at = (offset + index * STEP) % triples;
    let suffix = match index / triples {
        0 => String::new(),
        round => format!("-{}", round + 1),
    };
    let parts = [at % firsts, at / firsts % OBJECTS.len(), at / firsts / OBJECTS.len()];
    (parts, suffix)
}

/// A prime larger than every number of triples: it shares no factor with any of them.
const STEP: usize = 104_729;

/// Up to `count` different ones of `from`, early ones more often.
fn draw(rng: &mut Rng, count: usize, from: &[usize]) -> Vec<usize> {
    let mut chosen = Vec::with_capacity(count);
    for _ in 0..count.min(from.len()) {
        let one = from[rng.popular(from.len())];
        if !chosen.contains(&one) {
            chosen.push(one);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_are_unique_even_when_the_words_run_out() {
        let plan = Plan::new(13_000, 5_000, 3);
        let skills: BTreeSet<_> = plan.skills.iter().map(|skill| &skill.id).collect();
        let routes: BTreeSet<_> = plan.routes.iter().map(|route| &route.id).collect();
        assert_eq!((skills.len(), routes.len()), (13_000, 5_000));
        assert!(skills.is_disjoint(&routes));
        assert!(plan.skills.iter().all(|skill| skill.id.len() <= 64));
    }

    #[test]
    fn edges_lead_to_earlier_open_skills_and_paths_only() {
        let plan = Plan::new(2_000, 300, 9);
        let mut edges = 0;
        for (index, skill) in plan.skills.iter().enumerate() {
            assert!(skill.requires.len() <= 5 && skill.paths.len() <= 4);
            for required in &skill.requires {
                assert!(*required > 0 && *required < index);
                assert_ne!(plan.skills[*required].status, Status::Deprecated);
                edges += 1;
            }
            for path in &skill.paths {
                assert_ne!(plan.routes[*path].status, Status::Deprecated);
            }
        }
        assert!(edges > 2_000, "linked like a real corpus: {edges}");
    }

    #[test]
    fn statuses_come_in_the_promised_shares() {
        let plan = Plan::new(10_000, 1, 5);
        let share = |status| plan.skills.iter().filter(|s| s.status == status).count();
        assert!((200..400).contains(&share(Status::Draft)));
        assert!((5_700..6_300).contains(&share(Status::Alpha)));
        assert!((1_800..2_200).contains(&share(Status::Beta)));
        assert!((1_300..1_700).contains(&share(Status::Stable)));
        assert!((120..280).contains(&share(Status::Deprecated)));
        assert_eq!(plan.skills[0].id, FALLBACK);
    }
}
