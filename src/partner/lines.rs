//! Lines of a stream that comes in pieces.

use std::time::Duration;

use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use tokio::time::timeout;

/// No line is longer, bytes: a game of some thousand moves.
const LONGEST: usize = 256 * 1_024;

/// Puts pieces together and cuts them at the ends of lines.
#[derive(Debug, Default)]
pub struct Cutter {
    read: Vec<u8>,
}

impl Cutter {
    /// Takes in a piece, cut anywhere.
    pub fn push(&mut self, piece: &[u8]) {
        self.read.extend_from_slice(piece);
    }

    /// The next whole line, trimmed; it may be empty. A line without its end is none yet.
    pub fn line(&mut self) -> Option<String> {
        let end = self.read.iter().position(|byte| *byte == b'\n')?;
        let line: Vec<u8> = self.read.drain(..=end).collect();
        Some(String::from_utf8_lossy(&line).trim().to_owned())
    }

    /// What has come has no end in sight.
    pub fn is_too_long(&self) -> bool {
        self.is_longer_than(LONGEST)
    }

    /// More bytes than these wait for the end of their line.
    pub fn is_longer_than(&self, longest: usize) -> bool {
        self.read.len() > longest
    }
}

/// The body of an answer, line by line.
#[derive(Debug)]
pub struct Stream {
    body: Incoming,
    cut: Cutter,
    silence: Duration,
}

impl Stream {
    /// A body of which nothing comes for so long is gone.
    pub fn of(body: Incoming, silence: Duration) -> Stream {
        Stream { body, cut: Cutter::default(), silence }
    }

    /// The next line; an empty one is a sign of life. `Ok(None)`: the other side has ended it. May
    /// be dropped: nothing is lost.
    ///
    /// # Errors
    /// Why nothing more comes, in a few words. Half a line is lost with it.
    pub async fn next(&mut self) -> Result<Option<String>, String> {
        loop {
            if let Some(line) = self.cut.line() {
                return Ok(Some(line));
            }
            if self.cut.is_too_long() {
                return Err("it sends a line without end".to_owned());
            }
            match timeout(self.silence, self.body.frame()).await {
                Ok(Some(Ok(frame))) => {
                    if let Ok(data) = frame.into_data() {
                        self.cut.push(&data);
                    }
                }
                Ok(Some(Err(err))) => return Err(err.to_string()),
                Ok(None) => return Ok(None),
                Err(_) => return Err("it gives no sign of life".to_owned()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_whole_wherever_its_pieces_were_cut() {
        let text = "{\"a\":\"ü\"}\r\n\n{\"b\":1}\n{\"half";
        for size in 1..text.len() {
            let mut cut = Cutter::default();
            let mut lines = Vec::new();
            for piece in text.as_bytes().chunks(size) {
                cut.push(piece);
                lines.extend(std::iter::from_fn(|| cut.line()));
            }
            assert_eq!(lines, ["{\"a\":\"ü\"}", "", "{\"b\":1}"], "in pieces of {size}");
        }
        let mut cut = Cutter::default();
        cut.push(&vec![b'x'; LONGEST + 1]);
        assert!(cut.line().is_none() && cut.is_too_long());
    }
}
