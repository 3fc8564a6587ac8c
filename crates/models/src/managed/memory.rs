//! How much memory a process has in use.

/// Bytes in use by a process; nothing where the system does not tell.
#[cfg(target_os = "linux")]
pub fn used(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    kilobytes(line.trim().trim_end_matches("kB"))
}

/// Bytes in use by a process; nothing where the system does not tell.
#[cfg(all(unix, not(target_os = "linux")))]
pub fn used(process: u32) -> Option<u64> {
    let told =
        std::process::Command::new("ps").args(["-o", "rss=", "-p", &process.to_string()]).output().ok()?;
    kilobytes(&String::from_utf8_lossy(&told.stdout))
}

/// Bytes in use by a process; nothing where the system does not tell.
#[cfg(not(unix))]
pub fn used(_: u32) -> Option<u64> {
    None
}

#[cfg(unix)]
fn kilobytes(text: &str) -> Option<u64> {
    text.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
