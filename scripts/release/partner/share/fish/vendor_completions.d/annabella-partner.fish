# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_annabella_partner_global_optspecs
    string join \n level= engine= engine-arg= colour= time= new config= folder= json pace= score= no-openings seed= h/help V/version
end

function __fish_annabella_partner_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_annabella_partner_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_annabella_partner_using_subcommand
    set -l cmd (__fish_annabella_partner_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -l level -d '1, a beginner, to 10, all that the engine has. 3 at first' -r
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -l engine -d 'The engine: a program in PATH or its file. Stockfish at first' -r
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -l engine-arg -d 'A word for the engine\'s own command line; several times for several' -r
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -l colour -l color -d 'Your colour, White at first' -r -f -a "white\t''
black\t''"
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -l time -d 'Time control, as in the configuration. "15+10" at first: a quarter of an hour, ten seconds a move' -r
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -l config -d 'Your configuration, for voice, board and language; without one ./annabella.toml, then ~/.config/annabella/annabella.toml' -r -F
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -l folder -d 'Folder of the games at home; ~/.local/state/annabella if not given' -r -F
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -l pace -d 'When it moves: as a person does, or as soon as it can' -r -f -a "life\t''
quick\t''"
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -l score -d 'Add each finished game to this file (PGN), as the partner saw it' -r -F
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -l seed -d 'Chooses openings and thinking times; the same seed, the same ones' -r
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -l new -d 'Begin a new game even if the last one was not finished'
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -l json -d 'Every output of the service as one JSON line'
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -l no-openings -d 'Let the engine find its openings too'
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -s h -l help -d 'Print help'
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -s V -l version -d 'Print version'
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -f -a "join" -d 'Sits down at a table that is there: a service with `at_home` in [game]'
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -f -a "engine" -d 'Says which engine is there, and what each level sets'
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -f -a "lichess" -d 'Plays against a person on Lichess'
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -f -a "friend" -d 'Plays against a person with the same program'
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -f -a "replay" -d 'Goes through a game of a PGN file by ear: "weiter", "zurück", "Anfang", "was steht auf Eva vier"'
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -f -a "puzzle" -d 'Puts the puzzle of the day from a file: PGN, or the table that Lichess publishes (CSV)'
complete -c annabella-partner -n "__fish_annabella_partner_needs_command" -f -a "review" -d 'Goes through the last game at home, or one of a file, and the engine names better moves'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand join" -l door -d 'The file of [console] program_code, in which the service writes its address and code' -r -F
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand join" -l address -d 'The address of the pages, as in 192.168.1.20:8080' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand join" -l code -d 'The assistant\'s code' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand join" -l level -d '1, a beginner, to 10, all that the engine has. 3 at first' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand join" -l engine -d 'The engine: a program in PATH or its file. Stockfish at first' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand join" -l engine-arg -d 'A word for the engine\'s own command line; several times for several' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand join" -l games -d 'Leave after so many games; never if not given' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand join" -l pace -d 'When it moves: as a person does, or as soon as it can' -r -f -a "life\t''
quick\t''"
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand join" -l score -d 'Add each finished game to this file (PGN), as the partner saw it' -r -F
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand join" -l seed -d 'Chooses openings and thinking times; the same seed, the same ones' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand join" -l no-openings -d 'Let the engine find its openings too'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand join" -s h -l help -d 'Print help'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand engine" -l engine -d 'The engine: a program in PATH or its file. Stockfish if not given' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand engine" -l engine-arg -d 'A word for the engine\'s own command line; several times for several' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand engine" -s h -l help -d 'Print help'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand lichess" -l challenge -d 'Challenge this account' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand lichess" -l accept -d 'Take the next challenge that comes, of this account or of anybody' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand lichess" -l time -d 'Time: minutes, and seconds a move' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand lichess" -l colour -l color -d 'Your colour; as it comes if not given' -r -f -a "white\t''
black\t''"
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand lichess" -l when-gone -d 'What is claimed when the opponent has left and does not come back' -r -f -a "victory\t''
draw\t''
wait\t'Nothing: his time runs'"
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand lichess" -l token-file -d 'Read the token from this file, which nobody else may read' -r -F
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand lichess" -l server -d 'Another server that speaks as Lichess does' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand lichess" -l config -d 'Your configuration, for voice, board and language; without one ./annabella.toml, then ~/.config/annabella/annabella.toml' -r -F
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand lichess" -l folder -d 'Folder of the games at home; ~/.local/state/annabella if not given' -r -F
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand lichess" -l rated -d 'The game counts for the rating'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand lichess" -l chat -d 'Say what the opponent writes'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand lichess" -l new-token -d 'Ask for another token, and keep it'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand lichess" -l json -d 'Every output of the service as one JSON line'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand lichess" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand friend" -l at -d 'Come to him: the machine on which he waits, and its port if it is another one. Where he was last if not given' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand friend" -l number-file -d 'Read the number from this file instead of the terminal' -r -F
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand friend" -l port -d 'The port at which you wait' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand friend" -l colour -l color -d 'Your colour; White at first, then another one each game. Whoever waits chooses' -r -f -a "white\t''
black\t''"
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand friend" -l time -d 'Time control, as in the configuration; the last one, "15+10" at first. Whoever waits chooses' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand friend" -l config -d 'Your configuration, for voice, board and language; without one ./annabella.toml, then ~/.config/annabella/annabella.toml' -r -F
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand friend" -l folder -d 'Folder of the games at home; ~/.local/state/annabella if not given' -r -F
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand friend" -l wait -d 'Wait for him, and keep the clock'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand friend" -l pair -d 'Pair again: one of you has a new machine'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand friend" -l new -d 'Begin a new game even if the last one was not finished'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand friend" -l json -d 'Every output of the service as one JSON line'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand friend" -s h -l help -d 'Print help'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand replay" -l number -d 'Which of its games; the first is 1' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand replay" -l config -d 'Your configuration, for voice, board and language; without one ./annabella.toml, then ~/.config/annabella/annabella.toml' -r -F
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand replay" -l folder -d 'Folder of the games at home; ~/.local/state/annabella if not given' -r -F
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand replay" -l json -d 'Every output of the service as one JSON line'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand replay" -s h -l help -d 'Print help'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand puzzle" -l number -d 'Which of its puzzles; the first is 1. Another one each day if not given' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand puzzle" -l config -d 'Your configuration, for voice, board and language; without one ./annabella.toml, then ~/.config/annabella/annabella.toml' -r -F
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand puzzle" -l folder -d 'Folder of the games at home; ~/.local/state/annabella if not given' -r -F
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand puzzle" -l json -d 'Every output of the service as one JSON line'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand puzzle" -s h -l help -d 'Print help'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand review" -l number -d 'Which of its games; the first is 1' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand review" -l config -d 'Your configuration, for voice, board and language; without one ./annabella.toml, then ~/.config/annabella/annabella.toml' -r -F
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand review" -l folder -d 'Folder of the games at home; ~/.local/state/annabella if not given' -r -F
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand review" -l engine -d 'The engine: a program in PATH or its file. The one played with last if not given' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand review" -l engine-arg -d 'A word for the engine\'s own command line; several times for several' -r
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand review" -l json -d 'Every output of the service as one JSON line'
complete -c annabella-partner -n "__fish_annabella_partner_using_subcommand review" -s h -l help -d 'Print help'
