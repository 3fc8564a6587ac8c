//! candle's own BERT over the built-in embedder's weights.

use std::fs;
use std::path::Path;

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config};
use tokenizers::Tokenizer;

use crate::{Run, equally_long_tokens};

pub fn run(folder: &Path, tokenizer: &Tokenizer) -> Run {
    let config: Config = serde_json::from_slice(&fs::read(folder.join("config.json")).unwrap()).unwrap();
    let weights = fs::read(folder.join("model.safetensors")).unwrap();
    let weights = VarBuilder::from_buffered_safetensors(weights, DType::F32, &Device::Cpu).unwrap();
    let model = BertModel::load(weights, &config).unwrap();
    let tokenizer = tokenizer.clone();
    Box::new(move |texts| {
        let ids = Tensor::new(equally_long_tokens(&tokenizer, texts), &Device::Cpu).unwrap();
        let segments = ids.zeros_like().unwrap();
        model.forward(&ids, &segments, None).unwrap();
    })
}
