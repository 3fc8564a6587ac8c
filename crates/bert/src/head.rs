use safetensors::SafeTensors;

use super::BertError;
use super::weights::Weights;

/// What a classifier puts on top of the encoder: the pooler and its outputs.
pub struct ClassificationHead {
    width: usize,
    pooler: Vec<f32>,
    pooler_bias: Vec<f32>,
    /// For each output its weights, and its bias.
    outputs: Vec<(Vec<f32>, f32)>,
}

impl ClassificationHead {
    /// Takes the head of a file whose encoder's tensors are called under `prefix`; it must have one of these counts of outputs.
    pub fn load(
        tensors: &SafeTensors<'_>,
        prefix: &str,
        width: usize,
        outputs: &[usize],
    ) -> Result<Self, BertError> {
        let encoder = Weights { tensors, prefix };
        let whole = Weights { tensors, prefix: "" };
        let labels = match tensors.tensor("classifier.weight").map(|tensor| tensor.shape().to_vec()) {
            Ok(shape) => shape.first().copied().unwrap_or(0),
            Err(_) => return Err(BertError::MissingTensor { name: "classifier.weight".to_owned() }),
        };
        if !outputs.contains(&labels) {
            let expected: Vec<String> = outputs.iter().map(ToString::to_string).collect();
            let what = format!("a classifier with {labels} outputs in place of {}", expected.join(" or "));
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

    /// What each output gives, before it is made a share, given the state of the first token.
    pub fn outputs(&self, first: &[f32]) -> Vec<f32> {
        let pooled: Vec<f32> = self
            .pooler
            .chunks_exact(self.width)
            .zip(&self.pooler_bias)
            .map(|(row, bias)| (dot(row, first) + bias).tanh())
            .collect();
        self.outputs.iter().map(|(row, bias)| dot(row, &pooled) + bias).collect()
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
