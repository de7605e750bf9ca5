//! Log lines: for people, or one JSON object each. Only fields that code of ours names are written; nothing of a request
//! but its route, method, status and duration ever is one of them.

use crate::config::LogFormat;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt;

/// Begins writing to standard error, and lets a panic say where it happened but not what it was about: its message may
/// hold what somebody sent.
pub fn begin(format: LogFormat) {
    let lines = fmt().with_max_level(LevelFilter::INFO).with_target(false).with_writer(std::io::stderr);
    // A second call, as in tests, finds it begun already.
    let _begun = match format {
        LogFormat::Human => lines.with_ansi(false).try_init(),
        LogFormat::Json => lines.json().flatten_event(true).with_current_span(false).try_init(),
    };
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|at| format!("{}:{}", at.file(), at.line())).unwrap_or_default();
        tracing::error!(place, "panic");
    }));
}
