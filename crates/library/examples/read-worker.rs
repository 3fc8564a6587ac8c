//! A reading process for the tests, which also misbehaves on demand.

use std::io::{Read, Write};
use std::thread::sleep;
use std::time::Duration;

fn main() {
    let Some(misbehaviour) = std::env::args().nth(1) else { plumbline_library::serve_worker() };
    let mut request = [0; 8];
    if std::io::stdin().read_exact(&mut request).is_err() {
        return;
    }
    match misbehaviour.as_str() {
        "hang" => sleep(Duration::from_secs(600)),
        "flood" => {
            // The length of a frame that no document has.
            let _ = std::io::stdout().write_all(&u32::MAX.to_be_bytes());
            let _ = std::io::stdout().flush();
            sleep(Duration::from_secs(600));
        }
        _ => std::process::abort(),
    }
}
