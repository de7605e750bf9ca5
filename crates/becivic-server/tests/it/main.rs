//! The server's parts, from outside and without a socket.

mod function;
#[path = "../../../becivic/src/names.rs"]
mod names;
mod probe;
