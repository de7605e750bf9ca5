//! The hosts that skills, paths, references and pages lead to.

use super::{Cx, PathCx, SkillCx};
use crate::mdx::tag::TagKind;
use crate::text::Source;
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

/// Hosts of the catalogue's references, each with its place.
pub fn of_catalogue<'a>(cx: &'a Cx<'_>) -> impl Iterator<Item = (&'a Source, u32, String)> + 'a {
    let rows = cx.corpus.placed_references().filter(|(source, ..)| cx.asks_about(source));
    rows.flat_map(|(source, place, row)| {
        let urls = std::iter::once(&row.url).chain(&row.archived_url);
        urls.filter_map(move |url| Some((source, place, url_policy::host(url).ok()?.into_owned())))
    })
}

/// Hosts that pages link to, each with its place.
pub fn of_pages<'a>(cx: &'a Cx<'_>) -> impl Iterator<Item = (&'a Source, u32, String)> + 'a {
    cx.corpus.pages.values().filter(|page| cx.asks_about(&page.source)).flat_map(|page| {
        let links = page.document.outline.links.iter();
        let host = |target: &str| url_policy::host(target).ok().map(|host| host.into_owned());
        links.filter_map(move |link| Some((&page.source, link.span.start, host(&link.target)?)))
    })
}
