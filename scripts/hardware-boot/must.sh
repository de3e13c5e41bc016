# Sourced by the guest's jobs.
export PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

must() { # what, command…
  local what=$1
  shift
  if "$@"; then echo "good  $what"; else echo "BAD   $what"; fi
}
# Emulated machines are slow: waits up to a minute.
soon() {
  local n
  for n in $(seq 60); do
    "$@" && return 0
    sleep 1
  done
  return 1
}
