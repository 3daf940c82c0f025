# Completion of homing for bash.
# Made from the program's own table of options by `make documents`; changes here are lost.

_homing() {
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
            *:--config | 'setup':--url | 'setup':--token-file | 'setup':--name | 'register':--url | 'register':--token-file | 'register':--name | 'send-location':--zone) ((index++)) ;;
            '':setup) command='setup' ;;
            '':register) command='register' ;;
            '':unregister) command='unregister' ;;
            '':status) command='status' ;;
            '':send-location) command='send-location' ;;
            '':doctor) command='doctor' ;;
            '':config) command='config' ;;
            'config':check) command='config check' ;;
            'config':example) command='config example' ;;
        esac
    done
    case $command:$before in
        *:--config)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            return
            ;;
        'setup':--url) return ;;
        'setup':--token-file)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            return
            ;;
        'setup':--name) return ;;
        'register':--url) return ;;
        'register':--token-file)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            return
            ;;
        'register':--name) return ;;
        'send-location':--zone) return ;;
    esac
    case $command in
        '')
            words='setup register unregister status send-location doctor config'
            options='--config -h --help --version'
            ;;
        'config')
            words='check example'
            options='--config -h --help --version'
            ;;
        'setup')
            words=''
            options='--url --token-file --name --home --no-home --no-service --headless -y --yes --allow-unencrypted --allow-plain-http --config -h --help --version'
            ;;
        'register')
            words=''
            options='--url --token-file --name --again --no-home --allow-unencrypted --allow-plain-http --config -h --help --version'
            ;;
        'unregister')
            words=''
            options='--config -h --help --version'
            ;;
        'status')
            words=''
            options='--json -w --watch --config -h --help --version'
            ;;
        'send-location')
            words=''
            options='--zone --config -h --help --version'
            ;;
        'doctor')
            words=''
            options='--json --redact --config -h --help --version'
            ;;
        'config check')
            words=''
            options='--config -h --help --version'
            ;;
        'config example')
            words=''
            options='--config -h --help --version'
            ;;
    esac
    if [[ $word == -* || -z $words ]]; then
        words=$options
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _homing homing
