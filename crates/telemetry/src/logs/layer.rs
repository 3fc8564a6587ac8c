use std::io::Write;
use std::sync::Arc;

use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use super::LogPrivacy;
use super::fields::Fields;
use super::line::Line;
use crate::clock::Clock;

/// The user's own words, which the privacy setting leaves out.
const USER_TEXT: [&str; 2] = ["query", "term"];

/// Writes each event as one JSON line; made by [`json_layer`].
pub struct JsonLayer<W> {
    writer: W,
    privacy: LogPrivacy,
    clock: Arc<dyn Clock>,
}

/// A layer that writes every event as one JSON line, in one write, with the fields of the spans around it.
pub fn json_layer<W>(writer: W, privacy: LogPrivacy, clock: Arc<dyn Clock>) -> JsonLayer<W>
where
    W: for<'writer> MakeWriter<'writer> + 'static,
{
    JsonLayer { writer, privacy, clock }
}

impl<S, W> Layer<S> for JsonLayer<W>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
    W: for<'writer> MakeWriter<'writer> + 'static,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        // `replace`, since `insert` panics where two of these layers share a subscriber.
        span.extensions_mut().replace(fields);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut changed = Fields::default();
        values.record(&mut changed);
        if let Some(fields) = span.extensions_mut().get_mut::<Fields>() {
            fields.extend(&changed);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields::default();
        for span in context.event_scope(event).into_iter().flat_map(|scope| scope.from_root()) {
            if let Some(of_span) = span.extensions().get::<Fields>() {
                fields.extend(of_span);
            }
        }
        event.record(&mut fields);
        if self.privacy == LogPrivacy::On {
            for name in USER_TEXT {
                fields.take(name);
            }
        }
        let line = Line::new(self.clock.now(), event, fields);
        if let Ok(bytes) = line.to_bytes() {
            // A log that cannot be written must not stop the assistant, and there is no one else to tell.
            let _ = self.writer.make_writer_for(event.metadata()).write_all(&bytes);
        }
    }
}
