//! Order and height within layers: every item follows the mean of its neighbours.

use super::rank::Lists;

/// Nodes and the invisible points of long edges, by layer.
pub struct Items {
    layer: Vec<usize>,
    layers: Vec<Vec<usize>>,
    /// Edges between neighbouring layers, left end first.
    steps: Vec<(usize, usize)>,
    points: usize,
}

impl Items {
    /// The linked nodes in their layers.
    pub fn new(ranks: &[usize], linked: &[bool]) -> Self {
        let linked = |node: &usize| linked.get(*node) == Some(&true);
        let count = (0..ranks.len()).filter(linked).filter_map(|node| ranks.get(node)).max();
        let mut layers = vec![Vec::new(); count.map_or(0, |last| last + 1)];
        for node in (0..ranks.len()).filter(linked) {
            if let Some(layer) = ranks.get(node).and_then(|rank| layers.get_mut(*rank)) {
                layer.push(node);
            }
        }
        Self { layer: ranks.to_vec(), layers, steps: Vec::new(), points: 0 }
    }

    /// Connects two nodes through points; gives the points from left to right. None for neighbours, for
    /// nodes of one layer, and once the limit is reached.
    pub fn connect(&mut self, from: usize, to: usize, limit: usize) -> Vec<usize> {
        let (left, right) = match self.layer(from) <= self.layer(to) {
            true => (from, to),
            false => (to, from),
        };
        let between = self.layer(left) + 1..self.layer(right);
        if self.layer(left) == self.layer(right) || self.points + between.len() > limit {
            return Vec::new();
        }
        let mut chain = Vec::with_capacity(between.len());
        let mut last = left;
        for layer in between {
            let point = self.layer.len();
            self.layer.push(layer);
            if let Some(layer) = self.layers.get_mut(layer) {
                layer.push(point);
            }
            self.steps.push((last, point));
            chain.push(point);
            last = point;
        }
        self.points += chain.len();
        self.steps.push((last, right));
        chain
    }

    /// The layer of an item.
    pub fn layer(&self, item: usize) -> usize {
        self.layer.get(item).copied().unwrap_or(0)
    }

    /// How many layers there are.
    pub fn layer_count(&self) -> usize {
        self.layers.len()
    }

    /// Orders each layer.
    pub fn arrange(&mut self, sweeps: usize) {
        let (left, right) = self.neighbours();
        let mut place = self.first_places(&left, &right);
        for layer in &mut self.layers {
            sort_by(layer, &place);
        }
        for sweep in 0..sweeps {
            let forward = sweep % 2 == 0;
            let side = if forward { &left } else { &right };
            let count = self.layers.len();
            for step in 0..count {
                let at = if forward { step } else { count - 1 - step };
                let Some(layer) = self.layers.get_mut(at) else {
                    continue;
                };
                let wish = |item: &usize| mean(side.of_node(*item), &place);
                let wishes: Vec<(usize, f64)> = layer
                    .iter()
                    .enumerate()
                    .map(|(index, item)| (*item, wish(item).unwrap_or(index as f64)))
                    .collect();
                for (item, wish) in wishes {
                    put(&mut place, item, wish);
                }
                sort_by(layer, &place);
                for (index, item) in layer.iter().enumerate() {
                    put(&mut place, *item, index as f64);
                }
            }
        }
    }

    /// The middle height of every item.
    pub fn heights(&self, sweeps: usize, size: impl Fn(usize) -> f64) -> Vec<f64> {
        let (left, right) = self.neighbours();
        let mut y = vec![0.0; self.layer.len()];
        for layer in &self.layers {
            let total: f64 = layer.iter().map(|item| size(*item)).sum();
            let mut at = -total / 2.0;
            for item in layer {
                put(&mut y, *item, at + size(*item) / 2.0);
                at += size(*item);
            }
        }
        for sweep in 0..sweeps {
            let forward = sweep % 2 == 0;
            let count = self.layers.len();
            for step in 0..count {
                let at = if forward { step } else { count - 1 - step };
                let side = if forward { &left } else { &right };
                let Some(layer) = self.layers.get(at) else {
                    continue;
                };
                let wishes: Vec<f64> = layer
                    .iter()
                    .map(|item| {
                        let now = y.get(*item).copied().unwrap_or(0.0);
                        mean(side.of_node(*item), &y).unwrap_or(now)
                    })
                    .collect();
                settle(layer, &wishes, &size, &mut y);
            }
        }
        let top = self.layers.iter().filter_map(|layer| layer.first());
        let top = top.map(|item| y.get(*item).copied().unwrap_or(0.0) - size(*item) / 2.0);
        let top = top.fold(f64::INFINITY, f64::min);
        if top.is_finite() {
            y.iter_mut().for_each(|y| *y -= top);
        }
        y
    }

