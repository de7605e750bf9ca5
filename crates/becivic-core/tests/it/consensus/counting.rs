//! Counting one verdict at a time, against a model that remembers who said what and counts from scratch.

use becivic_core::consensus::{Ballot, Earlier, Marks, SourceTally, Tally, Verdict};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Something that happens to a cohort. Source 0 is the artefact itself.
#[derive(Clone, Copy, Debug)]
enum Event {
    Vote {
        voter: u32,
        source: usize,
        ballot: Ballot,
    },
    /// The clock moves, also back.
    Tomorrow {
        by: i64,
    },
    Probe {
        source: usize,
        verdict: Verdict,
    },
    /// An amendment: the cohort restarts, rejects and flags are carried.
    Reset,
    /// A maintainer decides on one of the open flags.
    SettleFlag {
        pick: usize,
    },
    /// The hashes are forgotten: the same people are strangers from here on.
    Forget,
}

const SOURCES: usize = 4;

/// What the server keeps: rows with their marks, and the tallies.
#[derive(Default)]
struct Kept {
    rows: Vec<Row>,
    tally: Tally,
    sources: [SourceTally; SOURCES],
}

#[derive(Clone, Copy)]
struct Row {
    /// Nobody, of a probe.
    voter: Option<u32>,
    source: usize,
    ballot: Ballot,
    marks: Marks,
    day: i64,
}

impl Kept {
    /// Lands a verdict, and says which day it counts for.
    fn land(&mut self, voter: Option<u32>, source: usize, ballot: Ballot, day: i64) {
        let day = self.tally.day_of(day);
        let of_voter = |row: &Row| row.voter == voter && (voter.is_some() || row.source == source);
        let rows: Vec<usize> = (0..self.rows.len()).filter(|at| of_voter(&self.rows[*at])).collect();
        let earlier: Vec<Earlier> = rows
            .iter()
            .map(|at| self.rows[*at])
            .map(|row| Earlier { ballot: row.ballot, marks: row.marks, same_source: row.source == source })
            .collect();
        let landed = self.tally.land(&mut self.sources[source], ballot, &earlier, day);
        assert_eq!(landed.earlier.len(), rows.len());
        for (at, marks) in rows.into_iter().zip(landed.earlier) {
            self.rows[at].marks = marks;
        }
        self.rows.push(Row { voter, source, ballot, marks: landed.marks, day });
    }

    fn reset(&mut self) {
        let carried = self.rows.iter().filter_map(|row| {
            let marks = row.marks.carried(row.ballot)?;
            assert!(marks.has(Marks::CARRIED));
            Some(Row { marks, ..*row })
        });
        self.rows = carried.collect();
        self.tally = self.recounted();
        self.sources = std::array::from_fn(|source| self.recounted_source(source));
    }

    /// Whose flag it was, where one was open.
    fn settle_flag(&mut self, pick: usize) -> Option<u32> {
        let open: Vec<usize> =
            (0..self.rows.len()).filter(|at| self.rows[*at].marks.has(Marks::FIRST_FLAG)).collect();
        let row = &mut self.rows[*open.get(pick % open.len().max(1))?];
        row.marks = self.tally.settle_flag(row.marks);
        row.voter
    }

    fn recounted(&self) -> Tally {
        Tally::recount(self.rows.iter().map(|row| (row.ballot, row.marks, row.day)))
    }

    fn recounted_source(&self, source: usize) -> SourceTally {
        let rows = self.rows.iter().filter(|row| row.source == source);
        SourceTally::recount(rows.map(|row| (row.ballot, row.marks)))
    }
}

/// What happened, every bit of it, and who it was. Nothing here knows of marks.
#[derive(Default)]
struct Model {
    facts: Vec<Fact>,
    /// Whose flags were decided on, and how many facts there were then.
    settled: Vec<(u32, usize)>,
    /// The first fact of the current cohort.
    cohort: usize,
}

struct Fact {
    voter: Option<u32>,
    source: usize,
    ballot: Ballot,
    day: i64,
}

impl Model {
    fn voters(&self) -> BTreeSet<u32> {
        self.facts.iter().filter_map(|fact| fact.voter).collect()
    }

    fn count_voters(&self, wanted: impl Fn(u32) -> bool) -> i64 {
        self.voters().into_iter().filter(|voter| wanted(*voter)).count() as i64
    }

    /// Facts with their places, of one voter (or of probes), on one source or on all.
    fn facts_of(&self, voter: Option<u32>, source: Option<usize>) -> impl Iterator<Item = (usize, &Fact)> {
        let facts = self.facts.iter().enumerate();
        facts.filter(move |(_, fact)| fact.voter == voter && source.is_none_or(|it| it == fact.source))
    }

