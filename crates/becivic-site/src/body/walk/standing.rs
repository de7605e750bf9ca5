//! What stands at a place: in prose, or on lines of its own between blocks.

use super::super::elements::Owner;
use super::super::places::{Place, What};
use super::super::tags::Both;
use super::Page;
use becivic_core::mdx::resolve::Resolved;
use becivic_core::mdx::tag::Form;

impl Page<'_, '_, '_> {
    /// A block begins here: first what stands before it, then the call-outs around it.
    pub(super) fn before_block(&mut self, at: usize) {
        self.catch_up(at);
        self.risks.settle(&mut self.elements);
        self.risks.around_block(&mut self.elements);
    }

    /// Everything on lines of its own before this offset.
    pub(super) fn catch_up(&mut self, before: usize) {
        while let Some(place) = self.places.get(self.next).filter(|place| place.at.start < before) {
            self.next += 1;
            if self.is_alone(place) { self.between_blocks(place) } else { self.pass(place) }
        }
    }

    /// The same at the end of an item: what stands further left than its text comes after the list.
    pub(super) fn catch_up_within_item(&mut self, before: usize) {
        let Some(column) = self.elements.item() else { return };
        while let Some(place) = self.places.get(self.next).filter(|place| place.at.start < before) {
            if self.is_alone(place) && self.column(place) <= column {
                return;
            }
            self.next += 1;
            if self.is_alone(place) { self.between_blocks(place) } else { self.pass(place) }
        }
    }

    fn is_alone(&self, place: &Place) -> bool {
        place.at.start >= self.resume && self.masked.as_bytes().get(place.at.start) == Some(&b' ')
    }

    fn column(&self, place: &Place) -> usize {
        self.indent(place).len()
    }

    fn indent(&self, place: &Place) -> &str {
        let before = self.body.get(..place.at.start).unwrap_or_default();
        before.get(before.rfind('\n').map_or(0, |end| end + 1)..).unwrap_or_default()
    }

    fn between_blocks(&mut self, place: &Place) {
        let Some(tags) = self.tags else { return };
        match place.what {
            What::End(index) => {
                self.risks.end(index, &mut self.elements);
                self.risks.settle(&mut self.elements);
            }
            What::Bracket(_) => {}
            What::Tag(index) => match tags.resolved(index) {
                Resolved::Risk(reason) => self.risks.begin(index, reason.as_deref(), true, self.words),
                Resolved::Observations => self.observations(place),
                Resolved::Text
                | Resolved::Value(_)
                | Resolved::Reference { .. }
                | Resolved::Unresolved { .. }
                | Resolved::Path(_)
                | Resolved::Skill(_)
                | Resolved::Missing => {}
            },
        }
    }

    fn observations(&mut self, place: &Place) {
        let Some(said) = self.tags.and_then(|tags| tags.observations(&mut self.names)) else { return };
        self.risks.settle(&mut self.elements);
        self.risks.around_block(&mut self.elements);
        self.elements.html.push_str(&said.html);
        let indent = self.indent(place);
        let lines = said.markdown.replace('\n', &format!("\n{indent}"));
        self.edits.push((place.at.clone(), lines));
    }

    pub(super) fn within_prose(&mut self, place: &Place) {
        match place.what {
            What::Tag(index) => self.tag(index, place),
            What::End(index) => self.tag_end(index, place),
            What::Bracket(index) => self.bracket(index, place),
        }
    }

    fn tag(&mut self, index: usize, place: &Place) {
        let Some(tags) = self.tags else { return };
        let Some(written) = tags.written(index) else { return };
        let in_link = self.elements.in_link();
        match tags.resolved(index) {
            Resolved::Value(cited) => self.instead(index, place, tags.value(cited, in_link)),
            Resolved::Reference { cited, first } => {
                self.risks.around_words(&mut self.elements);
                let anchor = self.anchor(index).filter(|_| *first);
                let (open, close) = tags.reference(cited, anchor.as_deref(), in_link);
                self.elements.start(Owner::Reference(index), &open.html, "", close);
                self.edits.push((place.at.clone(), open.markdown));
            }
            Resolved::Unresolved { uid, .. } => {
                let anchor = self.anchor(index);
                self.instead(index, place, tags.unresolved(written, *uid, anchor.as_deref(), in_link));
            }
            Resolved::Missing => {
                self.instead(index, place, tags.unresolved(written, None, None, in_link));
            }
            Resolved::Path(path) => self.beside(place, tags.path(path, in_link)),
            Resolved::Skill(skill) => self.beside(place, tags.skill(skill, in_link)),
            Resolved::Risk(reason) => self.risks.begin(index, reason.as_deref(), false, self.words),
            // In the middle of a line there is no room for what people said.
            Resolved::Observations | Resolved::Text => self.put(self.body.get(place.at.clone())),
        }
    }

    fn anchor(&self, index: usize) -> Option<String> {
        self.anchors.get(index).cloned().flatten()
    }

    /// In the place of a tag and of everything it wraps.
    fn instead(&mut self, index: usize, place: &Place, both: Both) {
        let base = self.places_begin();
        let close = self.tags.and_then(|tags| tags.written(index)).and_then(|tag| match &tag.form {
            Form::SelfClosing => None,
            Form::Wrapper { close } => Some((close.end as usize).saturating_sub(base)),
        });
        let end = close.unwrap_or(place.at.end);
        self.show(&both);
        self.edits.push((place.at.start..end, both.markdown));
        self.resume = self.resume.max(end);
    }

    fn places_begin(&self) -> usize {
        self.tags.map_or(0, |tags| tags.skill.document.body.start as usize)
    }

    /// After a tag, which stays.
    fn beside(&mut self, place: &Place, both: Both) {
        self.show(&both);
        self.edits.push((place.at.end..place.at.end, both.markdown));
    }

    fn show(&mut self, both: &Both) {
        self.risks.around_words(&mut self.elements);
        self.elements.html.push_str(&both.html);
        self.title(&both.title, "");
    }

    fn tag_end(&mut self, index: usize, place: &Place) {
        let Some(tags) = self.tags else { return };
        match tags.resolved(index) {
            Resolved::Reference { cited, .. } => {
                self.elements.end_tag(Owner::Reference(index));
                let after = tags.after_reference(cited, self.elements.in_link());
                self.elements.html.push_str(&after.html);
                if !after.markdown.is_empty() {
                    self.edits.push((place.at.end..place.at.end, after.markdown));
                }
            }
            Resolved::Risk(_) => self.risks.end(index, &mut self.elements),
            Resolved::Text
            | Resolved::Value(_)
            | Resolved::Unresolved { .. }
            | Resolved::Path(_)
            | Resolved::Skill(_)
            | Resolved::Missing
            | Resolved::Observations => {}
        }
    }

    fn bracket(&mut self, index: usize, place: &Place) {
        let written = self.body.get(place.at.clone()).unwrap_or_default();
        match self.anchor(index).filter(|_| !self.elements.in_link()) {
            None => self.put(Some(written)),
            Some(anchor) => {
                self.risks.around_words(&mut self.elements);
                for part in ["<a class=\"cite\" href=\"#", &anchor, "\">"] {
                    self.elements.html.push_str(part);
                }
                self.put(Some(written));
                self.elements.html.push_str("</a>");
                self.edits.push((place.at.clone(), ["[", written, "](#", &anchor, ")"].concat()));
            }
        }
    }
}
