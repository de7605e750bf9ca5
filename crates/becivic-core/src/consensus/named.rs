//! Tables of thresholds that somebody else wrote down: are they what they are called?

use super::{Millis, Policy};
use sha2::{Digest, Sha256};

impl Policy {
    /// The name of a table by its rows: a digest of the settings and their values, in their order.
    pub fn name_of<'a>(rows: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
        let mut table = Sha256::new();
        for (name, value) in rows {
            table.update(format!("{name} = {value}\n"));
        }
        let digest: String = table.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        format!("1-{digest}")
    }

    /// Whether a table has the name it is given. `1` is the table in which every setting has its default; settings that came
    /// later may be missing in it.
    pub fn is_named<'a>(name: &str, rows: impl IntoIterator<Item = (&'a str, &'a str)>) -> bool {
        if name != "1" {
            return Self::name_of(rows) == name;
        }
        let defaults = Self::default().rows();
        let is_default =
            |(name, value): (&str, &str)| defaults.iter().any(|row| row.name == name && row.default == value);
        rows.into_iter().all(is_default)
    }

    /// A duration as tables write it.
    pub fn millis(text: &str) -> Option<Millis> {
        let split = text.find(|it: char| !it.is_ascii_digit())?;
        let (number, unit) = text.split_at_checked(split)?;
        let unit = match unit {
            "d" => 24 * 60 * 60 * 1000,
            "h" => 60 * 60 * 1000,
            "m" => 60 * 1000,
            "s" => 1000,
            "ms" => 1,
            _ => return None,
        };
        number.parse::<Millis>().ok()?.checked_mul(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_the_name_its_policy_says() {
        let default = Policy::default();
        let other = Policy { beta_confirms: 4, ..default.clone() };
        for policy in [&default, &other] {
            let rows = policy.rows();
            let pairs = || rows.iter().map(|row| (row.name, row.value.as_str()));
            assert!(Policy::is_named(&policy.version(), pairs()));
            assert!(!Policy::is_named("1-00000000", pairs()));
        }
        let rows = other.rows();
        assert!(!Policy::is_named("1", rows.iter().map(|row| (row.name, row.value.as_str()))));
    }

    #[test]
    fn durations_of_a_table_read_back() {
        let rows = Policy::default().rows();
        let value = |name: &str| {
            rows.iter().find(|row| row.name == name).map(|row| row.value.clone()).unwrap_or_default()
        };
        assert_eq!(Policy::millis(&value("beta_age")), Some(Policy::default().beta_age));
        assert_eq!(Policy::millis(&value("stable_age")), Some(Policy::default().stable_age));
        let cases = [
            ("2s", Some(2_000)),
            ("5m", Some(300_000)),
            ("7ms", Some(7)),
            ("", None),
            ("d", None),
            ("3", None),
            ("3y", None),
        ];
        for (text, millis) in cases {
            assert_eq!(Policy::millis(text), millis, "{text}");
        }
    }
}
