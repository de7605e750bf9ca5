//! The body of a skill: 5 to 12 KB, in the sections every skill has.
//!
//! 1. Draw how long the body shall be; each section fills it up to its share ([`Share`]).
//! 2. Authoritative basis cites every reference once, with its full tag; later citations use the
//!    bracket form. Values always carry their full tag.
//! 3. Required documents anchors the required skills, Process the required paths.
//! 4. The three last sections are fixed in shape: surprises, observations, requests.

use std::fmt::Write as _;

use super::catalogue::{Reference, Value};
use super::plan::{Plan, Skill};
use super::prose::{paragraph, sentence};
use super::rng::Rng;
use super::words::{QUALIFIERS, STAKES, THINGS};

/// The catalogue bodies cite.
#[derive(Debug)]
pub struct Sources {
    /// All values.
    pub values: Vec<Value>,
    /// All references.
    pub references: Vec<Reference>,
}

/// How full the body is, in percent, when a section ends.
struct Share;

impl Share {
    const BASIS: usize = 14;
    const BRANCHING: usize = 30;
    const DOCUMENTS: usize = 50;
    const PROCESS: usize = 80;
    const SURPRISES: usize = 94;
}

/// What a body is written with.
struct Writer<'a> {
    out: &'a mut String,
    rng: &'a mut Rng,
    skill: &'a Skill,
    sources: &'a Sources,
    start: usize,
    length: usize,
}

/// Appends every section of an ordinary skill.
pub fn sections(
    out: &mut String,
    plan: &Plan,
    skill: &Skill,
    sources: &Sources,
    rng: &mut Rng,
    branches: bool,
) {
    let mut writer =
        Writer { start: out.len(), length: rng.between(5_000, 11_200), out, rng, skill, sources };
    writer.basis();
    if branches {
        writer.branching();
    }
    writer.documents(plan);
    writer.process(plan);
    writer.surprises();
    writer.ending();
}

/// Appends the sections of the fallback.
pub fn fallback(out: &mut String, skill: &Skill, sources: &Sources, rng: &mut Rng) {
    out.push_str("\n## Say so first\n\n");
    paragraph(rng, out);
    out.push_str("\n\n## Work from sources\n\nCite the official text, for instance the ");
    if let Some(reference) = skill.references.first() {
        first_citation(out, &sources.references[*reference]);
    }
    out.push_str(", with its date, and say what stays uncertain.\n\n## Offer a proposal at the end\n\n");
    paragraph(rng, out);
    out.push('\n');
}

/// `process.mmd` of a skill that forks.
pub fn drawing(rng: &mut Rng) -> String {
    let mut text = String::from("flowchart TD\n  start[Prepare the file] --> fork{Which situation?}\n");
    for step in 1..=rng.between(2, 4) {
        let thing = rng.pick(THINGS).replace(['*', '`'], "").replace(':', "");
        let _ = write!(
            text,
            "  fork -->|situation {step}| bring{step}[Bring {thing}]\n  bring{step} --> desk[Go to the desk]\n"
        );
    }
    text.push_str("  desk --> answer[Wait for the answer]\n");
    text
}

fn first_citation(out: &mut String, reference: &Reference) {
    out.push_str(&reference.tag);
    out.push_str(&reference.label);
    out.push_str("</Ref>");
}

