//! What a client may know of: `HEAD`, `main`, and the heads of pull requests.

use anyhow::anyhow;
use gix::ObjectId;

/// The branch that is the corpus.
pub const MAIN: &str = "refs/heads/main";

/// A name and the commit it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The whole name.
    pub name: String,
    /// The commit.
    pub id: ObjectId,
}

/// Everything that is listed, `HEAD` first, the rest by name.
pub fn listed(git: &gix::Repository) -> anyhow::Result<Vec<Named>> {
    let wrong = |error: gix::Error| anyhow!("{error}");
    let mut main = git.find_reference(MAIN).map_err(wrong)?;
    let main = main.peel_to_id().map_err(wrong)?.detach();
    let mut found =
        vec![Named { name: "HEAD".to_owned(), id: main }, Named { name: MAIN.to_owned(), id: main }];
    let platform = git.references().map_err(wrong)?;
    let pulls = platform.prefixed("refs/pull/").map_err(wrong)?.peeled().map_err(wrong)?;
    // One that cannot be read, because it is being removed, is not listed.
    for pull in pulls.flatten() {
        let name = pull.name().as_bstr().to_string();
        let Some(id) = pull.try_id() else { continue };
        if is_head_of_pull(&name) {
            found.push(Named { name, id: id.detach() });
        }
    }
    if let Some(rest) = found.get_mut(1..) {
        rest.sort_by(|a, b| a.name.cmp(&b.name));
    }
    Ok(found)
}

/// Whether a name is `refs/pull/<number>/head`.
pub fn is_head_of_pull(name: &str) -> bool {
    let number = name.strip_prefix("refs/pull/").and_then(|rest| rest.strip_suffix("/head"));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}
