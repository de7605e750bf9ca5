//! What is promised of simulations.

use super::cohort::Cohort;
use super::policies::{DEFAULT, NAMED, Rules};
use super::readers::ballot;
use super::report::Report;
use super::scenario::{Scenario, ScenarioError};
use super::sweep::{Grid, sweep};
use super::{library, run};
use crate::moment::DAY;
use becivic_core::consensus::Verdict;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A small scenario with some lines more.
fn scenario(more: &str) -> Result<Scenario, ScenarioError> {
    Scenario::read(&format!("story = \"a story\"\ndays = 60\nartefacts = 10\nruns = 2\n{more}"))
}

fn rules(policy: &str) -> Rules {
    Rules::of(None, policy, &toml::Table::new()).expect("sound")
}

#[track_caller]
fn report(more: &str) -> Report {
    let scenario = scenario(more).expect("sound");
    run(&scenario, "test", &rules(DEFAULT), 1, scenario.runs).expect("it runs")
}

#[test]
fn impossible_numbers_are_named_with_what_they_may_be() {
    let readers = "[readers]\nhonest = 5\n";
    let attack = "[readers]\nhonest = 5\n[attack]\nplan = \"plant\"\naddresses = 3\ndays = 10\n";
    let cases = [
        ("days = 0\nartefacts = 1".to_owned(), "`days` is 0; it may be a whole number from 1 to 3650"),
        ("days = -3\nartefacts = 1".to_owned(), "`days` is -3; it may be a whole number from 1 to 3650"),
        ("days = 1\nartefacts = 0".to_owned(), "`artefacts` is 0; it may be a whole number from 1 to 100000"),
        (
            "days = 1\nartefacts = 1000000000".to_owned(),
            "`artefacts` is 1000000000; it may be a whole number from 1 to 100000",
        ),
        (
            "days = 1\nartefacts = 1\nruns = 0\n".to_owned() + readers,
            "`runs` is 0; it may be a whole number from 1 to 10000",
        ),
        (
            "days = 1\nartefacts = 1".to_owned(),
            "`readers.honest` is 0; it may be at least 1 where nobody attacks: somebody has to read",
        ),
        (
            "days = 1\nartefacts = 1\n[readers]\nhonest = -1".to_owned(),
            "`readers.honest` is -1; it may be a whole number from 0 to 100000",
        ),
        (
            format!("days = 1\nartefacts = 1\n{readers}misses = 1.5"),
            "`readers.misses` is 1.5; it may be a share from 0 to 1",
        ),
        (
            format!("days = 1\nartefacts = 1\n{readers}mistakes = -0.1"),
            "`readers.mistakes` is -0.1; it may be a share from 0 to 1",
        ),
        (
            format!("days = 1\nartefacts = 1\n{readers}pending = nan"),
            "`readers.pending` is NaN; it may be a share from 0 to 1",
        ),
        (
            format!("days = 1\nartefacts = 1\n{readers}verdicts = inf"),
            "`readers.verdicts` is inf; it may be a number from 0 to 50",
        ),
        (
            format!("days = 1\nartefacts = 1\n{readers}[truth]\namended_after = 0"),
            "`truth.amended_after` is 0; it may be a number from 0.01 to 3650",
        ),
        (
            format!("days = 9\nartefacts = 1\n{attack}"),
            "`attack.days` is 10; it may be a whole number from 1 to 9",
        ),
        (
            format!("days = 90\nartefacts = 1\n{attack}targets = 2"),
            "`attack.targets` is 2; it may be a whole number from 1 to 1",
        ),
        (
            format!("days = 90\nartefacts = 1\n{attack}starts = 90"),
            "`attack.starts` is 90; it may be a whole number from 0 to 89",
        ),
        (
            format!("days = 90\nartefacts = 1\n{}", attack.replace("addresses = 3", "addresses = 0")),
            "`attack.addresses` is 0; it may be a whole number from 1 to 10000",
        ),
        (
            "days = 3650\nartefacts = 1\nruns = 1000\n[readers]\nhonest = 1000".to_owned(),
            "it would take about 1825000000 verdicts; at most 50000000 are simulated: fewer runs, people or days would do",
        ),
        (
            format!("days = 3650\nartefacts = 100000\n{readers}"),
            "it would take about 7300000000 days of artefacts; at most 200000000 are simulated: fewer runs, artefacts or days would do",
        ),
        (
            format!("days = 1\nartefacts = 1\n{readers}[policy]\nbeta_confirms = 0"),
            "[policy]: `beta_confirms` in [consensus] must be more than 0: nothing happens without a person",
        ),
    ];
    for (text, said) in cases {
        let error = Scenario::read(&format!("story = \"a\"\n{text}")).expect_err(&text);
        assert_eq!(error.to_string(), said, "{text}");
    }
}

