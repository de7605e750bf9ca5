//! Call-outs: which risks are on, and whether an element shows them where we are.
//!
//! A risk that begins on a line of its own is a call-out around blocks; any other marks words. When the block around it ends before the
//! risk does, its element ends too and is opened again in the next one; when the risk ends inside a block that it did not begin in, its
//! element stays until that block ends. So a call-out may cover more than the author's tag, never less.

use super::elements::{Elements, Owner};
use super::escape;
use crate::words::Words;

struct Risk {
    tag: usize,
    is_block: bool,
    /// Whether an element shows it.
    is_shown: bool,
    /// Whether its end was passed.
    is_over: bool,
    /// What it is called, until it was said.
    label: Option<String>,
}

/// The risks that are on, the outermost first. There are never more than tags may be nested.
#[derive(Default)]
pub struct Risks {
    on: Vec<Risk>,
}

impl Risks {
    /// A risk begins.
    pub fn begin(&mut self, tag: usize, reason: Option<&str>, is_block: bool, words: &Words) {
        let (risk, language) = (escape::in_html(words.body.risk), words.language.as_str());
        let risk = format!("<span lang=\"{language}\">{risk}</span>");
        let colon = words.catalogue.colon;
        let label = reason
            .map_or_else(|| risk.clone(), |reason| format!("{risk}{colon} {}", escape::in_html(reason)));
        self.on.push(Risk { tag, is_block, is_shown: false, is_over: false, label: Some(label) });
    }

    /// A risk ends.
    pub fn end(&mut self, tag: usize, elements: &mut Elements) {
        for risk in self.on.iter_mut().filter(|risk| risk.tag == tag) {
            risk.is_over = true;
            if !risk.is_block {
                elements.end_tag(Owner::Risk(tag));
                risk.is_shown = false;
            }
        }
        self.on.retain(|risk| risk.is_shown || !risk.is_over);
    }

    /// Elements that ended with the block around them.
    pub fn cut(&mut self, closed: &[Owner]) {
        for owner in closed {
            if let Owner::Risk(tag) | Owner::Aside(tag) = owner {
                self.on.iter_mut().filter(|risk| risk.tag == *tag).for_each(|risk| risk.is_shown = false);
            }
        }
        self.on.retain(|risk| risk.is_shown || !risk.is_over);
    }

    /// Closes call-outs whose end was passed, as far as nothing stands on them.
    pub fn settle(&mut self, elements: &mut Elements) {
        while let Some(owner @ Owner::Aside(tag)) = elements.top() {
            if !self.on.iter().any(|risk| risk.tag == tag && risk.is_over) {
                return;
            }
            elements.end_top();
            self.cut(&[owner]);
        }
    }

    /// Shows those that are on, before a block.
    pub fn around_block(&mut self, elements: &mut Elements) {
        for risk in self.on.iter_mut().filter(|risk| risk.is_block && !risk.is_shown) {
            let label = risk.label.take().map_or_else(String::new, |label| {
                format!("<p class=\"callout-title\"><span>{label}</span></p>\n")
            });
            let open = "<div class=\"callout care risk\" role=\"note\">\n";
            elements.start(Owner::Aside(risk.tag), &format!("{open}{label}"), open, "</div>\n");
            risk.is_shown = true;
        }
    }

    /// Shows those that are on, before words.
    pub fn around_words(&mut self, elements: &mut Elements) {
        for risk in self.on.iter_mut().filter(|risk| !risk.is_block && !risk.is_shown) {
            let label = risk
                .label
                .take()
                .map_or_else(String::new, |label| format!("<strong class=\"risk-label\">{label}</strong> "));
            let open = "<span class=\"risk\">";
            elements.start(Owner::Risk(risk.tag), &format!("{open}{label}"), open, "</span>");
            risk.is_shown = true;
        }
    }
}
