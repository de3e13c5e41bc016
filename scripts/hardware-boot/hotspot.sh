# In the guest, as a unit of systemd: set-up makes a wireless network, and a telephone joins it. hotspot.sh PROJECT
cd "$1" || exit 1
. scripts/hardware-boot/must.sh
work=$(mktemp -d)
config=$work/annabella.toml

systemctl start dbus NetworkManager
must "NetworkManager runs" soon nmcli --terse general status
# The second radio is the telephone's, in a network of its own: what it gets comes by air.
ip netns add telephone
phone=$(iw dev | awk '/^phy/ { phy = $1 } /Interface wlan1/ { sub("#", "", phy); print phy }')
iw phy "$phone" set netns name telephone
must "one radio is left to the board" test "$(ls -d /sys/class/net/*/wireless)" = /sys/class/net/wlan0/wireless
soon sh -c 'nmcli --terse --fields DEVICE,STATE device | grep -q "^wlan0:disconnected"'

# Everything as it is offered, but the pages are wanted, and then the network.
printf '[board]\nkind = "none"\n[speech]\nengine = "none"\nlisten = "off"\n' >"$config"
mkfifo "$work/answers"
exec 3<>"$work/answers"
annabella setup --typed --config "$config" 2>&1 <"$work/answers" | while read -r line; do
  echo "$line" | tee -a "$work/told"
  case $line in
    *"Für Deutsch"*) echo eins ;;
    *"Sollen Telefone"* | *"eigenes WLAN"* | *speichern\?) echo ja ;;
    *WLAN\ heißt* | *WLAN\ ging\ nicht*) echo fertig ;;
    *\? | *Brett.) [[ $line == *suche* ]] || echo weiter ;;
  esac >&3
done
exec 3>&-
must "set-up tells the network's name and password" grep "Das WLAN heißt Annabella. Kennwort:" "$work/told"
must "and writes that the pages are open" grep -q '0.0.0.0:8080' "$config"

# A person writes down what she hears.
password=$(sed -n 's/.*Kennwort: \([^.]*\)\..*/\1/p' "$work/told" | tr -d , | tr ' ' '\n' | sed '
  s/null/0/; s/eins/1/; s/zwei/2/; s/zwo/2/; s/drei/3/; s/vier/4/; s/fünf/5/; s/sechs/6/; s/sieben/7/; s/acht/8/; s/neun/9/' | tr -d '\n')
must "the password is twelve digits" sh -c "echo '$password' | grep -qxE '[0-9]{12}'"
annabella play --config "$config" >"$work/played" 2>&1 </dev/null &

joined() { wpa_cli -p "$work/wpa" -i wlan1 status 2>/dev/null | grep -q wpa_state=COMPLETED; }
join() { # password
  printf 'ctrl_interface=%s/wpa\nnetwork={\nssid="Annabella"\npsk="%s"\n}\n' "$work" "$1" >"$work/wpa.conf"
  ip netns exec telephone wpa_supplicant -B -i wlan1 -c "$work/wpa.conf" -P "$work/wpa.pid" >/dev/null
}
part() { kill "$(cat "$work/wpa.pid")"; sleep 2; }
join 000000000000
sleep 20
must "with another password nobody joins" sh -c "! wpa_cli -p $work/wpa -i wlan1 status | grep -q COMPLETED"
part
join "$password"
must "a telephone joins with the password that was told" soon joined
printf '#!/bin/sh\n[ "$1" = bound ] && ip addr add "$ip/$mask" dev "$interface" && echo "$router" >%s/router\n' "$work" >"$work/lease"
chmod +x "$work/lease"
ip netns exec telephone busybox udhcpc -i wlan1 -n -q -t 20 -s "$work/lease" 2>&1
must "it gets an address" test -s "$work/router"
page() { ip netns exec telephone busybox wget -q -O - "http://$(cat "$work/router"):8080/" | grep -q "<title>.*Annabella"; }
must "a telephone opens the page" soon page
