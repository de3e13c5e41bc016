//! The list of a person's recordings, `manifest.tsv`: what `annabella-lab people` and the training
//! read.

use annabella_core::{
    donate::{Certainty, is_name},
    outside::lines,
};

/// The list, in the folder of its recordings.
pub const LIST: &str = "manifest.tsv";
/// Its columns. The last one is our own: what our ears heard.
const COLUMNS: [&str; 10] = [
    "file",
    "text",
    "speaker",
    "source",
    "licence",
    "person",
    "certainty",
    "orig_sr",
    "seconds",
    "heard",
];
/// The licence as the list names it.
pub(super) const LICENCE: &str = "CC0-1.0";
const SOURCE: &str = concat!("annabella donate ", env!("CARGO_PKG_VERSION"));

/// One recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its text in the plan, from 0.
    pub number: usize,
    /// From 1: a person who was misunderstood was asked again.
    pub take: u8,
    pub text: String,
    pub certainty: Certainty,
    /// Samples a second, as the microphone gave them.
    pub orig_hz: u32,
    pub ms: u64,
    /// What our own ears heard; empty where they heard nothing.
    pub heard: String,
}

impl Row {
    /// The name of its file: `012-1.wav`.
    pub fn file(&self) -> String {
        format!("{:03}-{}.wav", self.number + 1, self.take)
    }
}

/// The list's text.
pub fn write(speaker: &str, rows: &[Row]) -> String {
    let mut text = COLUMNS.join("\t") + "\n";
    for row in rows {
        let (seconds, hundredths) = (row.ms / 1000, row.ms % 1000 / 10);
        let fields = [
            &row.file(),
            &row.text,
            speaker,
            SOURCE,
            LICENCE,
            "person",
            row.certainty.as_str(),
            &row.orig_hz.to_string(),
            &format!("{seconds}.{hundredths:02}"),
            &row.heard,
        ];
        text += &(fields.join("\t") + "\n");
    }
    text
}

/// Reads a list: the person's name, `None` in an empty one, and the recordings. A last line without
/// its end was not written whole, and does not count.
///
/// # Errors
/// What is wrong, with the line.
pub fn read(text: &str) -> Result<(Option<String>, Vec<Row>), String> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = lines(whole);
    if lines.next().unwrap_or_default() != COLUMNS.join("\t") {
        return Err(format!("line 1: the columns must be {}", COLUMNS.join(", ")));
    }
    let (mut speaker, mut rows): (Option<String>, Vec<Row>) = (None, Vec::new());
    for (n, line) in lines.enumerate() {
        let wrong = |what: &str| format!("line {}: {what}", n + 2);
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, text, name, _, licence, person, certainty, orig_hz, seconds, heard] = fields[..]
        else {
            return Err(wrong(&format!("{} fields, not {}", fields.len(), COLUMNS.len())));
        };
        if !is_name(name) || speaker.as_ref().is_some_and(|speaker| speaker != name) {
            return Err(wrong("the speaker is one plain name, the same in every line"));
        }
        if (licence, person) != (LICENCE, "person") {
            return Err(wrong(&format!("it must be a person's, under {LICENCE}")));
        }
        let of_name = || {
            let (number, take) = file.strip_suffix(".wav")?.split_once('-')?;
            let number = number.parse::<usize>().ok()?.checked_sub(1)?;
            Some((number, take.parse().ok()?))
        };
        let (number, take) = of_name().ok_or_else(|| wrong("files are named as in 012-1.wav"))?;
        let seconds = || {
            let (whole, hundredths) =
                seconds.split_once('.').filter(|(_, part)| part.len() == 2)?;
            let (whole, part): (u64, u64) = (whole.parse().ok()?, hundredths.parse().ok()?);
            whole.checked_mul(1000)?.checked_add(part.checked_mul(10)?)
        };
        let row = Row {
            number,
            take,
            text: text.to_owned(),
            certainty: Certainty::spelled(certainty)
                .ok_or_else(|| wrong("the certainty is exact, likely, doubtful or guess"))?,
            orig_hz: orig_hz.parse().map_err(|_| wrong("orig_sr is a number"))?,
            ms: seconds().ok_or_else(|| wrong("seconds are written as in 1.25"))?,
            heard: heard.to_owned(),
        };
        if row.file() != file {
            return Err(wrong("files are named as in 012-1.wav"));
        }
        if rows.iter().any(|other: &Row| (other.number, other.take) == (row.number, row.take)) {
            return Err(wrong("the same file again"));
        }
        speaker = Some(name.to_owned());
        rows.push(row);
    }
    Ok((speaker, rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(number: usize, take: u8, certainty: Certainty) -> Row {
        let (text, heard) = ("fünf".to_owned(), "eins".to_owned());
        Row { number, take, text, certainty, orig_hz: 48_000, ms: 1250, heard }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let rows = [row(0, 1, Certainty::Guess), row(0, 2, Certainty::Doubtful)];
        let text = write("vega-4711", &rows);
        assert_eq!(
            text.lines().nth(2),
            Some(
                format!(
                    "001-2.wav\tfünf\tvega-4711\t{SOURCE}\tCC0-1.0\tperson\tdoubtful\t48000\t1.25\teins"
                )
                .as_str()
            )
        );
        assert_eq!(read(&text), Ok((Some("vega-4711".to_owned()), rows.to_vec())));
        assert_eq!(read(&write("vega-4711", &[])), Ok((None, Vec::new())));
    }

    #[test]
    fn a_line_that_the_power_cut_does_not_count() {
        let text = write("vega-4711", &[row(0, 1, Certainty::Exact), row(1, 1, Certainty::Exact)]);
        let last = text.trim_end().rfind('\n').map_or(0, |end| end + 1);
        for (end, _) in text[last..].char_indices() {
            let (_, rows) = read(&text[..last + end]).expect("the rest is whole");
            assert_eq!(rows.len(), 1, "{end}");
        }
    }

    #[test]
    fn each_wrong_line_is_named() {
        let good = write("vega-4711", &[row(0, 1, Certainty::Exact)]);
        let second = good.lines().nth(1).expect("a row");
        for (from, to, what) in [
            ("\teins", "", "line 2: 9 fields, not 10"),
            ("001-1.wav", "../x.wav", "line 2: files are named"),
            ("001-1.wav", "000-1.wav", "line 2: files are named"),
            ("001-1.wav", "1-1.wav", "line 2: files are named"),
            ("vega-4711", "../etc", "line 2: the speaker is one plain name"),
            ("CC0-1.0", "GPL", "line 2: it must be a person's, under CC0-1.0"),
            ("exact", "sure", "line 2: the certainty is"),
            ("48000", "many", "line 2: orig_sr is a number"),
            ("1.25", "1,25", "line 2: seconds are written"),
            ("1.25", "1.5", "line 2: seconds are written"),
        ] {
            let wrong = good.replace(from, to);
            assert!(read(&wrong).is_err_and(|why| why.starts_with(what)), "{from} → {to}");
        }
        let twice = format!("{good}{second}\n");
        assert!(read(&twice).is_err_and(|why| why == "line 3: the same file again"));
        let other = format!("{good}{}\n", second.replace("vega", "mira").replace("001", "002"));
        assert!(read(&other).is_err_and(|why| why.starts_with("line 3: the speaker")));
        assert!(read("").is_err_and(|why| why.starts_with("line 1: the columns")));
    }
}
