//! Published libraries that are read where they lie, because they are larger than a disk. What documents say of themselves stands
//! in the catalogue as for those that were pulled; passages, words and vectors stay in the store, and what a question needs of them
//! comes through a bounded cache. Words are tantivy's own segments and so are scored by the same code, with the same statistics, as
//! those on disk; vectors are a table of LanceDB; texts and exact vectors are the parts that others pull.

mod cache;
mod directory;
mod files;
mod listing;
mod making;
mod objects;
mod reach;
mod shelf;
mod shelves;

pub use listing::{InPlaceLibrary, InPlaceShelf, ListedDocument, ListedFile, PIECE_BYTES, ShelfListing};
pub use making::MadeShelf;
pub use reach::{ShelfStore, ShelfStores};
pub(crate) use shelf::{FarPassage, FarShelf, file_of};
pub(crate) use shelves::FarShelves;
pub use shelves::InPlace;
