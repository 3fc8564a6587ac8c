//! Builds the shell around the page in `ui/dist`.

use std::env;
use std::fs;
use std::path::Path;

const PAGE: &str = "../ui/dist/index.html";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=../ui/dist");
    if !Path::new(PAGE).is_file() {
        stand_in()?;
    }
    Ok(tauri_build::try_build(tauri_build::Attributes::default())?)
}

/// So that the Rust side builds and is tested without Node. Whoever opens the window then reads what to do.
fn stand_in() -> Result<(), Box<dyn std::error::Error>> {
    const MESSAGE: &str =
        "the window's page is not built: run `cargo xtask run`, or `npm ci && npm run build` in ui";
    if env::var("PROFILE")? == "release" {
        return Err(MESSAGE.into());
    }
    println!("cargo:warning={MESSAGE}");
    let folder = Path::new(&env::var("OUT_DIR")?).join("page");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("index.html"), format!("<!doctype html><title>Plumbline</title><p>{MESSAGE}"))?;
    let folder = folder.to_string_lossy().replace('\\', "/");
    println!("cargo:rustc-env=TAURI_CONFIG={{\"build\":{{\"frontendDist\":\"{folder}\"}}}}");
    Ok(())
}
