# Completion of nowsim in fish: the program says what can follow (nowsim complete), here it is put on the line.
# Installed in share/fish/vendor_completions.d; from a clone:  source tools/completion/nowsim.fish

function __nowsim_complete
    set -l typed (commandline -opc)
    set -l program $typed[1]
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
            for found in $path*
                if test -d $found
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
