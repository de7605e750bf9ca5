//! Each tag, printed both ways: for people as an element that says what it is, for agents as the tag itself with what the catalogue
//! says now.

use super::escape::{attribute, in_html, markdown};
use super::links::is_https;
use super::names::Names;
use super::observed;
use super::places::Found;
use super::shelf::Shelf;
use crate::dates;
use crate::facts::Row;
use crate::pages::AUTHORED;
use crate::words::{Words, fill};
use crate::world::{SeenPath, SeenSkill};
use becivic_core::corpus::Skill;
use becivic_core::mdx::resolve::{Cited, Resolved, UNRESOLVED, resolve};
use becivic_core::mdx::tag::{Tag, TagKind, shape_of};
use becivic_core::mdx::withhold::OF_THE_ROW;
use becivic_core::path::Multilingual;
use becivic_core::vocabulary::{Language, Status};

/// The tags of a skill, resolved.
pub struct Tags<'f, 's> {
    /// What they stand for.
    pub resolution: Found<'f, 's>,
    /// The skill.
    pub skill: &'s Skill,
    shelf: &'s Shelf<'f>,
    words: &'s Words,
}

/// Something both ways.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Both {
    /// As HTML.
    pub html: String,
    /// As markdown.
    pub markdown: String,
    /// The words of it, as a heading would repeat them.
    pub title: String,
}

impl<'f, 's> Tags<'f, 's> {
    /// Resolves the tags of a skill.
    pub fn new(shelf: &'s Shelf<'f>, skill: &'s Skill, words: &'s Words) -> Self {
        let resolution = resolve(&skill.source, &skill.document, &skill.folder, shelf);
        Self { resolution, skill, shelf, words }
    }

