//! Google Cloud Storage.

use base64::{Engine, prelude::BASE64_STANDARD as BASE64};
use opendal_service_gcs::Gcs;

use super::variable;
use crate::StoreKeys;

/// Where a server that speaks like Google's is named, with or without `http://`. As for Google's own libraries, it wants no keys.
const ELSEWHERE: &str = "STORAGE_EMULATOR_HOST";

/// A bucket.
pub(super) fn bucket(name: &str, path: &str, keys: Option<&StoreKeys>) -> Gcs {
    let google = Gcs::default().bucket(name).root(path);
    if let Some(host) = variable(ELSEWHERE) {
        let host = host.trim_end_matches('/');
        let endpoint = if host.contains("://") { host.to_owned() } else { format!("http://{host}") };
        return google.endpoint(&endpoint).skip_signature();
    }
    match keys {
        // Where these turn out to be none, those of the machine must not stand in for them unasked.
        Some(keys) => {
            google.credential(&BASE64.encode(keys.secret())).disable_config_load().disable_vm_metadata()
        }
        None => google,
    }
}
