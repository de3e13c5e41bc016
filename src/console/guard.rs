//! Checks on every request, and headers of every answer.

use std::{sync::Mutex, time::Instant};

use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use base64::{Engine as _, prelude::BASE64_STANDARD as BASE64};

use super::Complain;
use annabella_threads::{Flood, lock};
use annabella_words::text::plain;

/// Nothing is loaded from elsewhere, and the page itself holds no script or style.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
     connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The headers of every answer.
pub(super) fn protect(headers: &mut HeaderMap, encrypted: bool) {
    let mut set = |name: HeaderName, value: &'static str| {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    };
    if encrypted {
        set(header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::X_FRAME_OPTIONS, "DENY");
    // "no-referrer" would have browsers send forms with an origin of "null".
    set(header::REFERRER_POLICY, "same-origin");
    set(header::CACHE_CONTROL, "no-store");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=(), interest-cohort=()",
    );
}

/// The policy of a printed report around the digests of its style sheets.
const REPORT_BEGINS: &str = "default-src 'none'; style-src";
const REPORT_ENDS: &str = "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The policy of the printed report: nothing but its own style sheets, each by its digest.
pub(super) fn report_policy(html: &str) -> String {
    let mut styles = String::new();
    for after in html.split("<style>").skip(1) {
        let Some((style, _)) = after.split_once("</style>") else { continue };
        let digest = ring::digest::digest(&ring::digest::SHA256, style.as_bytes());
        styles.push_str(&format!(" 'sha256-{}'", BASE64.encode(digest)));
    }
    let styles = if styles.is_empty() { " 'none'".to_owned() } else { styles };
    format!("{REPORT_BEGINS}{styles}{REPORT_ENDS}")
}

/// Whether this is the policy of a printed report and nothing else. A browser does not mind
/// capitals, so nothing is looked for in it that must not stand there.
pub fn is_report_policy(text: &str) -> bool {
    let styles = text.strip_prefix(REPORT_BEGINS).and_then(|rest| rest.strip_suffix(REPORT_ENDS));
    let Some(styles) = styles.and_then(|styles| styles.strip_prefix(' ')) else { return false };
    let digest = |source: &str| {
        let digest = source.strip_prefix("'sha256-").and_then(|rest| rest.strip_suffix('\''));
        let base64 = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
        digest.is_some_and(|digest| digest.chars().all(base64))
    };
    styles == "'none'" || styles.split(' ').all(digest)
}

/// The page on which a form stood, as browsers say it within one site.
pub fn page_of_form(headers: &HeaderMap) -> Option<Uri> {
    headers.get(header::REFERER)?.to_str().ok()?.parse().ok()
}

/// Whether a form comes from a page of this very site. Browsers say so; a request that does not is
/// refused.
pub(super) fn same_site(
    headers: &HeaderMap,
    encrypted: bool,
    is_ours: impl Fn(&str) -> bool,
) -> Result<(), &'static str> {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if text("sec-fetch-site").is_some_and(|site| site != "same-origin") {
        return Err("a form of another site");
    }
    let (Some(origin), Some(host)) = (text("origin"), text("host")) else {
        return Err("a form without its origin");
    };
    // Somebody's own name may be made to lead here; a certificate is for our names only.
    if !encrypted && !is_ours(host_name(host)) {
        return Err("a form under the name of another machine");
    }
    let scheme = if encrypted { "https://" } else { "http://" };
    match origin.strip_prefix(scheme) {
        Some(from) if from.eq_ignore_ascii_case(host) => Ok(()),
        _ => Err("a form of another site"),
    }
}

/// The host of an address without its port.
fn host_name(host: &str) -> &str {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    name.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.')
}

/// Lines about what is refused; of very many only some, so that a log cannot be flooded.
pub(super) struct Complaints {
    complain: Complain,
    flood: Mutex<Flood>,
}

/// No line is longer, in characters.
const LONGEST: usize = 200;

impl Complaints {
    pub(super) fn new(complain: Complain) -> Complaints {
        Complaints { complain, flood: Mutex::new(Flood::usual()) }
    }

    pub(super) fn tell(&self, line: &str) {
        let next = lock(&self.flood).next(Instant::now());
        let Some(left_out) = next else { return };
        if left_out > 0 {
            (self.complain)(&format!("pages: {left_out} more refusals were not listed"));
        }
        let line: String = line.chars().take(LONGEST).collect();
        (self.complain)(&format!("pages: {}", plain(&line)));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn only_a_form_of_this_very_site_is_taken() {
        let host = ("host", "192.168.4.1:8080");
        let own = ("origin", "http://192.168.4.1:8080");
        assert_eq!(same_site(&headers(&[host, own]), false, |_| true), Ok(()));
        assert_eq!(
            same_site(&headers(&[host, own, ("sec-fetch-site", "same-origin")]), false, |_| true),
            Ok(())
        );
        for wrong in [
            &[host][..],
            &[own],
            &[host, own, ("sec-fetch-site", "cross-site")],
            &[host, own, ("sec-fetch-site", "same-site")],
            &[host, own, ("sec-fetch-site", "none")],
            &[host, ("origin", "null")],
            &[host, ("origin", "http://192.168.4.1")],
            &[host, ("origin", "http://192.168.4.1:8080.evil.example")],
            &[host, ("origin", "https://192.168.4.1:8080")],
        ] {
            assert!(same_site(&headers(wrong), false, |_| true).is_err(), "{wrong:?}");
        }
        assert!(same_site(&headers(&[host, own]), true, |_| true).is_err());
    }

    #[test]
    fn low_encrypted_pages_stay_encrypted() {
        for encrypted in [true, false] {
            let mut headers = HeaderMap::new();
            protect(&mut headers, encrypted);
            assert_eq!(headers.contains_key(header::STRICT_TRANSPORT_SECURITY), encrypted);
        }
    }

    #[test]
    fn a_form_counts_under_the_names_of_this_machine_only() {
        let form = |host: &str, encrypted| {
            let origin = format!("http{}://{host}", if encrypted { "s" } else { "" });
            let value = |text: &str| HeaderValue::from_str(text).expect("a value");
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, value(host));
            headers.insert(header::ORIGIN, value(&origin));
            same_site(&headers, encrypted, |name| ["192.168.4.1", "::1", "board-3"].contains(&name))
        };
        for host in ["192.168.4.1:8080", "192.168.4.1", "[::1]:8080", "[::1]", "board-3.:8080"] {
            assert_eq!(form(host, false), Ok(()), "{host}");
        }
        for host in ["evil.local:8080", "8.8.8.8", "evil.example", "board-3.evil.example"] {
            assert!(form(host, false).is_err(), "{host}");
        }
        // A certificate is for its own names alone.
        assert_eq!(form("chess.example", true), Ok(()));
    }

    #[test]
    fn a_reports_own_style_is_allowed_by_its_digest_only() {
        let policy = report_policy("<style>p { color: red }</style><p>a</p>");
        assert!(policy.contains("style-src 'sha256-") && !policy.contains("unsafe"), "{policy}");
        assert!(report_policy("<p>a</p>").contains("style-src 'none'"));
    }

    #[test]
    fn a_flood_of_refusals_is_cut_short() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let keep = Arc::clone(&told);
        let complaints = Complaints::new(Arc::new(move |line: &str| {
            keep.lock().expect("lines").push(line.to_owned());
        }));
        for n in 0..1_000 {
            complaints.tell(&format!("line {n}\nforged"));
        }
        let told = told.lock().expect("lines");
        assert_eq!(told.len(), 30);
        assert_eq!(told[0], "pages: line 0 forged");
    }
}