    /// A tag as written.
    pub fn written(&self, index: usize) -> Option<&'s Tag> {
        self.skill.document.tags.get(index)
    }

    /// What a tag stands for.
    pub fn resolved(&self, index: usize) -> &Resolved<'f, 's, Shelf<'f>> {
        self.resolution.tags.get(index).unwrap_or(&Resolved::Text)
    }

    /// The names of first citations, for brackets to lead to: by tag.
    pub fn anchors(&self, names: &mut Names) -> Vec<Option<String>> {
        let mut anchors = vec![None; self.resolution.tags.len()];
        let mut first: Vec<(usize, &str)> =
            self.resolution.first.iter().map(|(name, index)| (*index, name.as_ref())).collect();
        first.sort_unstable();
        for (index, name) in first {
            if let Some(anchor) = anchors.get_mut(index) {
                *anchor = Some(names.give(&["cite-", name].concat()));
            }
        }
        anchors
    }

    /// What people said of the skill and everything it cites.
    pub fn observations(&self, names: &mut Names) -> Option<Both> {
        let seen = self.shelf.world.skill(&self.skill.folder)?;
        Some(observed::both(&self.shelf.world, &seen, self.shelf.facts, self.words, names))
    }

    fn attribute(&self, tag: &Tag, name: &str) -> String {
        attribute(&tag.value(&self.skill.source, name).unwrap_or_default()).into_owned()
    }

    /// A value, with what is pending beside it (S5).
    pub fn value(&self, cited: &Cited<'f, &Row>, in_link: bool) -> Both {
        let value = cited.shown.text();
        let pending = self.pending(cited.pending.map(|row| Both {
            html: in_html(&row.text()).into_owned(),
            markdown: markdown(&row.text()).into_owned(),
            title: String::new(),
        }));
        let html = {
            let (uid, shown) = (in_html(cited.uid), in_html(&value));
            let mut html = begun("<data class=\"vv\"");
            let (name, status) = (in_html(cited.name), in_html(&cited.shown.status));
            let about =
                [("value", &shown), ("data-name", &name), ("data-uid", &uid), ("data-status", &status)];
            about.into_iter().for_each(|(name, value)| push(&mut html, [" ", name, "=\"", value, "\""]));
            push(&mut html, [">", &link(in_link, "/values/", &uid, &shown), "</data>", &pending.html]);
            html
        };
        let markdown = {
            let (name, uid, shown) = (attribute(cited.name), attribute(cited.uid), markdown(&value));
            ["<VV name=\"", &name, "\" uid=\"", &uid, "\">", &shown, "</VV>", &pending.markdown].concat()
        };
        Both { html, markdown, title: value }
    }

    /// What marks our own words in an author's text, where they are in another language.
    fn own(&self) -> String {
        match self.words.language.as_str() {
            AUTHORED => String::new(),
            other => format!(" lang=\"{other}\""),
        }
    }

    fn pending(&self, row: Option<Both>) -> Both {
        let Some(row) = row else { return Both::default() };
        let say = |it: &str| fill(self.words.body.pending, &[it]);
        Both {
            html: format!(" <span class=\"pending\"{}>({})</span>", self.own(), say(&row.html)),
            markdown: format!(" ({})", say(&row.markdown)),
            title: String::new(),
        }
    }

    /// The begin of a reference: a link to the source itself.
    pub fn reference(
        &self,
        cited: &Cited<'f, &Row>,
        anchor: Option<&str>,
        in_link: bool,
    ) -> (Both, &'static str) {
        let row = cited.shown;
        let title = row.title.as_deref().unwrap_or_default();
        let url = row.url.as_deref().filter(|url| is_https(url)).unwrap_or_default();
        let is_link = !in_link && !url.is_empty();
        let (element, close) =
            if is_link { ("<a class=\"ref\"", "</a>") } else { ("<span class=\"ref\"", "</span>") };
        let mut html = begun(element);
        let about = [
            ("id", anchor),
            ("title", Some(title)),
            ("data-uid", Some(cited.uid)),
            ("data-name", Some(cited.name)),
            ("href", is_link.then_some(url)),
            ("rel", is_link.then_some("external noopener")),
        ];
        for (name, value) in about.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            push(&mut html, [" ", name, "=\"", &in_html(value), "\""]);
        }
        html.push('>');
        let mut open = begun("<Ref");
        let archived = row.archived_url.as_deref().filter(|it| !it.is_empty());
        let more = [
            ("name", Some(cited.name)),
            ("uid", Some(cited.uid)),
            ("title", Some(title)),
            ("url", Some(url)),
            ("last_verified", Some(row.last_verified.as_deref().unwrap_or_default())),
            ("archived_url", archived),
            ("id", anchor),
        ];
        for (name, value) in more.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            push(&mut open, [" ", name, "=\"", &attribute(value), "\""]);
        }
        (Both { html, markdown: open + ">", title: String::new() }, close)
    }

    /// What stands after a reference: when it was verified, where a copy is, and what is pending.
    pub fn after_reference(&self, cited: &Cited<'f, &Row>, in_link: bool) -> Both {
        let words = &self.words.body;
        let verified = cited.shown.last_verified.as_deref().filter(|day| !day.is_empty());
        let verified = match verified {
            Some(day) => fill(words.verified, &[&dates::in_words(day, self.words)]),
            None => words.not_verified.to_owned(),
        };
        let mut note = link(in_link, "/references/", &in_html(cited.uid), &in_html(&verified));
        if let Some(archive) = cited.shown.archived_url.as_deref().filter(|url| is_https(url) && !in_link) {
            let archive = in_html(archive);
            push(
                &mut note,
                [" · <a href=\"", &archive, "\" rel=\"external noopener\">", words.archive, "</a>"],
            );
        }
        let pending = self.pending(cited.pending.map(|row| {
            let (title, url) = (row.title.clone().unwrap_or_default(), row.url.clone().unwrap_or_default());
            let pair = format!("{title}, {url}");
            let (html, markdown) = (in_html(&pair).into_owned(), markdown(&pair).into_owned());
            Both { html, markdown, title: String::new() }
        }));
        Both {
            html: [" <small class=\"ref-note\"", &self.own(), ">(", &note, ")</small>", &pending.html]
                .concat(),
            markdown: pending.markdown,
            title: String::new(),
        }
    }

    /// A tag that leads to nothing.
    pub fn unresolved(&self, tag: &Tag, uid: Option<&str>, anchor: Option<&str>, in_link: bool) -> Both {
        let shape = shape_of(tag.kind);
        let mut open = format!("<{}", shape.name);
        // What a row says of itself goes with the row: an author's copy of it would still be there for agents to read.
        let kept = shape.required.iter().chain(shape.stated).chain(shape.optional);
        for name in kept.filter(|name| !OF_THE_ROW.contains(name)) {
            open.push_str(&format!(" {name}=\"{}\"", self.attribute(tag, name)));
        }
        if let Some(anchor) = anchor {
            open.push_str(&format!(" id=\"{}\"", attribute(anchor)));
        }
        open.push_str(" data-resolution-status=\"unresolved\"");
        let markdown = match shape.wraps {
            true => format!("{open}>{UNRESOLVED}</{}>", shape.name),
            false => format!("{open} /> {UNRESOLVED}"),
        };
        let room = if tag.kind == TagKind::VV { "/values/" } else { "/references/" };
        let inside = match uid {
            Some(uid) => link(in_link, room, &in_html(uid), UNRESOLVED),
            None => UNRESOLVED.to_owned(),
        };
        let id = anchor.map(|id| format!(" id=\"{}\"", in_html(id))).unwrap_or_default();
        let why = in_html(self.words.body.unresolved);
        let html = format!(
            "<span class=\"unresolved\"{id} data-resolution-status=\"unresolved\" title=\"{why}\">{inside}</span>"
        );
        Both { html, markdown, title: UNRESOLVED.to_owned() }
    }

    /// What stands after `<Path>`: its title as a link, in the reader's language where there is one.
    pub fn path(&self, path: &SeenPath<'_>, in_link: bool) -> Both {
        let title = path.entry().and_then(|entry| in_language(&entry.title, self.words.language));
        let (language, title) = title.map_or((None, path.id()), |(language, title)| (Some(language), title));
        let address = ["/paths/", path.id()].concat();
        self.place("path", &address, title, language, path.status, in_link)
    }

    /// What stands after `<Skill>`: its title as a link.
    pub fn skill(&self, skill: &SeenSkill<'_>, in_link: bool) -> Both {
        let address = ["/skills/", skill.id()].concat();
        self.place("skill", &address, skill.title(), Some(Language::En), skill.status, in_link)
    }

    fn place(
        &self,
        class: &str,
        address: &str,
        title: &str,
        language: Option<Language>,
        status: Status,
        in_link: bool,
    ) -> Both {
        let element = if in_link { "span" } else { "a" };
        let mut html = begun("<");
        push(&mut html, [element, " class=\"", class, "\""]);
        if !in_link {
            push(&mut html, [" href=\"", &in_html(address), "\""]);
        }
        language.iter().for_each(|it| push(&mut html, [" lang=\"", it.as_str(), "\""]));
        push(&mut html, [">", &in_html(title), "</", element, ">"]);
        let mut written = match in_link {
            true => [" ", &markdown(title)].concat(),
            false => [" [", &markdown(title), "](", address, ")"].concat(),
        };
        if status != Status::Stable {
            let word = self.words.status(status);
            let own = self.own();
            let parts =
                [" <span class=\"status ", status.as_str(), "\"", &own, ">", &in_html(word), "</span>"];
            push(&mut html, parts);
            push(&mut written, [" (", &markdown(word), ")"]);
        }
        Both { html, markdown: written, title: title.to_owned() }
    }
}

