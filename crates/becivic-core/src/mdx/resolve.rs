//! What the tags of a body stand for, given what can be looked up. Nothing is printed here.
//!
//! 1. A tag that is not written as its shape says (a wrapper that never ends) is text, and so is one inside a value or a
//!    reference: those wrap plain text only.
//! 2. `<VV>` and `<Ref>` lead to an entry by `uid`, or by `name` before they have one. An entry of the other kind does not count,
//!    and one that shows nothing is unresolved (S80). What is shown and what is pending beside it, the rows say (DECISIONS §4).
//! 3. The first citation of a reference is where its `[brackets]` lead (S81).
//! 4. `<Path>` and `<Skill>` lead to what has that id. `<Risk>` has its reason.
//! 5. The first `<Observations>` of the skill itself holds what people said; any other is text.

use super::Document;
use super::tag::{Form, Tag, TagKind, shape_of};
use crate::text::Source;
use std::borrow::Cow;
use std::collections::HashMap;

/// What stands where nothing is known (§6.10).
pub const UNRESOLVED: &str = "[unresolved]";

/// What can be looked up.
pub trait Lookup<'l> {
    /// A row of the catalogue.
    type Row;
    /// A path.
    type Path;
    /// A skill.
    type Skill;
    /// The entry with this uid, or with this name.
    fn entry(&self, key: &str) -> Option<Entry<'l, Self::Row>>;
    /// The path with this id.
    fn path(&self, id: &str) -> Option<Self::Path>;
    /// The skill with this id.
    fn skill(&self, id: &str) -> Option<Self::Skill>;
}

/// An entry of the catalogue, as readers get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'l, Row> {
    /// `val-NNNNN` or `ref-NNNNN`.
    pub uid: &'l str,
    /// What it is called now.
    pub name: &'l str,
    /// What stands in the place of the tag; nothing where no row is active.
    pub shown: Option<Row>,
    /// What stands beside it: a row that is not stable yet.
    pub pending: Option<Row>,
}

/// An entry that shows something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cited<'l, Row> {
    /// `val-NNNNN` or `ref-NNNNN`.
    pub uid: &'l str,
    /// What it is called now.
    pub name: &'l str,
    /// What stands in the place of the tag.
    pub shown: Row,
    /// What stands beside it.
    pub pending: Option<Row>,
}

/// What a tag stands for.
#[derive(Debug, PartialEq, Eq)]
pub enum Resolved<'l, 's, L: Lookup<'l>> {
    /// Nothing: it is text, as it was written.
    Text,
    /// A value.
    Value(Cited<'l, L::Row>),
    /// A reference.
    Reference {
        /// The entry.
        cited: Cited<'l, L::Row>,
        /// Whether this is its first citation, to which brackets lead.
        first: bool,
    },
    /// A value or a reference of which there is no active row.
    Unresolved {
        /// Its uid, where the catalogue knows it.
        uid: Option<&'l str>,
        /// Whether this is the first citation of a reference.
        first: bool,
    },
    /// A path.
    Path(L::Path),
    /// A skill.
    Skill(L::Skill),
    /// A path or a skill that does not exist.
    Missing,
    /// Words with consequences, and why.
    Risk(Option<Cow<'s, str>>),
    /// Where what people said stands.
    Observations,
}

/// What every tag of a body stands for.
pub struct Resolution<'l, 's, L: Lookup<'l>> {
    /// One for each tag of the document, in the same order.
    pub tags: Vec<Resolved<'l, 's, L>>,
    /// The names of references as they are written, each with its first tag.
    pub first: HashMap<Cow<'s, str>, usize>,
}

/// Resolves the tags of a skill's body.
pub fn resolve<'l, 's, L: Lookup<'l>>(
    source: &'s Source,
    document: &Document,
    skill: &str,
    lookup: &L,
) -> Resolution<'l, 's, L> {
    let mut resolving =
        Resolving { source, skill, lookup, first: HashMap::new(), inside: Vec::new(), said: false };
    let tags = document.tags.iter().enumerate().map(|(at, tag)| resolving.tag(at, tag)).collect();
    Resolution { tags, first: resolving.first }
}

