//! Log lines: for people, or one JSON object each. Only fields that code of ours names are written; nothing of a request
//! but its route, method, status and duration ever is one of them.

mod answers;
mod waiting;

pub use answers::{Answered, answered};
pub use waiting::Ends;

use crate::config::LogFormat;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// How the targets of all lines of ours begin.
const OUR_CRATES: &str = "becivic";

/// Begins writing to standard error, and lets a panic say where it happened but not what it was about: its message may
/// hold what somebody sent. Whoever ends the program lets go of what comes back.
pub fn begin(format: LogFormat) -> Ends {
    waiting::begin();
    answers::begin(format);
    let lines = fmt().with_max_level(LevelFilter::INFO).with_target(false).with_writer(waiting::Lines);
    // Libraries write down what they were given: of MCP, who asks, and what they notify of.
    let ours = Targets::new().with_target(OUR_CRATES, LevelFilter::INFO);
    // A second call, as in tests, finds it begun already.
    let _begun = match format {
        LogFormat::Human => lines.with_ansi(false).finish().with(ours).try_init(),
        LogFormat::Json => {
            lines.json().flatten_event(true).with_current_span(false).finish().with(ours).try_init()
        }
    };
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|at| format!("{}:{}", at.file(), at.line())).unwrap_or_default();
        tracing::error!(place, "panic");
    }));
    Ends
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: &str = "PANIC_IN_FORMAT";

    /// Runs this test again in a process of its own, where it panics with something a person sent.
    #[test]
    fn a_panic_says_where_and_not_what() {
        if let Ok(format) = std::env::var(FORMAT) {
            let _ends = begin(if format == "json" { LogFormat::Json } else { LogFormat::Human });
            let sent = "zqx-what-somebody-sent".to_owned();
            let _caught = std::panic::catch_unwind(|| panic!("cannot read {sent}"));
            return;
        }
        for format in ["human", "json"] {
            let program = std::env::current_exe().expect("this program");
            let name = "logs::tests::a_panic_says_where_and_not_what";
            let mut again = std::process::Command::new(program);
            let ran =
                again.args(["--exact", name, "--nocapture"]).env(FORMAT, format).output().expect("it runs");
            let (said, more) = (String::from_utf8_lossy(&ran.stderr), String::from_utf8_lossy(&ran.stdout));
            assert!(ran.status.success(), "{said}{more}");
            assert!(said.contains("panic") && said.contains("logs.rs:"), "{said}");
            assert!(!said.contains("zqx") && !more.contains("zqx"), "{said}{more}");
            assert_eq!(said.contains("{\""), format == "json", "{said}");
        }
    }
}
