//! A child process: what it printed, or its wall time and its peak resident memory.
//!
//! 1. Start it with its output thrown away.
//! 2. Wait for it with `wait4`, which hands back the resource usage of exactly that child.
//! 3. Read the exit code and the peak resident set.
//!
//! Linux starts a child's peak at the peak of the process it was forked from, so the measuring
//! process must stay small: it never loads a corpus.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// What one run of a child cost.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// Wall time from start to end.
    pub seconds: f64,
    /// Peak resident memory.
    pub peak_bytes: u64,
}

/// Runs a command that must end with one of these exit codes.
pub fn cost(command: &mut Command, codes: &[i32]) -> Result<Cost> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let began = Instant::now();
    let child = command.spawn().with_context(|| format!("{command:?} did not start"))?;
    let (status, peak_bytes) = wait(&child)?;
    let seconds = began.elapsed().as_secs_f64();
    let status = ExitStatus::from_raw(status);
    if !status.code().is_some_and(|code| codes.contains(&code)) {
        bail!("{command:?} ended with {status}; run it by hand to see why");
    }
    Ok(Cost { seconds, peak_bytes })
}

/// The best time of several runs, with the highest peak seen.
pub fn best_of(rounds: usize, codes: &[i32], mut command: impl FnMut() -> Command) -> Result<Cost> {
    let mut best = Cost { seconds: f64::INFINITY, peak_bytes: 0 };
    for _ in 0..rounds {
        let one = cost(&mut command(), codes)?;
        best.seconds = best.seconds.min(one.seconds);
        best.peak_bytes = best.peak_bytes.max(one.peak_bytes);
    }
    Ok(best)
}

/// The JSON a command prints; where it fails, the last line of its complaint.
pub fn said(command: &mut Command) -> Result<Value> {
    let ran = command.stdin(Stdio::null()).output().with_context(|| format!("{command:?} did not start"))?;
    if !ran.status.success() {
        let told = String::from_utf8_lossy(&ran.stderr);
        bail!("{command:?} failed: {}", told.trim_end().lines().last().unwrap_or_default());
    }
    serde_json::from_slice(&ran.stdout).with_context(|| format!("{command:?} printed no JSON"))
}

/// The raw wait status and the peak resident bytes of a child.
#[allow(unsafe_code)]
fn wait(child: &Child) -> Result<(i32, u64)> {
    let pid = libc::pid_t::try_from(child.id()).context("the process id is out of range")?;
    let mut status = 0;
    loop {
        // SAFETY: `rusage` is plain integers, for which all zeroes is a value; both pointers are to
        // live locals of the types `wait4` writes; the pid is a child of ours nobody else waits for
        // (`Child` is only read, and dropping it does not wait).
        let (waited, usage) = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            let waited = libc::wait4(pid, &raw mut status, 0, &raw mut usage);
            (waited, usage)
        };
        if waited == pid {
            let peak = u64::try_from(usage.ru_maxrss).context("the kernel reports no peak")?;
            return Ok((status, peak * MAXRSS_UNIT));
        }
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(error).context("the child could not be waited for");
        }
    }
}

/// `ru_maxrss` counts bytes on Apple's systems and KiB everywhere else (getrusage(2)).
const MAXRSS_UNIT: u64 = if cfg!(target_vendor = "apple") { 1 } else { 1024 };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_has_a_time_and_a_peak() {
        let cost = cost(&mut Command::new("true"), &[0]).unwrap();
        assert!(cost.seconds > 0.0 && cost.seconds < 60.0);
        assert!(cost.peak_bytes > 10_000 && cost.peak_bytes < 1_000_000_000);
    }

    #[test]
    fn a_failing_child_is_an_error() {
        assert!(cost(&mut Command::new("false"), &[0]).is_err());
    }
}
