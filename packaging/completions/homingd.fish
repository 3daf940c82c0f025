# Completion of homingd for fish.
# Made from the program's own table of options by `make documents`; changes here are lost.

function __homingd_command --description 'The command that the line has so far'
    set -l words (commandline -opc)
    set -e words[1]
    set -l command ''
    while set -q words[1]
        switch "$command:$words[1]"
            case ':--config' ':--log-level'
                set -e words[1]
        end
        set -e words[1]
    end
    echo "$command"
end

complete -c homingd -f
complete -c homingd -s h -l help -d 'Show this help'
complete -c homingd -l version -d 'Show the version'
complete -c homingd -n 'test "$(__homingd_command)" = ""' -l config -r -F -d 'Read this file instead of agent.conf'
complete -c homingd -n 'test "$(__homingd_command)" = ""' -l log-level -x -a 'error warning notice info debug' -d 'How much to log, whatever the configuration says'
