//! A line to a board by Bluetooth LE, over BlueZ's D-Bus interface.
//!
//! BlueZ connects the board and hands out a socket in which each notification is a packet: from
//! then on the line is read like any other. What is said to the board goes through BlueZ. Source:
//! org.bluez.GattCharacteristic(5)
//!
//! # Radio
//!
//! Bluetooth is never switched on here, and no board is paired: that is for the owner of the
//! machine to decide. A board that we connected is disconnected when the line is closed, so that
//! others may have it.

use std::{
    cell::OnceCell,
    collections::HashMap,
    fs::File,
    io::{self, Read},
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::PathBuf,
    time::Duration,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{OFlags, fcntl_getfl, fcntl_setfl},
};
use tokio::{
    net::UnixStream,
    runtime::{self, Runtime},
    time::{sleep, timeout},
};
use zbus::{Connection, Message, OwnedObjectPath, OwnedVariant, Variant, connection::Builder, fdo};

use super::{
    Held,
    bluetooth::{Radio, RadioError, Wanted, port_of},
};

/// So long a board is searched for.
const SEARCH: Duration = Duration::from_secs(10);
/// So long a board may take to be connected, with its services.
const CONNECT: Duration = Duration::from_secs(30);
/// So long it may take to be told something.
const WRITE: Duration = Duration::from_secs(5);
/// So long a board is asked to let go of the connection.
const FAREWELL: Duration = Duration::from_millis(500);
/// The pause before BlueZ is asked again what it knows.
const AGAIN: Duration = Duration::from_millis(200);

const BLUEZ: &str = "org.bluez";
const ADAPTER: &str = "org.bluez.Adapter1";
const DEVICE: &str = "org.bluez.Device1";
const CHARACTERISTIC: &str = "org.bluez.GattCharacteristic1";

type Properties = HashMap<String, OwnedVariant>;
/// What BlueZ knows: objects, their interfaces, and the properties of each.
type Objects = HashMap<OwnedObjectPath, HashMap<String, Properties>>;

/// An open line. Dropped, the board is free again.
#[derive(Debug)]
pub(super) struct GattLine {
    /// Drives the bus, only while something is said.
    runtime: Runtime,
    bus: Connection,
    device: Device,
    hears: OwnedObjectPath,
    /// A packet for each notification.
    notified: File,
    /// Connected by us.
    ours: bool,
}

impl GattLine {
    /// Finds the board and connects it. Ends when the line is let go.
    pub(super) fn open(
        bus: Option<&str>,
        wanted: &Wanted,
        of: (&'static str, Radio),
        held: &Held,
    ) -> Result<GattLine, RadioError> {
        let runtime = new_runtime()?;
        let ours = OnceCell::new();
        let joined = runtime.block_on(async {
            tokio::select! {
                joined = join(bus, wanted, of, &ours) => joined,
                _ = until_let_go(held) => Err(RadioError::NotNear { device: of.0 }),
            }
        });
        match joined {
            Ok(Joined { bus, device, hears, notified }) => {
                let (notified, ours) = (File::from(notified), ours.into_inner().is_some());
                Ok(GattLine { runtime, bus, device, hears, notified, ours })
            }
            Err(err) => {
                if let Some((bus, device)) = ours.into_inner() {
                    disconnect(&runtime, &bus, &device);
                }
                Err(err)
            }
        }
    }

    pub(super) fn address(&self) -> &str {
        &self.device.address
    }

    pub(super) fn name(&self) -> &str {
        &self.device.name
    }

    /// Readable when there is a notification, or when the board is gone.
    pub(super) fn as_fd(&self) -> BorrowedFd<'_> {
        self.notified.as_fd()
    }

    /// Reads one notification. 0: the board is gone.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.notified.read(buffer) {
            // A notification may be empty.
            Ok(0) if !hung_up(&self.notified) => Err(io::ErrorKind::WouldBlock.into()),
            read => read,
        }
    }

    /// Has these bytes written. Gives up when the line is let go.
    pub(super) fn write_all(&mut self, bytes: &[u8], held: &Held) -> io::Result<()> {
        let options: HashMap<&str, Variant<'_>> = HashMap::new();
        let body = (bytes, options);
        let GattLine { runtime, bus, hears, .. } = self;
        let written = runtime.block_on(async {
            tokio::select! {
                written = timeout(WRITE, call(bus, hears, CHARACTERISTIC, "WriteValue", &body)) => written,
                _ = until_let_go(held) => return Err("the line was let go".to_owned()),
            }
            .map_err(|_| "it takes nothing".to_owned())?
            .map_err(|err| reason(&err))
            .map(drop)
        });
        written.map_err(io::Error::other)
    }
}

