//! Pages that print on A4 and read well with a screen reader: one file, no scripts, nothing
//! fetched.

/// The frame of every page. `body` is escaped already.
pub(super) fn document(lang: &str, title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escape(title)
    )
}

/// A list of names and values; a value may be empty.
pub(super) fn facts(facts: &[(&str, String)]) -> String {
    let mut list = "<dl>\n".to_owned();
    for (name, value) in facts {
        list += &format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(name), escape(value));
    }
    list + "</dl>\n"
}

/// Lines to sign on.
pub(super) fn signatures(lines: &[String]) -> String {
    let lines: Vec<String> =
        lines.iter().map(|line| format!("<p class=\"sign\">{}</p>\n", escape(line))).collect();
    format!("<div class=\"signs\">\n{}</div>\n", lines.concat())
}

const STYLE: &str = "
@page { size: A4; margin: 15mm; }
body { font: 11pt/1.35 sans-serif; color: #000; background: #fff; max-width: 180mm; margin: 1em auto; padding: 0 1em; }
h1 { font-size: 16pt; margin: 0 0 .5em; }
h2 { font-size: 13pt; margin: 1.2em 0 .4em; break-after: avoid; }
dl { display: grid; grid-template-columns: 1fr 1fr; gap: .2em 2em; margin: 0 0 1em; }
dl div { display: flex; gap: .6em; }
dt { font-weight: bold; }
dt::after { content: \":\"; }
dd { margin: 0; overflow-wrap: anywhere; }
.score { display: flex; flex-wrap: wrap; gap: 0 4%; align-items: flex-start; }
.score table { flex: 1 1 44%; width: auto; }
.sheet + .sheet { break-before: page; margin-top: 2em; }
table { border-collapse: collapse; width: 100%; margin: 0 0 1em; }
caption { text-align: left; font-weight: bold; padding: .2em 0; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td { border: 1px solid #444; padding: .12em .5em; text-align: left; vertical-align: top; }
tbody th, .right { text-align: right; font-variant-numeric: tabular-nums; }
s { text-decoration-thickness: 1px; }
.picture { display: block; margin: .3em 0; width: 38mm; height: auto; print-color-adjust: exact; }
.times { width: 100%; height: auto; print-color-adjust: exact; }
.next-page { break-before: page; }
.dense { font-size: 8.5pt; table-layout: auto; }
.dense th, .dense td { padding: .1em .3em; overflow-wrap: anywhere; }
.dense th, .dense .right { overflow-wrap: normal; }
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.board { width: auto; font-size: 13pt; }
.board caption { font-size: 11pt; }
.board td, .board th { width: 1.5em; height: 1.5em; text-align: center; vertical-align: middle; padding: 0; }
.board .dark { background: #ddd; print-color-adjust: exact; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 7pt; border: 1px solid #444; padding: .5em; }
.signs { display: flex; flex-wrap: wrap; gap: 0 6%; }
.sign { flex: 0 1 40%; margin: 3.5em 0 0; border-top: 1px solid #000; break-inside: avoid; }
nav a { display: inline-block; padding: .8em 0; }
@media print {
  body { padding: 0; margin: 0; max-width: none; }
  nav { display: none; }
}
@media screen { .wide { overflow-x: auto; position: relative; } }
@media screen and (max-width: 40em) {
  dl { grid-template-columns: 1fr; }
  .incidents thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .incidents tr { display: grid; grid-template-columns: auto auto 1fr; border: 1px solid #444; margin: 0 0 .5em; }
  .incidents th, .incidents td { border: 0; text-align: left; }
  .incidents .what, .incidents .right { grid-column: 1 / -1; min-width: 0; overflow-wrap: anywhere; }
  .incidents .right::before { content: attr(data-clock) \": \"; }
}
";

/// A name or remark may hold anything; a cell is one line.
pub(super) fn clean(text: &str) -> String {
    text.replace(char::is_control, " ").trim().to_owned()
}

/// Text as markup shows it.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in clean(text).chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            other => escaped.push(other),
        }
    }
    escaped
}
