//! A new name for an entry of the catalogue. Its uid stays; whatever cites it by name is rewritten in one pull request:
//! tags with its uid, names in brackets, and the seed file. The entry itself is renamed in the transaction that the merge is
//! finished in, so that no reader sees one name here and the other there.

use super::{By, Done, Record, Refused};
use crate::app::App;
use crate::consensus::Cause;
use crate::db::catalogue::{self, Prefix};
use crate::jobs::change::{self, Change, With};
use crate::jobs::merge::Stored;
use crate::live::Live;
use crate::repository::Repository;
use becivic_core::corpus::Content;
use becivic_core::materialise::Texts;
use becivic_core::mdx::tag::TagKind;
use becivic_core::text::Span;
use serde_json::Value;
use std::sync::Arc;

/// What is to be renamed.
#[derive(Clone, Debug)]
pub struct Renaming {
    /// The entry.
    pub uid: String,
    /// Whether it is a value or a reference.
    pub prefix: Prefix,
    /// Its name now.
    pub old: String,
    /// Its name afterwards.
    pub new: String,
    /// Every file that cites it, as it will be.
    pub files: Texts,
}

/// Proposes and merges the change of a name: one pull request, made against the head of `main`. `with` runs in the transaction
/// that finishes it.
async fn propose(app: &Arc<App>, renaming: &Renaming, with: With) -> Result<(), Refused> {
    let Renaming { uid, prefix, old, new, .. } = renaming.clone();
    let repository = app.repository.clone();
    let change = Change {
        purpose: "rename",
        target: (prefix.as_str().to_owned(), uid.clone()),
        title: format!("Call {uid} {new}"),
        renamed: Some((uid.clone(), new.clone())),
        make: Box::new(move |live| files(live, &repository, prefix, &uid, &old, &new)),
        at_any_rate: false,
        about: "A maintainer's decision.\n",
        trailers: String::new(),
        cause: Cause::act("maintainer"),
    };
    change::commit(app, change, with).await
}

/// Renames an entry.
pub async fn rename(app: &Arc<App>, by: By, uid: &str, name: &str) -> Result<Done, Refused> {
    let renaming = plan(app, uid, name).await?;
    let record = Record { by, action: "rename", at: app.clock.now() };
    let asked = record.clone();
    app.db.read(move |tx| asked.permit(tx)).await??;
    let (entry, new) = (renaming.uid.clone(), renaming.new.clone());
    let with: With = Box::new(move |tx| {
        catalogue::rename(tx, &entry, &new)?;
        record.write(tx, &entry)?;
        Ok(Stored::Done)
    });
    propose(app, &renaming, with).await?;
    Ok(Done { text: format!("{uid} is called {name} now, in {} files.", renaming.files.len()) })
}

/// Works out what a new name changes.
pub async fn plan(app: &App, uid: &str, name: &str) -> Result<Renaming, Refused> {
    let invalid = |text: &str| Refused::Invalid(text.to_owned());
    let prefix = [Prefix::Value, Prefix::Reference].into_iter().find(|prefix| prefix.is_uid(uid));
    let prefix = prefix.ok_or_else(|| invalid("Name the entry by its uid: val-NNNNN or ref-NNNNN."))?;
    if !is_kebab(name) {
        return Err(invalid(
            "A name has small letters and digits with single hyphens between them, up to 80 of them.",
        ));
    }
    let (entry, wanted) = (uid.to_owned(), name.to_owned());
    let found = app
        .db
        .read(move |tx| Ok((catalogue::current(tx, &entry)?, catalogue::uid_of_name(tx, prefix, &wanted)?)))
        .await?;
    let row =
        found.0.ok_or_else(|| Refused::Missing(format!("There is no entry {uid} in the catalogue.")))?;
    match found.1 {
        Some(holder) if holder == uid => Err(invalid("That is its name already.")),
        Some(holder) => Err(Refused::Conflict(format!("{holder} has that name; choose another."))),
        None => {
            let (old, new) = (row.name, name.to_owned());
            let files = files(&app.live.load(), &app.repository, prefix, uid, &old, name)?;
            Ok(Renaming { uid: uid.to_owned(), prefix, old, new, files })
        }
    }
}

/// As the schemas have it: `kebab_id`.
fn is_kebab(name: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    name.len() <= 80 && name.split('-').all(plain)
}

