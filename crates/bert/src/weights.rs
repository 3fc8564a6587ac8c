//! Reading named tensors out of a safetensors file.

use half::f16;
use half::slice::HalfFloatSliceExt;
use safetensors::{Dtype, SafeTensors};

use super::BertError;

/// The tensors of a file, under the prefix that its encoder's names carry (none, or such as `bert.`).
pub struct Weights<'a> {
    pub tensors: &'a SafeTensors<'a>,
    pub prefix: &'a str,
}

impl Weights<'_> {
    /// A tensor of this shape, as 32-bit numbers.
    pub fn read(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, BertError> {
        Ok(self.table(name, shape)?.into_single())
    }

    /// A tensor of this shape, as wide as it is stored.
    pub fn table(&self, name: &str, shape: &[usize]) -> Result<Table, BertError> {
        let name = format!("{}{name}", self.prefix);
        let tensor =
            self.tensors.tensor(&name).map_err(|_| BertError::MissingTensor { name: name.clone() })?;
        if tensor.shape() != shape {
            return Err(BertError::Shape { name, expected: shape.to_vec(), found: tensor.shape().to_vec() });
        }
        match tensor.dtype() {
            Dtype::F16 => {
                let (pairs, _) = tensor.data().as_chunks::<2>();
                Ok(Table::Half(pairs.iter().map(|bytes| f16::from_le_bytes(*bytes)).collect()))
            }
            Dtype::I8 => {
                // One number a row turns its whole numbers back.
                let rows = shape.first().copied().unwrap_or_default();
                let scales =
                    Self { tensors: self.tensors, prefix: "" }.read(&format!("{name}.scale"), &[rows])?;
                let numbers = tensor.data().iter().map(|byte| byte.cast_signed()).collect();
                Ok(Table::Whole { numbers, scales })
            }
            Dtype::F32 => {
                let (fours, _) = tensor.data().as_chunks::<4>();
                Ok(Table::Single(fours.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()))
            }
            other => Err(BertError::Dtype { name, found: format!("{other:?}") }),
        }
    }
}

/// A large table, kept as it is stored because only a few of its rows are read at a time.
pub enum Table {
    Half(Vec<f16>),
    Single(Vec<f32>),
    Whole { numbers: Vec<i8>, scales: Vec<f32> },
}

impl Table {
    /// Writes row `index` as 32-bit numbers; nothing where there is no such row.
    pub fn copy_row(&self, index: usize, row: &mut [f32]) -> Option<()> {
        let range = index.checked_mul(row.len())?..index.checked_add(1)?.checked_mul(row.len())?;
        match self {
            Self::Half(numbers) => numbers.get(range)?.convert_to_f32_slice(row),
            Self::Single(numbers) => row.copy_from_slice(numbers.get(range)?),
            Self::Whole { numbers, scales } => {
                let scale = scales.get(index)?;
                row.iter_mut()
                    .zip(numbers.get(range)?)
                    .for_each(|(to, number)| *to = f32::from(*number) * scale);
            }
        }
        Some(())
    }

    fn into_single(self) -> Vec<f32> {
        match self {
            Self::Half(numbers) => numbers.to_f32_vec(),
            Self::Single(numbers) => numbers,
            Self::Whole { numbers, scales } => {
                let width = numbers.len() / scales.len().max(1);
                let rows = numbers.chunks_exact(width.max(1)).zip(&scales);
                rows.flat_map(|(row, scale)| row.iter().map(move |number| f32::from(*number) * scale))
                    .collect()
            }
        }
    }
}
