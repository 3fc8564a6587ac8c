//! A BERT encoder: token ids in, hidden states out.
//!
//! Sequences of a batch lie behind each other without padding, and every row is worked out by the same operations wherever
//! it lies, so a text's states do not depend on what it was batched with.

mod aligned;
mod attention;
mod head;
mod matrix;
mod norm;
mod simd;
#[cfg(test)]
mod tests;
mod weights;

use std::fmt;
use std::ops::Range;

use safetensors::SafeTensors;
use serde::Deserialize;
use thiserror::Error;

use attention::Attention;
pub use head::ClassificationHead;
use matrix::{Activation, PackedMatrix, ROW_BLOCK};
use norm::LayerNorm;
pub use simd::Instructions;
use weights::{Table, Weights};

/// The sizes of an encoder, as in the `config.json` beside its weights.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct BertConfig {
    pub vocab_size: usize,
    pub hidden_size: usize,
    pub num_hidden_layers: usize,
    pub num_attention_heads: usize,
    pub intermediate_size: usize,
    pub max_position_embeddings: usize,
    pub type_vocab_size: usize,
    pub layer_norm_eps: f32,
    pub hidden_act: String,
}

/// Why weights could not be taken, or a sequence could not be encoded.
#[derive(Debug, Error)]
pub enum BertError {
    #[error("the weights have no tensor `{name}`; the file is not of a BERT encoder")]
    MissingTensor { name: String },
    #[error(
        "tensor `{name}` has shape {found:?}, config.json says {expected:?}; the two files do not belong together"
    )]
    Shape { name: String, expected: Vec<usize>, found: Vec<usize> },
    #[error("tensor `{name}` holds {found} numbers; convert the file to F16, F32 or I8 with a scale a row")]
    Dtype { name: String, found: String },
    #[error("config.json asks for {what}, which this encoder does not have")]
    Unsupported { what: String },
    #[error(
        "a sequence of {length} tokens is longer than the {limit} that the model has positions for; cut it first"
    )]
    TooLong { length: usize, limit: usize },
    #[error("a sequence without tokens has no states; give it at least its special tokens")]
    Empty,
    #[error("token {token} is not in the model's vocabulary; the tokenizer is another model's")]
    UnknownToken { token: u32 },
    #[error("segment {segment} is more than the model has; the tokenizer is another model's")]
    UnknownSegment { segment: u32 },
}

/// One sequence, special tokens included.
#[derive(Debug, Clone, Copy)]
pub struct Sequence<'a> {
    pub tokens: &'a [u32],
    /// Which text a token belongs to, for models that read two at once.
    pub segments: &'a [u32],
}

/// The last layer's states of a batch.
#[derive(Debug)]
pub struct HiddenStates {
    width: usize,
    rows: Vec<f32>,
    sequences: Vec<Range<usize>>,
}

impl HiddenStates {
    /// For each sequence, in order, the states of its tokens.
    pub fn sequences(&self) -> impl Iterator<Item = std::slice::ChunksExact<'_, f32>> {
        self.sequences
            .iter()
            .map(|rows| self.rows[rows.start * self.width..rows.end * self.width].chunks_exact(self.width))
    }
}

/// The encoder with its weights.
pub struct Bert {
    instructions: Instructions,
    config: BertConfig,
    words: Table,
    positions: Table,
    segments: Table,
    embedding_norm: LayerNorm,
    layers: Vec<Layer>,
}

struct Layer {
    query_key_value: PackedMatrix,
    attention_output: PackedMatrix,
    attention_norm: LayerNorm,
    expansion: PackedMatrix,
    contraction: PackedMatrix,
    output_norm: LayerNorm,
}

impl Bert {
    /// Takes the weights whose names start with `prefix`.
    pub fn load(
        tensors: &SafeTensors<'_>,
        prefix: &str,
        config: BertConfig,
        instructions: Instructions,
    ) -> Result<Self, BertError> {
        config.check()?;
        let weights = Weights { tensors, prefix };
        let hidden = config.hidden_size;
        let table = |name: &str, rows: usize| {
            weights.table(&format!("embeddings.{name}_embeddings.weight"), &[rows, hidden])
        };
        Ok(Self {
            instructions,
            words: table("word", config.vocab_size)?,
            positions: table("position", config.max_position_embeddings)?,
            segments: table("token_type", config.type_vocab_size)?,
            embedding_norm: read_norm(&weights, "embeddings.LayerNorm", &config, instructions)?,
            layers: (0..config.num_hidden_layers)
                .map(|index| Layer::read(&weights, index, &config, instructions))
                .collect::<Result<_, _>>()?,
            config,
        })
    }

