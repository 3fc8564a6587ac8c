//! Progress on its way to the client, where it asked for it.

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

/// A step that is told: how far, of how much, and what it is.
pub(crate) struct Step {
    pub done: usize,
    pub total: Option<usize>,
    pub what: String,
}

/// Tells steps, from wherever they happen, in their order.
pub(crate) struct Progress {
    told: Option<(UnboundedSender<Step>, JoinHandle<()>)>,
}

impl Progress {
    /// For a call; tells nothing where the client gave no token.
    pub fn of(context: &RequestContext<RoleServer>) -> Self {
        let told = context.meta.get_progress_token().map(|token| {
            let (sender, mut steps) = unbounded_channel();
            let peer = context.peer.clone();
            let telling = tokio::spawn(async move {
                while let Some(step) = steps.recv().await {
                    tell(&peer, &token, step).await;
                }
            });
            (sender, telling)
        });
        Self { told }
    }

    /// Tells a step.
    pub fn step(&self, step: Step) {
        if let Some((sender, _)) = &self.told {
            // It fails only when nobody is told any more.
            let _ = sender.send(step);
        }
    }

    /// Waits until every step is told: none may come behind the answer.
    pub async fn end(self) {
        if let Some((sender, telling)) = self.told {
            drop(sender);
            let _ = telling.await;
        }
    }
}

async fn tell(peer: &Peer<RoleServer>, token: &ProgressToken, step: Step) {
    let told = ProgressNotificationParam::new(token.clone(), step.done as f64).with_message(step.what);
    let told = match step.total {
        Some(total) => told.with_total(total as f64),
        None => told,
    };
    // A client that went away needs no progress.
    let _ = peer.notify_progress(told).await;
}
