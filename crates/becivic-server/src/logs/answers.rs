//! The line about an answer. There is one for every request, so it is put together by hand: it looks like every other line, and
//! costs less.

use super::waiting;
use crate::config::LogFormat;
use axum::http::StatusCode;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::io::Write as _;
use std::sync::OnceLock;
use std::time::Duration;

/// How lines are written; nothing where none are.
static FORMAT: OnceLock<LogFormat> = OnceLock::new();

/// What is said of an answer.
pub struct Answered {
    /// The route, as it is declared.
    pub route: &'static str,
    /// The method.
    pub method: &'static str,
    /// The status.
    pub status: StatusCode,
    /// How long it took.
    pub took: Duration,
}

/// Begins writing.
pub fn begin(format: LogFormat) {
    let _begun_before = FORMAT.set(format);
}

/// Writes the line, soon.
pub fn answered(answer: &Answered) {
    if let Some(format) = FORMAT.get() {
        let now = Timestamp::now();
        waiting::wait(|lines| answer.write(*format, now, lines));
    }
}

impl Answered {
    fn write(&self, format: LogFormat, now: Timestamp, out: &mut Vec<u8>) {
        let Self { route, method, status, .. } = self;
        let between: [&str; 6] = match format {
            LogFormat::Human => {
                ["", "  INFO answered route=\"", "\" method=\"", "\" status=", " milliseconds=", "\n"]
            }
            LogFormat::Json => [
                "{\"timestamp\":\"",
                "\",\"level\":\"INFO\",\"message\":\"answered\",\"route\":\"",
                "\",\"method\":\"",
                "\",\"status\":",
                ",\"milliseconds\":",
                "}\n",
            ],
        };
        let [before, after_time, after_route, after_method, after_status, end] = between;
        out.extend_from_slice(before.as_bytes());
        write_time(now, out);
        for text in [after_time, route, after_route, method, after_method, status.as_str(), after_status] {
            out.extend_from_slice(text.as_bytes());
        }
        self.write_milliseconds(out);
        out.extend_from_slice(end.as_bytes());
    }

    /// To the microsecond, without zeroes at the end.
    fn write_milliseconds(&self, out: &mut Vec<u8>) {
        let microseconds = (self.took.as_nanos() + 500) / 1_000;
        let _a_list_takes_everything = write!(out, "{}.", microseconds / 1_000);
        let rest = i64::try_from(microseconds % 1_000).unwrap_or_default();
        let digits = decimals::<3>(rest);
        let shown = digits.iter().rposition(|digit| *digit != b'0').unwrap_or(0) + 1;
        out.extend_from_slice(&digits[..shown]);
    }
}

/// A moment as in `2026-01-02T03:04:05.678901Z`.
fn write_time(now: Timestamp, out: &mut Vec<u8>) {
    let now = TimeZone::UTC.to_datetime(now);
    let mut number = |before: &[u8], digits: &[u8]| {
        out.extend_from_slice(before);
        out.extend_from_slice(digits);
    };
    number(b"", &decimals::<4>(now.year()));
    number(b"-", &decimals::<2>(now.month()));
    number(b"-", &decimals::<2>(now.day()));
    number(b"T", &decimals::<2>(now.hour()));
    number(b":", &decimals::<2>(now.minute()));
    number(b":", &decimals::<2>(now.second()));
    number(b".", &decimals::<6>(now.subsec_nanosecond() / 1_000));
    out.push(b'Z');
}

/// The last digits of a number that is not negative.
fn decimals<const N: usize>(number: impl Into<i64>) -> [u8; N] {
    let mut left = number.into().unsigned_abs();
    let mut digits = [b'0'; N];
    for digit in digits.iter_mut().rev() {
        *digit += u8::try_from(left % 10).unwrap_or_default();
        left /= 10;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};
    use tracing_subscriber::fmt;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("unbroken").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The same said as any other line is, without its time.
    fn as_others(format: LogFormat, answer: &Answered) -> String {
        let written = Written::default();
        let writer = written.clone();
        let lines = fmt().with_target(false).with_writer(move || writer.clone());
        let milliseconds = (answer.took.as_secs_f64() * 1e6).round() / 1e3;
        let say = || {
            let Answered { route, method, status, .. } = answer;
            tracing::info!(route, method, status = status.as_u16(), milliseconds, "answered");
        };
        match format {
            LogFormat::Human => tracing::subscriber::with_default(lines.with_ansi(false).finish(), say),
            LogFormat::Json => {
                let lines = lines.json().flatten_event(true).with_current_span(false).finish();
                tracing::subscriber::with_default(lines, say);
            }
        }
        let written = written.0.lock().expect("unbroken").clone();
        String::from_utf8(written).expect("a text")
    }

    /// A line with the time blotted out; it has to be one.
    fn without_time(line: &str) -> String {
        let at = line.find("20").expect("a year");
        let end = at + line[at..].find('Z').expect("the end of a time") + 1;
        let time: Timestamp = line[at..end].parse().expect("a time");
        assert_eq!(line[at..end].len(), "2026-01-02T03:04:05.678901Z".len(), "{time}");
        format!("{}TIME{}", &line[..at], &line[end..])
    }

    #[test]
    fn lines_about_answers_look_like_all_others() {
        for microseconds in [0, 1, 10, 12, 120, 1_000, 1_234, 59_999_999] {
            for (route, method, status) in [("site", "GET", 200), ("/api/skills/{id}", "other", 404)] {
                for format in [LogFormat::Human, LogFormat::Json] {
                    let answer = Answered {
                        route,
                        method,
                        status: StatusCode::from_u16(status).expect("a status"),
                        took: Duration::from_micros(microseconds),
                    };
                    let mut line = Vec::new();
                    answer.write(format, Timestamp::now(), &mut line);
                    let line = String::from_utf8(line).expect("a text");
                    assert_eq!(without_time(&line), without_time(&as_others(format, &answer)));
                }
            }
        }
    }

    #[test]
    fn a_time_is_written_whole() {
        for time in ["2026-01-02T03:04:05.678901Z", "1999-12-31T23:59:59.000007Z"] {
            let mut out = Vec::new();
            write_time(time.parse().expect("a time"), &mut out);
            assert_eq!(String::from_utf8(out).expect("a text"), time);
        }
    }
}
