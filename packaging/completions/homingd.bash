# Completion of homingd for bash.
# Made from the program's own table of options by `make documents`; changes here are lost.

_homingd() {
    local command= index words= options=
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    # bash makes --option=value three words.
    if [[ $word == = ]]; then
        word=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    COMPREPLY=()
    for ((index = 1; index < COMP_CWORD; index++)); do
        case $command:${COMP_WORDS[index]} in
            '':--config | '':--log-level) ((index++)) ;;
        esac
    done
    case $command:$before in
        '':--config)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            return
            ;;
        '':--log-level)
            mapfile -t COMPREPLY < <(compgen -W 'error warning notice info debug' -- "$word")
            return
            ;;
    esac
    case $command in
        '')
            words=''
            options='--config --log-level -h --help --version'
            ;;
    esac
    if [[ $word == -* || -z $words ]]; then
        words=$options
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _homingd homingd
