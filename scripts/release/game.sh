# A short game on the service, for those who try a program that was made elsewhere: events of reeds go in, and what
# it says of each move is waited for. To be sourced.

told() { # patterns that one line has; reads what the service says from file 3
  local line pattern
  while read -t 120 -r line <&3; do
    for pattern in "$@"; do [[ $line == *"$pattern"* ]] || continue 2; done
    return 0
  done
  echo "it never said $*"
  return 1
}
moved() { # from, to; writes to file 4
  printf '{"square":"%s","occupied":false}\n' "$1" >&4
  sleep 0.3 # a hand needs as long, and a contact less to come to rest
  printf '{"square":"%s","occupied":true}\n' "$2" >&4
  told "\"uci\":\"$1$2\"" '"state":"made"'
}
pressed() { printf '{"press":"%s"}\n' "$1" >&4; }

short_game() { # folder, command…: runs the program, to which this folder is the current one
  local folder=$1 pid code=0
  shift
  printf '%s\n' '[board]' 'kind = "events"' 'path = "-"' '[speech]' 'engine = "none"' 'listen = "off"' \
    '[console]' 'listen = ""' '[journal]' 'path = "game.db"' >"$folder/game.toml"
  rm -f "$folder"/game.db*
  coproc GAME { "$@" play --json --config game.toml 2>&1; }
  pid=$GAME_PID
  exec 3<&"${GAME[0]}" 4>&"${GAME[1]}"
  { moved f2 f3 && pressed white && moved e7 e5 && pressed black && moved g2 g4 && pressed white &&
    moved d8 h4 && told '"result":"0-1"'; } || code=1
  exec 3<&- 4>&-
  kill "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  [ $code = 0 ] && echo "4 moves felt, announced and made: 0-1"
  return $code
}
