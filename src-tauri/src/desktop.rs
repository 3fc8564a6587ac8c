use std::path::PathBuf;

use futures::FutureExt;
use futures::channel::oneshot;
use futures::future::BoxFuture;
use plumbline_host::{Desktop, FileKind, OpenTarget};
use tauri::{AppHandle, Manager};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder, FilePath};
use tauri_plugin_opener::OpenerExt;

use crate::shell::WINDOW;

/// The system's dialogs, and its programs for files and addresses.
pub struct WindowDesktop {
    app: AppHandle,
    #[cfg(debug_assertions)]
    prepared: crate::prepared_answers::PreparedAnswers,
}

impl WindowDesktop {
    pub fn new(app: AppHandle) -> Self {
        Self {
            app,
            #[cfg(debug_assertions)]
            prepared: crate::prepared_answers::PreparedAnswers::of_environment(),
        }
    }

    /// What the user chooses in a dialog that lies over the window.
    fn ask(
        &self,
        show: impl FnOnce(FileDialogBuilder<tauri::Wry>, Answer) + Send + 'static,
    ) -> BoxFuture<'_, Option<PathBuf>> {
        #[cfg(debug_assertions)]
        if let Some(answer) = self.prepared.next() {
            return std::future::ready(answer).boxed();
        }
        let mut dialog = self.app.dialog().file();
        if let Some(window) = self.app.get_webview_window(WINDOW) {
            dialog = dialog.set_parent(&window);
        }
        let (answer, answered) = oneshot::channel();
        // The receiver is gone only when nobody waits for the answer any more.
        show(dialog, Box::new(move |chosen| drop(answer.send(chosen))));
        answered.map(|chosen| chosen.ok().flatten()?.into_path().ok()).boxed()
    }
}

type Answer = Box<dyn FnOnce(Option<FilePath>) + Send>;

impl Desktop for WindowDesktop {
    fn pick_folder(&self) -> BoxFuture<'_, Option<PathBuf>> {
        self.ask(|dialog, answer| dialog.pick_folder(answer))
    }

    fn pick_file(&self, purpose: FileKind) -> BoxFuture<'_, Option<PathBuf>> {
        let (name, extensions): (_, &[&str]) = match purpose {
            FileKind::GoldenSet => ("JSON lines", &["jsonl", "json"]),
            FileKind::Draft => ("Text", &["md", "markdown", "txt", "docx", "adoc", "html", "pdf"]),
        };
        self.ask(move |dialog, answer| dialog.add_filter(name, extensions).pick_file(answer))
    }

    fn save_as(&self, suggested_name: &str) -> BoxFuture<'_, Option<PathBuf>> {
        let name = suggested_name.to_owned();
        self.ask(|dialog, answer| dialog.set_file_name(name).save_file(answer))
    }

    fn open(&self, target: &OpenTarget) -> Result<(), String> {
        let opener = self.app.opener();
        let opened = match target {
            OpenTarget::Address(address) => opener.open_url(address, None::<&str>),
            OpenTarget::File(path) => opener.open_path(path.to_string_lossy(), None::<&str>),
        };
        opened.map_err(|problem| problem.to_string())
    }
}