/// Every file that names the entry, as it will be.
fn files(
    live: &Live,
    repository: &Repository,
    prefix: Prefix,
    uid: &str,
    old: &str,
    new: &str,
) -> Result<Texts, Refused> {
    let mut files = skills(live, prefix, uid, old, new);
    files.extend(seeds(live, repository, prefix, uid, old, new)?);
    Ok(files)
}

/// Skills that cite the entry.
fn skills(live: &Live, prefix: Prefix, uid: &str, old: &str, new: &str) -> Texts {
    let kind = match prefix {
        Prefix::Value => TagKind::VV,
        Prefix::Reference => TagKind::Ref,
    };
    let mut files = Texts::new();
    for (id, skill) in &live.corpus.skills {
        let source = &skill.source;
        let mut places: Vec<Span> = Vec::new();
        for tag in skill.document.tags.iter().filter(|tag| tag.kind == kind) {
            let cited = tag.value(source, "uid");
            let by_name = cited.is_none() && tag.value(source, "name").as_deref() == Some(old);
            if cited.as_deref() == Some(uid) || by_name {
                let names = tag.attributes.iter().filter(|it| source.slice(it.name) == "name");
                places.extend(names.map(|it| it.value));
            }
        }
        if prefix == Prefix::Reference {
            let brackets = skill.document.brackets.iter();
            places.extend(brackets.filter(|span| source.slice(**span) == old));
        }
        if !places.is_empty() {
            let text = replaced(source.text(), places, new);
            files.insert(format!("skills/{id}/canonical.md"), text);
        }
    }
    files
}

/// A text with other words at these places.
fn replaced(text: &str, mut places: Vec<Span>, new: &str) -> String {
    places.sort_by_key(|span| span.start);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for place in places {
        out.push_str(text.get(done..place.start as usize).unwrap_or_default());
        out.push_str(new);
        done = place.end as usize;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// The seed file, if the entry stands in it: its line with the new name, every other byte as it is.
fn seeds(
    live: &Live,
    repository: &Repository,
    prefix: Prefix,
    uid: &str,
    old: &str,
    new: &str,
) -> Result<Option<(String, String)>, Refused> {
    let path = match prefix {
        Prefix::Value => "catalogue/volatile-values.jsonl",
        Prefix::Reference => "catalogue/references.jsonl",
    };
    let inputs = repository.files(&live.commit).map_err(|_| Refused::Unavailable)?;
    let file = inputs.into_iter().find(|input| input.path == path);
    let Some(Content::Bytes(bytes)) = file.map(|file| file.content) else { return Ok(None) };
    let text = String::from_utf8_lossy(&bytes);
    let changed = in_seeds(&text, uid, old, new);
    Ok((changed != text).then(|| (path.to_owned(), changed)))
}

fn in_seeds(text: &str, uid: &str, old: &str, new: &str) -> String {
    let one = |line: &str| {
        let row: Value = serde_json::from_str(line.trim_end()).unwrap_or(Value::Null);
        // The old name in quotes may be another field's value too: only what follows `"name"` is the name.
        let place = line.find("\"name\"").filter(|_| row["uid"] == uid && row["name"] == old);
        match place.and_then(|at| Some(line.split_at(at + line.get(at..)?.find(&format!("\"{old}\""))?))) {
            Some((before, after)) => format!("{before}{}", after.replacen(old, new, 1)),
            None => line.to_owned(),
        }
    };
    text.split_inclusive('\n').map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kebab() {
        for good in ["a", "a-b", "law-1991"] {
            assert!(is_kebab(good), "{good}");
        }
        for bad in ["", "A", "a--b", "-a", "a-", "a b", "é", &"a".repeat(81)] {
            assert!(!is_kebab(bad), "{bad}");
        }
    }

    #[test]
    fn only_the_name_of_the_entry_changes_in_the_seeds() {
        let text = "{\"uid\": \"ref-1\", \"title\": \"old\", \"name\": \"old\", \"x\": \"old\"}\n{\"uid\": \"ref-2\", \"name\": \"old\"}\n";
        let changed = in_seeds(text, "ref-1", "old", "new");
        assert_eq!(changed, text.replacen("\"name\": \"old\"", "\"name\": \"new\"", 1));
        assert_eq!(in_seeds("no json\n", "ref-1", "old", "new"), "no json\n");
    }

    #[test]
    fn places_are_replaced_in_their_order() {
        let places = vec![Span::new(4, 5), Span::new(0, 1)];
        assert_eq!(replaced("a b c a", places, "xy"), "xy b xy a");
    }
}
