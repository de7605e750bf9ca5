//! The page: `docs/trust.md`.
//!
//! Numbers come from the runs, and so do the sentences that depend on them: what is withstood and what is not, which alternative is
//! better where, and which is recommended.

use super::compare::{Difference, Verdict, recommended, verdicts};
use super::{Chapter, Study};
use crate::simulation::policies::NAMED;
use crate::simulation::report::{AttackReport, Report};
use crate::simulation::statistics::{Median, Share, percent};

/// An attack is withstood where the upper end of the interval is at most this, and not where the lower end is above it.
const FEW: f64 = 0.15;

/// Writes the page.
pub fn page(study: &Study) -> String {
    let verdicts = verdicts(study);
    let sections = [
        opening(study),
        in_short(study, &verdicts),
        MODEL.to_owned(),
        policies(),
        attacks(study),
        without_attack(study),
        alternatives(study, &verdicts),
        costs(study),
        chapters(study),
    ];
    sections.join("\n").replace("\n\n\n", "\n\n")
}

fn opening(study: &Study) -> String {
    format!(
        "# Trust\n\nAnybody may vote on what Be Civic says, nobody has an account, and some will lie. This page measures what the policy of \
         [consensus](consensus.md) makes of that: with people who err, who confirm without looking, and who attack from many addresses.\n\n\
         It is written by `becivic simulate study` (seed {}) from the scenarios in `fixtures/simulation/`, byte for byte the same on every \
         machine. Do not edit it; `becivic simulate study --check` says whether it is still what the code says.\n",
        study.seed
    )
}

fn in_short(study: &Study, verdicts: &[Verdict]) -> String {
    let mut text = String::from("## In short\n\n");
    text.push_str(&format!("- {}\n", headline(study)));
    for (strength, says) in [
        (Strength::Withstood, "The defaults withstand"),
        (Strength::Unclear, "It depends on chance"),
        (Strength::Fallen, "The defaults do **not** withstand"),
    ] {
        let named: Vec<String> = study
            .attacked()
            .filter(|(_, attack)| Strength::of(&attack.reached) == strength)
            .map(|(chapter, attack)| format!("`{}` {}", chapter.name, attack.reached.text()))
            .collect();
        if !named.is_empty() {
            text.push_str(&format!("- {says}: {}.\n", named.join("; ")));
        }
    }
    text.push_str(&match recommended(verdicts) {
        Some(it) => format!(
            "- Of the alternatives we recommend `{}`: it is better on {}, and worse on none but the time that trust takes.\n",
            it.policy,
            many(it.of_harm(true).count(), "measure")
        ),
        None => "- Of the alternatives we recommend none: each is worse than the defaults somewhere.\n".to_owned(),
    });
    text
}

/// The sentence for others to quote.
fn headline(study: &Study) -> String {
    let default = |name: &str| study.of(name).and_then(|it| it.reports.first());
    let Some(calm) = default("careful-readers") else { return String::new() };
    let days = calm.true_stable_days.map_or_else(|| "–".to_owned(), |it| format!("{:.0}", it.median));
    let mut text = format!(
        "Under the default policy {} % of right content became stable where people look, half of it within {days} days",
        percent(calm.true_stable.share),
    );
    for (name, does) in [
        (
            "suppressed-stable",
            "addresses took back, by rejecting it, {} % of the right and stable content they aimed at",
        ),
        ("planted-draft", "addresses made {} % of the wrong drafts stable that a maintainer let pass"),
        (
            "quiet-amendment",
            "addresses made {} % of their wrong amendments stable of what hardly anybody reads",
        ),
    ] {
        if let Some(it) = default(name).and_then(|it| it.attack.as_ref()) {
            let does = does.replace("{}", &percent(it.reached.share));
            text.push_str(&format!("; {} {does}", it.addresses));
        }
    }
    text + "."
}

/// Whether an attack is withstood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strength {
    Withstood,
    Unclear,
    Fallen,
}

impl Strength {
    fn of(reached: &Share) -> Self {
        match () {
            () if reached.high <= FEW => Self::Withstood,
            () if reached.low > FEW => Self::Fallen,
            () => Self::Unclear,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Withstood => "withstood",
            Self::Unclear => "unclear",
            Self::Fallen => "**not withstood**",
        }
    }
}

impl Study {
    fn of(&self, name: &str) -> Option<&Chapter> {
        self.chapters.iter().find(|it| it.name == name)
    }

    /// What an attack reached under a policy.
    fn reached(&self, name: &str, place: usize) -> Option<Share> {
        self.of(name)?.reports.get(place)?.attack.as_ref().map(|it| it.reached)
    }

