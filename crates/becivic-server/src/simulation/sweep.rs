//! What an attack costs: a scenario run again and again with more addresses and more days.
//!
//! 1. Each number of addresses is tried with each number of days, under each policy, with the same seed.
//! 2. The points of a policy, by cost, are a curve: the best success that this many address-days or fewer have bought.
//! 3. The smallest cost at which the goal is reached on at least half of the targets is what an attack costs.

use super::policies::Rules;
use super::scenario::{Plan, Scenario, ScenarioError};
use super::statistics::Share;
use super::{run, svg};
use serde::Serialize;

/// What a sweep found.
#[derive(Clone, Debug, Serialize)]
pub struct Sweep {
    /// The scenario's name.
    pub scenario: String,
    /// What the attacker does.
    pub plan: Plan,
    /// What for.
    pub goal: &'static str,
    /// The seed.
    pub seed: u64,
    /// Runs of each point.
    pub runs: i64,
    /// A curve of each policy.
    pub curves: Vec<Curve>,
}

/// The curve of a policy.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    /// The policy's name.
    pub policy: String,
    /// By cost.
    pub points: Vec<Point>,
    /// The smallest cost at which half of the targets or more are reached; nothing where none was enough.
    pub half: Option<i64>,
}

/// Addresses and days, and what they bought.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// Addresses.
    pub addresses: i64,
    /// Days.
    pub days: i64,
    /// The two multiplied.
    pub cost: i64,
    /// Targets on which the goal was reached.
    pub reached: Share,
}

/// What is tried.
#[derive(Clone, Debug)]
pub struct Grid<'a> {
    /// Numbers of addresses.
    pub addresses: &'a [i64],
    /// Numbers of days.
    pub days: &'a [i64],
    /// Runs of each point.
    pub runs: i64,
    /// The seed.
    pub seed: u64,
}

/// Points of one sweep, at most.
const MOST_POINTS: usize = 2_000;

/// Runs a sweep.
pub fn sweep(
    scenario: &Scenario,
    name: &str,
    rules: &[Rules],
    grid: &Grid<'_>,
) -> Result<Sweep, ScenarioError> {
    let Some(attack) = &scenario.attack else {
        let (given, may_be) =
            ("not there".to_owned(), "any attack: a sweep tries it with more and more".to_owned());
        return Err(ScenarioError::OutOfRange { field: "attack", given, may_be });
    };
    let points = rules.len() * grid.addresses.len() * grid.days.len();
    if points > MOST_POINTS {
        let (about, most) = (points as u64, MOST_POINTS as u64);
        return Err(ScenarioError::TooMuch {
            about,
            of: "points",
            most,
            fewer: "addresses, days or policies",
        });
    }
    let mut curves = Vec::with_capacity(rules.len());
    for rules in rules {
        let mut points = Vec::with_capacity(grid.addresses.len() * grid.days.len());
        for (&addresses, &days) in
            grid.days.iter().flat_map(|days| grid.addresses.iter().map(move |it| (it, days)))
        {
            let mut tried = scenario.clone();
            tried.attack = Some(super::scenario::Attack { addresses, days, ..attack.clone() });
            tried.check()?;
            let report = run(&tried, name, rules, grid.seed, grid.runs)?;
            let reached = report.attack.map_or_else(|| Share::new(0, 0), |it| it.reached);
            points.push(Point { addresses, days, cost: addresses * days, reached });
        }
        points.sort_by_key(|it| (it.cost, it.addresses));
        let half = points.iter().find(|it| it.reached.of > 0 && it.reached.share >= 0.5).map(|it| it.cost);
        curves.push(Curve { policy: rules.name.clone(), points, half });
    }
    let (plan, goal) = (attack.plan, attack.plan.goal());
    Ok(Sweep { scenario: name.to_owned(), plan, goal, seed: grid.seed, runs: grid.runs, curves })
}

impl Curve {
    /// The best share that each cost or less has bought, by cost: it stays until more is spent.
    pub fn steps(&self) -> Vec<(f64, f64)> {
        let (mut best, mut steps) = (0.0_f64, Vec::new());
        for point in &self.points {
            let cost = point.cost as f64;
            steps.push((cost, best));
            if point.reached.share > best {
                best = point.reached.share;
                steps.push((cost, best));
            }
        }
        steps
    }

    /// What half of the targets cost, in words.
    pub fn half_text(&self) -> String {
        let most = self.points.last().map_or(0, |it| it.cost);
        self.half.map_or_else(|| format!("more than {most}"), |cost| cost.to_string())
    }
}

impl Sweep {
    /// The curves as a picture.
    pub fn svg(&self) -> String {
        let lines = self.curves.iter().map(|curve| svg::Line {
            name: curve.policy.clone(),
            note: format!("half: {}", curve.half_text()),
            points: curve.steps(),
        });
        let said: Vec<String> =
            self.curves.iter().map(|it| format!("{} {}", it.policy, it.half_text())).collect();
        svg::chart(&svg::Chart {
            title: format!("What the attack “{}” costs", self.scenario),
            description: format!(
                "The share of targets on which {}, against addresses times days, one line per policy. Address-days at which half \
                 of the targets are reached: {}.",
                self.goal,
                said.join(", ")
            ),
            across: "addresses × days",
            up: "targets reached",
            lines: lines.collect(),
        })
    }

    /// The sweep for people.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}, seed {}, {} runs a point: share of targets on which {}\n\n{:>9} {:>5} {:>6}",
            self.scenario, self.seed, self.runs, self.goal, "addresses", "days", "cost"
        );
        self.curves.iter().for_each(|it| text.push_str(&format!("  {:<16}", it.policy)));
        text.push('\n');
        for (place, point) in self.curves.first().iter().flat_map(|it| it.points.iter().enumerate()) {
            text.push_str(&format!("{:>9} {:>5} {:>6}", point.addresses, point.days, point.cost));
            for point in self.curves.iter().filter_map(|it| it.points.get(place)) {
                text.push_str(&format!("  {:<16}", point.reached.text()));
            }
            text.push('\n');
        }
        text.push_str("\nhalf of the targets cost");
        self.curves.iter().for_each(|it| text.push_str(&format!("  {}: {}", it.policy, it.half_text())));
        text.push('\n');
        text
    }
}
