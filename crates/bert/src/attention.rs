//! Self-attention within each sequence of a batch.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::aligned::Aligned;
use super::matrix::{store, tile};
use super::simd::{Instructions, exp_of_negative};

const KEY_VECTORS: usize = 3;
const VALUE_VECTORS: usize = 2;

/// The sizes of an attention.
#[derive(Debug, Clone, Copy)]
pub struct Attention {
    pub heads: usize,
    /// The width of all heads together.
    pub hidden: usize,
    /// So many of each sequence's first tokens look at the others at most.
    pub queries: usize,
}

impl Attention {
    /// Reads queries, keys and values side by side (each row: all queries, all keys, all values, head by head) and writes
    /// the mixed values, head by head. The queries are already scaled.
    pub fn attend(
        self,
        instructions: Instructions,
        projected: &[f32],
        sequences: &[Range<usize>],
        context: &mut [f32],
    ) {
        instructions.run(Attend { sizes: self, projected, sequences, context });
    }
}

struct Attend<'a> {
    sizes: Attention,
    projected: &'a [f32],
    sequences: &'a [Range<usize>],
    context: &'a mut [f32],
}

impl WithSimd for Attend<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        if S::REGISTER_COUNT >= 32 { self.all::<S, 8>(simd) } else { self.all::<S, 4>(simd) }
    }
}

impl Attend<'_> {
    #[inline(always)]
    fn all<S: Simd, const ROWS: usize>(self, simd: S) {
        let Attention { heads, hidden, queries } = self.sizes;
        let head_width = hidden / heads;
        let stride = 3 * hidden;
        let [mut keys, mut values, mut scores] = [Aligned::default(), Aligned::default(), Aligned::default()];
        for sequence in self.sequences {
            let projected = &self.projected[sequence.start * stride..sequence.end * stride];
            let context = &mut self.context[sequence.start * hidden..sequence.end * hidden];
            for head in 0..heads {
                let column = head * head_width;
                let rows = projected.chunks_exact(stride);
                pack_keys(
                    rows.clone().map(|row| &row[hidden + column..][..head_width]),
                    head_width,
                    KEY_VECTORS * S::F32_LANES,
                    &mut keys,
                );
                pack_values(
                    rows.map(|row| &row[2 * hidden + column..][..head_width]),
                    head_width,
                    VALUE_VECTORS * S::F32_LANES,
                    &mut values,
                );
                let head = Head {
                    queries: projected,
                    stride,
                    column,
                    width: head_width,
                    length: sequence.len(),
                    asking: sequence.len().min(queries),
                    keys: keys.numbers(),
                    values: values.numbers(),
                };
                head.mix::<S, ROWS>(simd, &mut scores, context, hidden);
            }
        }
    }
}

/// Panels of keys: each holds `width` keys, first their first number, then their second …
fn pack_keys<'a>(
    keys: impl ExactSizeIterator<Item = &'a [f32]>,
    head_width: usize,
    width: usize,
    panels: &mut Aligned,
) {
    panels.reset(keys.len().div_ceil(width) * width * head_width);
    let panels = panels.numbers_mut();
    for (at, key) in keys.enumerate() {
        let panel = &mut panels[at / width * width * head_width..][..width * head_width];
        for (step, number) in panel.chunks_exact_mut(width).zip(key) {
            step[at % width] = *number;
        }
    }
}

/// Panels of values: each holds `width` numbers of every value.
fn pack_values<'a>(
    values: impl ExactSizeIterator<Item = &'a [f32]>,
    head_width: usize,
    width: usize,
    panels: &mut Aligned,
) {
    let length = values.len();
    panels.reset(head_width.div_ceil(width) * width * length);
    let panels = panels.numbers_mut();
    for (at, value) in values.enumerate() {
        for (index, part) in value.chunks(width).enumerate() {
            panels[(index * length + at) * width..][..part.len()].copy_from_slice(part);
        }
    }
}

/// One head of one sequence.
struct Head<'a> {
    queries: &'a [f32],
    stride: usize,
    column: usize,
    width: usize,
    length: usize,
    /// How many of the tokens look at the others.
    asking: usize,
    keys: &'a [f32],
    values: &'a [f32],
}

impl Head<'_> {
    #[inline(always)]
    fn mix<S: Simd, const ROWS: usize>(
        &self,
        simd: S,
        scores: &mut Aligned,
        context: &mut [f32],
        hidden: usize,
    ) {
        let key_panel = KEY_VECTORS * S::F32_LANES;
        let value_panel = VALUE_VECTORS * S::F32_LANES;
        let padded = self.length.next_multiple_of(key_panel);
        scores.reset(ROWS * padded);
        let scores = scores.numbers_mut();
        let zero = simd.splat_f32s(0.0);
        for first in (0..self.asking).step_by(ROWS) {
            let mut queries = [self.queries; ROWS];
            for (row, query) in queries.iter_mut().enumerate() {
                // Past the end the last row is worked out again and thrown away.
                let token = (first + row).min(self.length - 1);
                *query = &self.queries[token * self.stride + self.column..][..self.width];
            }
            for (index, panel) in self.keys.chunks_exact(key_panel * self.width).enumerate() {
                let sums = tile::<S, ROWS, KEY_VECTORS>(
                    simd,
                    queries,
                    S::as_simd_f32s(panel).0,
                    [[zero; KEY_VECTORS]; ROWS],
                );
                for (sums, row) in sums.iter().zip(scores.chunks_exact_mut(padded)) {
                    store(simd, sums, &mut row[index * key_panel..][..key_panel]);
                }
            }
            let mut shares = [0.0; ROWS];
            for (share, row) in shares.iter_mut().zip(scores.chunks_exact_mut(padded)) {
                row[self.length..].fill(f32::NEG_INFINITY);
                *share = 1.0 / exponentials(simd, row);
            }
            let mut weights = [&scores[..0]; ROWS];
            for (weights, row) in weights.iter_mut().zip(scores.chunks_exact(padded)) {
                *weights = &row[..self.length];
            }
            for (index, panel) in self.values.chunks_exact(value_panel * self.length).enumerate() {
                let sums = tile::<S, ROWS, VALUE_VECTORS>(
                    simd,
                    weights,
                    S::as_simd_f32s(panel).0,
                    [[zero; VALUE_VECTORS]; ROWS],
                );
                let from = index * value_panel;
                let to = (from + value_panel).min(self.width);
                for (row, mut sums) in sums.into_iter().enumerate().take(self.asking - first) {
                    for sum in &mut sums {
                        *sum = simd.mul_f32s(*sum, simd.splat_f32s(shares[row]));
                    }
                    let written = &mut context[(first + row) * hidden + self.column..][from..to];
                    store(simd, &sums, written);
                }
            }
        }
    }
}

/// Replaces scores by e to the power of their distance from the largest, and gives their sum.
#[inline(always)]
fn exponentials<S: Simd>(simd: S, row: &mut [f32]) -> f32 {
    let (vectors, _) = S::as_mut_simd_f32s(row);
    let mut largest = simd.splat_f32s(f32::NEG_INFINITY);
    for vector in vectors.iter() {
        largest = simd.max_f32s(largest, *vector);
    }
    let largest = simd.splat_f32s(simd.reduce_max_f32s(largest));
    let mut sum = simd.splat_f32s(0.0);
    for vector in vectors {
        *vector = exp_of_negative(simd, simd.sub_f32s(*vector, largest));
        sum = simd.add_f32s(sum, *vector);
    }
    simd.reduce_sum_f32s(sum)
}
