/// What thinking models put around their thoughts where the server does not keep them apart.
const TAGS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];

/// A reply that turned out to have begun with thoughts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ThoughtsShown;

/// Takes thoughts out of a reply while it streams.
///
/// An opening tag counts at the beginning of a line only: elsewhere it is a word of the answer.
#[derive(Debug)]
pub(super) struct Thoughts {
    /// What could still become a tag.
    held: String,
    /// The tag that ends the thoughts under way.
    closing: Option<&'static str>,
    line_start: bool,
}

impl Default for Thoughts {
    fn default() -> Self {
        Self { held: String::new(), closing: None, line_start: true }
    }
}

impl Thoughts {
    /// The part of the text that is known to be no thought.
    pub(super) fn push(&mut self, text: &str) -> Result<String, ThoughtsShown> {
        self.held.push_str(text);
        let mut shown = String::new();
        loop {
            if let Some(closing) = self.closing {
                let Some(at) = find(&self.held, closing) else {
                    let keep = unfinished(&self.held, &[closing]);
                    self.held.drain(..self.held.len() - keep);
                    return Ok(shown);
                };
                self.held.drain(..at + closing.len());
                self.closing = None;
                self.line_start = true;
                continue;
            }
            let Some(at) = self.held.find('<') else {
                let rest = std::mem::take(&mut self.held);
                self.show(&rest, &mut shown);
                return Ok(shown);
            };
            let before: String = self.held.drain(..at).collect();
            self.show(&before, &mut shown);
            if TAGS.iter().any(|(_, closing)| starts(&self.held, closing)) {
                return Err(ThoughtsShown);
            }
            let opened = TAGS.iter().find(|(opening, _)| self.line_start && starts(&self.held, opening));
            if let Some((opening, closing)) = opened {
                self.held.drain(..opening.len());
                self.closing = Some(closing);
                continue;
            }
            if TAGS
                .iter()
                .any(|(opening, closing)| begins(&self.held, opening) || begins(&self.held, closing))
            {
                return Ok(shown);
            }
            self.held.remove(0);
            self.show("<", &mut shown);
        }
    }

    /// What was held back at the end of the reply.
    pub(super) fn finish(&mut self) -> String {
        if self.closing.is_some() { String::new() } else { std::mem::take(&mut self.held) }
    }

    fn show(&mut self, text: &str, shown: &mut String) {
        if let Some(last) = text.rsplit('\n').next() {
            let fresh = self.line_start || text.contains('\n');
            self.line_start = fresh && last.trim().is_empty();
        }
        shown.push_str(text);
    }
}

fn starts(text: &str, tag: &str) -> bool {
    text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag))
}

/// Whether the whole text could be the beginning of the tag.
fn begins(text: &str, tag: &str) -> bool {
    tag.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text))
}

fn find(text: &str, tag: &str) -> Option<usize> {
    text.match_indices('<').map(|(at, _)| at).find(|at| starts(&text[*at..], tag))
}

/// How many bytes at the end of the text could be the beginning of a tag.
fn unfinished(text: &str, tags: &[&str]) -> usize {
    let start =
        text.match_indices('<').map(|(at, _)| at).find(|at| tags.iter().any(|tag| begins(&text[*at..], tag)));
    start.map_or(0, |at| text.len() - at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, piece: usize) -> Result<String, ThoughtsShown> {
        let mut thoughts = Thoughts::default();
        let characters: Vec<char> = text.chars().collect();
        let mut shown = String::new();
        for chunk in characters.chunks(piece) {
            shown.push_str(&thoughts.push(&chunk.iter().collect::<String>())?);
        }
        Ok(shown + &thoughts.finish())
    }

    #[test]
    fn thoughts_are_taken_out_wherever_the_reply_is_cut() {
        for (reply, answer) in [
            ("Plain.", "Plain."),
            ("<think>let me see</think>\n\nTLS 1.3. [1]", "\n\nTLS 1.3. [1]"),
            ("\n <THINK>é < 3 </thin </Think>Yes.", "\n Yes."),
            ("<think></think>Yes.", "Yes."),
            ("One.\n<thinking>or two?</thinking>\nTwo.", "One.\n\nTwo."),
            ("<think>a</think><think>b</think>c", "c"),
            ("The tag <think> is a word here, a < b too.", "The tag <think> is a word here, a < b too."),
            ("<thinner> & <thi", "<thinner> & <thi"),
            ("<think>never closed, and then the reply was cut", ""),
        ] {
            for piece in 1..=reply.chars().count() {
                assert_eq!(read(reply, piece).as_deref(), Ok(answer), "{reply:?} in pieces of {piece}");
            }
        }
    }

    #[test]
    fn thoughts_without_a_beginning_are_no_answer() {
        for piece in 1..12 {
            assert_eq!(read("Let me think. </think> TLS 1.3.", piece), Err(ThoughtsShown));
        }
    }
}
