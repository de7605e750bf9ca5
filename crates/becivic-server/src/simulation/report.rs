//! What all runs of a scenario together say, in shares and medians with their intervals.

use super::content::Content;
use super::policies::Rules;
use super::scenario::{Plan, Scenario};
use super::statistics::{Median, Share, number};
use super::world::World;
use crate::moment::DAY;
use becivic_core::consensus::Millis;
use serde::Serialize;
use std::fmt::Write as _;

/// What came out of a scenario under a policy.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The scenario's name.
    pub scenario: String,
    /// The policy's name.
    pub policy: String,
    /// The policy's version, as transitions carry it.
    pub policy_version: String,
    /// The seed.
    pub seed: u64,
    /// How often it was run.
    pub runs: u64,
    /// Days that passed in each run.
    pub days: u64,
    /// Artefacts of all runs together.
    pub artefacts: u64,
    /// Verdicts of all runs together that landed.
    pub validations: u64,
    /// Verdicts that the limits refused.
    pub refused: u64,
    /// First versions that are right and became stable while they were.
    pub true_stable: Share,
    /// Days until they did.
    pub true_stable_days: Option<Median>,
    /// Content that was wrong from the beginning and became beta.
    pub false_beta: Share,
    /// The same of stable.
    pub false_stable: Share,
    /// Content that was right from the beginning, and was rolled back or quarantined while it still was.
    pub true_removed: Share,
    /// Content that went wrong while readers got it as stable, and which they get no more.
    pub outdated_left: Share,
    /// Days until they did not.
    pub outdated_days: Option<Median>,
    /// Shares of the days of artefacts, in percent, over the runs.
    pub offered: Offered,
    /// What the attacker reached.
    pub attack: Option<AttackReport>,
}

/// What readers got, in percent of the days of artefacts: the median of the runs.
#[derive(Clone, Debug, Serialize)]
pub struct Offered {
    /// Right content as stable.
    pub right_as_stable: Option<Median>,
    /// Wrong content as stable: the harm that counts.
    pub wrong_as_stable: Option<Median>,
    /// Wrong content, but only as alpha or beta, with its banner: the lesser harm.
    pub wrong_below_stable: Option<Median>,
}

/// What an attacker reached, and what it cost.
#[derive(Clone, Debug, Serialize)]
pub struct AttackReport {
    /// What was done.
    pub plan: Plan,
    /// What it was for.
    pub goal: &'static str,
    /// Addresses there were.
    pub addresses: i64,
    /// Days there were.
    pub days: i64,
    /// Targets on which the goal was reached.
    pub reached: Share,
    /// Targets on which what the attacker wrote became beta.
    pub reached_beta: Share,
    /// Addresses that acted times days until it did.
    pub beta_cost: Option<Median>,
    /// Addresses that acted times days until the goal was reached, where it was.
    pub cost: Option<Median>,
}

/// What is gathered of the runs before it is summed up.
#[derive(Default)]
pub struct Gathered {
    contents: Vec<Content>,
    offered: [Vec<f64>; 3],
    artefacts: u64,
    validations: u64,
    refused: u64,
    runs: u64,
    targets: Vec<Option<u64>>,
    betas: Vec<u64>,
}

impl Gathered {
    /// Adds a run.
    pub fn add(&mut self, world: World<'_>) {
        self.runs += 1;
        self.artefacts += world.skills.len() as u64;
        self.validations += world.landed;
        self.refused += world.addresses.refused;
        let of_days = |part: u64| 100.0 * part as f64 / world.offered.days.max(1) as f64;
        let parts = [world.offered.right_stable, world.offered.wrong_stable, world.offered.wrong_below];
        for (all, part) in self.offered.iter_mut().zip(parts) {
            all.push(of_days(part));
        }
        for target in world.attacker.iter().flat_map(|it| &it.targets).filter(|it| it.counts) {
            self.targets.push(target.reached);
            self.betas.extend(target.beta);
        }
        self.contents.extend(world.contents.0);
    }

