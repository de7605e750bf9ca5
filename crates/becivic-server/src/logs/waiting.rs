//! Lines about answers wait for each other: a busy server writes thousands of them a second, and a call to the system for each would
//! cost as much as a page.
//!
//! 1. Such a line is put behind those that wait; a thread writes them a moment later, or whoever fills the room for them.
//! 2. Any other line, and every warning, is written at once, with those that wait before it: the order stays.
//! 3. Whoever ends the program writes what is left ([`Ends`]).

use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tracing_subscriber::fmt::MakeWriter;

/// How long a line waits at most.
const MOMENT: Duration = Duration::from_millis(100);

/// Bytes that wait at most.
const ROOM: usize = 32 << 10;

/// Lines that wait.
static WAITING: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Told when a first line waits.
static BEGAN: Condvar = Condvar::new();

/// Writes lines to standard error, each at once.
#[derive(Clone, Copy)]
pub struct Lines;

impl MakeWriter<'_> for Lines {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        *self
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut waiting = lock();
        waiting.extend_from_slice(bytes);
        write_out(&mut waiting);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Puts a line behind those that wait; `line` writes it.
pub fn wait(line: impl FnOnce(&mut Vec<u8>)) {
    let mut waiting = lock();
    let is_first = waiting.is_empty();
    line(&mut waiting);
    if waiting.len() > ROOM {
        write_out(&mut waiting);
    } else if is_first {
        BEGAN.notify_one();
    }
}

fn lock() -> MutexGuard<'static, Vec<u8>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A log that cannot be written stops nothing.
fn write_out(waiting: &mut Vec<u8>) {
    let _lost = io::stderr().write_all(waiting);
    waiting.clear();
}

/// Starts the thread that writes what waits.
pub fn begin() {
    let writes = || loop {
        let mut waiting = lock();
        while waiting.is_empty() {
            waiting = BEGAN.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        drop(waiting);
        std::thread::sleep(MOMENT);
        write_out(&mut lock());
    };
    // Without it, lines wait until there are many.
    let _started = std::thread::Builder::new().name("log".to_owned()).spawn(writes);
}

/// Writes what is left when it goes.
#[must_use = "lines that wait are lost without it"]
pub struct Ends;

impl Drop for Ends {
    fn drop(&mut self) {
        write_out(&mut lock());
    }
}
