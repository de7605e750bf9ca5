//! The weights: a linear-chain conditional random field over hashed features, by stochastic gradient steps whose length
//! each weight chooses for itself (AdaGrad). One thread, one order per seed, and an exponential that is the same on every
//! machine: the same data give the same bytes.

use crate::random::Random;
use becivic_core::names::model::LABELS;

/// A sentence ready to learn from.
pub struct Lesson {
    /// The buckets of all tokens' features, one token after another.
    pub features: Vec<u32>,
    /// Where each token's features end.
    pub ends: Vec<u32>,
    /// The right label of each token.
    pub labels: Vec<u8>,
}

impl Lesson {
    fn by_token(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(start, end)| &self.features[*start as usize..*end as usize])
    }
}

/// How training goes.
pub struct Course {
    /// How often every sentence is seen.
    pub rounds: usize,
    /// How long the first step is.
    pub step: f32,
    /// How strongly weights are pulled back to nothing.
    pub pull: f32,
}

/// What was learned.
pub struct Learned {
    /// By bucket and label.
    pub weights: Vec<[f32; LABELS]>,
    /// By label and the label after.
    pub transitions: [[f32; LABELS]; LABELS],
}

/// That a name goes on where none began is never learned, only forbidden.
pub const FORBIDDEN: f32 = -30.0;

type Row = [f32; LABELS];

/// Learns.
pub fn learn(
    lessons: &[Lesson],
    bits: u32,
    course: &Course,
    random: &mut Random,
    progress: impl Fn(usize, f64),
) -> Learned {
    let mut weights = vec![[0f32; LABELS]; 1 << bits];
    let mut seen = vec![[1e-6f32; LABELS]; 1 << bits];
    let mut transitions = [[0f32; LABELS]; LABELS];
    let mut transitions_seen = [[1e-6f32; LABELS]; LABELS];
    transitions[0][2] = FORBIDDEN;
    let mut sum = vec![[0f32; LABELS]; 1 << bits];
    let mut transitions_sum = [[0f32; LABELS]; LABELS];
    let mut summed = 0f32;
    let mut order: Vec<usize> = (0..lessons.len()).collect();
    for round in 0..course.rounds {
        random.shuffle(&mut order);
        let mut loss = 0f64;
        for at in &order {
            let lesson = &lessons[*at];
            let tokens = lesson.labels.len();
            if tokens == 0 {
                continue;
            }
            let scores: Vec<Row> = lesson
                .by_token()
                .map(|features| {
                    let mut sum = [0f32; LABELS];
                    for feature in features {
                        let row = &weights[*feature as usize];
                        (0..LABELS).for_each(|label| sum[label] += row[label]);
                    }
                    sum
                })
                .collect();
            let (marginals, pairs, lost) = marginals(&scores, &transitions, &lesson.labels);
            loss += f64::from(lost);
            for (features, (marginal, label)) in lesson.by_token().zip(marginals.iter().zip(&lesson.labels)) {
                let slope: Row =
                    std::array::from_fn(|it| marginal[it] - f32::from(u8::from(it == usize::from(*label))));
                if slope.iter().all(|it| it.abs() < 1e-4) {
                    continue;
                }
                for feature in features {
                    let (row, seen) = (&mut weights[*feature as usize], &mut seen[*feature as usize]);
                    for label in 0..LABELS {
                        let slope = slope[label] + course.pull * row[label];
                        seen[label] += slope * slope;
                        row[label] -= course.step * slope / seen[label].sqrt();
                    }
                }
            }
            let mut before = 0;
            let mut right = [[0f32; LABELS]; LABELS];
            for label in &lesson.labels {
                right[before][usize::from(*label)] += 1.0;
                before = usize::from(*label);
            }
            for from in 0..LABELS {
                for to in 0..LABELS {
                    if (from, to) == (0, 2) {
                        continue;
                    }
                    let slope = (pairs[from][to] - right[from][to]) * 0.1;
                    transitions_seen[from][to] += slope * slope;
                    transitions[from][to] -= course.step * slope / transitions_seen[from][to].sqrt();
                }
            }
        }
        // The mean of what the later rounds end with errs less than any of them.
        if round >= course.rounds / 3 {
            summed += 1.0;
            add(&mut sum, &weights);
            add(&mut transitions_sum, &transitions);
        }
        progress(round + 1, loss / lessons.len() as f64);
    }
    let mean = |row: &Row| row.map(|it| it / summed.max(1.0));
    Learned { weights: sum.iter().map(mean).collect(), transitions: transitions_sum.each_ref().map(mean) }
}

