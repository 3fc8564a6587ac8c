//! Events on their way to the window, several to a message.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::Serialize;

use crate::locks::lock;

/// How long events are gathered before they are sent.
pub(crate) const GATHER_FOR: Duration = Duration::from_millis(30);
/// Messages under this size reach the window the fast way.
const FAST_BYTES: usize = 8_192;

type Sink<E> = Arc<dyn Fn(Vec<E>) + Send + Sync>;

/// Events on their way to the window, several to a message.
pub(crate) struct Batches<E> {
    pending: Mutex<Vec<E>>,
    sink: Sink<E>,
}

impl<E: Serialize> Batches<E> {
    pub fn new(sink: impl Fn(Vec<E>) + Send + Sync + 'static) -> Self {
        Self { pending: Mutex::default(), sink: Arc::new(sink) }
    }

    pub fn push(&self, event: E) {
        lock(&self.pending).push(event);
    }

    /// Sends what was gathered, in messages that stay small where one event alone does.
    pub fn flush(&self) {
        let pending = std::mem::take(&mut *lock(&self.pending));
        let (mut batch, mut size) = (Vec::new(), 2);
        for event in pending {
            let bytes = serde_json::to_string(&event).map_or(0, |text| text.len()) + 1;
            if size + bytes >= FAST_BYTES && !batch.is_empty() {
                (self.sink)(std::mem::take(&mut batch));
                size = 2;
            }
            size += bytes;
            batch.push(event);
        }
        if !batch.is_empty() {
            (self.sink)(batch);
        }
    }

    /// Waits for the work's end and sends what it gathers meanwhile.
    pub async fn while_doing<T>(&self, work: impl Future<Output = T>) -> T {
        tokio::pin!(work);
        let mut tick = tokio::time::interval(GATHER_FOR);
        loop {
            tokio::select! {
                done = &mut work => return done,
                _ = tick.tick() => self.flush(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_stay_small_and_in_order() {
        let sent: Arc<Mutex<Vec<Vec<String>>>> = Arc::default();
        let heard = Arc::clone(&sent);
        let batches = Batches::new(move |batch| heard.lock().unwrap().push(batch));
        let events: Vec<String> = (0..40).map(|number| format!("{number}{}", "x".repeat(700))).collect();
        events.iter().cloned().for_each(|event| batches.push(event));
        batches.push("y".repeat(20_000));
        batches.flush();
        let sent = sent.lock().unwrap();
        assert!(
            sent.iter().rev().skip(1).all(|batch| serde_json::to_string(batch).unwrap().len() < FAST_BYTES)
        );
        let all: Vec<&String> = sent.iter().flatten().collect();
        assert_eq!(all[..40].iter().map(|event| event.as_str()).collect::<Vec<_>>(), events);
        assert_eq!(sent.last().unwrap().len(), 1, "a large event goes alone");
    }
}
