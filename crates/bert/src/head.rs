use safetensors::SafeTensors;

use super::BertError;
use super::weights::Weights;

/// What a classifier puts on top of the encoder: the pooler and one or two outputs.
pub struct ClassificationHead {
    width: usize,
    pooler: Vec<f32>,
    pooler_bias: Vec<f32>,
    /// For each output its weights, and its bias.
    outputs: Vec<(Vec<f32>, f32)>,
}

impl ClassificationHead {
    /// Takes the head of a file whose encoder's tensors are called under `prefix`.
    pub fn load(tensors: &SafeTensors<'_>, prefix: &str, width: usize) -> Result<Self, BertError> {
        let encoder = Weights { tensors, prefix };
        let whole = Weights { tensors, prefix: "" };
        let labels = match tensors.tensor("classifier.weight").map(|tensor| tensor.shape().to_vec()) {
            Ok(shape) => shape.first().copied().unwrap_or(0),
            Err(_) => return Err(BertError::MissingTensor { name: "classifier.weight".to_owned() }),
        };
        if !(1..=2).contains(&labels) {
            let what = format!("a classifier with {labels} outputs in place of one or two");
            return Err(BertError::Unsupported { what });
        }
        let weights = whole.read("classifier.weight", &[labels, width])?;
        let biases = whole.read("classifier.bias", &[labels])?;
        Ok(Self {
            width,
            pooler: encoder.read("pooler.dense.weight", &[width, width])?,
            pooler_bias: encoder.read("pooler.dense.bias", &[width])?,
            outputs: weights.chunks_exact(width).map(<[f32]>::to_vec).zip(biases).collect(),
        })
    }

    /// How sure it is, from 0 to 1, given the state of the first token.
    pub fn score(&self, first: &[f32]) -> f32 {
        let pooled: Vec<f32> = self
            .pooler
            .chunks_exact(self.width)
            .zip(&self.pooler_bias)
            .map(|(row, bias)| (dot(row, first) + bias).tanh())
            .collect();
        let logits: Vec<f32> = self.outputs.iter().map(|(row, bias)| dot(row, &pooled) + bias).collect();
        let sure = match logits.as_slice() {
            [no, yes] => yes - no,
            [one] => *one,
            _ => 0.0,
        };
        1.0 / (1.0 + (-sure).exp())
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
