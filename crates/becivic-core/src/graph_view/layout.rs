//! A layered layout: who needs something stands left of what it needs.
//!
//! 1. Edges that close a circle are turned around for the layout only.
//! 2. A node's layer is the longest way to it; a node nobody needs moves next to what it needs.
//! 3. An edge over several layers passes through invisible points, so that it runs between nodes.
//! 4. Within layers, nodes follow the mean place of their neighbours, in sweeps to and fro.
//! 5. Heights: each node near the mean height of its neighbours, never closer than the gap.
//! 6. Nodes without edges stand in a grid below.
//!
//! Every step is linear in nodes, edges and points, up to sorting; points are limited.

mod order;
mod rank;

/// Where everything stands, in units: a layer is one unit wide, a node one unit high.
#[derive(Debug, Default)]
pub struct Layout {
    /// Layer and height of each node.
    pub places: Vec<Place>,
    /// The points each edge passes between its ends, from left to right.
    pub routes: Vec<Vec<Place>>,
    /// How many layers there are, the grid's columns included.
    pub layers: usize,
    /// How high the whole is.
    pub height: f64,
}

/// A place: which layer, how far down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// The layer, from the left.
    pub layer: usize,
    /// The height of its middle, from the top.
    pub y: f64,
}

/// Points per node and edge at most: edges over more layers than that run straight.
const POINTS_PER_ITEM: usize = 16;

/// An invisible point is this high; a node is 1.
const POINT_HEIGHT: f64 = 0.35;

/// How often layers are swept.
const SWEEPS: usize = 8;

/// An edge and whether it decides layers; `related` ones do only where nothing else does.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Where it starts.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// Whether it decides layers.
    pub firm: bool,
}

/// Lays out `count` nodes and their edges.
pub fn lay_out(count: usize, links: &[Link]) -> Layout {
    let mut linked = vec![false; count];
    let mut firm = vec![false; count];
    for link in links.iter().filter(|link| link.from != link.to) {
        for end in [link.from, link.to] {
            set(&mut linked, end);
            if link.firm {
                set(&mut firm, end);
            }
        }
    }
    let deciding = links.iter().filter(|link| {
        let loose = |end: usize| !firm.get(end).copied().unwrap_or(false);
        link.from != link.to && (link.firm || loose(link.from) || loose(link.to))
    });
    let deciding: Vec<(usize, usize)> = deciding.map(|link| (link.from, link.to)).collect();
    let ranks = rank::layers(count, &deciding);

    let mut items = order::Items::new(&ranks, &linked);
    let limit = POINTS_PER_ITEM * (count + links.len()) + 64;
    let chains: Vec<Vec<usize>> = links.iter().map(|link| items.connect(link.from, link.to, limit)).collect();
    items.arrange(SWEEPS);
    let heights = items.heights(SWEEPS, |item| if item < count { 1.0 } else { POINT_HEIGHT });

    let mut layout =
        Layout { layers: items.layer_count(), height: items.bottom(&heights, count), ..Layout::default() };
    let place =
        |item: usize| Place { layer: items.layer(item), y: heights.get(item).copied().unwrap_or(0.0) };
    layout.places = (0..count).map(place).collect();
    layout.routes = chains.into_iter().map(|chain| chain.into_iter().map(place).collect()).collect();
    grid(&mut layout, &linked);
    layout
}

fn set(flags: &mut [bool], at: usize) {
    if let Some(flag) = flags.get_mut(at) {
        *flag = true;
    }
}

/// Puts the nodes without edges in rows below the rest.
fn grid(layout: &mut Layout, linked: &[bool]) {
    let alone: Vec<usize> = (0..linked.len()).filter(|at| linked.get(*at) == Some(&false)).collect();
    if alone.is_empty() {
        return;
    }
    // A node and its gap are about five times as wide as high: this many columns make a square.
    let square = (alone.len() as f64 / 5.0).sqrt().ceil() as usize;
    let columns = layout.layers.max(square).max(4);
    let top = if layout.height > 0.0 { layout.height + 1.0 } else { 0.0 };
    for (index, node) in alone.iter().enumerate() {
        let y = top + (index / columns) as f64 + 0.5;
        if let Some(place) = layout.places.get_mut(*node) {
            *place = Place { layer: index % columns, y };
        }
    }
    layout.layers = layout.layers.max(columns.min(alone.len()));
    layout.height = top + alone.len().div_ceil(columns) as f64;
}