    /// The verdict that stands: the latest ever, though a confirm stands only in the cohort it was given in.
    fn standing(&self, voter: Option<u32>, source: Option<usize>) -> Option<Verdict> {
        let (at, fact) = self.facts_of(voter, source).last()?;
        match fact.ballot.verdict {
            Verdict::Confirm => (at >= self.cohort).then_some(Verdict::Confirm),
            Verdict::Reject => Some(Verdict::Reject),
        }
    }

    fn records(&self, probe: bool, source: Option<usize>, verdict: Verdict) -> i64 {
        let facts = self.facts.iter().enumerate();
        let of_these = facts.filter(|(_, fact)| {
            fact.ballot.probe == probe
                && fact.ballot.verdict == verdict
                && source.is_none_or(|it| it == fact.source)
        });
        of_these.filter(|(at, _)| verdict == Verdict::Reject || *at >= self.cohort).count() as i64
    }

    fn has_open_flag(&self, voter: u32) -> bool {
        let settled =
            self.settled.iter().filter(|(who, _)| *who == voter).map(|(_, at)| *at).max().unwrap_or(0);
        self.facts_of(Some(voter), None).any(|(at, fact)| at >= settled && fact.ballot.flag)
    }

    /// Whether a voter's open flags were all raised before the current cohort.
    fn flagged_before(&self, voter: u32) -> bool {
        let flags_now =
            self.settled.iter().filter(|(who, _)| *who == voter).map(|(_, at)| *at).max().unwrap_or(0);
        let from = flags_now.max(self.cohort);
        self.has_open_flag(voter)
            && !self.facts_of(Some(voter), None).any(|(at, fact)| at >= from && fact.ballot.flag)
    }

    /// The days of people's confirms in the cohort. One that comes before the last of them counts for that last one.
    fn confirm_days(&self) -> BTreeSet<i64> {
        let now = self.facts.iter().skip(self.cohort);
        let confirms = now.filter(|fact| !fact.ballot.probe && fact.ballot.verdict == Verdict::Confirm);
        confirms.fold(BTreeSet::new(), |mut days, fact| {
            days.insert(days.last().map_or(fact.day, |last| fact.day.max(*last)));
            days
        })
    }

    fn tally(&self) -> Tally {
        let standing = |verdict| self.count_voters(|voter| self.standing(Some(voter), None) == Some(verdict));
        let probed = |verdict| {
            (0..SOURCES).filter(|source| self.standing(None, Some(*source)) == Some(verdict)).count() as i64
        };
        let rejected =
            |voter| self.facts_of(Some(voter), None).any(|(_, fact)| fact.ballot.verdict == Verdict::Reject);
        let voted_now = |voter| self.facts_of(Some(voter), None).any(|(at, _)| at >= self.cohort);
        Tally {
            confirms: standing(Verdict::Confirm),
            rejects: standing(Verdict::Reject),
            confirm_records: self.records(false, None, Verdict::Confirm),
            reject_records: self.records(false, None, Verdict::Reject),
            confirm_days: self.confirm_days().len() as i64,
            confirm_day: self.confirm_days().last().copied(),
            voters: self.count_voters(|voter| voted_now(voter) || rejected(voter)),
            rejecters: self.count_voters(rejected),
            flaggers: self.count_voters(|voter| self.has_open_flag(voter)),
            carried_flaggers: self.count_voters(|voter| self.flagged_before(voter)),
            probe_confirms: probed(Verdict::Confirm),
            probe_rejects: probed(Verdict::Reject),
            probe_confirm_records: self.records(true, None, Verdict::Confirm),
            probe_reject_records: self.records(true, None, Verdict::Reject),
        }
    }

    fn source(&self, source: usize) -> SourceTally {
        let here = Some(source);
        let standing = |voter| self.standing(Some(voter), here);
        let now = |voter| self.facts_of(Some(voter), here).filter(|(at, _)| *at >= self.cohort);
        let saw_handoff = |fact: &Fact| fact.ballot.handoff && fact.ballot.verdict == Verdict::Confirm;
        let probed = self.standing(None, here);
        SourceTally {
            confirms: self.count_voters(|voter| standing(voter) == Some(Verdict::Confirm)),
            rejects: self.count_voters(|voter| standing(voter) == Some(Verdict::Reject)),
            confirm_records: self.records(false, here, Verdict::Confirm),
            reject_records: self.records(false, here, Verdict::Reject),
            voters: self.count_voters(|voter| now(voter).next().is_some() || standing(voter).is_some()),
            handoffs: self.count_voters(|voter| now(voter).any(|(_, fact)| saw_handoff(fact))),
            probe_confirms: i64::from(probed == Some(Verdict::Confirm)),
            probe_rejects: i64::from(probed == Some(Verdict::Reject)),
        }
    }
}

