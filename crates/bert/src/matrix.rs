//! Products with a matrix that stays: its columns are laid out once as the processor will read them.

use pulp::{Simd, WithSimd};

use super::aligned::Aligned;
use super::simd::{Instructions, gelu, multiply_add};

/// Products work on this many rows at a time, so every input has a multiple of it.
pub const ROW_BLOCK: usize = 8;
/// Registers side by side in a panel: with 8 rows (4 where there are 16 registers) the sums stay in registers.
const PANEL_VECTORS: usize = 3;

/// What happens to each sum before it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    None,
    Gelu,
}

/// A matrix and its bias, columns in panels of a few registers' width, each panel row by row.
pub struct PackedMatrix {
    instructions: Instructions,
    inner: usize,
    columns: usize,
    panels: Aligned,
    bias: Vec<f32>,
}

impl PackedMatrix {
    /// From weights as they are stored, a row for each output (`columns` × `inner`).
    pub fn new(instructions: Instructions, weights: &[f32], bias: &[f32], inner: usize) -> Self {
        let columns = bias.len();
        let width = PANEL_VECTORS * instructions.lanes();
        let count = columns.div_ceil(width);
        let mut panels = Aligned::zeros(count * width * inner);
        for (column, row) in weights.chunks_exact(inner).enumerate() {
            let panel = &mut panels.numbers_mut()[column / width * width * inner..][..width * inner];
            for (step, weight) in panel.chunks_exact_mut(width).zip(row) {
                step[column % width] = *weight;
            }
        }
        let mut padded = bias.to_vec();
        padded.resize(count * width, 0.0);
        Self { instructions, inner, columns, panels, bias: padded }
    }

    /// How many numbers a row of the output has.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// `output = activation(input · matrix + bias)`, row by row; both have a multiple of [`ROW_BLOCK`] rows.
    pub fn multiply(&self, input: &[f32], activation: Activation, output: &mut [f32]) {
        self.instructions.run(Multiply { matrix: self, input, activation, output });
    }
}

struct Multiply<'a> {
    matrix: &'a PackedMatrix,
    input: &'a [f32],
    activation: Activation,
    output: &'a mut [f32],
}

impl WithSimd for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        if S::REGISTER_COUNT >= 32 { self.blocks::<S, 8>(simd) } else { self.blocks::<S, 4>(simd) }
    }
}

impl Multiply<'_> {
    #[inline(always)]
    fn blocks<S: Simd, const ROWS: usize>(self, simd: S) {
        let Self { matrix: PackedMatrix { inner, columns, panels, bias, .. }, input, activation, output } =
            self;
        let width = PANEL_VECTORS * S::F32_LANES;
        for (index, (panel, bias)) in
            panels.numbers().chunks_exact(width * inner).zip(bias.chunks_exact(width)).enumerate()
        {
            let first = index * width;
            let (panel, _) = S::as_simd_f32s(panel);
            let (bias, _) = S::as_simd_f32s(bias);
            let start = [[bias[0], bias[1], bias[2]]; ROWS];
            for (rows, written) in
                input.chunks_exact(ROWS * inner).zip(output.chunks_exact_mut(ROWS * columns))
            {
                let mut block = [&rows[..0]; ROWS];
                for (row, values) in block.iter_mut().zip(rows.chunks_exact(*inner)) {
                    *row = values;
                }
                let mut sums = tile::<S, ROWS, PANEL_VECTORS>(simd, block, panel, start);
                if activation == Activation::Gelu {
                    for row in &mut sums {
                        for sum in row {
                            *sum = gelu(simd, *sum);
                        }
                    }
                }
                for (sums, row) in sums.iter().zip(written.chunks_exact_mut(*columns)) {
                    store(simd, sums, &mut row[first..(first + width).min(*columns)]);
                }
            }
        }
    }
}

/// The product of a few rows with one panel, added to `start`. All sums stay in registers; this loop is where the time goes.
#[inline(always)]
pub fn tile<S: Simd, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    rows: [&[f32]; ROWS],
    panel: &[S::f32s],
    start: [[S::f32s; VECTORS]; ROWS],
) -> [[S::f32s; VECTORS]; ROWS] {
    let (steps, _) = panel.as_chunks::<VECTORS>();
    let mut rows = rows;
    for row in &mut rows {
        // Equal lengths let the compiler drop the bounds checks of the loop.
        *row = &row[..steps.len()];
    }
    let mut sums = start;
    for (at, weights) in steps.iter().enumerate() {
        for row in 0..ROWS {
            let value = simd.splat_f32s(rows[row][at]);
            for vector in 0..VECTORS {
                sums[row][vector] = multiply_add(simd, value, weights[vector], sums[row][vector]);
            }
        }
    }
    sums
}

/// Writes as many numbers as there is room for.
#[inline(always)]
pub fn store<S: Simd, const VECTORS: usize>(simd: S, sums: &[S::f32s; VECTORS], output: &mut [f32]) {
    if output.len() == VECTORS * S::F32_LANES {
        let (vectors, _) = S::as_mut_simd_f32s(output);
        for (vector, sum) in vectors.iter_mut().zip(sums) {
            *vector = *sum;
        }
    } else {
        for (part, sum) in output.chunks_mut(S::F32_LANES).zip(sums) {
            simd.partial_store_f32s(part, *sum);
        }
    }
}
