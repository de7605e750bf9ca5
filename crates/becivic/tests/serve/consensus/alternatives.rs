//! Settings that nothing asks for by default: what is contested freezes, and confirmations come on several days.

use super::{Target, address, becomes, looked_at, votes};
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server};
use serde_json::json;

on_both_engines!(
    super::setup().with("CONSENSUS__FREEZE_DISTINCT", "2").with("CONSENSUS__BETA_DAYS", "2"),
    cases![what_people_disagree_about_freezes, confirmations_of_one_day_are_not_enough]
);

fn what_people_disagree_about_freezes(server: &Server, place: &Place) {
    let target: Target = ("skill", "arrival-declaration");
    votes(server, 1..3, &[target], "confirm");
    votes(server, 3..7, &[target], "reject");
    // By the margin alone it would be rolled back.
    let it = looked_at(place, target);
    assert_eq!((it.status.as_str(), it.tally.confirms, it.tally.rejects), ("alpha", 2, 4));
    let shown = server.get(&address(target)).json();
    assert_eq!(shown["cohort"]["standing"]["rule"], "contested", "{shown}");
    // One who changes their mind is enough to end it.
    votes(server, 1..2, &[target], "reject");
    becomes(server, target, "quarantined");
}

fn confirmations_of_one_day_are_not_enough(server: &Server, place: &Place) {
    let target: Target = ("path", "household-certificate");
    votes(server, 1..4, &[target], "confirm");
    let it = looked_at(place, target);
    // Where midnight passed in between, there were two.
    assert_eq!((it.status.as_str(), it.tally.confirms, it.tally.confirm_days), ("alpha", 3, 1));
    let shown = server.get(&address(target)).json();
    assert_eq!(shown["cohort"]["standing"]["missing"], json!([{"days": 1}]), "{shown}");
    place.write(|tx| {
        let sql = "UPDATE validations SET day = day - 86400000 WHERE vote_key = \
             (SELECT vote_key FROM validations WHERE artefact = 'path:household-certificate' ORDER BY vote_key LIMIT 1)";
        tx.execute(sql, &[])
    });
    // The next verdict makes the tick count again, from the verdicts and their days.
    votes(server, 4..5, &[target], "confirm");
    becomes(server, target, "beta");
}
