use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumbline_testkit::folders::copy;
use tempfile::TempDir;
use tokio::sync::OnceCell;

use crate::window::Window;

/// A home of its own for one test: the workspace and everything else that the program remembers. It is there for as long as
/// a clone of it.
#[derive(Clone)]
pub struct Home {
    folder: Arc<TempDir>,
    environment: Vec<(String, String)>,
}

impl Home {
    /// A machine on which the program never ran.
    pub fn new() -> Self {
        // Below the target folder, where what a killed test leaves behind is found and thrown away; a machine that only has
        // the compiled tests has none.
        let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let folder =
            if target.is_dir() { tempfile::tempdir_in(target) } else { tempfile::tempdir() }.unwrap();
        let mut home = Self { folder: Arc::new(folder), environment: Vec::new() };
        for (variable, place) in [
            ("HOME", "home"),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_RUNTIME_DIR", "run"),
        ] {
            let path = home.path(place);
            std::fs::create_dir_all(&path).unwrap();
            home = home.with(variable, path);
        }
        home
    }

    /// A machine on which the sample library was opened before.
    pub async fn with_sample_library() -> Self {
        static BEFORE: OnceCell<Home> = OnceCell::const_new();
        let before = BEFORE
            .get_or_init(|| async {
                let home = Self::new();
                let window = Window::open(&home).await;
                window.open_sample_library().await;
                window.close().await;
                home
            })
            .await;
        let home = Self::new();
        copy(&before.workspace(), &home.workspace());
        home
    }

    /// The program's environment has this variable as well.
    pub fn with(mut self, variable: &str, value: impl AsRef<Path>) -> Self {
        self.environment.push((variable.to_owned(), value.as_ref().to_string_lossy().into_owned()));
        self
    }

    /// Answers to the dialogs that the program will show, in their order.
    pub fn answering_dialogs(self, answers: &[&Path]) -> Self {
        let answers = std::env::join_paths(answers).unwrap();
        self.with("PLUMBLINE_TEST_DIALOGS", Path::new(&answers))
    }

    pub fn environment(&self) -> &[(String, String)] {
        &self.environment
    }

    /// Something in this home.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn workspace(&self) -> PathBuf {
        self.path("workspace")
    }
}
