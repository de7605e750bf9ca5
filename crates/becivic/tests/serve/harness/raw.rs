//! Bytes over a connection, for what no client library would send.

use super::Server;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Longer than anything the server is asked to wait for.
const DEADLINE: Duration = Duration::from_secs(20);

impl Server {
    /// A connection to it.
    pub fn connect(&self) -> TcpStream {
        let address = self.base().strip_prefix("http://").expect("an address");
        let stream = TcpStream::connect(address).expect("it listens");
        stream.set_read_timeout(Some(DEADLINE)).expect("a deadline");
        stream.set_write_timeout(Some(DEADLINE)).expect("a deadline");
        stream
    }

    /// Sends bytes as they are, and reads until the server closes the connection. A server that refuses early may close
    /// before everything is sent.
    pub fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        let _refused_early = stream.write_all(bytes);
        read_to_close(&mut stream)
    }
}

/// What a server still says before it closes.
pub fn read_to_close(stream: &mut TcpStream) -> String {
    let mut said = Vec::new();
    let mut part = [0; 4096];
    loop {
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(read) => said.extend_from_slice(part.get(..read).unwrap_or_default()),
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => break,
            Err(error) => panic!("the server did not close: {error}"),
        }
    }
    String::from_utf8_lossy(&said).into_owned()
}

/// The status of a raw answer.
pub fn status(answer: &str) -> u16 {
    let code = answer.split(' ').nth(1).and_then(|code| code.parse().ok());
    code.unwrap_or_else(|| panic!("no status in {answer:?}"))
}
