//! How a telephone in the same network reaches the pages: by address, by name (multicast DNS,
//! RFC 6762), by a picture that a camera reads (QR code, ISO/IEC 18004).

use std::{
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex},
};

use mdns_sd::{DaemonEvent, ServiceDaemon, ServiceInfo};
use qrcode::{
    QrCode,
    render::{svg, unicode},
};

use annabella_threads::lock;

/// Browsers and avahi-browse list it.
const SERVICE: &str = "_http._tcp.local.";

/// The addresses of the pages.
#[derive(Clone, Debug)]
pub struct Reach {
    scheme: &'static str,
    hosts: Vec<IpAddr>,
    port: u16,
    /// As others find it: `annabella.local`. It changes if another machine has that name.
    name: Arc<Mutex<Option<String>>>,
}

impl Reach {
    /// What a bound address is reached at. Of `0.0.0.0` these are the addresses that this machine
    /// has in its networks now.
    pub fn of(bound: SocketAddr, encrypted: bool) -> Reach {
        let mut hosts = vec![bound.ip()];
        if bound.ip().is_unspecified() {
            let found = if_addrs::get_if_addrs().unwrap_or_default();
            let six = bound.is_ipv6();
            hosts = found
                .into_iter()
                .filter(|one| !one.is_loopback() && !one.is_link_local())
                .map(|one| one.ip())
                .filter(|ip| six || ip.is_ipv4())
                .collect();
            // IPv4 first: its addresses can be typed.
            hosts.sort_by_key(|ip| (ip.is_ipv6(), *ip));
            hosts.dedup();
        }
        let scheme = if encrypted { "https" } else { "http" };
        Reach { scheme, hosts, port: bound.port(), name: Arc::default() }
    }

    /// Whether this machine has the name or the address, so that it can't be somebody else's who
    /// made it lead here.
    pub(super) fn is_ours(&self, name: &str) -> bool {
        if let Ok(address) = name.parse::<IpAddr>() {
            let address = address.to_canonical();
            // Looked up each time: a machine may get another.
            let own =
                || if_addrs::get_if_addrs().unwrap_or_default().into_iter().map(|one| one.ip());
            return address.is_loopback()
                || self.hosts.contains(&address)
                || own().any(|ip| ip == address);
        }
        let name = name.to_ascii_lowercase();
        let published = lock(&self.name).as_ref().map(|own| own.to_ascii_lowercase());
        // As a router names it, with an ending that nobody in the internet has. Source: RFC 6762,
        // RFC 8375; `.internal` is reserved by ICANN, `.lan`, `.home` and `.fritz.box` are what
        // routers give.
        let endings = ["", ".local", ".lan", ".home", ".home.arpa", ".internal", ".fritz.box"];
        let own = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let own = own.trim().to_ascii_lowercase();
        let own = own.split('.').next().unwrap_or_default();
        name == "localhost"
            || Some(&name) == published.as_ref()
            || (!own.is_empty() && endings.iter().any(|end| name == format!("{own}{end}")))
    }

    /// Another machine can reach them.
    pub fn is_wide(&self) -> bool {
        !self.hosts.iter().all(IpAddr::is_loopback)
    }

