/// A server may write lines of 8 MB; one that is longer is no line.
pub(super) const MAX_LINE: usize = 8 * 1024 * 1024;

/// A line that has no end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong;

/// Cuts a stream of bytes into lines, wherever the stream itself was cut.
#[derive(Debug, Default)]
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// Where the line begins that is still to be read.
    start: usize,
    /// Up to here there is no line end.
    searched: usize,
}

impl Lines {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole line that is not blank.
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>, TooLong> {
        loop {
            let Some(at) = self.buffer[self.searched..].iter().position(|byte| *byte == b'\n') else {
                self.searched = self.buffer.len();
                return if self.searched - self.start > MAX_LINE { Err(TooLong) } else { Ok(None) };
            };
            let (start, end) = (self.start, self.searched + at);
            self.start = end + 1;
            self.searched = self.start;
            if !self.buffer[start..end].trim_ascii().is_empty() {
                return Ok(Some(self.buffer[start..end].trim_ascii()));
            }
        }
    }

    /// What came after the last line end, where it is not blank.
    pub(super) fn rest(&self) -> Option<&[u8]> {
        let rest = self.buffer[self.start..].trim_ascii();
        (!rest.is_empty()).then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], piece: usize) -> (Vec<String>, Option<String>) {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        for chunk in text.chunks(piece) {
            lines.push(chunk);
            while let Some(line) = lines.next().unwrap() {
                found.push(String::from_utf8(line.to_vec()).unwrap());
            }
        }
        (found, lines.rest().map(|rest| String::from_utf8(rest.to_vec()).unwrap()))
    }

    #[test]
    fn lines_are_the_same_wherever_the_stream_is_cut() {
        let text = "{\"a\":\"één 🙂\"}\r\n\n  \n{\"b\":1}\n{\"c\":".as_bytes();
        let expected =
            (vec!["{\"a\":\"één 🙂\"}".to_owned(), "{\"b\":1}".to_owned()], Some("{\"c\":".to_owned()));
        for piece in 1..=text.len() {
            assert_eq!(read(text, piece), expected, "in pieces of {piece}");
        }
        assert_eq!(read(b"\n\r\n", 1), (Vec::new(), None));
    }

    #[test]
    fn a_line_without_an_end_is_given_up() {
        let mut lines = Lines::default();
        lines.push(&vec![b' '; MAX_LINE]);
        assert_eq!(lines.next(), Ok(None), "as long as a line may be");
        lines.push(b" ");
        assert_eq!(lines.next(), Err(TooLong));
    }
}
