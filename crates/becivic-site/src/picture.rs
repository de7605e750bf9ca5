//! Pictures: a skill's process, and what stands around it in the composition graph.
//!
//! 1. `process.mmd` is parsed ([`flowchart`]): the flowcharts of Mermaid, as far as a procedure needs them.
//! 2. It is drawn from top to bottom ([`flow`]) with the layers of [`becivic_core::graph_view::layout`], and told in words
//!    ([`steps`]): a step, and where it leads.
//! 3. What cannot be drawn (other kinds of diagram, or far too large a one) is shown as its source, with a sentence.
//! 4. The neighbourhood of a skill ([`near`]) is what it needs, what needs it and what is related: a list, and a picture of it
//!    with links ([`around`]).
//!
//! Pictures are inert: shapes, text and links within the site. No script, no style, no foreign content, nothing fetched, and no
//! ids, so that several stand on one page. Colours are those of the text around; the rest is for style sheets, by class.
//!
//! Why not a library: the one that draws Mermaid in Rust puts `<style>` with fixed colours into every picture, which the
//! site's content policy forbids; and the words need the parsed diagram in any case.

mod around;
mod flow;
mod flowchart;
mod letters;
mod near;
mod steps;
mod tenths;

use crate::doc::{Block, paragraph, text, woven};
use crate::pages::authored;
use crate::words::Words;
use crate::world::World;
use flowchart::Flowchart;

/// More of a source that cannot be drawn is not shown.
const SOURCE_SHOWN: usize = 20_000;

/// A skill's process as a picture; nothing where it has none, or is put away. Whoever knows of a stricter status than the files
/// do asks only for a skill whose text is shown.
pub fn process(world: &World<'_>, id: &str, words: &Words) -> Option<Block> {
    let skill = world.skill(id)?;
    skill.skill()?;
    let source = world.corpus.diagrams.get(id)?.as_ref()?;
    Some(diagram(source.text(), skill.title(), words))
}

/// A diagram of this source, about what has this title.
pub fn diagram(source: &str, title: &str, words: &Words) -> Block {
    match Flowchart::read(source) {
        Some(chart) => Block::Picture {
            svg: flow::draw(&chart),
            title: woven(words.picture.process, [authored(title)]),
            instead: vec![steps::tell(&chart, words)],
        },
        None => {
            let shown: String = source.chars().take(SOURCE_SHOWN).collect();
            let code = Block::Code { language: "mermaid".to_owned(), text: shown };
            Block::Group { class: "undrawn", blocks: vec![paragraph([text(words.picture.undrawn)]), code] }
        }
    }
}

/// What stands around a skill: a picture with links and the same as a list; nothing where nothing does, or it is put away.
pub fn neighbourhood(world: &World<'_>, id: &str, words: &Words) -> Option<Block> {
    let seen = world.skill(id)?;
    let around = near::Around::of(world, seen, words)?;
    Some(Block::Picture {
        svg: around::draw(&around, words),
        title: woven(words.picture.around, [authored(seen.title())]),
        instead: vec![around.list(words)],
    })
}
