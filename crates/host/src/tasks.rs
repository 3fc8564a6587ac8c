//! What runs in the background.

use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Work in the background that can be waited for.
pub(crate) struct Tasks {
    running: watch::Sender<usize>,
}

impl Default for Tasks {
    fn default() -> Self {
        Self { running: watch::Sender::new(0) }
    }
}

/// Counts one piece of work as long as it lives, however that ends.
struct Counted(watch::Sender<usize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.send_modify(|running| *running -= 1);
    }
}

impl Tasks {
    fn counted(&self) -> Counted {
        self.running.send_modify(|running| *running += 1);
        Counted(self.running.clone())
    }

    pub fn spawn<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
        let counted = self.counted();
        tokio::spawn(async move {
            let _counted = counted;
            work.await
        })
    }

    pub fn spawn_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> JoinHandle<T> {
        let counted = self.counted();
        tokio::task::spawn_blocking(move || {
            let _counted = counted;
            work()
        })
    }

    /// How many run.
    pub fn len(&self) -> usize {
        *self.running.borrow()
    }

    /// Waits until none runs.
    pub async fn wait(&self) {
        // The sender is ours, so the channel does not close.
        let _ = self.running.subscribe().wait_for(|running| *running == 0).await;
    }
}
