use std::collections::HashMap;

use pulp::{Simd, WithSimd};
use safetensors::Dtype;
use safetensors::tensor::TensorView;

use super::*;

/// Numbers between −1 and 1 that repeat late.
fn numbers(count: usize, seed: f32) -> Vec<f32> {
    (0..count).map(|index| (seed + index as f32 * 0.731).sin()).collect()
}

fn near(found: &[f32], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let distance = (f64::from(*found) - expected).abs();
        assert!(
            distance <= tolerance * expected.abs().max(1.0),
            "{what}[{at}]: {found}, expected {expected}"
        );
    }
}

struct Each<'a, F>(&'a mut [f32], F);

trait Elementwise {
    fn apply<S: Simd>(&self, simd: S, x: S::f32s) -> S::f32s;
}

struct Exp;
impl Elementwise for Exp {
    fn apply<S: Simd>(&self, simd: S, x: S::f32s) -> S::f32s {
        simd::exp_of_negative(simd, x)
    }
}

struct Gelu;
impl Elementwise for Gelu {
    fn apply<S: Simd>(&self, simd: S, x: S::f32s) -> S::f32s {
        simd::gelu(simd, x)
    }
}

impl<F: Elementwise> WithSimd for Each<'_, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (vectors, rest) = S::as_mut_simd_f32s(self.0);
        assert!(rest.is_empty());
        for vector in vectors {
            *vector = self.1.apply(simd, *vector);
        }
    }
}

/// Φ(x) by erf's power series, which converges everywhere.
fn normal_distribution(x: f64) -> f64 {
    let z = x / std::f64::consts::SQRT_2;
    let (mut term, mut sum) = (z, z);
    for n in 1..200 {
        term *= -z * z / f64::from(n);
        sum += term / f64::from(2 * n + 1);
    }
    0.5 * (1.0 + sum * 2.0 / std::f64::consts::PI.sqrt())
}

#[test]
fn exp_and_gelu_are_those_of_the_textbook() {
    for instructions in Instructions::available() {
        let inputs: Vec<f32> = (0..1_600).map(|index| index as f32 * -0.05).collect();
        let mut found = inputs.clone();
        instructions.run(Each(&mut found, Exp));
        for (x, found) in inputs.iter().zip(&found) {
            let expected = f64::from(*x).exp();
            assert!((f64::from(*found) / expected - 1.0).abs() < 1e-6, "exp({x}) = {found}, not {expected}");
        }
        let inputs: Vec<f32> = (-480..480).map(|index| index as f32 * 0.01).collect();
        let mut found = inputs.clone();
        instructions.run(Each(&mut found, Gelu));
        let expected: Vec<f64> =
            inputs.iter().map(|x| f64::from(*x) * normal_distribution(f64::from(*x))).collect();
        near(&found, &expected, 1e-6, "gelu");
        let mut far = vec![f32::NEG_INFINITY; 16];
        instructions.run(Each(&mut far, Exp));
        assert!(far.iter().all(|number| (0.0..1e-37).contains(number)), "a masked score has no weight");
        let mut far = [vec![-50.0; 16], vec![50.0; 16]].concat();
        instructions.run(Each(&mut far, Gelu));
        near(&far[..16], &[0.0; 16], 1e-6, "gelu far below");
        near(&far[16..], &[50.0; 16], 1e-6, "gelu far above");
    }
}

#[test]
fn products_are_right_for_sizes_that_fill_no_register() {
    for instructions in Instructions::available() {
        for (inner, columns) in [(1, 1), (5, 7), (32, 48), (33, 50), (384, 96), (7, 130)] {
            let rows = 2 * ROW_BLOCK;
            let (input, weights) = (numbers(rows * inner, 0.1), numbers(columns * inner, 0.5));
            let bias = numbers(columns, 0.9);
            let matrix = PackedMatrix::new(instructions, &weights, &bias, inner);
            let mut found = vec![f32::NAN; rows * columns];
            matrix.multiply(&input, Activation::None, &mut found);
            let expected: Vec<f64> = input
                .chunks_exact(inner)
                .flat_map(|row| {
                    weights.chunks_exact(inner).zip(&bias).map(|(column, bias)| {
                        f64::from(*bias)
                            + row.iter().zip(column).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>()
                    })
                })
                .collect();
            near(&found, &expected, 1e-5, &format!("{inner} × {columns}, {} lanes", instructions.lanes()));
        }
    }
}

