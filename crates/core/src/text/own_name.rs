//! What a file goes by.

use crate::fold::fold;

/// What a file goes by: its name without the extension, or its folder's where every folder has a file of that name.
pub(crate) fn own_name(path: &str) -> &str {
    let (folders, file) = path.rsplit_once(['/', '\\']).unwrap_or(("", path));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let folder = folders.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_anywhere = ["readme", "index"].contains(&fold(stem).as_str());
    if is_anywhere && !folder.is_empty() { folder } else { stem }
}