    /// The attacks, with what came out under the defaults.
    fn attacked(&self) -> impl Iterator<Item = (&Chapter, &AttackReport)> {
        self.chapters.iter().filter_map(|it| Some((it, it.reports.first()?.attack.as_ref()?)))
    }
}

const MODEL: &str = "## How it is simulated

Every verdict passes the limits of the server, lands in the tally of the core and is decided on by the core, on a virtual clock; cohorts,
carried rejections, frozen tallies, rollbacks, quarantine, bogus flags and the forgetting of voters every 90 days are those of the server.
What is simulated are people:

- Who looks sees whether content is right, but for a share of wrong content they miss and of right content they reject by mistake. Who is
  lazy confirms. Each has one address.
- An attacker has some addresses (as votes count them: one IPv4 address, or one /48 of IPv6) for some days, knows the rules, and attacks five
  artefacts or more at once. Who wrote something does not vote on it. The cost of a success is the number of addresses that acted, times the
  days from the first time one did to the last.
- Maintainers look after three days, and are right. Content goes wrong by itself, and is amended after a while, where the scenario says so.

Shares have Wilson's 95 % intervals, medians those of their ranks. They speak of chance within the model, not of how like the world it is:
real readers are not independent of each other, real attackers learn, and maintainers err. Only skills are simulated; paths and their probes
are not, and neither is the limit of what everybody together may send in an hour.
";

fn policies() -> String {
    let mut text = String::from(
        "## The policies\n\n| policy | what it is | settings of `[consensus]` that differ |\n|---|---|---|\n",
    );
    for it in NAMED {
        let settings: Vec<String> = it.settings.lines().map(|line| format!("`{line}`")).collect();
        let settings = if settings.is_empty() { "none".to_owned() } else { settings.join(", ") };
        text.push_str(&format!("| `{}` | {} | {settings} |\n", it.name, it.means));
    }
    text.push_str(
        "\nWhat is no setting is the same under all of them: limits, the frozen tally of what is stable, rejections that an amendment carries over, \
         and an author who has no vote on what they wrote.\n",
    );
    text
}

fn attacks(study: &Study) -> String {
    let mut text = format!(
        "## What the defaults withstand, and what they do not\n\nWithstood is what succeeds on at most {} % of the targets, by the upper end of \
         the interval; not withstood is what succeeds on more, by the lower end.\n\n\
         | attack | with | goal | reached | cost of a success | |\n|---|---|---|---|---|---|\n",
        percent(FEW)
    );
    for (chapter, attack) in study.attacked() {
        let with =
            format!("{}, {}", many(attack.addresses as usize, "address"), many(attack.days as usize, "day"));
        let cost = Median::text(attack.cost.as_ref());
        let strength = Strength::of(&attack.reached).word();
        let (name, goal, reached) = (chapter.name, attack.goal, attack.reached.text());
        text.push_str(&format!("| `{name}` | {with} | {goal} | {reached} | {cost} | {strength} |\n"));
    }
    let fallen = |name: &str, place: usize| {
        study.reached(name, place).is_some_and(|it| Strength::of(&it) == Strength::Fallen)
    };
    let why: Vec<String> = WHY
        .iter()
        .filter(|(name, _)| fallen(name, 0))
        .map(|(name, why)| format!("- `{name}`: {why}\n"))
        .collect();
    if !why.is_empty() {
        text.push_str(&format!("\nWhy:\n\n{}", why.concat()));
    }
    let always: Vec<String> = study
        .attacked()
        .map(|(chapter, _)| chapter.name)
        .filter(|name| (0..NAMED.len()).all(|place| fallen(name, place)))
        .map(|name| format!("`{name}`"))
        .collect();
    if !always.is_empty() {
        text.push_str(&format!(
            "\nUnder none of the policies compared here is this different for {}.\n",
            always.join(", ")
        ));
    }
    text
}

