use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use plumbline_host::Host;
use tauri::{AppHandle, Manager, RunEvent};

/// How long the host may take to stop what is going on. Whatever is cut off then is found again at the next start.
const PATIENCE: Duration = Duration::from_secs(10);

static STOPPED: AtomicBool = AtomicBool::new(false);
static STOPPING: AtomicBool = AtomicBool::new(false);

/// Lets the host stop before the program ends, whoever asked for the end.
pub fn on_event(app: &AppHandle, event: RunEvent) {
    let RunEvent::ExitRequested { api, .. } = event else { return };
    if STOPPED.load(Ordering::SeqCst) {
        return;
    }
    api.prevent_exit();
    if STOPPING.swap(true, Ordering::SeqCst) {
        return;
    }
    for window in app.webview_windows().into_values() {
        // What ends should look ended; a window that cannot be hidden goes with the program.
        let _ = window.hide();
    }
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let host = app.state::<Host>().inner().clone();
        if tokio::time::timeout(PATIENCE, host.shutdown()).await.is_err() {
            tracing::error!(seconds = PATIENCE.as_secs(), "the host did not stop in time");
        }
        STOPPED.store(true, Ordering::SeqCst);
        app.exit(0);
    });
}

/// Ends the program properly when the system asks for it.
pub fn listen_for_signals(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        match signal().await {
            Ok(()) => app.exit(0),
            Err(problem) => tracing::warn!(%problem, "signals are not heard"),
        }
    });
}

#[cfg(unix)]
async fn signal() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut end = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    tokio::select! {
        _ = end.recv() => {}
        _ = interrupt.recv() => {}
        _ = hang_up.recv() => {}
    }
    Ok(())
}

#[cfg(not(unix))]
async fn signal() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}
