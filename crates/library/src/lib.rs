//! Documents in, index on disk: parsing, identity, chunking, catalogue, LanceDB and tantivy, lanes, curated memory.
