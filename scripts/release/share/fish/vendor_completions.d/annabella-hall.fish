# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_annabella_hall_global_optspecs
    string join \n url= credentials= event= listen= with= store= keys= open pgn= games= delay= pairings= round= fixed-board= results= page= no-page certificate= key= language= public json h/help V/version
end

function __fish_annabella_hall_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_annabella_hall_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_annabella_hall_using_subcommand
    set -l cmd (__fish_annabella_hall_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l url -d 'The organiser\'s nats-server with JetStream, as in nats://192.168.4.1:4222' -r
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l credentials -d 'A key of `annabella hall keys` or a .creds file, where that server asks for one' -r -F
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l event -d 'The event, as the boards have it: letters a to z, digits and hyphens' -r
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l listen -d 'Where the own server listens; only this machine reaches 127.0.0.1. Any other address needs --keys or --open' -r
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l with -d 'Another machine of this hall, where its server is for boards, as in 192.168.4.2:4222; given twice, all three machines keep every row, and two go on without the third. They find each other at a port 2000 higher' -r
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l store -d 'The folder in which the own server keeps every row' -r -F
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l keys -d 'The folder that `annabella hall keys` has made: the own server asks for these keys, and lines are encrypted' -r -F
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l pgn -d 'Write the games, the last one of each board, into this PGN file, with their clocks' -r -F
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l games -d 'Write each game into a file of its own in this folder' -r -F
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l delay -d 'The written games are so old, seconds' -r
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l pairings -d 'The pairings of the round: a report file (TRF16), or a table (CSV) with the columns board, white, black' -r -F
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l round -d 'The round of a report file' -r
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l fixed-board -d 'A player of a report file who sits at one board whatever the pairing: his starting rank and the board, as in 17=5' -r
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l results -d 'Write the results into this file, in the form of the pairings' -r -F
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l page -d 'The page of the hall, for arbiters; only this machine reaches 127.0.0.1' -r
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l certificate -d 'The page\'s certificate (PEM), so that nobody in the network reads along' -r -F
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l key -d 'The key of that certificate (PEM)' -r -F
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l language -d 'The page\'s language where a browser asks for none that is there: a pack\'s name' -r
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l open -d 'Everybody in the network may write and read everything'
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l no-page -d 'No page'
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l public -d 'Everybody gets the games at /games.pgn of the page, without a code'
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -l json -d 'Every change of a board as one JSON line'
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -s h -l help -d 'Print help'
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -s V -l version -d 'Print version'
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -f -a "keys" -d 'Makes the keys of an event, and takes a lost one away'
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -f -a "compare" -d 'Compares a board\'s journal with its rows in the hall, which the board has signed'
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -f -a "wire" -d 'Sends a board\'s journal; the service at the board starts it and tells it what it needs'
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -f -a "fetch" -d 'Fetches a board\'s last game; `annabella play --take-over` asks it'
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -f -a "pairing" -d 'Says who is paired at a board; the service at the board asks it'
complete -c annabella-hall -n "__fish_annabella_hall_needs_command" -f -a "look" -d 'Looks whether the hall takes a board\'s rows; `annabella doctor` asks it'
complete -c annabella-hall -n "__fish_annabella_hall_using_subcommand keys" -l event -d 'The event, as the boards have it; may be left out where its keys are there' -r
complete -c annabella-hall -n "__fish_annabella_hall_using_subcommand keys" -l boards -d 'The boards, as in 1-500 or 1-40,101' -r
complete -c annabella-hall -n "__fish_annabella_hall_using_subcommand keys" -l spares -d 'So many spare boards: each can become any board' -r
complete -c annabella-hall -n "__fish_annabella_hall_using_subcommand keys" -l folder -d 'The folder with all keys. Whoever has it is the hall' -r -F
complete -c annabella-hall -n "__fish_annabella_hall_using_subcommand keys" -l at -d 'A name or address under which boards reach the server; may be given more than once' -r
complete -c annabella-hall -n "__fish_annabella_hall_using_subcommand keys" -l revoke -d 'Take this key away, and make a new one in its place: 17 (a board), spare-1, hall, arbiter or reader' -r
complete -c annabella-hall -n "__fish_annabella_hall_using_subcommand keys" -s h -l help -d 'Print help'
complete -c annabella-hall -n "__fish_annabella_hall_using_subcommand compare" -l board -d 'The board' -r
complete -c annabella-hall -n "__fish_annabella_hall_using_subcommand compare" -l event -d 'The event, as the boards have it' -r
complete -c annabella-hall -n "__fish_annabella_hall_using_subcommand compare" -l url -d 'The hall\'s server' -r
complete -c annabella-hall -n "__fish_annabella_hall_using_subcommand compare" -l credentials -d 'The hall\'s, an arbiter\'s or a reader\'s key, where the server asks for one' -r -F
complete -c annabella-hall -n "__fish_annabella_hall_using_subcommand compare" -s h -l help -d 'Print help'
complete -c annabella-hall -n "__fish_annabella_hall_using_subcommand wire" -s h -l help -d 'Print help'
complete -c annabella-hall -n "__fish_annabella_hall_using_subcommand fetch" -s h -l help -d 'Print help'
complete -c annabella-hall -n "__fish_annabella_hall_using_subcommand pairing" -s h -l help -d 'Print help'
complete -c annabella-hall -n "__fish_annabella_hall_using_subcommand look" -s h -l help -d 'Print help'
