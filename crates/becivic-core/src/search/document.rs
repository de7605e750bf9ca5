//! What is searched: a skill, a path, a value or a reference as texts, each with its place and its language.

use crate::corpus::Skill;
use crate::mdx::tag::Form;
use crate::path::PathEntry;
use crate::rules::prose::target;
use crate::skill::META_CATEGORY;
use crate::text::Span;
use crate::vocabulary::{Domain, Language, Phrases, Status, words};

words! {
    /// What a document is.
    Kind {
        /// A skill.
        Skill = "skill",
        /// A path.
        Path = "path",
        /// A volatile value.
        Value = "value",
        /// A reference.
        Reference = "reference",
    }
}

words! {
    /// Where a text stands in a document.
    Place {
        /// Its title.
        Title = "title",
        /// What people call it.
        Synonym = "synonym",
        /// A tag.
        Tag = "tag",
        /// Its summary or description.
        Summary = "summary",
        /// A heading.
        Heading = "heading",
        /// The text itself.
        Body = "body",
    }
}

/// A text of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Where it stands.
    pub place: Place,
    /// What it is written in; `None` when nobody says.
    pub language: Option<Language>,
    /// The text itself.
    pub text: String,
}

/// Something that can be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// What it is.
    pub kind: Kind,
    /// Its id, unique among its kind.
    pub id: String,
    /// What it is called in an answer.
    pub title: String,
    /// How far it was confirmed; `None` where that is not asked.
    pub status: Option<Status>,
    /// The domain of a skill.
    pub domain: Option<Domain>,
    /// The category of a skill or a path.
    pub category: Option<String>,
    /// What is searched.
    pub texts: Vec<Text>,
}

/// Sections of a skill that state nothing.
const STATE_NOTHING: &[&str] = &["Requests for contributions", "Community observations"];

impl Document {
    /// A document without texts.
    fn new(kind: Kind, id: &str, title: &str, status: Option<Status>) -> Self {
        let (id, title) = (id.to_owned(), title.to_owned());
        Self { kind, id, title, status, domain: None, category: None, texts: Vec::new() }
    }

    /// A skill; `None` when its frontmatter could not be read.
    pub fn of_skill(skill: &Skill) -> Option<Self> {
        let front = skill.front.as_ref()?;
        let english = Some(Language::En);
        let mut document = Self::new(Kind::Skill, &skill.folder, &front.title, Some(front.status));
        document.domain = front.domain;
        document.category = Some(front.category.clone());
        document.add(Place::Title, english, &front.title);
        document.add(Place::Tag, english, &skill.folder);
        document.add_phrases(front.synonyms.as_ref());
        for tag in front.tags.iter().flatten() {
            document.add(Place::Tag, english, tag);
        }
        for text in [&front.summary, &front.description].into_iter().flatten() {
            document.add(Place::Summary, english, text);
        }
        for heading in &skill.document.outline.headings {
            document.add(Place::Heading, english, &heading.title);
        }
        document.add(Place::Body, english, &prose(skill));
        Some(document)
    }

    /// A path.
    pub fn of_path(key: &str, entry: &PathEntry) -> Self {
        let title = entry.title.get(&Language::En).or_else(|| entry.title.values().next());
        let mut document = Self::new(Kind::Path, key, title.map_or(key, String::as_str), Some(entry.status));
        document.category = Some(entry.category.clone());
        for (language, title) in &entry.title {
            document.add(Place::Title, Some(*language), title);
        }
        document.add(Place::Tag, Some(Language::En), key);
        document.add(Place::Tag, None, &entry.authority_id);
        for theme in &entry.themes {
            document.add(Place::Summary, Some(Language::En), theme.as_str());
        }
        document.add_phrases(entry.synonyms.as_ref());
        for (language, description) in &entry.description {
            document.add(Place::Summary, Some(*language), description);
        }
        let audience = entry.applies_to.get("audience_summary").and_then(|summary| summary.as_str());
        document.add(Place::Summary, Some(Language::En), audience.unwrap_or_default());
        document
    }

    /// A value of the catalogue: its name, and what else is said of it, such as its unit or the source it is from.
    pub fn of_value(name: &str, said: &[&str], status: Option<Status>) -> Self {
        let mut document = Self::new(Kind::Value, name, name, status);
        document.add(Place::Title, Some(Language::En), name);
        for text in said {
            document.add(Place::Summary, None, text);
        }
        document
    }

    /// A reference of the catalogue: its name, its title, and where it leads.
    pub fn of_reference(name: &str, title: &str, url: &str, status: Option<Status>) -> Self {
        let mut document = Self::new(Kind::Reference, name, title, status);
        document.add(Place::Title, None, title);
        document.add(Place::Tag, None, name);
        let host = url::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
        document.add(Place::Tag, None, host.as_deref().unwrap_or_default());
        document
    }

    /// Whether it is about the corpus itself.
    pub fn is_meta(&self) -> bool {
        self.kind == Kind::Skill && self.category.as_deref() == Some(META_CATEGORY)
    }

    /// Adds a text.
    pub fn add(&mut self, place: Place, language: Option<Language>, text: &str) {
        if !text.is_empty() {
            self.texts.push(Text { place, language, text: text.to_owned() });
        }
    }

    fn add_phrases(&mut self, phrases: Option<&Phrases>) {
        for (language, phrases) in phrases.into_iter().flatten() {
            for phrase in phrases {
                self.add(Place::Synonym, Some(*language), phrase);
            }
        }
    }
}

/// The text of a skill without its tags, headings, targets of links, re-citations, and sections that state nothing.
fn prose(skill: &Skill) -> String {
    let (source, document) = (&skill.source, &skill.document);
    let mut left_out: Vec<Span> = document.brackets.clone();
    left_out.extend(document.outline.links.iter().map(|link| target(source, link.span)));
    left_out.extend(document.outline.headings.iter().map(|heading| heading.span));
    for title in STATE_NOTHING {
        left_out.extend(skill.section(title).map(|section| section.content));
    }
    for tag in &document.tags {
        left_out.push(tag.open);
        if let Form::Wrapper { close } = tag.form {
            left_out.push(close);
        }
    }
    left_out.sort_unstable();
    let mut text = String::with_capacity(document.body.range().len());
    let mut at = document.body.start;
    for span in left_out {
        if span.start > at {
            text.push_str(source.slice(Span { start: at, end: span.start.min(document.body.end) }));
            text.push(' ');
        }
        at = at.max(span.end);
    }
    if at < document.body.end {
        text.push_str(source.slice(Span { start: at, end: document.body.end }));
    }
    text
}
