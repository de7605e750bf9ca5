//! `becivic new`: starts a skill, a path or a category that a check accepts at once.

use super::index;
use super::words::{date, one_of};
use crate::{Outcome, UsageError, folder, say, write};
use anyhow::Context;
use becivic_core::path::SourceClass;
use becivic_core::scaffold::{
    self, CATEGORY_RULE, ID_RULE, NewCategory, NewFile, NewPath, NewSkill, Refused,
};
use becivic_core::vocabulary::Role;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Start a skill, a path or a category
///
/// Writes a draft with every part in its place and a sentence saying what goes there. `becivic check` accepts it
/// at once, so that from then on every finding is about your own words.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic new skill renew-residence-card --title \"Renew a residence card\" --dir corpus\n  becivic new path household-certificate --authority dgiac-rrn --class offline --dir corpus\n  becivic new category belgium-communal --description \"Matters of the communes.\" --dir corpus\n\nExit codes: 0 fine, 2 wrong usage, 3 could not run (the id is taken, say)."
)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Skill(SkillArgs),
    Path(PathArgs),
    Category(CategoryArgs),
}

/// Start a skill: skills/ID/canonical.md and its diagram
///
/// A draft at 0.0.0 with the seven sections of a skill. Raise `status` to alpha once it is written and cited.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  becivic new skill renew-residence-card --title \"Renew a residence card\" --category belgium-federal --dir corpus"
)]
struct SkillArgs {
    /// The id: lowercase words joined by hyphens; it names the folder
    #[arg(value_parser = id)]
    id: String,

    /// The formal label (default: the id in words)
    #[arg(long, value_parser = title)]
    title: Option<String>,

    /// One line that tells an agent whether this is the right skill
    #[arg(long)]
    summary: Option<String>,

    /// Where it belongs; a new name is allowed when it cannot be confused with a listed one
    #[arg(long, default_value = "belgium-federal", value_parser = category)]
    category: String,

    #[command(flatten)]
    place: Place,
}

/// Start a path: a draft entry of paths/index.json with one source
///
/// The entry goes where its id belongs and takes the next free uid. The source is a template of its class:
/// replace its address and signals by what you saw.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  becivic new path household-certificate --title-en \"Household certificate\" --class federal-auth-handoff --authority dgiac-rrn --dir corpus"
)]
struct PathArgs {
    /// The id: lowercase words joined by hyphens
    #[arg(value_parser = id)]
    id: String,

    /// Who is responsible: an id of data/authorities.json
    #[arg(long, value_name = "ID")]
    authority: String,

    /// The English title (default: the id in words)
    #[arg(long, value_name = "TITLE")]
    title_en: Option<String>,

    /// The class of the first source
    #[arg(long, default_value = "offline", value_name = "SOURCE_CLASS", value_parser = one_of(SourceClass::ALL, SourceClass::as_str))]
    class: SourceClass,

    /// Where it belongs
    #[arg(long, default_value = "belgium-federal", value_parser = category)]
    category: String,

    /// What it is to a procedure
    #[arg(long, default_value = "submission", value_parser = one_of(Role::ALL, Role::as_str))]
    purpose: Role,

    /// The day to write as last_verified, YYYY-MM-DD (default: today)
    #[arg(long, value_name = "DATE", value_parser = date)]
    last_verified: Option<String>,

    #[command(flatten)]
    place: Place,
}

/// Start a category: an entry of schemas/categories.json
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  becivic new category belgium-communal --description \"Matters of the communes.\" --dir corpus"
)]
struct CategoryArgs {
    /// The name: lowercase words joined by hyphens
    #[arg(value_parser = category)]
    id: String,

    /// What belongs to it, in one line
    #[arg(long)]
    description: String,

    #[command(flatten)]
    place: Place,
}

#[derive(clap::Args)]
struct Place {
    /// The corpus folder: the one that holds skills/ and paths/ (default: this folder, or corpus/ in it)
    #[arg(long)]
    dir: Option<PathBuf>,
}

