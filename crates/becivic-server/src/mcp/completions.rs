//! Completions of arguments: ids and names that hold what was typed, words of closed lists.

use super::{Door, prompts};
use crate::finder;
use becivic_core::search::Kind;
use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo, Reference};

/// The values that hold what was typed; those that begin with it first.
pub async fn complete(door: &Door, request: &CompleteRequestParams) -> CompleteResult {
    let typed = request.argument.value.to_lowercase();
    let served = door.app.served();
    let mut found: Vec<String> = match asked(request) {
        Some(Asked::Language) => holding(prompts::LANGUAGES.into_iter(), &typed),
        Some(Asked::Kind(Kind::Skill)) => holding(served.skills("").map(|skill| skill.id()), &typed),
        Some(Asked::Kind(Kind::Path)) => holding(served.paths("").map(|path| path.id()), &typed),
        Some(Asked::Kind(kind @ (Kind::Value | Kind::Reference))) => {
            // Where the store does not answer, nothing is completed.
            let index = finder::index(&door.app, &served, true).await.ok();
            index.map(|index| holding(index.ids(kind), &typed)).unwrap_or_default()
        }
        None => Vec::new(),
    };
    let more = found.len() > CompletionInfo::MAX_VALUES;
    let total = u32::try_from(found.len()).ok();
    found.truncate(CompletionInfo::MAX_VALUES);
    let completion = CompletionInfo::with_pagination(found, total, more).unwrap_or_default();
    CompleteResult::new(completion)
}

/// What an argument is.
enum Asked {
    Language,
    Kind(Kind),
}

fn asked(request: &CompleteRequestParams) -> Option<Asked> {
    match (&request.r#ref, request.argument.name.as_str()) {
        (Reference::Prompt(_), "language") => Some(Asked::Language),
        (Reference::Prompt(_), "skill_id") => Some(Asked::Kind(Kind::Skill)),
        (Reference::Resource(template), "id") if template.uri.contains("/paths/") => {
            Some(Asked::Kind(Kind::Path))
        }
        (Reference::Resource(_), "id") => Some(Asked::Kind(Kind::Skill)),
        (Reference::Resource(template), "name") if template.uri.contains("/values/") => {
            Some(Asked::Kind(Kind::Value))
        }
        (Reference::Resource(template), "name") if template.uri.contains("/references/") => {
            Some(Asked::Kind(Kind::Reference))
        }
        _ => None,
    }
}

/// Those that hold what was typed, in order; those that begin with it first.
fn holding<'a>(all: impl Iterator<Item = &'a str>, typed: &str) -> Vec<String> {
    let mut found: Vec<&str> = all.filter(|id| id.contains(typed)).collect();
    found.sort_unstable_by_key(|id| (!id.starts_with(typed), *id));
    found.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_with_it_comes_before_what_holds_it() {
        let all = ["change-of-address", "address-history", "birth-certificate"];
        assert_eq!(holding(all.into_iter(), "address"), ["address-history", "change-of-address"]);
        assert_eq!(holding(all.into_iter(), "").len(), 3);
        assert!(holding(all.into_iter(), "zzz").is_empty());
    }
}