/// Runs both, and compares them and the recount after every event.
fn check(events: &[Event]) -> Result<Tally, TestCaseError> {
    let mut kept = Kept::default();
    let mut model = Model::default();
    let mut strangers = 0;
    let mut day = 0;
    for event in events {
        match *event {
            Event::Vote { voter, source, ballot } => {
                let voter = Some(voter + strangers);
                kept.land(voter, source, ballot, day);
                model.facts.push(Fact { voter, source, ballot, day });
            }
            Event::Probe { source, verdict } => {
                let ballot = Ballot { verdict, flag: false, probe: true, handoff: false };
                kept.land(None, source, ballot, day);
                model.facts.push(Fact { voter: None, source, ballot, day });
            }
            Event::Tomorrow { by } => day += by,
            Event::Reset => {
                kept.reset();
                model.cohort = model.facts.len();
            }
            Event::SettleFlag { pick } => {
                if let Some(voter) = kept.settle_flag(pick) {
                    model.settled.push((voter, model.facts.len()));
                }
            }
            Event::Forget => strangers += 1_000,
        }
        prop_assert_eq!(kept.tally, kept.recounted(), "against the recount, after {:?}", event);
        prop_assert_eq!(kept.tally, model.tally(), "against the model, after {:?}", event);
        for source in 0..SOURCES {
            let tally = kept.sources[source];
            prop_assert_eq!(
                tally,
                kept.recounted_source(source),
                "source {}, recount, after {:?}",
                source,
                event
            );
            prop_assert_eq!(tally, model.source(source), "source {}, model, after {:?}", source, event);
        }
    }
    Ok(kept.tally)
}

fn verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![Just(Verdict::Confirm), Just(Verdict::Reject)]
}