impl Drop for GattLine {
    fn drop(&mut self) {
        if self.ours {
            disconnect(&self.runtime, &self.bus, &self.device.path);
        }
    }
}

fn disconnect(runtime: &Runtime, bus: &Connection, device: &OwnedObjectPath) {
    let ended = call(bus, device, DEVICE, "Disconnect", &());
    // If not, it is gone already, or BlueZ is.
    let _ = runtime.block_on(async { timeout(FAREWELL, ended).await });
}

/// The ports of boards of these makes that are near: connected already, or found in this time.
/// Nothing where Bluetooth is off or absent.
pub fn near(bus: Option<&str>, radios: &[Radio], patience: Duration) -> Vec<PathBuf> {
    let Ok(runtime) = new_runtime() else { return Vec::new() };
    let found = runtime.block_on(async {
        let bus = connect(bus).await?;
        let adapters = adapters(&objects(&bus).await?)?;
        search_begins(&bus, &adapters).await?;
        sleep(patience).await;
        let found = objects(&bus).await?;
        search_ends(&bus, &adapters).await;
        let ours = |device: &Device| {
            // One that is connected makes itself known no more.
            let is_near = device.connected || device.rssi.is_some();
            is_near && radios.iter().any(|radio| radio.is_named_like(&device.name))
        };
        Ok::<_, RadioError>(devices(&found, &adapters).into_iter().filter(ours).collect::<Vec<_>>())
    });
    let mut found = found.unwrap_or_default();
    found.sort_by(|a, b| (&a.name, &a.address).cmp(&(&b.name, &b.address)));
    let port = |device: &Device| {
        let alone = found.iter().filter(|other| other.name == device.name).count() == 1;
        port_of(if alone { &device.name } else { &device.address })
    };
    found.iter().map(port).collect()
}

/// What [`join`] comes to.
struct Joined {
    bus: Connection,
    device: Device,
    hears: OwnedObjectPath,
    notified: OwnedFd,
}

/// A device that BlueZ knows.
#[derive(Clone, Debug)]
struct Device {
    path: OwnedObjectPath,
    name: String,
    address: String,
    connected: bool,
    /// Its services are known.
    resolved: bool,
    paired: bool,
    /// How well it is received; `None`: not just now.
    rssi: Option<i16>,
}

impl Device {
    fn of(path: &OwnedObjectPath, of: &Properties) -> Device {
        let name = text(of, "Name").or_else(|| text(of, "Alias")).unwrap_or_default();
        Device {
            path: path.clone(),
            name: name.trim().to_owned(),
            address: text(of, "Address").unwrap_or_default().to_owned(),
            connected: is(of, "Connected"),
            resolved: is(of, "ServicesResolved"),
            paired: is(of, "Paired"),
            rssi: of.get("RSSI").and_then(|rssi| i16::try_from(rssi).ok()),
        }
    }
}

