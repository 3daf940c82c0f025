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
            *:--config | *:--home | 'setup':--url | 'setup':--token-file | 'setup':--name | 'register':--url | 'register':--token-file | 'register':--name | 'registration update':--name | 'send-location':--zone | 'track':--since | 'track':--until | 'track':--format | 'notify':--title | 'notify':--data | 'event':--data | 'event':--expires | 'call':--data | 'say':--language | 'template':--variable) ((index++)) ;;
            '':setup) command='setup' ;;
            '':register) command='register' ;;
            '':registration) command='registration' ;;
            '':unregister) command='unregister' ;;
            '':homes) command='homes' ;;
            '':status) command='status' ;;
            '':send-location) command='send-location' ;;
            '':track) command='track' ;;
            '':notify) command='notify' ;;
            '':notifications) command='notifications' ;;
            '':doctor) command='doctor' ;;
            '':event) command='event' ;;
            '':call) command='call' ;;
            '':tag) command='tag' ;;
            '':say) command='say' ;;
            '':template) command='template' ;;
            '':zones) command='zones' ;;
            '':camera) command='camera' ;;
            '':config) command='config' ;;
            'notifications':receive) command='notifications receive' ;;
            'notifications':refresh) command='notifications refresh' ;;
            'config':home-assistant) command='config home-assistant' ;;
            'config':check) command='config check' ;;
            'config':example) command='config example' ;;
            'registration':update) command='registration update' ;;
            'registration':encrypt) command='registration encrypt' ;;
            'homes':rename) command='homes rename' ;;
            'homes':remove) command='homes remove' ;;
        esac
    done
    case $command:$before in
        *:--config)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            return
            ;;
        *:--home) return ;;
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
        'registration update':--name) return ;;
        'send-location':--zone) return ;;
        'track':--since) return ;;
        'track':--until) return ;;
        'track':--format)
            mapfile -t COMPREPLY < <(compgen -W 'gpx geojson csv' -- "$word")
            return
            ;;
        'notify':--title) return ;;
        'notify':--data) return ;;
        'event':--data) return ;;
        'event':--expires) return ;;
        'call':--data) return ;;
        'say':--language) return ;;
        'template':--variable) return ;;
    esac
    case $command in
        '')
            words='setup register registration unregister homes status send-location track notify notifications doctor event call tag say template zones camera config'
            options='--config --home -h --help --version'
            ;;
        'notifications')
            words='receive refresh'
            options='--config --home -h --help --version'
            ;;
        'config')
            words='home-assistant check example'
            options='--config --home -h --help --version'
            ;;
        'setup')
            words=''
            options='--url --token-file --name --home-network --no-home-network --no-service --headless -y --yes --allow-unencrypted --allow-plain-http --config --home -h --help --version'
            ;;
        'register')
            words=''
            options='--url --token-file --name --again --new --home-network --no-home-network --allow-unencrypted --allow-plain-http --config --home -h --help --version'
            ;;
        'registration')
            words='update encrypt'
            options='--json --config --home -h --help --version'
            ;;
        'registration update')
            words=''
            options='--name --json --config --home -h --help --version'
            ;;
        'registration encrypt')
            words=''
            options='-y --yes --json --config --home -h --help --version'
            ;;
        'unregister')
            words=''
            options='-y --yes --config --home -h --help --version'
            ;;
        'homes')
            words='rename remove'
            options='--json --config --home -h --help --version'
            ;;
        'homes rename')
            words=''
            options='--config --home -h --help --version'
            ;;
        'homes remove')
            words=''
            options='-y --yes --config --home -h --help --version'
            ;;
        'status')
            words=''
            options='--json -w --watch --config --home -h --help --version'
            ;;
        'send-location')
            words=''
            options='--zone --unknown-zone --config --home -h --help --version'
            ;;
        'track')
            words=''
            options='--since --until --format --json --config --home -h --help --version'
            ;;
        'notify')
            words=''
            options='--title --data --config --home -h --help --version'
            ;;
        'notifications receive')
            words=''
            options='--config --home -h --help --version'
            ;;
        'notifications refresh')
            words=''
            options='--config --home -h --help --version'
            ;;
        'doctor')
            words=''
            options='--json --redact --config --home -h --help --version'
            ;;
        'event')
            words=''
            options='--data --wait --expires --json --config --home -h --help --version'
            ;;
        'call')
            words=''
            options='--data --json --config --home -h --help --version'
            ;;
        'tag')
            words=''
            options='--json --config --home -h --help --version'
            ;;
        'say')
            words=''
            options='--new --language --json --config --home -h --help --version'
            ;;
        'template')
            words=''
            options='--variable --json --config --home -h --help --version'
            ;;
        'zones')
            words=''
            options='--json --config --home -h --help --version'
            ;;
        'camera')
            words=''
            options='--json --config --home -h --help --version'
            ;;
        'config home-assistant')
            words=''
            options='--json --config --home -h --help --version'
            ;;
        'config check')
            words=''
            options='--config --home -h --help --version'
            ;;
        'config example')
            words=''
            options='--config --home -h --help --version'
            ;;
    esac
    if [[ $word == -* || -z $words ]]; then
        words=$options
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _homing homing