/// Why an attack succeeds, where it does.
const WHY: &[(&str, &str)] = &[
    (
        "planted-draft",
        "a draft that a maintainer let pass needs three confirmations and then ten, and has both on its first days, unless a \
      reader rejects it while it is alpha: one rejection is enough to stop it there.",
    ),
    (
        "patient-ring",
        "the same, more slowly: the time that a step needs is longer than it takes to trickle the votes in.",
    ),
    (
        "poisoned-amendment",
        "a flag takes it away at once, but it can be sent again, and with so many addresses it needs to go unnoticed only \
      once in a while; meanwhile readers are offered the stable version.",
    ),
    (
        "quiet-amendment",
        "amendments merge by themselves, and where nobody reads, whoever has eleven addresses is the consensus.",
    ),
    ("patient-amendment", "as before, only that the votes come on different days."),
    (
        "suppressed-newcomers",
        "two rejections outweigh what nobody has confirmed yet, and there is no earlier version to go back to. A \
      maintainer brings it back after some days, and the same two reject it again.",
    ),
    (
        "false-alarm-by-two",
        "two flags put stable content away until a maintainer has looked. They cost the two their flags for 90 days, and the \
      readers some days.",
    ),
    (
        "single-veto",
        "alpha becomes beta only when nobody rejects it, and a rejection stands until its voter thinks better of it. Later \
      confirmations do not outweigh it.",
    ),
];

fn without_attack(study: &Study) -> String {
    let mut text = String::from("## Where nobody attacks\n\n");
    let default = |name: &str| study.of(name).and_then(|it| it.reports.first());
    if let Some(it) = default("hurried-readers") {
        text.push_str(&format!(
            "- With hurried readers {} of what is right became stable, and {} of what is wrong.\n",
            it.true_stable.text(),
            it.false_stable.text()
        ));
    }
    if let Some(it) = default("lazy-confirmers") {
        text.push_str(&format!(
            "- Where half of the people confirm without looking, {} of what is wrong became beta and {} stable: the other half rejects it.\n",
            it.false_beta.text(),
            it.false_stable.text()
        ));
    }
    if let Some(it) = default("changing-fees") {
        text.push_str(&format!(
            "- Of stable content that went wrong, {} left within the time simulated, half of that within {} days.\n",
            it.outdated_left.text(),
            it.outdated_days.map_or_else(|| "–".to_owned(), |it| format!("{:.0}", it.median))
        ));
        if it.true_removed.low > 0.1 {
            text.push_str(&format!(
                "- **Corrections of what people have rejected are rolled back**: {} of right content was. An amendment carries the rejections of \
                 what it corrects; from two of them on they outweigh it before anybody has read it, and the outdated version comes back.\n",
                it.true_removed.text()
            ));
        }
    }
    if let Some(it) = default("nobody-amends") {
        text.push_str(&format!(
            "- Where nobody amends, {} of it left: rejections alone have to outweigh the tally it was made stable with.\n",
            it.outdated_left.text()
        ));
    }
    text
}

fn alternatives(study: &Study, verdicts: &[Verdict]) -> String {
    let mut text = String::from(
        "## The alternatives\n\nHeld against the defaults on the same seeds: a measure is better or worse where the two intervals do not overlap.\n\n\
         | policy | better on | worse on | days until right content is stable |\n|---|---|---|---|\n",
    );
    let days = |place: usize| {
        let report = study.of("careful-readers").and_then(|it| it.reports.get(place));
        Median::text(report.and_then(|it| it.true_stable_days.as_ref()))
    };
    text.push_str(&format!("| `{}` | | | {} |\n", NAMED.first().map_or("", |it| it.name), days(0)));
    for (place, it) in verdicts.iter().enumerate() {
        let count = |is_better| it.of_harm(is_better).count();
        text.push_str(&format!(
            "| `{}` | {} | {} | {} |\n",
            it.policy,
            count(true),
            count(false),
            days(place + 1)
        ));
    }
    for it in verdicts {
        for (is_better, word) in [(true, "better"), (false, "worse")] {
            let all: Vec<String> = it.of_harm(is_better).map(told).collect();
            if !all.is_empty() {
                text.push_str(&format!("\n`{}` is {word} on:\n\n{}", it.policy, all.concat()));
            }
        }
    }
    text.push_str(&recommendation(study, verdicts));
    text
}

fn told(it: &Difference) -> String {
    format!("- `{}`, {}: {} instead of {}\n", it.scenario, it.measure, it.values.1, it.values.0)
}

