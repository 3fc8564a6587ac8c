//! The window's shell; it holds no logic of its own.