    /// The name of this machine in its network, or its number: what somebody types.
    pub fn host(&self) -> Option<String> {
        lock(&self.name).clone().or_else(|| self.hosts.first().map(IpAddr::to_string))
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Addresses for a browser, the likeliest first. A name that was published comes last: not
    /// every telephone looks names up.
    pub fn addresses(&self) -> Vec<String> {
        let numbers = self.hosts.iter().map(|ip| SocketAddr::new(*ip, self.port).to_string());
        let name = lock(&self.name).as_ref().map(|name| format!("{name}:{}", self.port));
        numbers.chain(name).map(|host| format!("{}://{host}", self.scheme)).collect()
    }

    /// The address that opens the page of a code without typing: the browser keeps what follows the
    /// `#` to itself. `None` while this machine is in no network.
    pub fn with_code(&self, code: &str) -> Option<String> {
        self.addresses().first().map(|address| format!("{address}/#{code}"))
    }

    /// Lets the network find the pages by `name`. If somebody has that name already, another is
    /// taken, and `tell` gets one line with it.
    ///
    /// # Errors
    /// One line when names cannot be published here; the addresses stay good.
    pub fn publish(
        &self,
        name: &str,
        tell: impl Fn(&str) + Send + 'static,
    ) -> Result<Named, String> {
        let cannot = |err: mdns_sd::Error| {
            format!("the pages have no name in this network: {err}; use the address")
        };
        let daemon = ServiceDaemon::new().map_err(cannot)?;
        let host = format!("{name}.local.");
        let service = ServiceInfo::new(SERVICE, "Annabella", &host, "", self.port, None)
            .map_err(cannot)?
            .enable_addr_auto();
        let events = daemon.monitor().map_err(cannot)?;
        daemon.register(service).map_err(cannot)?;
        let known = Arc::clone(&self.name);
        *lock(&known) = Some(format!("{name}.local"));
        std::thread::spawn(move || {
            while let Ok(event) = events.recv() {
                if let DaemonEvent::NameChange(change) = event
                    && change.original.eq_ignore_ascii_case(&host)
                {
                    let new = change.new_name.trim_end_matches('.');
                    *lock(&known) = Some(new.to_owned());
                    tell(&format!("pages: another machine has that name; this one is {new}"));
                }
            }
        });
        Ok(Named(daemon))
    }
}

/// A published name; it is taken back when this is dropped.
pub struct Named(ServiceDaemon);

impl std::fmt::Debug for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Named")
    }
}

impl Drop for Named {
    fn drop(&mut self) {
        // Its thread has ended by itself if this fails.
        let _ = self.0.shutdown();
    }
}

/// A QR code of a text for a terminal: two modules a letter, one above the other, black on white
/// whatever colours the terminal has. `None` if the text is too long for one.
pub fn terminal_picture(text: &str) -> Option<String> {
    let code = QrCode::new(text).ok()?;
    let drawn = code.render::<unicode::Dense1x2>().build();
    Some(drawn.lines().map(|line| format!("\x1b[30;107m{line}\x1b[0m\n")).collect())
}

