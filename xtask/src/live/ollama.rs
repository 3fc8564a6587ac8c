use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::weights::Model;
use crate::process;

/// The last version whose runner for processors is built in.
const VERSION: &str = "0.24.0";
/// Carries a header that Ollama's own module lacks.
const AUDIO: &str = "github.com/gen2brain/malgo@v0.11.24";
/// Headers that it lacks as well, as Debian packages.
const PACKAGES: [&str; 2] = ["nlohmann-json3-dev", "libstb-dev"];
/// Without it there are no vector instructions, and a model writes one word where it could write ten.
const MACHINE: &str = "-march=x86-64-v3";
const START: Duration = Duration::from_secs(60);

/// The program, built where it is missing.
pub fn built(folder: &Path) -> Result<PathBuf> {
    let program = folder.join("bin/ollama");
    if program.is_file() {
        return Ok(program);
    }
    for needed in ["go", "c++"] {
        if process::answer(needed, &[if needed == "go" { "version" } else { "--version" }]).is_none() {
            bail!(
                "a real Ollama is built from source here, and there is no `{needed}`: install it and run this again"
            );
        }
    }
    let headers = folder.join("include");
    let audio = headers.join("miniaudio");
    fs::create_dir_all(&audio)?;
    install_headers()?;
    let module = Command::new("go").args(["mod", "download", "-json", AUDIO]).output()?;
    let answer = String::from_utf8_lossy(&module.stdout).into_owned();
    let module = answer
        .lines()
        .find_map(|line| line.trim().strip_prefix("\"Dir\": \"")?.strip_suffix("\","))
        .with_context(|| format!("go could not fetch {AUDIO}"))?;
    fs::copy(Path::new(module).join("miniaudio.h"), audio.join("miniaudio.h"))?;
    println!("Building Ollama {VERSION}, once; this takes some minutes.");
    let mut build = Command::new("go");
    let version = format!("-s -w -X github.com/ollama/ollama/version.Version={VERSION}");
    build
        .args(["install", "-ldflags", &version, &format!("github.com/ollama/ollama@v{VERSION}")])
        .env("CGO_ENABLED", "1")
        .env("GOTOOLCHAIN", "local")
        .env("GOBIN", folder.join("bin"))
        .env("CGO_CFLAGS", format!("-O3 -g0 {MACHINE}"))
        .env("CGO_CXXFLAGS", format!("-O3 -g0 {MACHINE} -I{}", headers.display()));
    if !process::hand_over(&mut build)?.success() {
        bail!("Ollama could not be built; see above");
    }
    Ok(program)
}

fn install_headers() -> Result<()> {
    if Path::new("/usr/include/nlohmann/json.hpp").is_file() && Path::new("/usr/include/stb").is_dir() {
        return Ok(());
    }
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--no-install-recommends"]).args(PACKAGES);
    match process::hand_over(&mut install) {
        Ok(status) if status.success() => Ok(()),
        _ => bail!("these packages are needed and could not be installed: {}", PACKAGES.join(" ")),
    }
}

/// Makes a model of a file of weights, with a server of its own.
pub fn create(program: &Path, store: &Path, model: &Model, weights: &Path, threads: usize) -> Result<()> {
    let recipe = weights.with_extension("Modelfile");
    fs::write(&recipe, model.recipe(weights, threads))?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let address = format!("127.0.0.1:{port}");
    let server = Server::start(program, store, &address)?;
    let mut create = Command::new(program);
    create.args(["create", model.name, "-f"]).arg(&recipe).env("OLLAMA_HOST", &address);
    let made = process::hand_over(&mut create)?;
    drop(server);
    if !made.success() {
        bail!("the model {} could not be made", model.name);
    }
    Ok(())
}

struct Server(Child);

impl Server {
    fn start(program: &Path, store: &Path, address: &str) -> Result<Self> {
        let child = Command::new(program)
            .arg("serve")
            .env("OLLAMA_HOST", address)
            .env("OLLAMA_MODELS", store)
            .env("OLLAMA_NO_CLOUD", "1")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let server = Self(child);
        let began = Instant::now();
        while std::net::TcpStream::connect(address).is_err() {
            if began.elapsed() > START {
                bail!("Ollama did not start within {START:?}");
            }
            thread::sleep(Duration::from_millis(100));
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