#[test]
fn what_cannot_be_read_is_told_with_its_line() {
    for (text, line, part) in [
        ("story = \"a\"\ndays = 1\nartefact = 1", 3, "unknown field `artefact`"),
        ("story = \"a\"\ndays = \"many\"\nartefacts = 1", 2, "expected a whole number"),
        ("story = \"a\"\ndays = 1", 1, "missing field `artefacts`"),
        ("story = \"a\ndays = 1", 1, "string"),
        (
            "story = \"a\"\ndays = 1\nartefacts = 1\n[attack]\nplan = \"guess\"\naddresses = 1\ndays = 1",
            5,
            "unknown variant `guess`",
        ),
    ] {
        match Scenario::read(text).expect_err(text) {
            ScenarioError::Unreadable { line: at, message } => {
                assert!(message.contains(part) && !message.contains('\n'), "{message}");
                assert_eq!(at, line, "{message}");
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
fn the_library_is_the_folder_and_every_scenario_runs() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/simulation");
    let files = std::fs::read_dir(folder).expect("the folder").map(|it| it.expect("a file").path());
    let there: BTreeSet<String> = files
        .filter(|it| it.extension().is_some_and(|it| it == "toml"))
        .map(|it| it.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    let known: BTreeSet<String> = library::LIBRARY.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(there, known);
    assert!(known.len() >= 12);
    for (name, text) in library::LIBRARY {
        let mut scenario = Scenario::read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(scenario.story.split_whitespace().count() >= 15, "{name} tells nothing");
        // What is asked here is whether it runs, not what comes out.
        scenario.days = scenario.days.min(20);
        if let Some(attack) = &mut scenario.attack {
            attack.starts = attack.starts.min(10);
            attack.days = attack.days.min(10);
        }
        for policy in NAMED {
            let report = run(&scenario, name, &rules(policy.name), 1, 1).expect(name);
            assert!(report.validations > 0, "{name}");
        }
    }
}

#[test]
fn the_fields_that_are_told_are_those_that_are_read() {
    let told = include_str!("../../../../fixtures/simulation/README.md");
    let fields: BTreeSet<&str> =
        told.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let all = "story = \"a\"\ndays = 60\nartefacts = 10\nruns = 2\n\
        [truth]\nstarts = \"alpha\"\nwrong = 0.1\ngoes_wrong = 0.1\namended_after = 3\namended_rightly = 0.9\n\
        [readers]\nhonest = 5\nlazy = 1\nverdicts = 1\nmisses = 0.1\nmistakes = 0.1\nflags = 0.1\nfalse_flags = 0.01\npending = 0.5\npopularity = \"uneven\"\n\
        [maintainers]\ndays = 1\n\
        [attack]\nplan = \"amend\"\naddresses = 2\ndays = 3\nstarts = 1\ntargets = 2\npace = \"patient\"\nharmful = true\n\
        [policy]\nbeta_confirms = 2\n";
    Scenario::read(all).expect("every field is known");
    let table: toml::Table = all.parse().expect("TOML");
    let mut known = BTreeSet::new();
    for (name, value) in &table {
        match value.as_table().filter(|_| name != "policy") {
            Some(inner) => known.extend(inner.keys().map(|field| format!("{name}.{field}"))),
            None => drop(known.insert(name.clone())),
        }
    }
    assert_eq!(fields, known.iter().map(String::as_str).collect());
}

#[test]
fn the_same_seed_says_the_same_and_another_something_else() {
    let scenario = scenario("[readers]\nhonest = 20\nmistakes = 0.1\n[truth]\nwrong = 0.2\n").expect("sound");
    let said = |seed| {
        let report = run(&scenario, "test", &rules(DEFAULT), seed, 3).expect("it runs");
        serde_json::to_string(&report).expect("JSON")
    };
    assert_eq!(said(7), said(7));
    assert_ne!(said(7), said(8).replace("\"seed\":8", "\"seed\":7"));
}

#[test]
fn without_verdicts_nothing_moves() {
    let it = report("[readers]\nhonest = 20\nverdicts = 0\n[truth]\nwrong = 0.5\n");
    assert_eq!(
        (it.validations, it.true_stable.count, it.false_beta.count, it.true_removed.count),
        (0, 0, 0, 0)
    );
    assert!(it.true_stable.of > 0 && it.false_beta.of > 0);
}

#[test]
fn people_who_never_err_make_what_is_right_stable_and_nothing_else() {
    let it = report("[readers]\nhonest = 30\nmisses = 0\nmistakes = 0\n[truth]\nwrong = 0.5\n");
    assert_eq!(it.true_stable.count, it.true_stable.of);
    assert_eq!((it.true_removed.count, it.false_beta.count, it.false_stable.count), (0, 0, 0));
    let days = it.true_stable_days.expect("some");
    assert!(days.low >= 16.0, "48 hours and then 14 days: {days:?}");
}

#[test]
fn people_who_never_look_make_everything_stable() {
    let it = report("[readers]\nlazy = 30\n[truth]\nwrong = 0.5\n");
    assert_eq!((it.true_stable.count, it.false_stable.count), (it.true_stable.of, it.false_stable.of));
}

#[test]
fn flags_put_away_what_is_right_until_a_maintainer_has_looked() {
    let more = "[truth]\nstarts = \"stable\"\n[readers]\nhonest = 30\nmistakes = 0\n\
        [attack]\nplan = \"flag\"\naddresses = 2\ndays = 1\nstarts = 3\n";
    let it = report(more);
    let attack = it.attack.expect("an attack");
    assert_eq!((attack.reached.count, attack.reached.of), (2, 2), "one target in each run");
    assert_eq!(attack.cost.map(|it| it.median), Some(2.0), "two addresses, one day");
    let right = it.offered.right_as_stable.expect("runs").median;
    assert!(right > 99.0 && right < 100.0, "of ten artefacts one is away for three days of sixty: {right}");
    let alone = report(&more.replace("addresses = 2", "addresses = 1"));
    assert_eq!(alone.attack.expect("an attack").reached.count, 0);
}

#[test]
fn the_limits_of_an_address_hold() {
    // Where every record counts, one address votes as often as it may: ten times a day.
    let more = "[truth]\nstarts = \"stable\"\n[attack]\nplan = \"reject\"\naddresses = 1\ndays = 1\n";
    let scenario = scenario(more).expect("sound");
    let once = run(&scenario, "test", &rules(DEFAULT), 1, 1).expect("it runs");
    let often = run(&scenario, "test", &rules("raw"), 1, 1).expect("it runs");
    assert_eq!((once.validations, often.validations), (1, 10));
    let flags = more.replace("reject", "flag") + "targets = 10\n";
    let flagged =
        run(&self::scenario(&flags).expect("sound"), "test", &rules(DEFAULT), 1, 1).expect("it runs");
    assert_eq!((flagged.validations, flagged.refused), (2, 8), "two flags a day");
}

#[test]
fn one_rejection_holds_alpha_back() {
    let it = report(
        "[readers]\nhonest = 30\nmistakes = 0\n[attack]\nplan = \"hold\"\naddresses = 1\ndays = 60\ntargets = 3\n",
    );
    let attack = it.attack.expect("an attack");
    assert_eq!((attack.reached.count, attack.reached.of), (6, 6));
    assert_eq!((it.true_stable.count, it.true_stable.of), (14, 20), "the others become stable");
}

#[test]
fn a_sweep_costs_more_where_more_is_tried() {
    let more = "[truth]\nstarts = \"stable\"\n[readers]\nhonest = 1\nverdicts = 0\n\
        [attack]\nplan = \"reject\"\naddresses = 1\ndays = 1\n";
    let scenario = scenario(more).expect("sound");
    let grid = Grid { addresses: &[20, 11, 12], days: &[1, 2], runs: 1, seed: 1 };
    let all = [rules(DEFAULT), rules("raw")];
    let found = sweep(&scenario, "test", &all, &grid).expect("it runs");
    let costs: Vec<i64> = found.curves[0].points.iter().map(|it| it.cost).collect();
    assert_eq!(costs, [11, 12, 20, 22, 24, 40]);
    // Ten confirmed it: twelve have to reject it, or fewer, each as often as they may.
    assert_eq!(found.curves[0].half, Some(12));
    assert_eq!(found.curves[1].half, Some(11));
    assert_eq!(found.svg(), sweep(&scenario, "test", &all, &grid).expect("it runs").svg());
    let quiet = self::scenario("[readers]\nhonest = 1\n").expect("sound");
    let error = sweep(&quiet, "test", &all, &grid).expect_err("nobody attacks").to_string();
    assert_eq!(error, "`attack` is not there; it may be any attack: a sweep tries it with more and more");
    let grid = Grid { addresses: &[1, 0], ..grid };
    assert!(sweep(&scenario, "test", &all, &grid).is_err());
}

proptest! {
    #[test]
    fn a_cohort_counts_what_its_rows_say(
        events in prop::collection::vec((0..6_u32, any::<bool>(), prop::bool::weighted(0.1), 0..20_u8, 0..3_i64), 0..200)
    ) {
        let (mut cohort, mut now) = (Cohort::new(0), 0);
        for (voter, confirms, flag, other, days) in events {
            now += days * DAY / 2;
            match other {
                0 => cohort.forget_voters(),
                1 => cohort = cohort.carried(now),
                2 => drop(cohort.settle_flags()),
                _ => cohort.land(voter, ballot(if confirms { Verdict::Confirm } else { Verdict::Reject }, flag), now),
            }
            prop_assert_eq!(cohort.tally, cohort.recount());
        }
    }
}