impl Writer<'_> {
    fn basis(&mut self) {
        self.heading("Authoritative basis");
        for reference in &self.skill.references {
            self.out.push_str("- ");
            sentence(self.rng, self.out);
            self.out.push_str(" This rests on the ");
            first_citation(self.out, &self.sources.references[*reference]);
            self.out.push_str(".\n");
        }
        while self.room(Share::BASIS) {
            self.out.push('\n');
            paragraph(self.rng, self.out);
            self.out.push('\n');
        }
    }

    fn branching(&mut self) {
        self.heading("Branching layer");
        let first = self.rng.below(QUALIFIERS.len() - 3);
        for (_, whom) in &QUALIFIERS[first..first + 3] {
            let _ = write!(self.out, "### A request {whom}\n\n");
            self.cited_paragraph();
            self.out.push_str("\n\n");
        }
        while self.room(Share::BRANCHING) {
            self.cited_paragraph();
            self.out.push_str("\n\n");
        }
        self.out.pop();
    }

    fn documents(&mut self, plan: &Plan) {
        self.heading("Required documents");
        for required in &self.skill.requires {
            self.out.push_str("- ");
            sentence(self.rng, self.out);
            let _ = write!(
                self.out,
                " It comes out of another procedure: <Skill id=\"{}\" />",
                plan.skills[*required].id
            );
            self.cite();
            self.out.push_str(".\n");
        }
        self.item();
        while self.room(Share::DOCUMENTS) {
            self.item();
        }
        if self.rng.chance(6) {
            self.table();
        }
    }

    fn process(&mut self, plan: &Plan) {
        self.heading("Process");
        let risky = self.rng.chance(60);
        let mut step = 1;
        let mut paths = self.skill.paths.iter();
        loop {
            let path = paths.next();
            if path.is_none() && step > 3 && !self.room(Share::PROCESS) {
                break;
            }
            let _ = write!(self.out, "{step}. ");
            sentence(self.rng, self.out);
            if let Some(path) = path {
                let id = &plan.routes[*path].id;
                let _ = write!(self.out, " Use <Path id=\"{id}\" /> for that");
            } else {
                self.value();
            }
            self.cite();
            self.out.push_str(".\n");
            if risky && step == 1 {
                self.risk();
            } else if self.rng.chance(30) {
                self.details();
            }
            step += 1;
        }
    }

    /// A step's warning, set in by three blanks so that it belongs to the step.
    fn risk(&mut self) {
        let stake = self.rng.pick(STAKES);
        let _ = write!(self.out, "\n   <Risk reason=\"{stake}\">\n\n   Suggest waiting. ");
        paragraph(self.rng, self.out);
        self.out.push_str("\n\n   </Risk>\n\n");
    }

    /// A list inside a step.
    fn details(&mut self) {
        for _ in 0..self.rng.between(2, 4) {
            self.out.push_str("   - ");
            sentence(self.rng, self.out);
            self.out.push('\n');
        }
    }

    fn surprises(&mut self) {
        self.heading("Known surprises");
        self.item();
        while self.room(Share::SURPRISES) {
            self.item();
        }
    }

    fn ending(&mut self) {
        self.heading("Community observations");
        let _ = writeln!(self.out, "<Observations skill=\"{}\" />", self.skill.id);
        self.heading("Requests for contributions");
        if self.rng.chance(50) {
            self.out.push_str("No outstanding requests at this time.\n");
            return;
        }
        for _ in 0..self.rng.between(1, 3) {
            self.out.push_str("- Tell us whether this is so at your desk, too. ");
            sentence(self.rng, self.out);
            self.out.push('\n');
        }
    }

    fn heading(&mut self, words: &str) {
        let _ = write!(self.out, "\n## {words}\n\n");
    }

    fn item(&mut self) {
        self.out.push_str("- ");
        self.cited_paragraph();
        self.out.push('\n');
    }

    fn cited_paragraph(&mut self) {
        paragraph(self.rng, self.out);
        if self.rng.chance(35) {
            self.value();
        } else {
            self.out.push_str(" So says the source");
        }
        self.cite();
        self.out.push('.');
    }

    fn value(&mut self) {
        let value = self.rng.pick(&self.skill.values);
        self.out.push_str(" Count on ");
        self.sources.values[value].cite(self.out);
    }

    /// A re-citation: every reference had its full tag in the first section.
    fn cite(&mut self) {
        let reference = self.rng.pick(&self.skill.references);
        let _ = write!(self.out, " [{}]", self.sources.references[reference].name);
    }

    fn table(&mut self) {
        self.out.push_str("\n| document | original | copies |\n|---|---|---|\n");
        for _ in 0..self.rng.between(3, 6) {
            let _ = writeln!(
                self.out,
                "| {} | {} | {} |",
                self.rng.pick(THINGS),
                if self.rng.chance(50) { "yes" } else { "no" },
                self.rng.between(1, 3)
            );
        }
    }

    /// Whether the body is still shorter than this share of its length.
    fn room(&self, share: usize) -> bool {
        (self.out.len() - self.start) * 100 < self.length * share
    }
}
