//! The hosts a skill or a path leads to.

use super::{PathCx, SkillCx};
use crate::mdx::tag::TagKind;
use crate::url_policy;
use std::borrow::Cow;

/// Hosts of a skill's references and links, each with its place.
pub fn of_skill<'a>(cx: &'a SkillCx<'_>) -> impl Iterator<Item = (u32, String)> + 'a {
    let source = cx.source();
    let references = cx.skill.document.tags.iter().filter(|tag| tag.kind == TagKind::Ref);
    let cited =
        references.filter_map(move |tag| Some((tag.value_offset(source, "url"), tag.value(source, "url")?)));
    let links = cx.skill.document.outline.links.iter().filter(|link| !link.image);
    let linked = links.map(|link| (link.span.start, Cow::Borrowed(&*link.target)));
    cited.chain(linked).filter_map(|(place, url)| Some((place, url_policy::host(&url).ok()?.into_owned())))
}

/// Hosts of a path's sources, each with the pointer of its address.
pub fn of_path<'a>(cx: &'a PathCx<'_>) -> impl Iterator<Item = (String, String)> + 'a {
    cx.path.entry.sources.iter().enumerate().filter_map(|(i, source)| {
        let host = url_policy::host(source.procedure.deeplink.as_ref()?).ok()?;
        Some((format!("/sources/{i}/procedure/deeplink"), host.into_owned()))
    })
}