/// Finds a board and connects it. `ours` is set as soon as it is we who connect it.
async fn join(
    bus: Option<&str>,
    wanted: &Wanted,
    (device, radio): (&'static str, Radio),
    ours: &OnceCell<(Connection, OwnedObjectPath)>,
) -> Result<Joined, RadioError> {
    let bus = connect(bus).await?;
    let known = objects(&bus).await?;
    let adapters = adapters(&known)?;
    let meant = |objects: &Objects| {
        let meant = devices(objects, &adapters).into_iter();
        let meant = meant.filter(|device| wanted.is(&radio, &device.name, &device.address));
        // Of equal ones always the same.
        meant.max_by_key(|of| (of.connected, of.paired, of.rssi, of.address.clone()))
    };
    let found = match meant(&known) {
        Some(found) => found,
        None => search(&bus, &adapters, meant).await?.ok_or(RadioError::NotNear { device })?,
    };
    if !found.connected {
        ours.get_or_init(|| (bus.clone(), found.path.clone()));
    }
    let too_long = || failed(&found, format!("not within {} s", CONNECT.as_secs()));
    let objects = timeout(CONNECT, until_connected(&bus, &found, device)).await;
    let objects = objects.map_err(|_| too_long())??;
    let characteristic = |uuid: &str| {
        let below = format!("{}/", found.path.as_str());
        let is = |interfaces: &HashMap<String, Properties>| {
            let own = interfaces.get(CHARACTERISTIC).and_then(|of| text(of, "UUID"));
            own.is_some_and(|own| own.eq_ignore_ascii_case(uuid))
        };
        let mut below = objects.iter().filter(|(path, _)| path.as_str().starts_with(&below));
        below.find(|(_, interfaces)| is(interfaces)).map(|(path, _)| path.clone())
    };
    let stranger = || RadioError::Stranger { name: found.name.clone(), device };
    let says = characteristic(radio.says).ok_or_else(stranger)?;
    let hears = characteristic(radio.hears).ok_or_else(stranger)?;
    let notified = acquire(&bus, &says).await.map_err(|err| refused(&found, &err))?;
    Ok(Joined { bus, device: found, hears, notified })
}

/// The socket with the notifications of a characteristic.
async fn acquire(bus: &Connection, says: &OwnedObjectPath) -> zbus::Result<OwnedFd> {
    let options: HashMap<&str, Variant<'_>> = HashMap::new();
    let answer = call(bus, says, CHARACTERISTIC, "AcquireNotify", &(options,)).await?;
    let (socket, _mtu): (zbus::OwnedFd, u16) = answer.body().deserialize()?;
    let socket = OwnedFd::from(socket);
    let flags = fcntl_getfl(&socket).map_err(io::Error::from)?;
    fcntl_setfl(&socket, flags | OFlags::NONBLOCK).map_err(io::Error::from)?;
    Ok(socket)
}

/// Connects a board and waits for its services.
async fn until_connected(
    bus: &Connection,
    found: &Device,
    device: &'static str,
) -> Result<Objects, RadioError> {
    if !found.connected {
        match call(bus, &found.path, DEVICE, "Connect", &()).await {
            Ok(_) => {}
            // Somebody else is about to connect it.
            Err(err) if error_name(&err).ends_with(".InProgress") => {}
            Err(err) => return Err(refused(found, &err)),
        }
    }
    loop {
        let objects = objects(bus).await?;
        let of = objects.get(&found.path).and_then(|interfaces| interfaces.get(DEVICE));
        let now = Device::of(&found.path, of.ok_or(RadioError::NotNear { device })?);
        if now.connected && now.resolved {
            return Ok(objects);
        }
        sleep(AGAIN).await;
    }
}

/// Searches until a board is there that is meant, or time is over.
async fn search(
    bus: &Connection,
    adapters: &[OwnedObjectPath],
    meant: impl Fn(&Objects) -> Option<Device>,
) -> Result<Option<Device>, RadioError> {
    search_begins(bus, adapters).await?;
    let found = timeout(SEARCH, async {
        loop {
            sleep(AGAIN).await;
            if let Some(found) = meant(&objects(bus).await?) {
                return Ok(found);
            }
        }
    });
    let found = found.await.ok().transpose();
    // A board is connected sooner while nothing is searched for.
    search_ends(bus, adapters).await;
    found
}

async fn search_begins(bus: &Connection, adapters: &[OwnedObjectPath]) -> Result<(), RadioError> {
    let filter = HashMap::from([("Transport", Variant::from("le"))]);
    for adapter in adapters {
        call(bus, adapter, ADAPTER, "SetDiscoveryFilter", &(&filter,))
            .await
            .map_err(|err| unreached(&err))?;
        match call(bus, adapter, ADAPTER, "StartDiscovery", &()).await {
            Ok(_) => {}
            Err(err) if error_name(&err).ends_with(".InProgress") => {}
            Err(err) => return Err(unreached(&err)),
        }
    }
    Ok(())
}

async fn search_ends(bus: &Connection, adapters: &[OwnedObjectPath]) {
    for adapter in adapters {
        // BlueZ ends it with our connection at the latest.
        let _ = call(bus, adapter, ADAPTER, "StopDiscovery", &()).await;
    }
}

async fn connect(bus: Option<&str>) -> Result<Connection, RadioError> {
    let builder = bus.map_or_else(Builder::system, Builder::address);
    timeout(CONNECT, builder.method_timeout(CONNECT).build())
        .await
        .map_err(|_| RadioError::NoService { reason: "D-Bus does not answer".to_owned() })?
        .map_err(|err| unreached(&err))
}

async fn call<B: serde::Serialize + zbus::DynamicType>(
    bus: &Connection,
    path: &OwnedObjectPath,
    interface: &str,
    method: &str,
    body: &B,
) -> zbus::Result<Message> {
    bus.call_method(Some(BLUEZ), path, Some(interface), method, body).await
}

async fn objects(bus: &Connection) -> Result<Objects, RadioError> {
    let manager = "org.freedesktop.DBus.ObjectManager";
    let answer = bus.call_method(Some(BLUEZ), "/", Some(manager), "GetManagedObjects", &()).await;
    answer.and_then(|answer| answer.body().deserialize()).map_err(|err| unreached(&err))
}

/// The adapters that are switched on.
fn adapters(objects: &Objects) -> Result<Vec<OwnedObjectPath>, RadioError> {
    let all = objects.iter().filter_map(|(path, of)| Some((path, of.get(ADAPTER)?)));
    let all: Vec<(&OwnedObjectPath, &Properties)> = all.collect();
    let on: Vec<OwnedObjectPath> =
        all.iter().filter(|(_, of)| is(of, "Powered")).map(|(path, _)| (*path).clone()).collect();
    match (all.is_empty(), on.is_empty()) {
        (true, _) => Err(RadioError::NoAdapter),
        (false, true) => Err(RadioError::Off),
        (false, false) => Ok(on),
    }
}

/// The devices that these adapters know.
fn devices(objects: &Objects, adapters: &[OwnedObjectPath]) -> Vec<Device> {
    let below = |path: &OwnedObjectPath| {
        adapters.iter().any(|adapter| path.as_str().starts_with(&format!("{}/", adapter.as_str())))
    };
    let known = objects.iter().filter(|(path, _)| below(path));
    known.filter_map(|(path, of)| Some(Device::of(path, of.get(DEVICE)?))).collect()
}

fn text<'a>(of: &'a Properties, name: &str) -> Option<&'a str> {
    of.get(name).and_then(|value| <&str>::try_from(value).ok())
}

