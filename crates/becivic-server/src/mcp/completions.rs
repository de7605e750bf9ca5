//! Completions of arguments: ids by how they begin, words of closed lists.

use super::{Door, prompts};
use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo, Reference};

/// The values that begin with what was typed.
pub fn complete(door: &Door, request: &CompleteRequestParams) -> CompleteResult {
    let typed = request.argument.value.to_lowercase();
    let name = request.argument.name.as_str();
    let found: Vec<String> = match (&request.r#ref, name) {
        (Reference::Prompt(_), "language") => beginning(prompts::LANGUAGES.iter().copied(), &typed),
        (Reference::Prompt(_), "skill_id") => skills(door, &typed),
        (Reference::Resource(template), "id") if template.uri.contains("/paths/") => paths(door, &typed),
        (Reference::Resource(_), "id") => skills(door, &typed),
        _ => Vec::new(),
    };
    let more = found.len() > CompletionInfo::MAX_VALUES;
    let total = u32::try_from(found.len()).ok().filter(|_| !more);
    let values = found.into_iter().take(CompletionInfo::MAX_VALUES).collect();
    let completion = CompletionInfo::with_pagination(values, total, more).unwrap_or_default();
    CompleteResult::new(completion)
}

/// One more than can be told, so that it is known that there are more.
fn beginning<'a>(all: impl Iterator<Item = &'a str>, typed: &str) -> Vec<String> {
    all.filter(|id| id.starts_with(typed)).take(CompletionInfo::MAX_VALUES + 1).map(str::to_owned).collect()
}

fn skills(door: &Door, typed: &str) -> Vec<String> {
    let served = door.app.served();
    // Ids are in order: nothing before what was typed begins with it, and the first that does not ends them.
    let from = served.skill(typed).map(|skill| skill.id().to_owned());
    let after = served.skills(typed).map(|skill| skill.id()).take_while(|id| id.starts_with(typed));
    from.into_iter().chain(after.map(str::to_owned)).take(CompletionInfo::MAX_VALUES + 1).collect()
}

fn paths(door: &Door, typed: &str) -> Vec<String> {
    let served = door.app.served();
    let from = served.path(typed).map(|path| path.id().to_owned());
    let after = served.paths(typed).map(|path| path.id()).take_while(|id| id.starts_with(typed));
    from.into_iter().chain(after.map(str::to_owned)).take(CompletionInfo::MAX_VALUES + 1).collect()
}
