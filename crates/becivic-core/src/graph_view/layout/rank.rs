//! Layers by the longest way, circles broken.

/// The layer of each node, from 0.
pub fn layers(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let forward = without_circles(count, edges);
    let next = Lists::of(count, forward.iter().copied());
    let mut waiting = vec![0usize; count];
    for (_, to) in &forward {
        if let Some(waiting) = waiting.get_mut(*to) {
            *waiting += 1;
        }
    }
    let start: Vec<usize> = (0..count).filter(|node| waiting.get(*node) == Some(&0)).collect();
    let mut layer = vec![0usize; count];
    let mut order = start.clone();
    let mut at = 0;
    while let Some(node) = order.get(at).copied() {
        at += 1;
        let below = layer.get(node).copied().unwrap_or(0) + 1;
        for to in next.of_node(node) {
            if let (Some(layer), Some(waiting)) = (layer.get_mut(*to), waiting.get_mut(*to)) {
                *layer = below.max(*layer);
                *waiting -= 1;
                if *waiting == 0 {
                    order.push(*to);
                }
            }
        }
    }
    for node in start {
        let nearest = next.of_node(node).iter().filter_map(|to| layer.get(*to)).min().copied();
        if let (Some(nearest), Some(layer)) = (nearest, layer.get_mut(node)) {
            *layer = nearest.saturating_sub(1);
        }
    }
    layer
}

/// The edges, with those that close a circle turned around.
fn without_circles(count: usize, edges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let next = Lists::of(count, edges.iter().copied());
    let mut done = vec![usize::MAX; count];
    let mut entered = vec![false; count];
    let mut clock = 0;
    for root in 0..count {
        let mut stack = vec![(root, 0)];
        while let Some((node, step)) = stack.pop() {
            if step == 0 && std::mem::replace(&mut entered[node], true) {
                continue;
            }
            match next.of_node(node).get(step) {
                Some(to) => {
                    stack.push((node, step + 1));
                    if !entered[*to] {
                        stack.push((*to, 0));
                    }
                }
                None => {
                    done[node] = clock;
                    clock += 1;
                }
            }
        }
    }
    // A node is done after everything it reaches: an edge to one done later closes a circle.
    let turned = edges.iter().map(|(from, to)| match done[*from] < done[*to] {
        true => (*to, *from),
        false => (*from, *to),
    });
    turned.collect()
}

/// Neighbours of every node, in one piece of memory.
pub struct Lists {
    start: Vec<usize>,
    all: Vec<usize>,
}

impl Lists {
    /// The neighbours each edge leads to.
    pub fn of(count: usize, edges: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        let mut start = vec![0usize; count + 1];
        for (from, _) in edges.clone() {
            if let Some(start) = start.get_mut(from + 1) {
                *start += 1;
            }
        }
        let mut sum = 0;
        for start in &mut start {
            sum += *start;
            *start = sum;
        }
        let mut free = start.clone();
        let mut all = vec![0usize; sum];
        for (from, to) in edges {
            if let Some(free) = free.get_mut(from)
                && let Some(slot) = all.get_mut(*free)
            {
                *slot = to;
                *free += 1;
            }
        }
        Self { start, all }
    }

    /// The neighbours of a node.
    pub fn of_node(&self, node: usize) -> &[usize] {
        let bounds = self.start.get(node).zip(self.start.get(node + 1));
        bounds.and_then(|(from, to)| self.all.get(*from..*to)).unwrap_or_default()
    }
}
