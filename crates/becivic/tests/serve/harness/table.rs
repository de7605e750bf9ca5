//! Cases in tables: one server and one database answer a whole table, because starting them takes longer than a case.

use super::{Engine, Place, Server, Setup};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// One case.
pub type Case = fn(&Server, &Place);

/// Lists cases with their names.
macro_rules! cases {
    ($($name:ident),+ $(,)?) => {
        &[$((stringify!($name), $name as $crate::harness::table::Case)),+]
    };
}

/// The two tests of a table: one on each engine.
macro_rules! on_both_engines {
    ($setup:expr, $cases:expr) => {
        #[test]
        fn on_sqlite() {
            $crate::harness::table::run($crate::harness::Engine::Sqlite, &$setup, $cases);
        }

        #[test]
        fn on_postgres() {
            $crate::harness::table::run($crate::harness::Engine::Postgres, &$setup, $cases);
        }
    };
}

pub(crate) use {cases, on_both_engines};

/// Runs every case, also after one has failed, and names those that did. Whatever they sent, the server is healthy
/// afterwards and met no defect.
pub fn run(engine: Engine, setup: &Setup, cases: &[(&str, Case)]) {
    let place = Place::new(engine);
    let server = Server::start(&place, setup);
    let fails = |case: Case| catch_unwind(AssertUnwindSafe(|| case(&server, &place))).is_err();
    let failed: Vec<&str> = cases.iter().filter(|(_, case)| fails(*case)).map(|(name, _)| *name).collect();
    assert!(failed.is_empty(), "on {engine:?} failed: {failed:?}");
    assert_eq!(server.get("/healthz").status, 200);
    assert_eq!(server.get("/readyz").status, 200);
    assert!(
        server.get("/metrics").text.contains("becivic_panics_total 0\n"),
        "a request met a defect: {}",
        server.log()
    );
}
