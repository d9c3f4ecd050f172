# Completion of nowsim in fish: the program says what can follow (nowsim complete), here it is put on the line.
# Installed in share/fish/vendor_completions.d; from a clone:  source tools/completion/nowsim.fish

# A path with the home folder for its '~'.
function __nowsim_at_home
    if string match -q '~/*' -- $argv[1]
        echo $HOME/(string sub -s 3 -- $argv[1])
    else
        echo $argv[1]
    end
end

function __nowsim_complete
    set -l typed (commandline -opc)
    set -l program (__nowsim_at_home $typed[1])
    set -l word (commandline -ct | string unescape)
    set -l answer ($program complete $typed[2..-1] "$word" 2>/dev/null)
    set -l files (string split ' ' -- (string replace ' goes-on' '' -- $answer[1]))
    set -l endings (string escape --style=regex -- $files[2..-1])
    string join \n -- $answer[2..-1]
    # Behind `key=` or `--flag=` the file begins.
    set -l before (string match -r '^.*=' -- $word; or echo '')
    set -l path (string replace -r '^.*=' '' -- $word)
    switch $files[1]
        case folders
            __fish_complete_directories $path | string replace -r '^' -- "$before"
        case files
            for found in (__nowsim_at_home $path)*
                if string match -q '~/*' -- $path
                    set found (string replace -- $HOME '~' $found)
                end
                if test -d (__nowsim_at_home $found)
                    echo $before$found/\tfolder
                else if test (count $files) -eq 1
                    echo $before$found
                else if string match -qr '('(string join '|' $endings)')$' -- $found
                    echo $before$found
                end
            end
    end
end

complete -c nowsim -f -k -a '(__nowsim_complete)'
