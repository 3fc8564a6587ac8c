//! The points of the metrics' curves, kept beside the counters so that they outlive the program.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use plumbline_contract::MetricsSample;
use tracing::warn;

/// A line for each point, the newest last.
pub(crate) const FILE: &str = "curves.jsonl";
/// So many points are drawn.
const DRAWN: usize = 300;
/// The file is written anew when it holds so many.
const HELD: usize = 2 * DRAWN;

/// The points so far, with this one where it says something new. What cannot be kept is drawn all the same.
pub(super) fn with(folder: &Path, sample: MetricsSample) -> Vec<MetricsSample> {
    let path = folder.join(FILE);
    let mut samples = kept(&path);
    let says_the_same =
        |last: &MetricsSample| MetricsSample { at: sample.at.clone(), ..last.clone() } == sample;
    if !samples.last().is_some_and(says_the_same) {
        samples.push(sample);
        if let Err(problem) = keep(&path, &samples) {
            warn!(target: "metrics", event = "curve_not_kept", reason = %problem);
        }
    }
    samples.drain(..samples.len().saturating_sub(DRAWN));
    samples
}

/// What an interrupted program has written of a line is passed over.
fn kept(path: &Path) -> Vec<MetricsSample> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn keep(path: &Path, samples: &[MetricsSample]) -> io::Result<()> {
    let written = |samples: &[MetricsSample]| -> io::Result<String> {
        let lines = samples.iter().map(serde_json::to_string).collect::<Result<Vec<String>, _>>()?;
        Ok(format!("{}\n", lines.join("\n")))
    };
    if samples.len() > HELD {
        let anew = path.with_extension("jsonl.new");
        fs::write(&anew, written(&samples[samples.len() - DRAWN..])?)?;
        return fs::rename(anew, path);
    }
    // A line that was cut off is ended first, so that it does not take this one with it.
    let cut_off = fs::read(path).is_ok_and(|held| held.last().is_some_and(|last| *last != b'\n'));
    let begin = if cut_off { "\n" } else { "" };
    let newest = samples.last().map_or(&[][..], std::slice::from_ref);
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(format!("{begin}{}", written(newest)?).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(requests: f64) -> MetricsSample {
        MetricsSample { at: format!("2026-01-01T00:00:{requests}Z"), requests, p50: Some(1.0), p95: None }
    }

    fn drawn(folder: &Path, requests: f64) -> Vec<f64> {
        with(folder, sample(requests)).iter().map(|sample| sample.requests).collect()
    }

    #[test]
    fn points_are_kept_once_and_in_order() {
        let folder = tempfile::tempdir().unwrap();
        for requests in [1.0, 1.0, 2.0] {
            drawn(folder.path(), requests);
        }
        assert_eq!(drawn(folder.path(), 3.0), [1.0, 2.0, 3.0]);
    }

    #[test]
    fn a_line_that_was_cut_off_costs_no_other() {
        let folder = tempfile::tempdir().unwrap();
        drawn(folder.path(), 1.0);
        let file = folder.path().join(FILE);
        let whole = fs::read_to_string(&file).unwrap();
        fs::write(&file, format!("{whole}{}", &whole[..10])).unwrap();
        assert_eq!(drawn(folder.path(), 2.0), [1.0, 2.0]);
        assert_eq!(drawn(folder.path(), 3.0), [1.0, 2.0, 3.0]);
    }

    #[test]
    fn the_file_does_not_grow_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        for requests in 0..2 * HELD {
            drawn(folder.path(), requests as f64);
        }
        assert!(kept(&folder.path().join(FILE)).len() <= HELD);
        let last = drawn(folder.path(), -1.0);
        assert_eq!((last.len(), last[DRAWN - 2..].to_vec()), (DRAWN, vec![(2 * HELD - 1) as f64, -1.0]));
    }

    #[test]
    fn what_cannot_be_kept_is_drawn() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(drawn(&folder.path().join("gone"), 4.0), [4.0]);
    }
}
