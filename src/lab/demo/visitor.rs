//! Somebody at a page, as a program: as much HTTP as that takes.

use std::collections::BTreeMap;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// Reads pages and posts forms, with the session of a code.
#[derive(Debug)]
pub(crate) struct Visitor {
    address: String,
    cookies: BTreeMap<String, String>,
}

impl Visitor {
    /// Types a code and a name.
    ///
    /// # Errors
    /// One line, when the code is wrong or nobody answers.
    pub(crate) async fn pair(address: &str, code: &str, by: &str) -> Result<Visitor, String> {
        let mut visitor = Visitor { address: address.to_owned(), cookies: BTreeMap::new() };
        let (status, _, _) = visitor.send("POST", "/pair", &[("code", code), ("by", by)]).await?;
        if status == 303 { Ok(visitor) } else { Err(format!("the code gave status {status}")) }
    }

    /// A page.
    ///
    /// # Errors
    /// One line, when there is none.
    pub(crate) async fn get(&mut self, path: &str) -> Result<String, String> {
        match self.send("GET", path, &[]).await? {
            (200, _, body) => Ok(body),
            (status, ..) => Err(format!("{path} gave status {status}")),
        }
    }

    /// Posts a form here; the page that it leads to.
    ///
    /// # Errors
    /// One line, when it was not taken, or the page does not come.
    pub(crate) async fn acts(
        &mut self,
        path: &str,
        fields: &[(&str, &str)],
    ) -> Result<String, String> {
        let (status, location, body) = self.send("POST", path, fields).await?;
        if status != 303 {
            return Err(format!("the form gave status {status}: {}", words(&body)));
        }
        self.get(location.split('#').next().unwrap_or("/")).await
    }

    async fn send(
        &mut self,
        method: &str,
        path: &str,
        fields: &[(&str, &str)],
    ) -> Result<(u16, String, String), String> {
        let pairs: Vec<String> =
            fields.iter().map(|(k, v)| format!("{k}={}", encoded(v))).collect();
        let body = pairs.join("&");
        let cookies: Vec<String> = self.cookies.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nAccept-Language: en\r\n\
             Connection: close\r\n",
            self.address
        );
        // As a browser says from which page a form was sent.
        if method == "POST" {
            let page =
                path.strip_suffix("/act").map_or("/".to_owned(), |at| format!("{at}/arbiter"));
            head.push_str(&format!("Referer: http://{}{page}\r\n", self.address));
        }
        if !cookies.is_empty() {
            head.push_str(&format!("Cookie: {}\r\n", cookies.join("; ")));
        }
        if method == "POST" {
            head.push_str(&format!(
                "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n",
                body.len()
            ));
        }
        let unreached = |err: std::io::Error| format!("the pages do not answer: {err}");
        let mut stream = TcpStream::connect(&self.address).await.map_err(unreached)?;
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).await.map_err(unreached)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.map_err(unreached)?;
        let text = String::from_utf8_lossy(&answer);
        let (head, body) = text.split_once("\r\n\r\n").ok_or("half an answer")?;
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let mut location = String::new();
        for (name, value) in head.lines().filter_map(|line| line.split_once(": ")) {
            if name.eq_ignore_ascii_case("location") {
                value.clone_into(&mut location);
            } else if name.eq_ignore_ascii_case("set-cookie")
                && let Some((key, value)) = value.split(';').next().unwrap_or("").split_once('=')
            {
                self.cookies.insert(key.to_owned(), value.to_owned());
            }
        }
        Ok((status.ok_or("an answer without a status")?, location, body.to_owned()))
    }
}

fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

/// What a line of the service or of the hall names after a mark: an address, or a code.
pub(crate) fn named(line: &str, mark: &str) -> Option<String> {
    let rest = line.split(mark).nth(1)?;
    Some(rest.split([';', ',', ' ']).next()?.to_owned())
}

/// The value of a hidden field.
pub(crate) fn hidden(page: &str, name: &str) -> Option<String> {
    let rest = page.split(&format!("name=\"{name}\" value=\"")).nth(1)?;
    Some(rest.split('"').next()?.to_owned())
}

/// The text of a piece of a page.
pub(crate) fn words(html: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' => {
                inside = false;
                text.push(' ');
            }
            c if !inside => text.push(c),
            _ => {}
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("&#39;", "'")
}
