//! The engine of one workspace for other programs: a Model Context Protocol server, over standard input and output or over HTTP
//! on this machine. It reads the library and never writes it; questions leave their audit records and counts as everywhere.

mod address;
mod error;
mod followed;
mod http;
mod progress;
mod prompts;
mod resources;
mod served;
mod server;
mod stdio;
mod text;
mod tools;

pub use error::McpError;
pub use http::{HttpServer, PATH};
pub use server::Server;
pub use stdio::serve_streams;
