use std::error::Error;
use std::sync::{Arc, Once};

use plumbline_contract::{BROADCAST, Broadcast};
use plumbline_host::{GuardCommand, Host, HostOptions, WorkerCommand, WorkspaceOptions};
use tauri::webview::PageLoadEvent;
use tauri::{AppHandle, Builder, DragDropEvent, Emitter, Manager, Webview, WindowEvent};
use tauri_plugin_window_state::StateFlags;

use crate::arguments::Arguments;
use crate::desktop::WindowDesktop;
use crate::{closing, commands, resources};

/// The label of the one window.
pub const WINDOW: &str = "main";

/// Opens the window, and returns when it is closed.
pub fn run(arguments: Arguments) -> tauri::Result<()> {
    let workspace = arguments.workspace_options();
    let app = Builder::default()
        // The first plugin, so that a second start goes no further than this.
        .plugin(tauri_plugin_single_instance::init(|app, _, _| come_forward(app)))
        .plugin(tauri_plugin_window_state::Builder::new().with_state_flags(remembered()).build())
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_opener::init())
        .invoke_handler(commands::handlers())
        .setup(move |app| {
            app.manage(host(app.handle(), workspace)?);
            closing::listen_for_signals(app.handle());
            Ok(())
        })
        .on_page_load(|webview, load| {
            if load.event() == PageLoadEvent::Finished {
                start_engine(webview);
            }
        })
        .on_window_event(|window, event| {
            if let WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) = event {
                let paths = paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
                tell(window.app_handle(), &Broadcast::Dropped { paths });
            }
        })
        .build(tauri::generate_context!())?;
    app.run(closing::on_event);
    Ok(())
}

fn host(app: &AppHandle, workspace: WorkspaceOptions) -> Result<Host, Box<dyn Error>> {
    // Without its languages there is not even a text to show.
    plumbline_host::start_languages()?;
    let options = HostOptions {
        workspace,
        sample_library: resources::sample_library(app),
        worker: WorkerCommand::this_program()?,
        guard: GuardCommand::this_program()?,
    };
    let page = app.clone();
    let broadcast = Arc::new(move |broadcast| tell(&page, &broadcast));
    Ok(Host::new(options, Arc::new(WindowDesktop::new(app.clone())), broadcast))
}

/// The engine waits for the page, so that the window is up before anything heavy happens.
fn start_engine(webview: &Webview) {
    static STARTED: Once = Once::new();
    let host = webview.state::<Host>().inner().clone();
    STARTED.call_once(|| {
        tauri::async_runtime::spawn(async move { host.start().await });
    });
}

fn tell(app: &AppHandle, broadcast: &Broadcast) {
    if let Err(problem) = app.emit(BROADCAST, broadcast) {
        tracing::error!(%problem, "the page missed a broadcast");
    }
}

fn come_forward(app: &AppHandle) {
    let Some(window) = app.get_webview_window(WINDOW) else { return };
    // A window manager may refuse; the user then finds the window in the taskbar.
    let _ = window.unminimize();
    let _ = window.set_focus();
}

/// Whether the window was visible is not for keeping: it goes out of sight while the program ends.
fn remembered() -> StateFlags {
    StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED | StateFlags::FULLSCREEN
}
