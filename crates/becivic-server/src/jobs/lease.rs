//! The right to run a job, held by one process at a time and renewed while it runs.

use crate::app::{App, fresh};
use crate::db::{Db, jobs};
use crate::moment::{Clock, Moment};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a lease lasts unless it is renewed, in milliseconds: whoever dies is followed after this.
const LASTS: i64 = 6_000;

/// How often it is renewed.
const RENEWED: Duration = Duration::from_secs(2);

/// How often whoever waits for a job asks.
const ASKED: Duration = Duration::from_millis(50);

/// The right to run a job. It ends when it is given back or dropped, or when it could not be renewed.
pub struct Lease {
    db: Db,
    clock: Clock,
    job: &'static str,
    holder: String,
    held: Arc<AtomicBool>,
    stop: Arc<(Mutex<bool>, Condvar)>,
    keeper: Option<JoinHandle<()>>,
}

impl Lease {
    /// Takes a job; `None` while somebody else has it.
    pub fn take(app: &App, job: &'static str) -> anyhow::Result<Option<Self>> {
        Self::take_over(app.db.clone(), app.clock.clone(), job)
    }

    /// Takes a job as soon as whoever has it gives it back; `None` when that takes longer than one is willing to wait.
    pub fn wait(app: &App, job: &'static str, at_most: Duration) -> anyhow::Result<Option<Self>> {
        let until = Instant::now() + at_most;
        loop {
            let taken = Self::take(app, job)?;
            if taken.is_some() || Instant::now() > until {
                return Ok(taken);
            }
            std::thread::sleep(ASKED);
        }
    }

    /// The same for whoever has a database and nothing else open.
    pub fn take_over(db: Db, clock: Clock, job: &'static str) -> anyhow::Result<Option<Self>> {
        let holder: String = fresh()?.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        if !renew(&db, job, &holder, clock.now()) {
            return Ok(None);
        }
        let held = Arc::new(AtomicBool::new(true));
        let stop = Arc::new((Mutex::new(false), Condvar::new()));
        let keeper = std::thread::spawn({
            let (db, clock, holder) = (db.clone(), clock.clone(), holder.clone());
            let (held, stop) = (Arc::clone(&held), Arc::clone(&stop));
            move || {
                let (stopped, signal) = &*stop;
                let mut guard = stopped.lock().unwrap_or_else(PoisonError::into_inner);
                while !*guard {
                    let waited = signal.wait_timeout(guard, RENEWED).unwrap_or_else(PoisonError::into_inner);
                    guard = waited.0;
                    if !*guard && !renew(&db, job, &holder, clock.now()) {
                        held.store(false, Ordering::Release);
                        return;
                    }
                }
            }
        });
        Ok(Some(Self { db, clock, job, holder, held, stop, keeper: Some(keeper) }))
    }

    /// Whether it is still ours.
    pub fn is_held(&self) -> bool {
        self.held.load(Ordering::Acquire)
    }

    /// Gives it back, noting how the job ended.
    pub fn give_back(mut self, outcome: &'static str) {
        self.end();
        let (job, holder, now) = (self.job, self.holder.clone(), self.clock.now());
        let given = self.db.write_now(move |tx| jobs::give_back(tx, job, &holder, now, outcome));
        if given.is_err() {
            tracing::warn!("a lease could not be given back; it ends by itself");
        }
    }

    fn end(&mut self) {
        *self.stop.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.stop.1.notify_all();
        if let Some(keeper) = self.keeper.take() {
            let _ended = keeper.join();
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.end();
    }
}

fn renew(db: &Db, job: &'static str, holder: &str, now: Moment) -> bool {
    let holder = holder.to_owned();
    db.write_now(move |tx| jobs::take(tx, job, &holder, now, now.plus(LASTS))).unwrap_or(false)
}
