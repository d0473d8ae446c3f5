//! The server as a process of its own, for tests that kill it: `s3-server FOLDER [N]`.
//!
//! It writes where it listens on its standard output. With `N`, the PUT after `N` others stays
//! half-written, and the server writes `half-written` once it stands half-way.

use object_store_tests::{Fault, Kind, Server};
use std::io::{Read, Write};
use std::time::Duration;

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let root = args.next().ok_or_else(|| std::io::Error::other("s3-server FOLDER [N]"))?;
    let server = Server::start(root.as_ref())?;
    println!("{}", server.endpoint());
    if let Some(nth) = args.next().and_then(|n| n.parse().ok()) {
        server.fault(Kind::Put, nth, Fault::HalfWritten);
        while server.half_written() == 0 {
            std::thread::sleep(Duration::from_millis(2));
        }
        println!("half-written");
        std::io::stdout().flush()?;
    }
    // It lives as long as the program that holds the other end of its standard input.
    std::io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