impl Place {
    fn dir(self) -> PathBuf {
        let beside = || !Path::new("skills").exists() && Path::new("corpus/skills").is_dir();
        self.dir.unwrap_or_else(|| if beside() { "corpus".into() } else { ".".into() })
    }
}

impl Args {
    /// Writes the files.
    pub fn run(self) -> anyhow::Result<Outcome> {
        match self.what {
            What::Skill(args) => {
                let SkillArgs { id, title, summary, category, place } = args;
                let dir = place.dir();
                let corpus = folder::read(&dir, None)?.corpus;
                let files = scaffold::skill(&corpus, &NewSkill { id, title, summary, category });
                for file in &files.map_err(refused)? {
                    write::create(&dir, &file.path, file.text.as_bytes())?;
                    say::line(format_args!("wrote {}", file.path))?;
                }
                index::refresh(&dir)?;
            }
            What::Path(args) => {
                let PathArgs { id, authority, title_en, class, category, purpose, last_verified, place } =
                    args;
                let dir = place.dir();
                let corpus = folder::read(&dir, None)?.corpus;
                let today = match last_verified {
                    Some(date) => date,
                    None => today()?,
                };
                let new = NewPath { id, title_en, class, authority, category, purpose, today };
                changed(&dir, &scaffold::path(&corpus, &new).map_err(refused)?)?;
                index::refresh(&dir)?;
            }
            What::Category(args) => {
                let CategoryArgs { id, description, place } = args;
                let dir = place.dir();
                let corpus = folder::read(&dir, None)?.corpus;
                let file = scaffold::category(&corpus, &NewCategory { id, description });
                changed(&dir, &file.map_err(refused)?)?;
            }
        }
        Ok(Outcome::Fine)
    }
}

fn changed(dir: &Path, file: &NewFile) -> anyhow::Result<()> {
    write::replace(dir, &file.path, file.text.as_bytes())?;
    say::line(format_args!("wrote {}", file.path))
}

/// An argument that does not fit is wrong usage; a corpus that has no room for it is not.
fn refused(refused: Refused) -> anyhow::Error {
    match refused {
        Refused::BadId(_)
        | Refused::BadCategory(_)
        | Refused::NearMiss { .. }
        | Refused::NoAuthority(_)
        | Refused::Misfit { .. } => UsageError(refused.to_string()).into(),
        Refused::Taken { .. } | Refused::NoContract | Refused::Unreadable(_) | Refused::NoUidLeft => {
            refused.into()
        }
    }
}

/// A title stands in the body too, as its first heading, where these characters would begin a tag or a citation.
fn title(text: &str) -> Result<String, String> {
    match text.contains(['<', '>', '{', '}', '[', ']']) {
        false => Ok(text.to_owned()),
        true => Err("a title is plain words: it cannot hold < > { } [ ]".to_owned()),
    }
}

fn id(text: &str) -> Result<String, String> {
    match scaffold::is_id(text) {
        true => Ok(text.to_owned()),
        false => Err(ID_RULE.to_owned()),
    }
}

fn category(text: &str) -> Result<String, String> {
    match scaffold::is_category(text) {
        true => Ok(text.to_owned()),
        false => Err(CATEGORY_RULE.to_owned()),
    }
}

/// Today in UTC, `YYYY-MM-DD`.
fn today() -> anyhow::Result<String> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is before 1970")?;
    let (year, month, day) = civil(since.as_secs() / 86_400);
    Ok(format!("{year:04}-{month:02}-{day:02}"))
}

/// The day of the calendar, from days since 1970-01-01: count from 1 March of year 0, when a leap day is the
/// last day of its year (146,097 days in 400 years, 1,460 and 36,524 for the shorter cycles, 153 in 5 months).
fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, late) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + late, month, day)
}

#[cfg(test)]
mod tests {
    use super::civil;

    #[test]
    fn days_are_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(11_017), (2000, 3, 1));
        assert_eq!(civil(20_772), (2026, 11, 15));
    }
}