#[test]
fn rows_are_normalised_whatever_their_width() {
    for instructions in Instructions::available() {
        for width in [3, 16, 29, 384] {
            let norm = LayerNorm {
                instructions,
                weight: numbers(width, 0.2),
                bias: numbers(width, 0.7),
                epsilon: 1e-12,
            };
            let (mut rows, added) = (numbers(2 * width, 0.3), numbers(2 * width, 0.4));
            let sums: Vec<f64> =
                rows.iter().zip(&added).map(|(a, b)| f64::from(*a) + f64::from(*b)).collect();
            let mut expected = Vec::new();
            for row in sums.chunks_exact(width) {
                let mean = row.iter().sum::<f64>() / width as f64;
                let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / width as f64;
                for ((x, weight), bias) in row.iter().zip(&norm.weight).zip(&norm.bias) {
                    expected.push((x - mean) / variance.sqrt() * f64::from(*weight) + f64::from(*bias));
                }
            }
            norm.add_and_normalise(&mut rows, &added);
            near(&rows, &expected, 1e-5, "norm");
        }
    }
}

/// Softmax(query · keys) · values, head by head, as in the paper.
fn attention_by_the_book(projected: &[f32], heads: usize, hidden: usize) -> Vec<f64> {
    let (stride, width) = (3 * hidden, hidden / heads);
    let tokens = projected.len() / stride;
    let number = |token: usize, part: usize, column: usize| {
        f64::from(projected[token * stride + part * hidden + column])
    };
    let mut context = vec![0.0; tokens * hidden];
    for token in 0..tokens {
        for column in 0..hidden {
            let of_head = column / width * width..(column / width + 1) * width;
            let weights: Vec<f64> = (0..tokens)
                .map(|other| {
                    of_head.clone().map(|c| number(token, 0, c) * number(other, 1, c)).sum::<f64>().exp()
                })
                .collect();
            let mixed: f64 = (0..tokens).map(|other| weights[other] * number(other, 2, column)).sum();
            context[token * hidden + column] = mixed / weights.iter().sum::<f64>();
        }
    }
    context
}

#[test]
fn each_sequence_attends_to_itself_alone() {
    for instructions in Instructions::available() {
        for (heads, hidden) in [(3, 12), (2, 64), (1, 26), (2, 128)] {
            let sequences = [0..1, 1..8, 8..17, 17..70];
            let projected = numbers(72 * 3 * hidden, 0.6);
            let mut context = vec![0.0; 72 * hidden];
            let attention = Attention { heads, hidden, queries: usize::MAX };
            attention.attend(instructions, &projected, &sequences, &mut context);
            for rows in sequences {
                let own = &projected[rows.start * 3 * hidden..rows.end * 3 * hidden];
                let expected = attention_by_the_book(own, heads, hidden);
                near(&context[rows.start * hidden..rows.end * hidden], &expected, 1e-4, "attention");
            }
        }
    }
}

fn tiny_config() -> BertConfig {
    BertConfig {
        vocab_size: 11,
        hidden_size: 12,
        num_hidden_layers: 2,
        num_attention_heads: 3,
        intermediate_size: 20,
        max_position_embeddings: 6,
        type_vocab_size: 2,
        layer_norm_eps: 1e-12,
        hidden_act: "gelu".to_owned(),
    }
}

/// A file of weights for [`tiny_config`], under a prefix as classifiers have it.
fn tiny_file(dtype: Dtype) -> Vec<u8> {
    let mut shapes: HashMap<String, Vec<usize>> = HashMap::new();
    let mut linear = |name: &str, columns: usize, inner: usize| {
        shapes.insert(format!("bert.{name}.weight"), vec![columns, inner]);
        shapes.insert(format!("bert.{name}.bias"), vec![columns]);
    };
    for layer in 0..2 {
        let part = |name: &str| format!("encoder.layer.{layer}.{name}");
        for name in
            ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"]
        {
            linear(&part(name), 12, 12);
        }
        linear(&part("intermediate.dense"), 20, 12);
        linear(&part("output.dense"), 12, 20);
    }
    let norms = ["encoder.layer.0.attention.output", "encoder.layer.0.output"].into_iter().chain([
        "encoder.layer.1.attention.output",
        "encoder.layer.1.output",
        "embeddings",
    ]);
    for name in norms {
        shapes.insert(format!("bert.{name}.LayerNorm.weight"), vec![12]);
        shapes.insert(format!("bert.{name}.LayerNorm.bias"), vec![12]);
    }
    for (name, rows) in [("word", 11), ("position", 6), ("token_type", 2)] {
        shapes.insert(format!("bert.embeddings.{name}_embeddings.weight"), vec![rows, 12]);
    }
    let data: HashMap<String, Vec<u8>> = shapes
        .iter()
        .map(|(name, shape)| {
            let numbers = numbers(shape.iter().product(), name.len() as f32);
            let bytes = match dtype {
                Dtype::F32 => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
                _ => vec![0; numbers.len() * dtype.bitsize() / 8],
            };
            (name.clone(), bytes)
        })
        .collect();
    let views = data
        .iter()
        .map(|(name, bytes)| (name.clone(), TensorView::new(dtype, shapes[name].clone(), bytes).unwrap()));
    safetensors::serialize(views, None).unwrap()
}

