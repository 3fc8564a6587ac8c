//! Where build scripts find `protoc`.

#![forbid(unsafe_code)]

use std::path::PathBuf;

/// Google's binary for this machine, beside its includes; where there is none for the platform, the system's own.
pub fn protoc() -> PathBuf {
    protoc_bin_vendored::protoc_bin_path().unwrap_or_else(|_| PathBuf::from("protoc"))
}
