//! Tokens of PGN, each with its line.
//!
//! Written here because readers built for speed pass over words that they do not know; a record
//! must not lose a move without a word.

use super::PgnError;

/// The tokens of a PGN text that matter here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`, escapes undone.
    Tag {
        name: String,
        value: String,
    },
    /// A move as written, without its number.
    Move(&'a str),
    /// A passed turn as written.
    Null(&'a str),
    Result(&'a str),
}

pub(super) struct Lexer<'a> {
    rest: &'a str,
    line: usize,
    at_line_start: bool,
    failed: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer {
            rest: text.trim_start_matches('\u{feff}'),
            line: 1,
            at_line_start: true,
            failed: false,
        }
    }

    fn bump(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        self.at_line_start = c == '\n';
        if c == '\n' {
            self.line += 1;
        }
        Some(c)
    }

    fn skip_line(&mut self) {
        while self.rest.chars().next().is_some_and(|c| c != '\n') {
            self.bump();
        }
    }

    fn error(&self, line: usize, what: &str) -> PgnError {
        PgnError { line, what: what.to_owned() }
    }

    fn skip_comment(&mut self) -> Result<(), PgnError> {
        let line = self.line;
        while let Some(c) = self.bump() {
            if c == '}' {
                return Ok(());
            }
        }
        Err(self.error(line, "the comment that begins here has no '}'"))
    }

    /// A variation with everything in it, other variations too.
    fn skip_variation(&mut self) -> Result<(), PgnError> {
        let line = self.line;
        let mut depth = 0usize;
        while let Some(c) = self.rest.chars().next() {
            match c {
                '{' => self.skip_comment()?,
                ';' => self.skip_line(),
                '%' if self.at_line_start => self.skip_line(),
                _ => {
                    self.bump();
                }
            }
            match c {
                '(' => depth += 1,
                ')' if depth == 1 => return Ok(()),
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        Err(self.error(line, "the variation that begins here has no ')'"))
    }

    fn tag(&mut self) -> Result<Token<'a>, PgnError> {
        let line = self.line;
        let mut name = String::new();
        let mut value = String::new();
        self.bump();
        let wrong = "a tag is written [Name \"value\"] on one line";
        loop {
            match self.bump() {
                Some('"') => break,
                Some(c) if c != '\n' && c != ']' => name.push(c),
                _ => return Err(self.error(line, wrong)),
            }
        }
        loop {
            match self.bump() {
                Some('"') => break,
                Some('\\') => match self.bump() {
                    Some(c @ ('"' | '\\')) => value.push(c),
                    Some(c) if c != '\n' => value.extend(['\\', c]),
                    _ => return Err(self.error(line, wrong)),
                },
                Some(c) if c != '\n' => value.push(c),
                _ => return Err(self.error(line, wrong)),
            }
        }
        while let Some(c) = self.bump() {
            match c {
                ']' => {
                    let name = name.trim().to_owned();
                    return Ok(Token::Tag { name, value });
                }
                ' ' | '\t' => {}
                _ => break,
            }
        }
        Err(self.error(line, wrong))
    }

    fn word(&mut self) -> &'a str {
        let ends = |c: char| c.is_whitespace() || "{}();$[]".contains(c);
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.at_line_start = false;
        word
    }

    fn token(&mut self) -> Result<Option<Token<'a>>, PgnError> {
        while let Some(c) = self.rest.chars().next() {
            match c {
                '%' if self.at_line_start => self.skip_line(),
                ';' => self.skip_line(),
                '{' => self.skip_comment()?,
                '(' => self.skip_variation()?,
                '[' => return self.tag().map(Some),
                ')' | '}' | ']' => {
                    let what = format!("this '{c}' closes nothing");
                    return Err(self.error(self.line, &what));
                }
                '$' => {
                    self.bump();
                    self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_digit());
                }
                c if c.is_whitespace() => {
                    self.bump();
                }
                _ => {
                    if let Some(token) = classify(self.word()) {
                        return Ok(Some(token));
                    }
                }
            }
        }
        Ok(None)
    }
}

/// `None` for move numbers and signs that stand apart from their move.
fn classify(word: &str) -> Option<Token<'_>> {
    if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "½-½" | "*") {
        return Some(Token::Result(word));
    }
    let digits_gone = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let word = if digits_gone.is_empty() || digits_gone.starts_with(['.', '…']) {
        digits_gone.trim_start_matches(['.', '…'])
    } else {
        word
    };
    let sign = word.chars().all(|c| "!?+#=".contains(c)) || matches!(word, "e.p." | "ep" | "e.p");
    match word.trim_end_matches(['!', '?']) {
        _ if sign => None,
        "Z0" | "--" | "@@@@" | "<>" | "null" => Some(Token::Null(word)),
        _ => Some(Token::Move(word)),
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Result<(usize, Token<'a>), PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let token = self.token().transpose()?;
        self.failed = token.is_err();
        // No token goes over the end of its line.
        Some(token.map(|token| (self.line, token)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(usize, Token<'_>)> {
        Lexer::new(text).collect::<Result<_, _>>().expect("well-formed")
    }

    fn error(text: &str) -> String {
        Lexer::new(text).find_map(Result::err).map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn numbers_comments_variations_and_annotations_are_passed_over() {
        assert_eq!(
            tokens(
                "% not this\n1.e4 $1 {a } 1... e5 (1... c5 {)} (1... e6)) 2. Nf3! !? ; rest\n1-0"
            ),
            [
                (2, Token::Move("e4")),
                (2, Token::Move("e5")),
                (2, Token::Move("Nf3!")),
                (3, Token::Result("1-0")),
            ]
        );
    }

    #[test]
    fn castling_with_zeros_is_neither_a_number_nor_a_result() {
        assert_eq!(
            tokens("10.0-0-0 0-0 0-1"),
            [(1, Token::Move("0-0-0")), (1, Token::Move("0-0")), (1, Token::Result("0-1")),]
        );
    }

    #[test]
    fn quotes_in_a_tag_are_escaped() {
        let tag = Token::Tag { name: "Event".to_owned(), value: r#"The "C:\" open"#.to_owned() };
        assert_eq!(tokens(r#"[Event "The \"C:\\\" open"]"#), [(1, tag)]);
    }

    #[test]
    fn what_does_not_end_is_named_by_the_line_where_it_begins() {
        assert_eq!(error("1. e4\n{ no end\n\n"), "line 2: the comment that begins here has no '}'");
        assert_eq!(
            error("1. e4\n\n(1. d4 (1. c4)\n"),
            "line 3: the variation that begins here has no ')'"
        );
        assert_eq!(
            error("[Event \"x\n\"]"),
            "line 1: a tag is written [Name \"value\"] on one line"
        );
        assert_eq!(error("1. e4 )"), "line 1: this ')' closes nothing");
    }
}