    /// The sizes of this encoder.
    pub fn config(&self) -> &BertConfig {
        &self.config
    }

    /// The last hidden states of each sequence, worked out on the calling thread.
    pub fn encode(&self, batch: &[Sequence<'_>]) -> Result<HiddenStates, BertError> {
        self.encode_tokens(batch, usize::MAX)
    }

    /// The last hidden state of each sequence's first token alone, which spares most of the last layer.
    pub fn encode_first(&self, batch: &[Sequence<'_>]) -> Result<HiddenStates, BertError> {
        self.encode_tokens(batch, 1)
    }

    /// The last hidden states of each sequence's first tokens, at most `wanted` of them.
    fn encode_tokens(&self, batch: &[Sequence<'_>], wanted: usize) -> Result<HiddenStates, BertError> {
        let width = self.config.hidden_size;
        let mut sequences = Vec::with_capacity(batch.len());
        let mut tokens = 0;
        for sequence in batch {
            sequences.push(tokens..tokens + sequence.tokens.len());
            tokens += sequence.tokens.len();
        }
        let rows = tokens.next_multiple_of(ROW_BLOCK);
        let mut states = vec![0.0; rows * width];
        // What a step adds to the states; the first one adds positions and segments to the words.
        let mut added = vec![0.0; rows * width];
        let mut context = vec![0.0; rows * width];
        let mut wide = vec![0.0; rows * self.config.intermediate_size.max(3 * width)];

        for (sequence, rows) in batch.iter().zip(&sequences) {
            let range = rows.start * width..rows.end * width;
            self.look_up(sequence, &mut states[range.clone()], &mut added[range])?;
        }
        self.embedding_norm.add_and_normalise(&mut states, &added);
        for (index, layer) in self.layers.iter().enumerate() {
            let projected = &mut wide[..states.len() / width * layer.query_key_value.columns()];
            layer.query_key_value.multiply(&states, Activation::None, projected);
            let heads = self.config.num_attention_heads;
            let wanted = if index + 1 == self.layers.len() { wanted } else { usize::MAX };
            let attention = Attention { heads, hidden: width, queries: wanted };
            attention.attend(self.instructions, projected, &sequences, &mut context);
            if sequences.iter().any(|rows| rows.len() > wanted) {
                // From here on every row is by itself: what nobody asks for need not be worked out.
                sequences = gather_first(wanted, &sequences, width, [&mut states, &mut context, &mut added]);
            }
            layer.attention_output.multiply(&context, Activation::None, &mut added);
            layer.attention_norm.add_and_normalise(&mut states, &added);

            let expanded = &mut wide[..states.len() / width * layer.expansion.columns()];
            layer.expansion.multiply(&states, Activation::Gelu, expanded);
            layer.contraction.multiply(expanded, Activation::None, &mut added);
            layer.output_norm.add_and_normalise(&mut states, &added);
        }
        Ok(HiddenStates { width, rows: states, sequences })
    }

    fn look_up(
        &self,
        sequence: &Sequence<'_>,
        words: &mut [f32],
        places: &mut [f32],
    ) -> Result<(), BertError> {
        let (width, limit) = (self.config.hidden_size, self.config.max_position_embeddings);
        let length = sequence.tokens.len();
        if length > limit {
            return Err(BertError::TooLong { length, limit });
        }
        if length == 0 {
            return Err(BertError::Empty);
        }
        let mut segment_row = vec![0.0; width];
        let rows = words.chunks_exact_mut(width).zip(places.chunks_exact_mut(width)).enumerate();
        for ((at, (word, place)), (token, segment)) in rows.zip(sequence.tokens.iter().zip(sequence.segments))
        {
            self.words.copy_row(*token as usize, word).ok_or(BertError::UnknownToken { token: *token })?;
            self.positions.copy_row(at, place).ok_or(BertError::TooLong { length, limit })?;
            self.segments
                .copy_row(*segment as usize, &mut segment_row)
                .ok_or(BertError::UnknownSegment { segment: *segment })?;
            for (number, segment) in place.iter_mut().zip(&segment_row) {
                *number += segment;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Bert {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Bert").field("config", &self.config).finish_non_exhaustive()
    }
}

impl BertConfig {
    fn check(&self) -> Result<(), BertError> {
        let unsupported = |what: String| Err(BertError::Unsupported { what });
        if self.hidden_act != "gelu" {
            return unsupported(format!("the activation `{}`", self.hidden_act));
        }
        if self.num_attention_heads == 0 || !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            return unsupported(format!(
                "{} columns in {} heads",
                self.hidden_size, self.num_attention_heads
            ));
        }
        Ok(())
    }
}

impl Layer {
    fn read(
        weights: &Weights<'_>,
        index: usize,
        config: &BertConfig,
        instructions: Instructions,
    ) -> Result<Self, BertError> {
        let (hidden, intermediate) = (config.hidden_size, config.intermediate_size);
        let name = |part: &str| format!("encoder.layer.{index}.{part}");
        let read_both = |part: &str, inner: usize, columns: usize| -> Result<_, BertError> {
            let matrix = weights.read(&name(&format!("{part}.weight")), &[columns, inner])?;
            Ok((matrix, weights.read(&name(&format!("{part}.bias")), &[columns])?))
        };
        let read = |part: &str, inner: usize, columns: usize| -> Result<_, BertError> {
            let (matrix, bias) = read_both(part, inner, columns)?;
            Ok(PackedMatrix::new(instructions, &matrix, &bias, inner))
        };

        let (mut matrix, mut bias) = read_both("attention.self.query", hidden, hidden)?;
        // Attention divides its scores by √(head width); scaling the queries once does the same.
        let scale = 1.0 / ((hidden / config.num_attention_heads) as f32).sqrt();
        matrix.iter_mut().chain(&mut bias).for_each(|number| *number *= scale);
        for part in ["attention.self.key", "attention.self.value"] {
            let (more_matrix, more_bias) = read_both(part, hidden, hidden)?;
            matrix.extend(more_matrix);
            bias.extend(more_bias);
        }
        Ok(Self {
            query_key_value: PackedMatrix::new(instructions, &matrix, &bias, hidden),
            attention_output: read("attention.output.dense", hidden, hidden)?,
            attention_norm: read_norm(weights, &name("attention.output.LayerNorm"), config, instructions)?,
            expansion: read("intermediate.dense", hidden, intermediate)?,
            contraction: read("output.dense", intermediate, hidden)?,
            output_norm: read_norm(weights, &name("output.LayerNorm"), config, instructions)?,
        })
    }
}

/// Moves the first `wanted` rows of each sequence together in all of these, and cuts off the rest; where the sequences lie then.
fn gather_first(
    wanted: usize,
    sequences: &[Range<usize>],
    width: usize,
    all: [&mut Vec<f32>; 3],
) -> Vec<Range<usize>> {
    let mut gathered: Vec<Range<usize>> = Vec::with_capacity(sequences.len());
    for rows in sequences {
        let start = gathered.last().map_or(0, |before| before.end);
        gathered.push(start..start + rows.len().min(wanted));
    }
    let count = gathered.last().map_or(0, |last| last.end).next_multiple_of(ROW_BLOCK);
    for numbers in all {
        for (from, to) in sequences.iter().zip(&gathered) {
            numbers.copy_within(from.start * width..(from.start + to.len()) * width, to.start * width);
        }
        numbers.truncate(count * width);
    }
    gathered
}

fn read_norm(
    weights: &Weights<'_>,
    name: &str,
    config: &BertConfig,
    instructions: Instructions,
) -> Result<LayerNorm, BertError> {
    Ok(LayerNorm {
        instructions,
        weight: weights.read(&format!("{name}.weight"), &[config.hidden_size])?,
        bias: weights.read(&format!("{name}.bias"), &[config.hidden_size])?,
        epsilon: config.layer_norm_eps,
    })
}
