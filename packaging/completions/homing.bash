# Completion of homing, homingd and homing-relay for bash: asks the program itself what may follow.

_homing() {
    local offered word
    COMPREPLY=()
    offered=$(command "$1" __complete -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" "$2" 2>/dev/null) || return
    if [[ $offered == :files ]]; then
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$2")
        return
    fi
    while IFS=$'\t' read -r word _; do
        [[ -n $word && $word == "$2"* ]] && COMPREPLY+=("$word")
    done <<<"$offered"
}

complete -F _homing homing homingd homing-relay