fn load(file: &[u8], config: BertConfig) -> Result<Bert, BertError> {
    Bert::load(&SafeTensors::deserialize(file).unwrap(), "bert.", config, Instructions::best())
}

#[test]
fn the_second_text_of_a_pair_is_told_from_the_first() {
    let bert = load(&tiny_file(Dtype::F32), tiny_config()).unwrap();
    let tokens = [1, 4, 2, 5, 2];
    let encode = |segments: &[u32]| {
        let states = bert.encode(&[Sequence { tokens: &tokens, segments }]).unwrap();
        states.sequences().next().unwrap().flatten().copied().collect::<Vec<f32>>()
    };
    let (single, pair) = (encode(&[0; 5]), encode(&[0, 0, 0, 1, 1]));
    assert_eq!(single.len(), 5 * 12);
    assert!(single.iter().all(|number| number.is_finite()));
    assert_ne!(single, pair);
}

#[test]
fn the_first_token_alone_has_the_state_that_it_has_among_the_others() {
    let bert = load(&tiny_file(Dtype::F32), tiny_config()).unwrap();
    let lengths = [3, 1, 4, 2, 4, 1, 3, 2, 4, 3, 2];
    let tokens: Vec<Vec<u32>> =
        lengths.iter().map(|length| (0..*length).map(|at| (at * 3 + length) % 5).collect()).collect();
    let segments = [0; 4];
    let batch: Vec<Sequence<'_>> =
        tokens.iter().map(|tokens| Sequence { tokens, segments: &segments[..tokens.len()] }).collect();
    let (all, alone) = (bert.encode(&batch).unwrap(), bert.encode_first(&batch).unwrap());
    for (mut all, mut alone) in all.sequences().zip(alone.sequences()) {
        assert_eq!(all.next(), alone.next());
        assert_eq!(alone.next(), None);
    }
    assert_eq!(alone.sequences().count(), lengths.len());
}

#[test]
fn sequences_that_the_model_cannot_read_are_refused() {
    let bert = load(&tiny_file(Dtype::F32), tiny_config()).unwrap();
    let refused =
        |tokens: &[u32], segments: &[u32]| bert.encode(&[Sequence { tokens, segments }]).unwrap_err();
    assert!(matches!(refused(&[1; 7], &[0; 7]), BertError::TooLong { length: 7, limit: 6 }));
    assert!(matches!(refused(&[11], &[0]), BertError::UnknownToken { token: 11 }));
    assert!(matches!(refused(&[1], &[2]), BertError::UnknownSegment { segment: 2 }));
    assert!(matches!(refused(&[], &[]), BertError::Empty));
}

#[test]
fn weights_that_do_not_fit_are_refused_by_name() {
    let file = tiny_file(Dtype::F32);
    let other = BertConfig { vocab_size: 12, ..tiny_config() };
    let message = load(&file, other).unwrap_err().to_string();
    assert!(message.contains("bert.embeddings.word_embeddings.weight"), "{message}");
    let deeper = BertConfig { num_hidden_layers: 3, ..tiny_config() };
    assert!(
        matches!(load(&file, deeper), Err(BertError::MissingTensor { name }) if name.contains("layer.2"))
    );
    let relu = BertConfig { hidden_act: "relu".to_owned(), ..tiny_config() };
    assert!(matches!(load(&file, relu), Err(BertError::Unsupported { .. })));
    assert!(matches!(load(&tiny_file(Dtype::I64), tiny_config()), Err(BertError::Dtype { .. })));
}
