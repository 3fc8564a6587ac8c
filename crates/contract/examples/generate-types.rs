//! Writes the contract's TypeScript into the folder given: `cargo xtask generate`.

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).ok_or_else(|| {
        std::io::Error::new(std::io::ErrorKind::InvalidInput, "usage: generate-types FOLDER")
    })?;
    std::fs::create_dir_all(&folder)?;
    for file in plumbline_contract::generated_files() {
        std::fs::write(folder.join(file.name), file.text)?;
    }
    Ok(())
}