struct Resolving<'s, 'a, L> {
    source: &'s Source,
    skill: &'a str,
    lookup: &'a L,
    first: HashMap<Cow<'s, str>, usize>,
    /// Of each tag so far, whether what it wraps is plain text only.
    inside: Vec<bool>,
    /// Whether the place for what people said was seen.
    said: bool,
}

impl<'s, L> Resolving<'s, '_, L> {
    fn tag<'l>(&mut self, at: usize, tag: &Tag) -> Resolved<'l, 's, L>
    where
        L: Lookup<'l>,
    {
        let parent = tag.parent.and_then(|parent| self.inside.get(parent as usize).copied());
        let wraps = matches!(tag.form, Form::Wrapper { .. });
        let fits = shape_of(tag.kind).wraps == wraps;
        let inside = parent.unwrap_or(false);
        self.inside.push(inside || (wraps && matches!(tag.kind, TagKind::VV | TagKind::Ref)));
        if inside || !fits {
            return Resolved::Text;
        }
        match tag.kind {
            TagKind::VV => self.value(tag),
            TagKind::Ref => self.reference(at, tag),
            TagKind::Path => self.by_id(tag, |lookup, id| lookup.path(id).map(Resolved::Path)),
            TagKind::Skill => self.by_id(tag, |lookup, id| lookup.skill(id).map(Resolved::Skill)),
            TagKind::Risk => Resolved::Risk(tag.value(self.source, "reason")),
            TagKind::Observations => self.observations(tag),
        }
    }

    fn by_id<'l>(
        &self,
        tag: &Tag,
        find: impl Fn(&L, &str) -> Option<Resolved<'l, 's, L>>,
    ) -> Resolved<'l, 's, L>
    where
        L: Lookup<'l>,
    {
        let id = tag.value(self.source, "id");
        id.and_then(|id| find(self.lookup, &id)).unwrap_or(Resolved::Missing)
    }

    fn value<'l>(&self, tag: &Tag) -> Resolved<'l, 's, L>
    where
        L: Lookup<'l>,
    {
        match self.entry(tag, "val-") {
            Ok(cited) => Resolved::Value(cited),
            Err(uid) => Resolved::Unresolved { uid, first: false },
        }
    }

    fn reference<'l>(&mut self, at: usize, tag: &Tag) -> Resolved<'l, 's, L>
    where
        L: Lookup<'l>,
    {
        let name = tag.value(self.source, "name").unwrap_or_default();
        let first = *self.first.entry(name).or_insert(at) == at;
        match self.entry(tag, "ref-") {
            Ok(cited) => Resolved::Reference { cited, first },
            Err(uid) => Resolved::Unresolved { uid, first },
        }
    }

    /// The entry a tag cites; its uid alone where it shows nothing.
    fn entry<'l>(&self, tag: &Tag, prefix: &str) -> Result<Cited<'l, L::Row>, Option<&'l str>>
    where
        L: Lookup<'l>,
    {
        let key = tag.value(self.source, "uid").or_else(|| tag.value(self.source, "name")).ok_or(None)?;
        let entry = self.lookup.entry(&key).filter(|entry| entry.uid.starts_with(prefix)).ok_or(None)?;
        let Entry { uid, name, shown, pending } = entry;
        shown.map(|shown| Cited { uid, name, shown, pending }).ok_or(Some(uid))
    }

    fn observations<'l>(&mut self, tag: &Tag) -> Resolved<'l, 's, L>
    where
        L: Lookup<'l>,
    {
        let is_own = tag.value(self.source, "skill").as_deref() == Some(self.skill);
        if !is_own || self.said {
            return Resolved::Text;
        }
        self.said = true;
        Resolved::Observations
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    struct Shelf;

    impl Lookup<'static> for Shelf {
        type Row = &'static str;
        type Path = &'static str;
        type Skill = &'static str;

        fn entry(&self, key: &str) -> Option<Entry<'static, &'static str>> {
            let entry = |uid, shown, pending| Entry { uid, name: "fee", shown, pending };
            match key {
                "val-00001" | "fee" => Some(entry("val-00001", Some("180"), Some("185"))),
                "val-00002" => Some(entry("val-00002", None, None)),
                "ref-00001" => Some(entry("ref-00001", Some("law"), None)),
                _ => None,
            }
        }

        fn path(&self, id: &str) -> Option<&'static str> {
            (id == "a-path").then_some("A path")
        }

        fn skill(&self, id: &str) -> Option<&'static str> {
            (id == "a-skill").then_some("A skill")
        }
    }

    fn resolved(body: &str) -> Vec<String> {
        let source = Source::new("x.md", body);
        let (document, _) = parse(body, 0);
        let resolution = resolve(&source, &document, "me", &Shelf);
        resolution
            .tags
            .iter()
            .map(|tag| match tag {
                Resolved::Text => "text".to_owned(),
                Resolved::Value(cited) => format!("{} {} {:?}", cited.uid, cited.shown, cited.pending),
                Resolved::Reference { cited, first } => format!("{} {} {first}", cited.uid, cited.shown),
                Resolved::Unresolved { uid, .. } => format!("unresolved {uid:?}"),
                Resolved::Path(it) | Resolved::Skill(it) => (*it).to_owned(),
                Resolved::Missing => "missing".to_owned(),
                Resolved::Risk(reason) => format!("risk {reason:?}"),
                Resolved::Observations => "observations".to_owned(),
            })
            .collect()
    }

    #[test]
    fn entries_are_found_by_uid_and_before_that_by_name() {
        let value = "val-00001 180 Some(\"185\")";
        assert_eq!(resolved("<VV name=\"x\" uid=\"val-00001\">1</VV>"), [value]);
        assert_eq!(resolved("<VV name=\"fee\">1</VV>"), [value]);
        assert_eq!(resolved("<VV name=\"other\" uid=\"val-00009\">1</VV>"), ["unresolved None"]);
        assert_eq!(resolved("<VV name=\"x\" uid=\"val-00002\">1</VV>"), ["unresolved Some(\"val-00002\")"]);
    }

    #[test]
    fn an_entry_of_the_other_kind_does_not_count() {
        assert_eq!(resolved("<VV name=\"x\" uid=\"ref-00001\">1</VV>"), ["unresolved None"]);
    }

    #[test]
    fn the_first_citation_is_marked() {
        let cite =
            "<Ref name=\"law\" uid=\"ref-00001\" title=\"t\" url=\"https://a.be\" last_verified=\"\">l</Ref>";
        assert_eq!(resolved(&format!("{cite} and {cite}")), ["ref-00001 law true", "ref-00001 law false"]);
    }

    #[test]
    fn what_is_not_written_well_is_text() {
        assert_eq!(resolved("<VV name=\"fee\">1"), ["text"]);
        assert_eq!(
            resolved("<VV name=\"fee\">1 <Path id=\"a-path\" /></VV>").last().map(String::as_str),
            Some("text")
        );
        assert_eq!(
            resolved("<Risk reason=\"r\">x <Path id=\"a-path\" /></Risk>"),
            ["risk Some(\"r\")", "A path"]
        );
        assert_eq!(resolved("<Skill id=\"a-skill\" /> <Skill id=\"none\" />"), ["A skill", "missing"]);
    }

    #[test]
    fn what_people_said_stands_once_and_only_of_the_skill_itself() {
        let body = "<Observations skill=\"you\" />\n\n<Observations skill=\"me\" />\n\n<Observations skill=\"me\" />\n";
        assert_eq!(resolved(body), ["text", "observations", "text"]);
    }
}