fn recommendation(study: &Study, verdicts: &[Verdict]) -> String {
    let mut text = String::from("\n### What we recommend\n\n");
    let Some(it) = recommended(verdicts) else {
        text.push_str("None of them: each is worse than the defaults somewhere, or better nowhere.\n");
        return text;
    };
    let settings = NAMED.iter().find(|named| named.name == it.policy).map_or("", |named| named.settings);
    text.push_str(&format!(
        "`{}`, for who would rather wait: it is worse on nothing that was measured but the time that trust takes.\n\n\
         ```toml\n[consensus]\n{settings}```\n",
        it.policy
    ));
    let place = NAMED.iter().position(|named| named.name == it.policy).unwrap_or(0);
    let still: Vec<String> = study
        .chapters
        .iter()
        .filter_map(|chapter| Some((chapter.name, study.reached(chapter.name, place)?)))
        .filter(|(_, reached)| Strength::of(reached) == Strength::Fallen)
        .map(|(name, reached)| format!("`{name}` {}", reached.text()))
        .collect();
    // The two scenarios differ only in whether votes come at once.
    let pairs = [study.reached("patient-amendment", 0).zip(study.reached("patient-amendment", place))];
    for (ours, theirs) in pairs.into_iter().flatten() {
        if ours.low <= theirs.high && theirs.low <= ours.high {
            text.push_str(&format!(
                "\nIt stops who votes in one burst and goes away. Who spreads the same votes over the days reaches as much as before: {} of \
                 the targets of `patient-amendment`, where it was {}.\n",
                theirs.text(),
                ours.text()
            ));
        }
    }
    if !still.is_empty() {
        text.push_str(&format!("\nThese succeed under it all the same: {}.\n", still.join("; ")));
    }
    text
}

fn costs(study: &Study) -> String {
    let mut text = String::from(
        "## What an attack costs\n\nThe smallest addresses × days, of those tried, at which half of the targets or more were reached:\n\n| attack |",
    );
    NAMED.iter().for_each(|it| text.push_str(&format!(" `{}` |", it.name)));
    text.push_str(&format!("\n|---|{}\n", "---|".repeat(NAMED.len())));
    for it in &study.sweeps {
        text.push_str(&format!("| `{}` |", it.scenario));
        it.curves.iter().for_each(|curve| text.push_str(&format!(" {} |", curve.half_text())));
        text.push('\n');
    }
    for it in &study.sweeps {
        text.push_str(&format!(
            "\n![What the attack {} costs under each policy](trust/{}.svg)\n",
            it.scenario, it.scenario
        ));
    }
    text
}

fn chapters(study: &Study) -> String {
    let mut text = String::from("## Scenario by scenario\n");
    for it in &study.chapters {
        text.push_str(&format!("\n### {}\n\n{}\n\n", it.name, it.scenario.story.trim()));
        let validations = it.reports.first().map_or(0, |it| it.validations);
        text.push_str(&format!(
            "{} of {} days; {validations} validations under the defaults.\n\n",
            many(it.scenario.runs as usize, "run"),
            it.scenario.days
        ));
        text.push_str(&table(&it.reports));
    }
    text
}

type Column = (&'static str, fn(&Report) -> String);

const COLUMNS: &[Column] = &[
    ("right → stable", |it| it.true_stable.text()),
    ("days", |it| Median::text(it.true_stable_days.as_ref())),
    ("wrong → beta", |it| it.false_beta.text()),
    ("wrong → stable", |it| it.false_stable.text()),
    ("right content removed", |it| it.true_removed.text()),
    ("outdated, left", |it| it.outdated_left.text()),
    ("days", |it| Median::text(it.outdated_days.as_ref())),
    ("wrong as stable, % of days", |it| Median::text(it.offered.wrong_as_stable.as_ref())),
    ("wrong below stable, % of days", |it| Median::text(it.offered.wrong_below_stable.as_ref())),
    ("attack reached", |it| it.attack.as_ref().map_or_else(|| "–".to_owned(), |it| it.reached.text())),
    ("cost of beta", |it| Median::text(it.attack.as_ref().and_then(|it| it.beta_cost.as_ref()))),
    ("cost", |it| Median::text(it.attack.as_ref().and_then(|it| it.cost.as_ref()))),
];

/// A line of each policy; columns in which nothing happened are left out.
fn table(reports: &[Report]) -> String {
    let is_told =
        |(_, value): &&Column| reports.iter().any(|it| !matches!(value(it).as_str(), "–" | "0 (0–0)"));
    let columns: Vec<&Column> = COLUMNS.iter().filter(is_told).collect();
    let mut text = String::from("| policy |");
    columns.iter().for_each(|(name, _)| text.push_str(&format!(" {name} |")));
    text.push_str(&format!("\n|---|{}\n", "---|".repeat(columns.len())));
    for it in reports {
        text.push_str(&format!("| `{}` |", it.policy));
        columns.iter().for_each(|(_, value)| text.push_str(&format!(" {} |", value(it))));
        text.push('\n');
    }
    text
}

fn many(number: usize, word: &str) -> String {
    match (number, word) {
        (1, word) => format!("1 {word}"),
        (number, "address") => format!("{number} addresses"),
        (number, word) => format!("{number} {word}s"),
    }
}
