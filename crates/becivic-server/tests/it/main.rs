//! The server's parts, from outside and without a socket.

mod function;
mod probe;