fn is(of: &Properties, name: &str) -> bool {
    of.get(name).and_then(|value| bool::try_from(value).ok()).unwrap_or(false)
}

/// Why BlueZ cannot be spoken with.
fn unreached(err: &zbus::Error) -> RadioError {
    match error_name(err).as_str() {
        "org.freedesktop.DBus.Error.AccessDenied" => RadioError::Forbidden,
        "org.bluez.Error.NotReady" => RadioError::Off,
        _ => RadioError::NoService { reason: reason(err) },
    }
}

/// Why a board is not connected.
fn refused(found: &Device, err: &zbus::Error) -> RadioError {
    let (error, reason) = (error_name(err), reason(err));
    let name = || found.name.clone();
    // Errors of the attribute protocol: authentication, authorisation, encryption are wanted.
    let wants_pairing = ["0x05", "0x08", "0x0f", "0x0c"].iter().any(|code| reason.contains(code));
    match error.rsplit('.').next().unwrap_or_default() {
        "AccessDenied" => RadioError::Forbidden,
        "NotReady" => RadioError::Off,
        "NotPermitted" if reason.contains("acquired") => RadioError::Busy { name: name() },
        "NotAuthorized"
        | "AuthenticationFailed"
        | "AuthenticationRejected"
        | "AuthenticationCanceled"
        | "AuthenticationTimeout" => {
            RadioError::Unpaired { name: name(), address: found.address.clone() }
        }
        _ if wants_pairing => RadioError::Unpaired { name: name(), address: found.address.clone() },
        _ => failed(found, reason),
    }
}

fn failed(found: &Device, reason: String) -> RadioError {
    RadioError::Failed { name: found.name.clone(), reason }
}

fn error_name(err: &zbus::Error) -> String {
    match err {
        zbus::Error::MethodError(name, ..) => name.to_string(),
        zbus::Error::FDO(fdo) => zbus::DBusError::name(fdo.as_ref() as &fdo::Error).to_string(),
        _ => String::new(),
    }
}

/// One line, lower case.
fn reason(err: &zbus::Error) -> String {
    let text = match err {
        zbus::Error::MethodError(name, None, _) => name.to_string(),
        zbus::Error::MethodError(_, Some(text), _) => text.clone(),
        zbus::Error::InputOutput(err) | zbus::Error::Connection(err, _) => err.to_string(),
        err => err.to_string(),
    };
    let text = text.split(" (os error").next().unwrap_or_default().to_lowercase();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn new_runtime() -> Result<Runtime, RadioError> {
    let built = runtime::Builder::new_current_thread().enable_io().enable_time().build();
    built.map_err(|err| RadioError::NoService { reason: err.to_string().to_lowercase() })
}

/// Ends when the line is let go. Orders that come meanwhile wait.
async fn until_let_go(held: &Held) -> io::Result<()> {
    let bell = UnixStream::from_std(held.woken.try_clone()?)?;
    let mut rung = [0; 64];
    while !held.let_go() {
        bell.readable().await?;
        // Read in this way it is known to be empty.
        while bell.try_read(&mut rung).is_ok_and(|length| length > 0) {}
    }
    Ok(())
}

/// Whether the other end of a socket is closed.
fn hung_up(socket: &File) -> bool {
    let mut asked = [PollFd::new(socket, PollFlags::IN)];
    let polled = poll(&mut asked, Some(&Timespec::default()));
    polled.is_err() || asked[0].revents().contains(PollFlags::HUP)
}