/// Adds rows to rows.
pub fn add(sum: &mut [Row], rows: &[Row]) {
    for (sum, row) in sum.iter_mut().zip(rows) {
        (0..LABELS).for_each(|label| sum[label] += row[label]);
    }
}

/// How likely each label is at each token, how often each pair of labels is to be expected, and what is lost.
fn marginals(scores: &[Row], transitions: &[Row; LABELS], labels: &[u8]) -> (Vec<Row>, [Row; LABELS], f32) {
    let count = scores.len();
    // Each row is scaled to sum to one; the scales' logarithms add up to the partition function's.
    let mut forward = vec![[0f32; LABELS]; count];
    let local: Vec<(Row, f32)> = scores
        .iter()
        .map(|row| {
            let top = row.iter().copied().fold(f32::MIN, f32::max);
            (std::array::from_fn(|label| libm::expf(row[label] - top)), top)
        })
        .collect();
    let steps: [Row; LABELS] =
        std::array::from_fn(|from| std::array::from_fn(|to| libm::expf(transitions[from][to])));
    let mut before: Row = [1.0, 0.0, 0.0];
    let mut log_sum = 0f32;
    for (at, (own, top)) in local.iter().enumerate() {
        let row: Row = std::array::from_fn(|to| {
            own[to] * (0..LABELS).map(|from| before[from] * steps[from][to]).sum::<f32>()
        });
        let sum: f32 = row.iter().sum::<f32>().max(1e-30);
        before = row.map(|it| it / sum);
        forward[at] = before;
        log_sum += libm::logf(sum) + top;
    }
    let mut backward = vec![[1f32; LABELS]; count];
    for at in (0..count.saturating_sub(1)).rev() {
        let (after, (own, _)) = (backward[at + 1], &local[at + 1]);
        let row: Row =
            std::array::from_fn(|from| (0..LABELS).map(|to| steps[from][to] * own[to] * after[to]).sum());
        let sum: f32 = row.iter().sum::<f32>().max(1e-30);
        backward[at] = row.map(|it| it / sum);
    }
    let mut marginals = Vec::with_capacity(count);
    let mut pairs = [[0f32; LABELS]; LABELS];
    let mut right = 0f32;
    let mut last = 0;
    for at in 0..count {
        let row: Row = std::array::from_fn(|label| forward[at][label] * backward[at][label]);
        let sum: f32 = row.iter().sum::<f32>().max(1e-30);
        marginals.push(row.map(|it| it / sum));
        let start: Row = if at == 0 { [1.0, 0.0, 0.0] } else { forward[at - 1] };
        let mut pair = [[0f32; LABELS]; LABELS];
        let mut total = 0f32;
        for from in 0..LABELS {
            for to in 0..LABELS {
                pair[from][to] = start[from] * steps[from][to] * local[at].0[to] * backward[at][to];
                total += pair[from][to];
            }
        }
        for from in 0..LABELS {
            for to in 0..LABELS {
                pairs[from][to] += pair[from][to] / total.max(1e-30);
            }
        }
        let label = usize::from(labels[at]);
        right += scores[at][label] + transitions[last][label];
        last = label;
    }
    (marginals, pairs, log_sum - right)
}
