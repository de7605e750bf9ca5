//! The shared catalogue: values (fees, delays) and references (laws, official pages).
//!
//! 1. Entry `n` has the uid `val-` or `ref-` and `n + 1` in five digits or more.
//! 2. Names carry the number too, so they are unique without looking at each other.
//! 3. A row is one line of JSON; a tag repeats the row's attributes exactly.

use super::dates;
use super::plan::stream;
use super::rng::Rng;

/// A named scalar.
#[derive(Debug, Clone)]
pub struct Value {
    /// Number in the catalogue, from 0.
    pub index: usize,
    /// Kebab-case name.
    pub name: String,
    /// What a tag shows.
    pub shown: String,
    /// Its row.
    row: serde_json::Value,
}

/// A citable source.
#[derive(Debug, Clone)]
pub struct Reference {
    /// Kebab-case name, as re-citations use it.
    pub name: String,
    /// What a citation shows.
    pub label: String,
    /// The opening tag, all attributes filled.
    pub tag: String,
    /// Its row.
    row: serde_json::Value,
}

const STATUSES: &[&str] = &["alpha", "alpha", "alpha", "beta", "stable"];

/// Value names: agency, what it is, unit.
const AGENCIES: &[&str] = &["dofi", "ibz", "commune", "bosa", "minfin", "inami", "onem", "rsvz"];
const FEES: &[&str] = &["certificate", "card", "copy", "handling", "registration", "urgent"];
const DELAYS: &[&str] = &["answer", "appointment", "appeal", "delivery", "visit", "renewal"];

/// Hosts that citations may lead to, all of them the authorities' own.
const HOSTS: &[&str] = &[
    "www.ejustice.just.fgov.be/eli/loi",
    "dofi.ibz.be/en/themes",
    "ibz.be/fr/pages",
    "bosa.belgium.be/fr/services",
    "www.vlaanderen.be/pagina",
    "www.wallonie.be/fr/demarches",
    "be.brussels/fr/pages",
    "www.belgium.be/fr/themes",
];

/// Value `index` of the corpus with this seed.
pub fn value(seed: u64, index: usize) -> Value {
    let mut rng = Rng::stream(seed, stream::VALUE, index);
    let agency = rng.pick(AGENCIES);
    let number = index + 1;
    let (name, shown, value, kind) = match rng.below(10) {
        0..5 => {
            let euros = rng.between(3, 240);
            let shown = format!("€{euros}");
            let name = format!("{agency}-{}-fee-{number}-eur", rng.pick(FEES));
            (name, shown.clone(), shown.into(), "string")
        }
        5..9 => {
            let days = rng.between(2, 120);
            let unit = rng.pick(&["working days", "days", "weeks"]);
            let shown = format!("{days} {unit}");
            let name = format!("{agency}-{}-delay-{number}", rng.pick(DELAYS));
            (name, shown.clone(), shown.into(), "string")
        }
        _ => {
            let count = rng.between(1, 12);
            let name = format!("{agency}-{}-copies-{number}", rng.pick(FEES));
            (name, count.to_string(), serde_json::json!(count), "integer")
        }
    };
    let row = serde_json::json!({
        "uid": format!("val-{number:05}"), "name": name, "value": value, "value_type": kind,
        "status": rng.pick(STATUSES), "committed_at": format!("{}T08:00:00Z", dates::day(&mut rng)),
    });
    Value { index, name, shown, row }
}

/// Reference `index` of the corpus with this seed.
pub fn reference(seed: u64, index: usize) -> Reference {
    let mut rng = Rng::stream(seed, stream::REFERENCE, index);
    let number = index + 1;
    let uid = format!("ref-{number:05}");
    let host = rng.pick(HOSTS);
    let verified = dates::day(&mut rng);
    let (name, title, label) = if rng.chance(40) {
        let year = rng.between(1965, 2025);
        (
            format!("law-{year}-{number}"),
            format!("Law of {year}, number {number}, on administrative procedures"),
            format!("law number {number} of {year}"),
        )
    } else {
        let agency = rng.pick(AGENCIES);
        (
            format!("{agency}-guidance-{number}"),
            format!("Official guidance {number}: conditions, documents and delays"),
            format!("official guidance {number}"),
        )
    };
    let url = format!("https://{host}/{name}");
    let tag = format!(
        "<Ref name=\"{name}\" uid=\"{uid}\" title=\"{title}\" url=\"{url}\" last_verified=\"{verified}\">"
    );
    let row = serde_json::json!({
        "uid": uid, "name": name, "title": title, "url": url, "last_verified": verified,
        "status": rng.pick(STATUSES), "committed_at": format!("{}T08:00:00Z", dates::day(&mut rng)),
    });
    Reference { name, label, tag, row }
}

impl Value {
    /// Appends the whole tag, as every citation of a value needs it.
    pub fn cite(&self, out: &mut String) {
        let tag = format!("<VV name=\"{}\" uid=\"val-{:05}\">{}</VV>", self.name, self.index + 1, self.shown);
        out.push_str(&tag);
    }
}

/// `catalogue/volatile-values.jsonl`.
pub fn values_file(values: &[Value]) -> String {
    values.iter().map(|value| format!("{}\n", value.row)).collect()
}

/// `catalogue/references.jsonl`.
pub fn references_file(references: &[Reference]) -> String {
    references.iter().map(|reference| format!("{}\n", reference.row)).collect()
}
