//! Layer normalisation.

use pulp::{Simd, WithSimd};

use super::simd::{Instructions, multiply_add};

/// Scale and shift of a normalisation, one of each a column.
pub struct LayerNorm {
    pub instructions: Instructions,
    pub weight: Vec<f32>,
    pub bias: Vec<f32>,
    pub epsilon: f32,
}

impl LayerNorm {
    /// Adds `added` to `rows`, then gives each row mean 0 and variance 1, scaled and shifted.
    pub fn add_and_normalise(&self, rows: &mut [f32], added: &[f32]) {
        self.instructions.run(AddAndNormalise { norm: self, rows, added });
    }
}

struct AddAndNormalise<'a> {
    norm: &'a LayerNorm,
    rows: &'a mut [f32],
    added: &'a [f32],
}

impl WithSimd for AddAndNormalise<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let width = self.norm.weight.len();
        for (row, added) in self.rows.chunks_exact_mut(width).zip(self.added.chunks_exact(width)) {
            one_row(simd, self.norm, row, added);
        }
    }
}

#[inline(always)]
fn one_row<S: Simd>(simd: S, norm: &LayerNorm, row: &mut [f32], added: &[f32]) {
    let columns = row.len() as f32;
    let (vectors, rest) = S::as_mut_simd_f32s(row);
    let (added_vectors, added_rest) = S::as_simd_f32s(added);

    let mut sum = simd.splat_f32s(0.0);
    for (vector, added) in vectors.iter_mut().zip(added_vectors) {
        *vector = simd.add_f32s(*vector, *added);
        sum = simd.add_f32s(sum, *vector);
    }
    let mut total = simd.reduce_sum_f32s(sum);
    for (number, added) in rest.iter_mut().zip(added_rest) {
        *number += added;
        total += *number;
    }

    let mean = total / columns;
    let means = simd.splat_f32s(mean);
    let mut squares = simd.splat_f32s(0.0);
    for vector in vectors.iter() {
        let distance = simd.sub_f32s(*vector, means);
        squares = multiply_add(simd, distance, distance, squares);
    }
    let mut total = simd.reduce_sum_f32s(squares);
    for number in rest.iter() {
        total += (*number - mean) * (*number - mean);
    }

    let scale = 1.0 / (total / columns + norm.epsilon).sqrt();
    let scales = simd.splat_f32s(scale);
    let (weights, weight_rest) = S::as_simd_f32s(&norm.weight);
    let (biases, bias_rest) = S::as_simd_f32s(&norm.bias);
    for ((vector, weight), bias) in vectors.iter_mut().zip(weights).zip(biases) {
        let normal = simd.mul_f32s(simd.sub_f32s(*vector, means), scales);
        *vector = multiply_add(simd, normal, *weight, *bias);
    }
    for ((number, weight), bias) in rest.iter_mut().zip(weight_rest).zip(bias_rest) {
        *number = (*number - mean) * scale * weight + bias;
    }
}
