//! Azure Blob Storage.

use opendal_service_azblob::Azblob;

use super::variable;
use crate::StoreKeys;

/// Whose containers are meant, and where they are where Azure's own name for that does not do.
const ACCOUNT: &str = "AZURE_STORAGE_ACCOUNT_NAME";
const ENDPOINT: &str = "AZURE_STORAGE_ENDPOINT";

/// A container; nothing where nobody says whose.
pub(super) fn container(name: &str, path: &str, keys: Option<&StoreKeys>) -> Result<Azblob, String> {
    let of_keys = keys.map(|keys| keys.id().to_owned()).filter(|id| !id.is_empty());
    let account = of_keys.or_else(|| variable(ACCOUNT));
    let of_account = || account.as_ref().map(|name| format!("https://{name}.blob.core.windows.net"));
    let endpoint = variable(ENDPOINT).or_else(of_account).ok_or_else(|| format!("{ACCOUNT} is not set"))?;
    let azure = Azblob::default().container(name).root(path).endpoint(&endpoint);
    Ok(match keys {
        Some(keys) => azure.account_name(&account.unwrap_or_default()).account_key(keys.secret()),
        None => azure,
    })
}
