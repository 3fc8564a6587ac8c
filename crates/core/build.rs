//! Embeds every folder of `assets/languages`, so that a language is a folder and no line of Rust.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../assets/languages");
    println!("cargo::rerun-if-changed={}", folder.display());
    let (mut constants, mut embedded) = (String::new(), String::new());
    let languages = sorted(&folder)?.into_iter().filter(|path| path.is_dir());
    for (index, language) in languages.enumerate() {
        println!("cargo::rerun-if-changed={}", language.display());
        let code = name(&language);
        let constant = code.to_uppercase().replace('-', "_");
        writeln!(
            constants,
            "/// The language of `assets/languages/{code}`.\npub const {constant}: Self = Self({index});"
        )?;
        writeln!(embedded, "({code:?}, &[")?;
        for file in
            sorted(&language)?.into_iter().filter(|path| path.extension().is_some_and(|end| end == "toml"))
        {
            println!("cargo::rerun-if-changed={}", file.display());
            let file = name(&file);
            let path = format!("/../../assets/languages/{code}/{file}");
            writeln!(embedded, "({file:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?}))),")?;
        }
        writeln!(embedded, "]),")?;
    }
    let code = format!(
        "impl Language {{\n{constants}}}\n\n/// The folders of `assets/languages`, each with its files.\n\
         const EMBEDDED: &[(&str, &[(&str, &str)])] = &[\n{embedded}];\n"
    );
    fs::write(Path::new(&env::var("OUT_DIR")?).join("languages.rs"), code)?;
    Ok(())
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
