//! The protocol over two streams: one JSON message a line.

use std::pin::Pin;
use std::task::{Context, Poll};

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, DiscoverRequestMethod, ErrorCode, ErrorData, ServerJsonRpcMessage,
};
use rmcp::service::serve_server_with_ct;
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_util::sync::CancellationToken;

use crate::error::McpError;
use crate::server::Server;

/// The longest line that is read: the longest text that can be checked, in any writing, with room to spare.
pub(crate) const LONGEST_MESSAGE: usize = 4 * 1024 * 1024;
/// As the protocol's other implementations call it.
const NOT_INITIALIZED: ErrorCode = ErrorCode(-32002);

/// Serves one client over these streams until it goes away or `stop` is cancelled.
pub async fn serve_streams<R, W>(
    server: Server,
    input: R,
    output: W,
    stop: CancellationToken,
) -> Result<(), McpError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let lines = BoundedLines { inner: input, length: 0 };
    let transport = Orderly { inner: AsyncRwTransport::new_server(lines, output), begun: false };
    let serving = serve_server_with_ct(server, transport, stop).await;
    let serving = serving.map_err(|problem| McpError::Handshake(problem.to_string()))?;
    // How it ended is the client's business.
    let _ = serving.waiting().await;
    Ok(())
}

/// A stream of lines none of which takes more memory than it may: of a longer one the rest is thrown away, which leaves no
/// message, and the next line is read as if nothing had been.
struct BoundedLines<R> {
    inner: R,
    length: usize,
}

impl<R: AsyncRead + Unpin> AsyncRead for BoundedLines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        loop {
            let before = buffer.filled().len();
            match Pin::new(&mut self.inner).poll_read(context, buffer) {
                Poll::Ready(Ok(())) => {}
                other => return other,
            }
            let read = buffer.filled().len() - before;
            if read == 0 {
                return Poll::Ready(Ok(()));
            }
            let mut kept = before;
            for at in before..before + read {
                let byte = buffer.filled()[at];
                self.length = if byte == b'\n' { 0 } else { self.length.saturating_add(1) };
                if self.length <= LONGEST_MESSAGE {
                    buffer.filled_mut()[kept] = byte;
                    kept += 1;
                }
            }
            buffer.set_filled(kept);
            // All of it thrown away is not the end of the stream.
            if kept > before {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

/// A transport on which a client that begins out of order is told so, and may begin anew: the SDK would end the connection.
struct Orderly<T> {
    inner: T,
    begun: bool,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Orderly<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let message = self.inner.receive().await?;
            if self.begun {
                return Some(message);
            }
            let ClientJsonRpcMessage::Request(request) = &message else { continue };
            let refused = match &request.request {
                ClientRequest::PingRequest(_) => return Some(message),
                ClientRequest::InitializeRequest(_) => {
                    self.begun = true;
                    return Some(message);
                }
                // By this a client of a later protocol learns to begin as we do.
                ClientRequest::DiscoverRequest(_) => ErrorData::method_not_found::<DiscoverRequestMethod>(),
                _ => ErrorData::new(NOT_INITIALIZED, "begin with `initialize`", None),
            };
            let told = ServerJsonRpcMessage::error(refused, Some(request.id.clone()));
            self.inner.send(told).await.ok()?;
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    #[tokio::test]
    async fn a_line_without_end_costs_no_more_than_the_longest_and_the_next_is_read() {
        let mut written = vec![b'x'; 3 * LONGEST_MESSAGE];
        written.extend(b"\nnext\n");
        let mut read = Vec::new();
        BoundedLines { inner: written.as_slice(), length: 0 }.read_to_end(&mut read).await.unwrap();
        assert_eq!(read.len(), LONGEST_MESSAGE + "\nnext\n".len());
        assert!(read.ends_with(b"\nnext\n"));
    }
}