    /// The lower edge of the lowest item; the first `nodes` items are nodes, one unit high.
    pub fn bottom(&self, heights: &[f64], nodes: usize) -> f64 {
        let last = self.layers.iter().filter_map(|layer| layer.last());
        let edge = |item: &usize| {
            let half = if *item < nodes { 0.5 } else { 0.0 };
            heights.get(*item).copied().unwrap_or(0.0) + half
        };
        last.map(edge).fold(0.0, f64::max)
    }

    /// Neighbours one layer to the left, and one to the right.
    fn neighbours(&self) -> (Lists, Lists) {
        let count = self.layer.len();
        let left = Lists::of(count, self.steps.iter().map(|(left, right)| (*right, *left)));
        let right = Lists::of(count, self.steps.iter().copied());
        (left, right)
    }

    /// First places: the order in which a walk along edges meets the items, so that what hangs together
    /// starts together.
    fn first_places(&self, left: &Lists, right: &Lists) -> Vec<f64> {
        let mut place = vec![f64::NAN; self.layer.len()];
        let mut met = 0.0;
        for root in self.layers.iter().flatten() {
            let mut stack = vec![*root];
            while let Some(item) = stack.pop() {
                if place.get(item).is_none_or(|place| !place.is_nan()) {
                    continue;
                }
                put(&mut place, item, met);
                met += 1.0;
                let fresh = |next: &&usize| place.get(**next).is_some_and(|place| place.is_nan());
                stack.extend(left.of_node(item).iter().rev().filter(fresh));
                stack.extend(right.of_node(item).iter().rev().filter(fresh));
            }
        }
        place
    }
}

/// Heights close to the wishes that keep order and distance: once pushed down from the top, once up from
/// the bottom, and the mean of both, which keeps every distance the two keep.
fn settle(layer: &[usize], wishes: &[f64], size: &impl Fn(usize) -> f64, y: &mut [f64]) {
    let gap = |a: Option<&usize>, b: Option<&usize>| match (a, b) {
        (Some(a), Some(b)) => (size(*a) + size(*b)) / 2.0,
        _ => 0.0,
    };
    let mut down = wishes.to_vec();
    for at in 1..down.len() {
        let least = down[at - 1] + gap(layer.get(at - 1), layer.get(at));
        down[at] = down[at].max(least);
    }
    let mut up = wishes.to_vec();
    for at in (1..up.len()).rev() {
        let most = up[at] - gap(layer.get(at - 1), layer.get(at));
        up[at - 1] = up[at - 1].min(most);
    }
    for ((item, down), up) in layer.iter().zip(down).zip(up) {
        put(y, *item, (down + up) / 2.0);
    }
}

fn mean(neighbours: &[usize], place: &[f64]) -> Option<f64> {
    let places = neighbours.iter().filter_map(|item| place.get(*item));
    let sum: f64 = places.sum();
    (!neighbours.is_empty()).then(|| sum / neighbours.len() as f64)
}

fn sort_by(layer: &mut [usize], place: &[f64]) {
    let of = |item: &usize| place.get(*item).copied().unwrap_or(0.0);
    layer.sort_by(|a, b| of(a).total_cmp(&of(b)));
}

fn put(places: &mut [f64], item: usize, place: f64) {
    if let Some(slot) = places.get_mut(item) {
        *slot = place;
    }
}
