//! Wiring of the command line; the binary is plumbline.
