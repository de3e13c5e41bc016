# In the guest, instead of the service: what the record has, then a game typed move by move, each told to the host once
# the program has made it. power.sh FOLDER, where the journal is; run by the user of the service.
# The moves are Morphy's against the Duke of Brunswick and Count Isouard, Paris 1858, again and again.
folder=$1
game="e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 c4b5 b8d7
e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8"
config=$folder/power.toml
cat >"$config.new" <<CONFIG
[board]
kind = "none"
path = "$folder/typed"
[buttons]
kind = "none"
[speech]
engine = "none"
listen = "off"
public = "none"
private = "none"
[console]
listen = ""
[journal]
path = "$folder/annabella.db"
CONFIG
mv "$config.new" "$config"
rm -f "$folder/typed" "$folder/told"
mkfifo "$folder/typed" "$folder/told"
games() { annabella games --config "$config" "$@" 2>/dev/null; }

if [ -e "$folder/annabella.db" ]; then
  for id in $(games list --json | sed 's/^{"id":\([0-9]*\),.*/\1/'); do
    moves=$(games export "$id" --pgn | grep -v '^\[' | tr '\n' ' ' | sed 's/{[^}]*}//g; s/[0-9]*\.\.*//g' | tr -s ' ')
    echo "RECORD $id $moves"
  done
fi
echo "RECORDED"
while :; do
  # After a game that has ended the program would ask whether one without a move goes on.
  going=$(games list --json | grep '"finished":false' | grep -v '"plies":0,' | tail -n 1)
  id=$(echo "$going" | sed 's/^{"id":\([0-9]*\),.*/\1/')
  plies=$(echo "$going" | sed 's/.*"plies":\([0-9]*\),.*/\1/')
  # After the end of a game the program would ask for the next one.
  new=
  [ -n "$id" ] || { id=$(($(games list --json | wc -l) + 1)); plies=0; new=--new; }
  exec 3<>"$folder/typed"
  annabella play $new --json --config "$config" >"$folder/told" 2>"$folder/play.err" &
  exec 4<"$folder/told"
  ply=0
  for move in $game; do
    ply=$((ply + 1))
    [ "$ply" -gt "$plies" ] || continue
    echo "$move" >&3
    while read -r line <&4; do
      case $line in *"\"ply\":$ply,\"uci\":\"$move\""*'"state":"made"'*) break ;; esac
    done
    echo "ACK $id $ply"
    sleep 0.2
  done
  sleep 1
  kill $! 2>/dev/null
  wait $!
  exec 3>&- 4<&-
done