fn event() -> impl Strategy<Value = Event> {
    let ballot = (verdict(), prop::bool::weighted(0.2), prop::bool::weighted(0.3))
        .prop_map(|(verdict, flag, handoff)| Ballot { verdict, flag, probe: false, handoff });
    let vote = (0..5_u32, 0..SOURCES, ballot);
    prop_oneof![
        12 => vote.prop_map(|(voter, source, ballot)| Event::Vote { voter, source, ballot }),
        4 => (1..SOURCES, verdict()).prop_map(|(source, verdict)| Event::Probe { source, verdict }),
        4 => (-2..4_i64).prop_map(|by| Event::Tomorrow { by }),
        2 => Just(Event::Reset),
        2 => any::<usize>().prop_map(|pick| Event::SettleFlag { pick }),
        1 => Just(Event::Forget),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn the_tally_is_the_recount_is_the_model(events in prop::collection::vec(event(), 0..60)) {
        check(&events)?;
    }
}

const CONFIRM: Ballot = Ballot { verdict: Verdict::Confirm, flag: false, probe: false, handoff: false };
const REJECT: Ballot = Ballot { verdict: Verdict::Reject, ..CONFIRM };

fn vote(voter: u32, source: usize, ballot: Ballot) -> Event {
    Event::Vote { voter, source, ballot }
}

#[track_caller]
fn tally(events: &[Event]) -> Tally {
    check(events).expect("the tally, the recount and the model agree")
}

#[test]
fn a_voter_counts_once_and_by_the_latest_verdict() {
    let counted = tally(&[vote(1, 0, CONFIRM), vote(1, 0, CONFIRM), vote(2, 0, REJECT), vote(2, 0, CONFIRM)]);
    let expected = Tally {
        confirms: 2,
        confirm_records: 3,
        confirm_days: 1,
        confirm_day: Some(0),
        reject_records: 1,
        voters: 2,
        rejecters: 1,
        ..Tally::default()
    };
    assert_eq!(counted, expected);
}

#[test]
fn a_path_takes_the_latest_verdict_over_all_its_sources() {
    let counted = tally(&[vote(1, 1, REJECT), vote(1, 2, CONFIRM), vote(2, 1, CONFIRM), vote(2, 0, REJECT)]);
    assert_eq!((counted.confirms, counted.rejects, counted.voters, counted.rejecters), (1, 1, 2, 2));
}

#[test]
fn probes_are_never_people() {
    let works = Event::Probe { source: 1, verdict: Verdict::Confirm };
    let fails = |source| Event::Probe { source, verdict: Verdict::Reject };
    let counted = tally(&[works, fails(1), fails(2), works, vote(1, 1, CONFIRM)]);
    let of_probes = Tally {
        probe_confirms: 1,
        probe_rejects: 1,
        probe_confirm_records: 2,
        probe_reject_records: 2,
        ..counted
    };
    assert_eq!(counted, of_probes);
    assert_eq!((counted.voters, counted.confirms, counted.rejects, counted.rejecters), (1, 1, 0, 0));
}

#[test]
fn a_reset_carries_rejects_and_flags_and_no_confirm() {
    let flagging = Ballot { flag: true, ..CONFIRM };
    let before = [
        vote(1, 0, CONFIRM),
        vote(2, 0, REJECT),
        vote(3, 0, flagging),
        vote(4, 0, REJECT),
        vote(4, 0, CONFIRM),
    ];
    let counted = tally(&[&before[..], &[Event::Reset]].concat());
    let expected = Tally {
        rejects: 1,
        reject_records: 2,
        voters: 2,
        rejecters: 2,
        flaggers: 1,
        carried_flaggers: 1,
        ..Tally::default()
    };
    assert_eq!(counted, expected);

    let again = tally(&[&before[..], &[Event::Reset, vote(2, 0, CONFIRM), vote(3, 0, CONFIRM)]].concat());
    let expected = Tally {
        rejects: 0,
        confirms: 2,
        confirm_records: 2,
        confirm_days: 1,
        confirm_day: Some(0),
        voters: 3,
        ..expected
    };
    assert_eq!(again, expected);
}

#[test]
fn a_flag_counts_until_it_is_decided_on_and_a_new_one_counts_again() {
    let flag = vote(1, 0, Ballot { flag: true, ..REJECT });
    let settle = Event::SettleFlag { pick: 0 };
    assert_eq!(tally(&[flag, flag]).flaggers, 1);
    assert_eq!(tally(&[flag, flag, settle]).flaggers, 0);
    assert_eq!(tally(&[flag, flag, settle, settle, flag]).flaggers, 1);
}

#[test]
fn days_of_confirmations_count_once_each_and_never_backwards() {
    let by = |by| Event::Tomorrow { by };
    let days = |events: &[Event]| (tally(events).confirm_days, tally(events).confirm_day);
    let (one, two) = (vote(1, 0, CONFIRM), vote(2, 1, CONFIRM));
    assert_eq!(days(&[one, two, by(1), one, by(3), two]), (3, Some(4)));
    assert_eq!(days(&[one, by(1), vote(2, 0, REJECT)]), (1, Some(0)), "a rejection has no day");
    assert_eq!(days(&[one, by(2), two, by(-1), one]), (2, Some(2)), "a clock that was set back");
    assert_eq!(days(&[one, by(1), two, Event::Reset]), (0, None), "a new cohort");
    assert_eq!(days(&[one, Event::Reset, one]), (1, Some(0)), "on the day the one before ended");
    let probe = Event::Probe { source: 1, verdict: Verdict::Confirm };
    assert_eq!(days(&[one, by(1), probe, two]), (2, Some(1)), "a probe takes nobody's day");
}

#[test]
fn marks_outlive_the_hashes() {
    let counted = tally(&[vote(1, 0, CONFIRM), Event::Forget, vote(1, 0, CONFIRM)]);
    assert_eq!((counted.confirms, counted.voters), (2, 2));
}

#[test]
fn people_and_probes_and_probes_of_two_sources_leave_each_other_alone() {
    let probe = Ballot { probe: true, ..CONFIRM };
    let marks = Marks(Marks::LATEST | Marks::LATEST_OF_SOURCE);
    let earlier = |ballot, same_source| Earlier { ballot, marks, same_source };
    for (new, old) in [
        (Ballot { probe: true, ..REJECT }, earlier(probe, false)),
        (Ballot { probe: true, ..REJECT }, earlier(CONFIRM, true)),
        (REJECT, earlier(probe, true)),
    ] {
        let mut kept = Tally::recount([(old.ballot, old.marks, 0)].into_iter());
        let before = kept;
        let landed = kept.land(&mut SourceTally::default(), new, &[old], 0);
        assert_eq!(landed.earlier, [marks]);
        assert_eq!((kept.confirms, kept.probe_confirms), (before.confirms, before.probe_confirms));
        assert_eq!(kept.rejects + kept.probe_rejects, 1);
    }
}
