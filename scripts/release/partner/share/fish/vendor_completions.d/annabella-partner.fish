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
