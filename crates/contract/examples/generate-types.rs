//! Writes what is generated from Rust into the folder given, by its paths in the repository: `cargo xtask generate`.

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).ok_or_else(|| {
        std::io::Error::new(std::io::ErrorKind::InvalidInput, "usage: generate-types FOLDER")
    })?;
    for file in plumbline_contract::generated_files() {
        let path = folder.join(file.path);
        std::fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        std::fs::write(path, file.text)?;
    }
    Ok(())
}
