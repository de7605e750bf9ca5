//! What stands under the authored text of `/agents` and `/agents/submit/<type>`: the door as it is, from the same lists as the door
//! itself. English, like the text above it. Where nobody serves, there is no door and nothing is added.

use crate::doc::{Block, Inline, code, heading, link, paragraph, text};
use crate::facts::{Api, Endpoint, Needs};
use becivic_core::capability;
use becivic_core::submission::Kind;

/// What these pages need to be told.
pub fn needs(address: &str) -> Needs {
    Needs { api: address == "/agents" || kind_of(address).is_some(), ..Needs::default() }
}

/// The blocks of a page.
pub fn blocks(address: &str, api: Option<&Api>) -> Vec<Block> {
    let Some(api) = api else { return Vec::new() };
    match kind_of(address) {
        Some(kind) => of_kind(kind, api),
        None if address == "/agents" => of_everything(api),
        None => Vec::new(),
    }
}

/// The type that a page is about.
fn kind_of(address: &str) -> Option<Kind> {
    address.strip_prefix("/agents/submit/").and_then(Kind::named)
}

fn of_everything(api: &Api) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !api.tools.is_empty() {
        blocks.push(heading(2, "Tools over MCP"));
        let said =
            "Streamable HTTP at /mcp, without sessions or accounts. Each tool asks the address beside it.";
        blocks.push(paragraph([text(said)]));
        let rows = api
            .tools
            .iter()
            .map(|tool| vec![vec![code(&tool.name)], vec![text(&tool.about)], vec![code(&tool.twin)]]);
        blocks.push(table(
            "The tools, what each is for, and the same over HTTP",
            &["tool", "for", "over HTTP"],
            rows.collect(),
        ));
    }
    blocks.push(heading(2, "Addresses"));
    let rows = api.endpoints.iter().map(|it| vec![vec![code(address_of(it))], vec![text(&it.about)]]);
    blocks.push(table("Every address that agents may use", &["request", "what it does"], rows.collect()));
    blocks.push(paragraph([
        text("The same for machines, with every parameter and refusal: "),
        link("/openapi.json", "/openapi.json"),
    ]));
    blocks
}

fn of_kind(kind: Kind, api: &Api) -> Vec<Block> {
    let schema = format!("/schemas/{}.schema.json", kind.schema().name());
    let is_its = |it: &&Endpoint| it.method == "POST" && it.schema.as_deref() == Some(&schema);
    let Some(endpoint) = api.endpoints.iter().find(is_its) else { return Vec::new() };
    let address = address_of(endpoint);
    let mut ways = vec![vec![vec![text("alone")], vec![code(&address)]]];
    let all = api.endpoints.iter().find(|it| it.method == "POST" && it.path == "/api/feedback");
    ways.extend(all.map(|it| vec![vec![text("with others, in an envelope")], vec![code(address_of(it))]]));
    let tool = api.tools.iter().find(|tool| tool.twin == address);
    ways.extend(tool.map(|tool| vec![vec![text("as a tool over MCP")], vec![code(&tool.name)]]));
    let mut blocks = vec![heading(2, "Where it goes"), table("The ways to send it", &["how", "where"], ways)];
    let required = |target| {
        capability::required(kind, target).iter().map(|it| it.as_str()).collect::<Vec<_>>().join(", ")
    };
    let mut needed: Vec<Vec<Vec<Inline>>> = kind
        .targets()
        .iter()
        .map(|target| vec![vec![code(target.as_str())], vec![text(required(Some(*target)))]])
        .collect();
    if needed.is_empty() {
        needed.push(vec![vec![text("any")], vec![text(required(None))]]);
    }
    blocks.push(heading(2, "What an agent must declare"));
    blocks.push(table("The capabilities to declare, by target", &["target", "capabilities"], needed));
    let refusals = endpoint.refuses.iter().filter_map(|category| {
        let (status, about) = api.refusals.get(category)?;
        Some(vec![vec![text(status.to_string())], vec![code(category)], vec![text(about)]])
    });
    blocks.push(heading(2, "Every refusal"));
    blocks.push(table("What it may be refused with", &["status", "error", "meaning"], refusals.collect()));
    blocks
}

fn address_of(endpoint: &Endpoint) -> String {
    format!("{} {}", endpoint.method, endpoint.path)
}

fn table(caption: &str, head: &[&str], rows: Vec<Vec<Vec<Inline>>>) -> Block {
    let head = head.iter().map(|column| vec![text(*column)]).collect();
    Block::Table { caption: caption.to_owned(), head, rows }
}
