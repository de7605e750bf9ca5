//! The scenarios that come with the program (`fixtures/simulation/`).

/// A scenario by its name, and its text.
pub type Kept = (&'static str, &'static str);

macro_rules! kept {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../fixtures/simulation/", $name, ".toml")))),+]
    };
}

/// All of them, in the order in which the study tells them; the last is there to be timed.
pub const LIBRARY: &[Kept] = kept![
    "careful-readers",
    "hurried-readers",
    "lazy-confirmers",
    "changing-fees",
    "nobody-amends",
    "planted-draft",
    "patient-ring",
    "poisoned-amendment",
    "quiet-amendment",
    "patient-amendment",
    "suppressed-newcomers",
    "suppressed-stable",
    "long-siege",
    "false-alarm-on-stable",
    "false-alarm-by-two",
    "single-veto",
    "year",
];

/// One of them.
pub fn find(name: &str) -> Option<&'static str> {
    LIBRARY.iter().find(|(it, _)| *it == name).map(|(_, text)| *text)
}