/// A QR code of a text as an SVG element.
pub(crate) fn drawing(text: &str) -> Option<String> {
    let code = QrCode::new(text).ok()?;
    let drawn = code.render::<svg::Color<'_>>().min_dimensions(200, 200).build();
    // The prologue belongs to a file of its own.
    drawn.find("<svg").map(|at| drawn[at..].to_owned())
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, UdpSocket};

    use super::*;

    #[test]
    fn one_machine_is_reached_at_the_address_that_it_listens_at() {
        let here = Reach::of(([127, 0, 0, 1], 8080).into(), false);
        assert!(!here.is_wide());
        assert_eq!(here.addresses(), ["http://127.0.0.1:8080"]);
        let one = Reach::of(([192, 168, 1, 20], 443).into(), true);
        assert!(one.is_wide());
        assert_eq!(
            one.with_code("12345678").as_deref(),
            Some("https://192.168.1.20:443/#12345678")
        );
    }

    #[test]
    fn only_names_and_addresses_of_this_machine_are_ours() {
        let reach = Reach::of(([192, 168, 4, 1], 8080).into(), false);
        *lock(&reach.name) = Some("annabella.local".to_owned());
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").expect("a name");
        let host = host.trim().split('.').next().expect("a name").to_owned();
        let here = ["127.0.0.1", "::1", "192.168.4.1", "::ffff:192.168.4.1", "localhost"];
        for ours in here.into_iter().map(str::to_owned).chain([
            "Annabella.local".to_owned(),
            host.clone(),
            format!("{host}.fritz.box"),
        ]) {
            assert!(reach.is_ours(&ours), "{ours}");
        }
        for other in ["8.8.8.8", "192.0.2.7", "evil.local", "evil", "x.localhost", ""] {
            assert!(!reach.is_ours(other), "{other}");
        }
        assert!(!reach.is_ours(&format!("{host}.example")));
    }

    #[test]
    fn every_network_is_named_by_its_addresses_never_by_zero() {
        let everywhere = Reach::of(([0, 0, 0, 0], 8080).into(), false);
        assert!(everywhere.addresses().iter().all(|address| !address.contains("0.0.0.0")));
        assert!(everywhere.hosts.iter().all(|ip| ip.is_ipv4() && !ip.is_loopback()));
    }

    /// The text that a camera finds in a terminal's letters.
    fn read(picture: &str) -> String {
        const SCALE: usize = 4;
        let line = |line: &str| {
            let inner = line.strip_prefix("\x1b[30;107m")?.strip_suffix("\x1b[0m")?;
            Some(inner.chars().collect::<Vec<char>>())
        };
        let lines: Vec<Vec<char>> =
            picture.lines().map(|text| line(text).expect("black on white")).collect();
        let dark = |x: usize, y: usize| match lines[y / 2][x] {
            '█' => true,
            '▀' => y.is_multiple_of(2),
            '▄' => !y.is_multiple_of(2),
            _ => false,
        };
        let (width, height) = (lines[0].len() * SCALE, lines.len() * 2 * SCALE);
        let mut image = rqrr::PreparedImage::prepare_from_greyscale(width, height, |x, y| {
            if dark(x / SCALE, y / SCALE) { 0 } else { 255 }
        });
        let grids = image.detect_grids();
        assert_eq!(grids.len(), 1, "{picture}");
        grids[0].decode().expect("readable").1
    }

    #[test]
    fn a_camera_reads_the_address_and_the_code() {
        let one = Reach::of(([192, 168, 1, 20], 8080).into(), false);
        let address = one.with_code("12345678").expect("an address");
        assert_eq!(read(&terminal_picture(&address).expect("short")), address);
        assert!(terminal_picture(&"x".repeat(4_000)).is_none());
        let svg = drawing(&address).expect("short");
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"), "{svg}");
    }

    /// Whether what is sent to a group arrives here.
    fn hears_groups() -> bool {
        const GROUP: Ipv4Addr = Ipv4Addr::new(239, 255, 77, 77);
        let heard = || -> std::io::Result<usize> {
            let ear = UdpSocket::bind("0.0.0.0:0")?;
            ear.join_multicast_v4(&GROUP, &Ipv4Addr::UNSPECIFIED)?;
            ear.set_read_timeout(Some(std::time::Duration::from_secs(2)))?;
            let mouth = UdpSocket::bind("0.0.0.0:0")?;
            mouth.send_to(b"x", (GROUP, ear.local_addr()?.port()))?;
            ear.recv(&mut [0; 8])
        };
        heard().is_ok()
    }

    /// A resolver of the same network finds the address by the name.
    #[test]
    fn the_network_finds_the_pages_by_name() {
        let name = format!("annabella-{}", std::process::id());
        let everywhere = Reach::of(([0, 0, 0, 0], 8080).into(), false);
        if everywhere.hosts.is_empty() || !hears_groups() {
            eprintln!(
                "skipped: this machine is in no network, or hears nothing that is sent to a group"
            );
            return;
        }
        let named = everywhere.publish(&name, |_| {}).expect("published");
        assert_eq!(everywhere.host(), Some(format!("{name}.local")));
        let finder = ServiceDaemon::new().expect("a daemon");
        let found = finder.browse(SERVICE).expect("browsing");
        let wait = std::time::Duration::from_secs(20);
        let host = format!("{name}.local.");
        let until = std::time::Instant::now() + wait;
        let mut there = false;
        while !there && std::time::Instant::now() < until {
            let event = found.recv_timeout(wait).expect("found within 20 s");
            there = matches!(&event, mdns_sd::ServiceEvent::ServiceResolved(service)
                if service.get_hostname().eq_ignore_ascii_case(&host) && service.get_port() == 8080);
        }
        assert!(there, "{host} is not found");
        drop(named);
    }
}
