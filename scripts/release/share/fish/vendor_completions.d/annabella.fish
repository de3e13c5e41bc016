# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_annabella_global_optspecs
    string join \n h/help V/version
end

function __fish_annabella_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_annabella_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_annabella_using_subcommand
    set -l cmd (__fish_annabella_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c annabella -n "__fish_annabella_needs_command" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_needs_command" -s V -l version -d 'Print version'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "demo" -d 'Plays a real game on simulated boards and a simulated clock, spoken'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "play" -d 'Runs the service at the board'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "setup" -d 'Sets up by ear: language, voice, sound, board, clock, time control'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "board" -d 'Shows the peg board\'s live squares, and tests its reeds'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "say" -d 'Announces a move, as text and as sound'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "games" -d 'Lists, shows, exports and adjourns recorded games'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "hall" -d 'Joins the boards of an event over NATS'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "partner" -d 'Plays for the sighted player at home; never in a tournament'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "listen" -d 'Recognises words and moves in recordings, or from the microphone'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "doctor" -d 'Checks board, sound and machine, and says how to mend each fault'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "enrol" -d 'Learns a player\'s voice from thirty sentences, by ear alone'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "donate" -d 'Gives your voice: words of chess for speech models to learn from, by ear alone'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "practice" -d 'Practises the words of the game, spoken or typed'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "measure" -d 'Measures how well recordings are understood, and by which model better'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "infer" -d 'Turns sensor events into moves, as JSON lines'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "words" -d 'Lists, adds or builds the words of the built-in speech model'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "reconcile" -d 'Settles two boards that differ: who corrects what (D.2.9)'
complete -c annabella -n "__fish_annabella_needs_command" -f -a "simulate" -d 'Simulates a device, to try other programs against'
complete -c annabella -n "__fish_annabella_using_subcommand play" -l config -d 'Configuration; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml and the installed service\'s' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand play" -l game -d 'Go on with this game of the journal: `annabella games list` numbers them' -r
complete -c annabella -n "__fish_annabella_using_subcommand play" -l take-over -d 'Take the place of a broken board of the hall, as in hall:17: its last game is fetched and goes on here, and the configuration makes this one board 17 from then on' -r
complete -c annabella -n "__fish_annabella_using_subcommand play" -l kept-on -d 'The folder of the records is a file system of its own; where it is not mounted, what is recorded does not last, and every blind player is told' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand play" -l passphrase-file -d 'The passphrase that seals the move when the arbiter adjourns the game (I.1): the first line of a file' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand play" -l new -d 'Begin a new game even if the last one in the journal was not finished'
complete -c annabella -n "__fish_annabella_using_subcommand play" -l taken -d 'Go on with the game that was taken over just now'
complete -c annabella -n "__fish_annabella_using_subcommand play" -l setup -d 'Set every game up by voice, keys or typed words first; as `[game] setup = true`'
complete -c annabella -n "__fish_annabella_using_subcommand play" -l first-boot -d 'First set up by ear, as `annabella setup` does, if there is no configuration yet or the repeat button is held for three seconds'
complete -c annabella -n "__fish_annabella_using_subcommand play" -l json -d 'Every output as one JSON line'
complete -c annabella -n "__fish_annabella_using_subcommand play" -l qr -d 'Draw a QR code of the arbiter\'s page and one of the assistant\'s, for a telephone\'s camera'
complete -c annabella -n "__fish_annabella_using_subcommand play" -l with-parent -d 'Stop when the program that started this has ended, however it ended'
complete -c annabella -n "__fish_annabella_using_subcommand play" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand setup" -l config -d 'Configuration; the answers are written into it. The old file is kept beside it as .bak. Without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml and the installed service\'s, or a new ./annabella.toml' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand setup" -l simulate -d 'A simulated room, and a person whose lines come from standard input; nothing is written but what would be' -r
complete -c annabella -n "__fish_annabella_using_subcommand setup" -l typed -d 'Answers are typed, one a line; nothing but Enter takes the answer that is offered'
complete -c annabella -n "__fish_annabella_using_subcommand setup" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand board; and not __fish_seen_subcommand_from watch test" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand board; and not __fish_seen_subcommand_from watch test" -f -a "watch" -d 'Live squares'
complete -c annabella -n "__fish_annabella_using_subcommand board; and not __fish_seen_subcommand_from watch test" -f -a "test" -d 'Guided self-test of the 64 reeds, spoken; finds and writes how they are wired'
complete -c annabella -n "__fish_annabella_using_subcommand board; and __fish_seen_subcommand_from watch" -l config -d 'Configuration; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml and the installed service\'s' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand board; and __fish_seen_subcommand_from watch" -l seconds -d 'End after this many seconds, and report how punctual the readings were' -r
complete -c annabella -n "__fish_annabella_using_subcommand board; and __fish_seen_subcommand_from watch" -l black -d 'The board of Black where both players are blind: `[board_black]`'
complete -c annabella -n "__fish_annabella_using_subcommand board; and __fish_seen_subcommand_from watch" -l plain -d 'One short line a change, for screen readers and Braille displays'
complete -c annabella -n "__fish_annabella_using_subcommand board; and __fish_seen_subcommand_from watch" -l json -d 'The lines that `infer` reads'
complete -c annabella -n "__fish_annabella_using_subcommand board; and __fish_seen_subcommand_from watch" -l simulate -d 'A simulated board, at which somebody plays 1. e4 e5 again and again'
complete -c annabella -n "__fish_annabella_using_subcommand board; and __fish_seen_subcommand_from watch" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand board; and __fish_seen_subcommand_from test" -l config -d 'Configuration; the findings are written into it. The old file is kept beside it as .bak' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand board; and __fish_seen_subcommand_from test" -l strip -d 'One strip of shift registers, 1 to 8, as it is soldered: alone on the Pi\'s cable, or joined to those before it. Nothing is written' -r
complete -c annabella -n "__fish_annabella_using_subcommand board; and __fish_seen_subcommand_from test" -l faults -d 'Faults of the simulated board: swapped=2-3, turned=4 and silent=4 (strips), open=c5, stuck=c5, bridge=d6-e6, cut=7 (the chain, before that strip)' -r
complete -c annabella -n "__fish_annabella_using_subcommand board; and __fish_seen_subcommand_from test" -l black -d 'The board of Black where both players are blind: `[board_black]`'
complete -c annabella -n "__fish_annabella_using_subcommand board; and __fish_seen_subcommand_from test" -l dry-run -d 'Write nothing'
complete -c annabella -n "__fish_annabella_using_subcommand board; and __fish_seen_subcommand_from test" -l simulate -d 'A simulated board, and a builder who does what is asked; nothing is written'
complete -c annabella -n "__fish_annabella_using_subcommand board; and __fish_seen_subcommand_from test" -l json -d 'Every line as JSON'
complete -c annabella -n "__fish_annabella_using_subcommand board; and __fish_seen_subcommand_from test" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand say" -l fen -d 'Position before the move; the usual start if not given' -r
complete -c annabella -n "__fish_annabella_using_subcommand say" -l words -d 'Move language: fide, de, en, ru, fr, es, pl, lt' -r
complete -c annabella -n "__fish_annabella_using_subcommand say" -l wav -d 'Write the sound to this file' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand say" -l rate -d 'Words a minute, 80 to 450' -r
complete -c annabella -n "__fish_annabella_using_subcommand say" -l short -d 'Leave out what the position makes clear'
complete -c annabella -n "__fish_annabella_using_subcommand say" -l json -d 'One JSON line instead of the text'
complete -c annabella -n "__fish_annabella_using_subcommand say" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand games; and not __fish_seen_subcommand_from list show replay export adjourn envelope open conclude repair" -l config -d 'Configuration that names the journal; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml and the installed service\'s' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and not __fish_seen_subcommand_from list show replay export adjourn envelope open conclude repair" -l journal -d 'The journal itself' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and not __fish_seen_subcommand_from list show replay export adjourn envelope open conclude repair" -l json -d 'As JSON: list, show and replay'
complete -c annabella -n "__fish_annabella_using_subcommand games; and not __fish_seen_subcommand_from list show replay export adjourn envelope open conclude repair" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand games; and not __fish_seen_subcommand_from list show replay export adjourn envelope open conclude repair" -f -a "list" -d 'All games, a line each; or those that are asked for'
complete -c annabella -n "__fish_annabella_using_subcommand games; and not __fish_seen_subcommand_from list show replay export adjourn envelope open conclude repair" -f -a "show" -d 'One game: each move with its moments, and what went wrong'
complete -c annabella -n "__fish_annabella_using_subcommand games; and not __fish_seen_subcommand_from list show replay export adjourn envelope open conclude repair" -f -a "replay" -d 'One game played again, input by input; with `--rules` what followed by itself'
complete -c annabella -n "__fish_annabella_using_subcommand games; and not __fish_seen_subcommand_from list show replay export adjourn envelope open conclude repair" -f -a "export" -d 'One game as a file for others, to standard output'
complete -c annabella -n "__fish_annabella_using_subcommand games; and not __fish_seen_subcommand_from list show replay export adjourn envelope open conclude repair" -f -a "adjourn" -d 'Adjourn a game: seal the move, say when and where it goes on (Guideline I)'
complete -c annabella -n "__fish_annabella_using_subcommand games; and not __fish_seen_subcommand_from list show replay export adjourn envelope open conclude repair" -f -a "envelope" -d 'The envelope of an adjourned game, as a page to print (I.2)'
complete -c annabella -n "__fish_annabella_using_subcommand games; and not __fish_seen_subcommand_from list show replay export adjourn envelope open conclude repair" -f -a "open" -d 'Open the envelope: the game can be resumed (I.7 to I.12)'
complete -c annabella -n "__fish_annabella_using_subcommand games; and not __fish_seen_subcommand_from list show replay export adjourn envelope open conclude repair" -f -a "conclude" -d 'End an adjourned game that is not resumed (I.6, I.12.2)'
complete -c annabella -n "__fish_annabella_using_subcommand games; and not __fish_seen_subcommand_from list show replay export adjourn envelope open conclude repair" -f -a "repair" -d 'Save what can be read of a damaged journal into a new one, and name what is lost'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from list" -l last -d 'Only so many, the newest' -r
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from list" -l config -d 'Configuration that names the journal; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml and the installed service\'s' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from list" -l journal -d 'The journal itself' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from list" -l unfinished -d 'Only games that have not ended'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from list" -l json -d 'As JSON: list, show and replay'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from show" -l config -d 'Configuration that names the journal; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml and the installed service\'s' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from show" -l journal -d 'The journal itself' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from show" -l json -d 'As JSON: list, show and replay'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from replay" -l config -d 'Configuration that names the journal; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml and the installed service\'s' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from replay" -l journal -d 'The journal itself' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from replay" -l rules -d 'Also the rules of the Laws that fired by themselves'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from replay" -l json -d 'As JSON: list, show and replay'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from replay" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from export" -l lang -d 'Words on score sheets and report; Braille has German and English' -r -f -a "de\t''
en\t''
es\t''
fr\t''
lt\t''
pl\t''
ru\t''"
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from export" -l config -d 'Configuration that names the journal; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml and the installed service\'s' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from export" -l journal -d 'The journal itself' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from export" -l pgn -d 'Portable game notation with clock times (the default)'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from export" -l sheet -d 'Both players\' score sheets'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from export" -l report -d 'The arbiter\'s report: problems, decisions, the game move by move'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from export" -l braille -d 'The blind player\'s score in Braille, for an embosser (BRF)'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from export" -l html -d 'Score sheets or report as a page that prints on A4'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from export" -l unicode -d 'Braille as Unicode\'s patterns'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from export" -l json -d 'As JSON: list, show and replay'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from adjourn" -l arbiter -d 'The arbiter\'s name' -r
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from adjourn" -l date -d 'Date of the resumption' -r
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from adjourn" -l time -d 'Time of the resumption' -r
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from adjourn" -l place -d 'Place of the resumption' -r
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from adjourn" -l session-left -d 'The player adjourns this many minutes before the end of the session (I.1.2)' -r
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from adjourn" -l offered -d 'A player has offered a draw after the sealing (I.4)' -r -f -a "white\t''
black\t''"
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from adjourn" -l passphrase-file -d 'The passphrase: first line of this file. Without it, it is asked for' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from adjourn" -l move-file -d 'The move to be sealed, as its player writes it: first line of this file. Without it, it is asked for' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from adjourn" -l config -d 'Configuration that names the journal; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml and the installed service\'s' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from adjourn" -l journal -d 'The journal itself' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from adjourn" -l invite -d 'Only ask for the move: it is sealed at the board (`annabella play --passphrase-file`)'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from adjourn" -l paper -d 'The move lies on paper, in an envelope of the arbiter\'s'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from adjourn" -l reply -d 'The move replies to a player who has not come (I.9.3)'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from adjourn" -l withdraw -d 'Take the invitation back: the game goes on'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from adjourn" -l declined -d 'The offer has been declined'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from adjourn" -l json -d 'As JSON: list, show and replay'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from adjourn" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from envelope" -l lang -d 'Words on the envelope' -r -f -a "de\t''
en\t''
es\t''
fr\t''
lt\t''
pl\t''
ru\t''"
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from envelope" -l config -d 'Configuration that names the journal; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml and the installed service\'s' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from envelope" -l journal -d 'The journal itself' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from envelope" -l age -d 'The sealed move itself, encrypted, as an age file'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from envelope" -l json -d 'As JSON: list, show and replay'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from envelope" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from open" -l arbiter -d 'The arbiter\'s name' -r
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from open" -l passphrase-file -d 'The passphrase: first line of this file. Without it, it is asked for' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from open" -l written -d 'The move on paper, exactly as it is written' -r
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from open" -l read-as -d 'The arbiter reads the sealed move, which cannot be played as written, as this one (UCI)' -r
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from open" -l confirm -d 'The arbiter decides about a sealed move that cannot be played as it was put before him (I.8): the first of what was proposed, or the one of this number' -r
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from open" -l reason -d 'The reason for the arbiter\'s decision' -r
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from open" -l clocks -d 'White\'s and Black\'s time where the recorded ones are wrong (I.13): h:mm:ss,h:mm:ss' -r
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from open" -l config -d 'Configuration that names the journal; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml and the installed service\'s' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from open" -l journal -d 'The journal itself' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from open" -l lost -d 'The envelope is lost or does not open: from the adjourned position (I.12.1)'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from open" -l start-clock -d 'The player who must reply has not come: his clock is started and the envelope stays closed (I.9.2). His time runs on the arbiter\'s clock; give it with --clocks when you open'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from open" -l json -d 'As JSON: list, show and replay'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from open" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from conclude" -l arbiter -d 'The arbiter\'s name' -r
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from conclude" -l resigned -d 'This player has resigned' -r -f -a "white\t''
black\t''"
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from conclude" -l config -d 'Configuration that names the journal; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml and the installed service\'s' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from conclude" -l journal -d 'The journal itself' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from conclude" -l draw -d 'The players have agreed to a draw'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from conclude" -l annulled -d 'Nobody knows the position: the game is annulled and played again'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from conclude" -l json -d 'As JSON: list, show and replay'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from conclude" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from repair" -l config -d 'Configuration that names the journal; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml and the installed service\'s' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from repair" -l journal -d 'The journal itself' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from repair" -l json -d 'As JSON: list, show and replay'
complete -c annabella -n "__fish_annabella_using_subcommand games; and __fish_seen_subcommand_from repair" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand listen" -l wav -d 'Recordings, one utterance each' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand listen" -l mic -d 'The microphone (a device\'s name, or the default one), with its level, until stopped' -r
complete -c annabella -n "__fish_annabella_using_subcommand listen" -l seconds -d 'Stop listening to the microphone after this many seconds' -r
complete -c annabella -n "__fish_annabella_using_subcommand listen" -l fen -d 'Position in which it was said; the usual start if not given' -r
complete -c annabella -n "__fish_annabella_using_subcommand listen" -l model -d 'Folder of a Vosk model, built-in, or official; the one that the service would take if not given' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand listen" -l words -d 'Move language' -r
complete -c annabella -n "__fish_annabella_using_subcommand listen" -l prompts -d 'Language of requests and answers' -r
complete -c annabella -n "__fish_annabella_using_subcommand listen" -l confusions -d 'Words that are mistaken for one another in this player\'s voice, as --learn writes them' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand listen" -l learn -d 'Learn from the recordings: beside each lies its text (FILE.txt). Writes what is mistaken for what to this file' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand listen" -l plain -d 'The level as a sentence a second, for a screen reader; no bar'
complete -c annabella -n "__fish_annabella_using_subcommand listen" -l json -d 'JSON lines. This is the default; the option is for scripts that always pass it'
complete -c annabella -n "__fish_annabella_using_subcommand listen" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand doctor" -l config -d 'Configuration; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml and the installed service\'s' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand doctor" -l seconds -d 'Listen to the microphone for this many seconds: speak meanwhile. 0 leaves it out' -r
complete -c annabella -n "__fish_annabella_using_subcommand doctor" -l json -d 'One JSON line a check'
complete -c annabella -n "__fish_annabella_using_subcommand doctor" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand enrol" -l config -d 'Configuration; settings that help are written into it. The old file is kept beside it as .bak' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand enrol" -l profile -d 'Folder for what is learnt; beside the journal if not given' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand enrol" -l from -d 'Recordings made before (a folder with corpus.tsv) instead of the microphone' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand enrol" -l sentences -d 'How many sentences' -r
complete -c annabella -n "__fish_annabella_using_subcommand enrol" -l player -d 'The player\'s name in the list of recordings' -r
complete -c annabella -n "__fish_annabella_using_subcommand enrol" -l seat -d 'Whose voice it is, where two blind players play each other. What Black mistakes is written apart, as `[speech] confusions_black`; the model and `[hearing]` are White\'s, or both\'s' -r -f -a "white\t'White, or the only one'
black\t'Black'"
complete -c annabella -n "__fish_annabella_using_subcommand enrol" -l dry-run -d 'Write nothing, keep nothing'
complete -c annabella -n "__fish_annabella_using_subcommand enrol" -l json -d 'Every line as JSON'
complete -c annabella -n "__fish_annabella_using_subcommand enrol" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annabella -n "__fish_annabella_using_subcommand donate" -l config -d 'Configuration: languages, microphone, voice' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand donate" -l folder -d 'Folder in which each person gets a folder; annabella-voices in your home if not given' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand donate" -l speaker -d 'The name in the list, made of small letters, digits and hyphens: a new one, or one that goes on. If not given, one is offered' -r
complete -c annabella -n "__fish_annabella_using_subcommand donate" -l check -d 'Check a person\'s folder, or a folder of such folders: files, format, levels, and what is heard in them' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand donate" -l delete -d 'Delete a person\'s folder and its archive'
complete -c annabella -n "__fish_annabella_using_subcommand donate" -l json -d 'Every line as JSON'
complete -c annabella -n "__fish_annabella_using_subcommand donate" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand practice" -l config -d 'Configuration; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml and the installed service\'s' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand practice" -l unit -d 'What is practised; several times for several. Asked for if not given' -r -f -a "files\t'The names of the files'
ranks\t'The numbers of the ranks'
pieces\t'The names of the pieces'
castling\t'Castling on both sides'
promotion\t'A pawn that becomes another piece'
moves\t'Whole announcements of every kind of move'
requests\t'Requests, as "my time" or "offer a draw"'
answers\t'Yes, no, stop, repeat, cancel, correction'"
complete -c annabella -n "__fish_annabella_using_subcommand practice" -l typed -d 'Do not listen: the words are typed'
complete -c annabella -n "__fish_annabella_using_subcommand practice" -l json -d 'Every line as JSON'
complete -c annabella -n "__fish_annabella_using_subcommand practice" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annabella -n "__fish_annabella_using_subcommand infer" -l fen -d 'Position that the board starts from (FEN); the usual one if not given' -r
complete -c annabella -n "__fish_annabella_using_subcommand infer" -l words -d 'Pack in whose words moves are announced, besides any notation of Appendix C' -r
complete -c annabella -n "__fish_annabella_using_subcommand infer" -l debounce-ms -d 'Contacts shorter than this are bounce, milliseconds' -r
complete -c annabella -n "__fish_annabella_using_subcommand infer" -l settle-ms -d 'Stillness that makes a move executed, milliseconds' -r
complete -c annabella -n "__fish_annabella_using_subcommand infer" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand words; and not __fish_seen_subcommand_from list add build" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand words; and not __fish_seen_subcommand_from list add build" -f -a "list" -d 'Every word with its pronunciations, in SAMPA'
complete -c annabella -n "__fish_annabella_using_subcommand words; and not __fish_seen_subcommand_from list add build" -f -a "add" -d 'Adds a word, without training'
complete -c annabella -n "__fish_annabella_using_subcommand words; and not __fish_seen_subcommand_from list add build" -f -a "build" -d 'A model that hears every word of a language pack, and what it heard before'
complete -c annabella -n "__fish_annabella_using_subcommand words; and __fish_seen_subcommand_from list" -l model -d 'The model\'s folder; the built-in one if not given' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand words; and __fish_seen_subcommand_from list" -l json -d 'One JSON line a word instead of text'
complete -c annabella -n "__fish_annabella_using_subcommand words; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand words; and __fish_seen_subcommand_from add" -l model -d 'The model\'s folder; the built-in one if not given' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand words; and __fish_seen_subcommand_from add" -l out -d 'Write a new folder and leave the old one alone' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand words; and __fish_seen_subcommand_from add" -l replace -d 'Give a word that is there already these pronunciations instead of its own'
complete -c annabella -n "__fish_annabella_using_subcommand words; and __fish_seen_subcommand_from add" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand words; and __fish_seen_subcommand_from build" -l pack -d 'The language pack: de' -r
complete -c annabella -n "__fish_annabella_using_subcommand words; and __fish_seen_subcommand_from build" -l model -d 'The model to start from; the built-in one if not given' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand words; and __fish_seen_subcommand_from build" -l out -d 'The folder for the new one; may be the same' -r -F
complete -c annabella -n "__fish_annabella_using_subcommand words; and __fish_seen_subcommand_from build" -l unknown-cost -d 'How much dearer than a word other speech is. A higher value lets badly spoken words through, and more of other people\'s talk. The negative natural logarithm of a probability' -r
complete -c annabella -n "__fish_annabella_using_subcommand words; and __fish_seen_subcommand_from build" -s h -l help -d 'Print help'
complete -c annabella -n "__fish_annabella_using_subcommand reconcile" -l lang -d 'Language of the explanation; in those other than English as the pages have it' -r -f -a "de\t''
en\t''
es\t''
fr\t''
lt\t''
pl\t''
ru\t''"
complete -c annabella -n "__fish_annabella_using_subcommand reconcile" -s h -l help -d 'Print help'