/// A link to something in a room of the catalogue; no link within another.
fn link(in_link: bool, room: &str, uid: &str, label: &str) -> String {
    if in_link { label.to_owned() } else { ["<a href=\"", room, uid, "\">", label, "</a>"].concat() }
}

/// The begin of something about as long as most tags.
fn begun(with: &str) -> String {
    let mut text = String::with_capacity(256);
    text.push_str(with);
    text
}

fn push<const N: usize>(out: &mut String, parts: [&str; N]) {
    parts.into_iter().for_each(|part| out.push_str(part));
}

/// A text in a language, or in the first of English, French, Dutch and German that it has.
fn in_language(text: &Multilingual, wanted: Language) -> Option<(Language, &str)> {
    let order = [wanted, Language::En, Language::Fr, Language::Nl, Language::De];
    let mut said = order.into_iter().filter_map(|language| Some((language, text.get(&language)?.as_str())));
    said.find(|(_, title)| !title.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_falls_back_to_a_language_that_it_has() {
        let title = |said: &[(Language, &str)]| -> Multilingual {
            said.iter().map(|(language, text)| (*language, (*text).to_owned())).collect()
        };
        let some = title(&[(Language::Fr, "Acte"), (Language::Nl, "Akte"), (Language::En, " ")]);
        assert_eq!(in_language(&some, Language::Nl), Some((Language::Nl, "Akte")));
        assert_eq!(in_language(&some, Language::De), Some((Language::Fr, "Acte")));
        assert_eq!(in_language(&some, Language::En), Some((Language::Fr, "Acte")));
        let english = title(&[(Language::De, "Akte"), (Language::En, "Act")]);
        assert_eq!(in_language(&english, Language::Fr), Some((Language::En, "Act")));
        assert_eq!(in_language(&title(&[]), Language::Fr), None);
    }
}