    /// Sums up.
    pub fn report(self, scenario: &Scenario, name: &str, rules: &Rules, seed: u64) -> Report {
        let share = |of: &dyn Fn(&Content) -> bool, counted: &dyn Fn(&Content) -> bool| {
            let all = self.contents.iter().filter(|it| of(it));
            let (count, of) = all.fold((0, 0), |(count, of), it| (count + u64::from(counted(it)), of + 1));
            Share::new(count, of)
        };
        let days = |from: Millis, to: Millis| (to - from) as f64 / DAY as f64;
        let firsts = |it: &Content| it.is_first && it.was_right;
        let until_stable = self.contents.iter().filter(|it| firsts(it));
        let until_stable = until_stable.filter_map(|it| Some(days(it.since, it.stable_at?))).collect();
        let until_left =
            self.contents.iter().filter_map(|it| Some(days(it.outdated_at?, it.left_at?))).collect();
        let [right, wrong, below] = self.offered.clone();
        let reached: Vec<u64> = self.targets.iter().copied().flatten().collect();
        let of_targets = |paid: &[u64]| Share::new(paid.len() as u64, self.targets.len() as u64);
        let cost = |paid: &[u64]| Median::of(paid.iter().map(|it| *it as f64).collect());
        Report {
            scenario: name.to_owned(),
            policy: rules.name.clone(),
            policy_version: rules.policy.version(),
            seed,
            runs: self.runs,
            days: scenario.days as u64,
            artefacts: self.artefacts,
            validations: self.validations,
            refused: self.refused,
            true_stable: share(&firsts, &|it| it.stable_at.is_some()),
            true_stable_days: Median::of(until_stable),
            false_beta: share(&|it| !it.was_right, &|it| it.was_wrong_beta),
            false_stable: share(&|it| !it.was_right, &|it| it.was_wrong_stable),
            true_removed: share(&|it| it.was_right, &|it| it.was_removed_rightful),
            outdated_left: share(&|it| it.outdated_at.is_some(), &|it| it.left_at.is_some()),
            outdated_days: Median::of(until_left),
            offered: Offered {
                right_as_stable: Median::of(right),
                wrong_as_stable: Median::of(wrong),
                wrong_below_stable: Median::of(below),
            },
            attack: scenario.attack.as_ref().map(|attack| AttackReport {
                plan: attack.plan,
                goal: attack.plan.goal(),
                addresses: attack.addresses,
                days: attack.days,
                reached: of_targets(&reached),
                reached_beta: of_targets(&self.betas),
                beta_cost: cost(&self.betas),
                cost: cost(&reached),
            }),
        }
    }
}

impl Report {
    /// The report for people.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{} under policy {} ({}), seed {}: {} of {} days, {} artefacts and {} validations in all, {} refused by limits\n\n",
            self.scenario,
            self.policy,
            self.policy_version,
            self.seed,
            if self.runs == 1 { "1 run".to_owned() } else { format!("{} runs", self.runs) },
            self.days,
            self.artefacts,
            self.validations,
            self.refused
        );
        for (name, value) in self.lines() {
            let _ = writeln!(text, "  {name:<58} {value}");
        }
        text.push_str("\nShares and medians with their 95 % intervals. Cost is addresses × days.\n");
        text
    }

    fn lines(&self) -> Vec<(String, String)> {
        let days = |median: &Option<Median>| match median {
            Some(_) => format!("{} days", Median::text(median.as_ref())),
            None => "–".to_owned(),
        };
        let of = |share: &Share| format!("{}, {} of {}", share.text(), share.count, share.of);
        let percent = |median: &Option<Median>| format!("{} %", Median::text(median.as_ref()));
        let mut lines = vec![
            ("right first versions that became stable".to_owned(), of(&self.true_stable)),
            ("  days until then".to_owned(), days(&self.true_stable_days)),
            ("wrong content that became beta".to_owned(), of(&self.false_beta)),
            ("wrong content that became stable".to_owned(), of(&self.false_stable)),
            ("right content rolled back or quarantined".to_owned(), of(&self.true_removed)),
            ("stable content that went wrong and left".to_owned(), of(&self.outdated_left)),
            ("  days until then".to_owned(), days(&self.outdated_days)),
            (
                "of all days, right content offered as stable".to_owned(),
                percent(&self.offered.right_as_stable),
            ),
            (
                "of all days, wrong content offered as stable".to_owned(),
                percent(&self.offered.wrong_as_stable),
            ),
            (
                "of all days, wrong content as alpha or beta only".to_owned(),
                percent(&self.offered.wrong_below_stable),
            ),
        ];
        if let Some(attack) = &self.attack {
            lines.push((format!("attack: {}", attack.goal), of(&attack.reached)));
            if matches!(attack.plan, Plan::Plant | Plan::Amend) {
                lines.push(("  it became beta".to_owned(), of(&attack.reached_beta)));
                let paid = Median::text(attack.beta_cost.as_ref());
                lines.push(("  cost of that".to_owned(), format!("{paid} address-days")));
            }
            let paid = Median::text(attack.cost.as_ref());
            let had = number((attack.addresses * attack.days) as f64);
            lines.push(("  cost of a success".to_owned(), format!("{paid} of {had} address-days")));
        }
        lines
    }
}
