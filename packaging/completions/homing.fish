# Completion of homing for fish.
# Made from the program's own table of options by `make documents`; changes here are lost.

function __homing_command --description 'The command that the line has so far'
    set -l words (commandline -opc)
    set -e words[1]
    set -l command ''
    while set -q words[1]
        switch "$command:$words[1]"
            case '*:--config' 'register:--url' 'register:--token-file' 'register:--name' 'send-location:--zone' 'notify:--title' 'notify:--data'
                set -e words[1]
            case ':register'
                set command 'register'
            case ':unregister'
                set command 'unregister'
            case ':status'
                set command 'status'
            case ':send-location'
                set command 'send-location'
            case ':notify'
                set command 'notify'
            case ':notifications'
                set command 'notifications'
            case ':config'
                set command 'config'
            case 'notifications:refresh'
                set command 'notifications refresh'
            case 'config:check'
                set command 'config check'
            case 'config:example'
                set command 'config example'
        end
        set -e words[1]
    end
    echo "$command"
end

complete -c homing -f
complete -c homing -l config -r -F -d 'Read this file, not agent.conf'
complete -c homing -s h -l help -d 'Show this help'
complete -c homing -l version -d 'Show the version'
complete -c homing -n 'test "$(__homing_command)" = ""' -a register -d 'Register this machine with Home Assistant'
complete -c homing -n 'test "$(__homing_command)" = ""' -a unregister -d 'Forget the registration; the queue is kept'
complete -c homing -n 'test "$(__homing_command)" = ""' -a status -d 'Show the way home, the position, the queue and what is wrong'
complete -c homing -n 'test "$(__homing_command)" = ""' -a send-location -d 'Report where this machine is, now'
complete -c homing -n 'test "$(__homing_command)" = ""' -a notify -d 'Show a notification, as one from Home Assistant would be'
complete -c homing -n 'test "$(__homing_command)" = ""' -a notifications -d 'refresh'
complete -c homing -n 'test "$(__homing_command)" = ""' -a config -d 'check or example'
complete -c homing -n 'test "$(__homing_command)" = "notifications"' -a refresh -d 'Ask Home Assistant anew for categories of actions'
complete -c homing -n 'test "$(__homing_command)" = "config"' -a check -d 'Check agent.conf and its drop-ins'
complete -c homing -n 'test "$(__homing_command)" = "config"' -a example -d 'Print a configuration with every key explained'
complete -c homing -n 'test "$(__homing_command)" = "register"' -l url -x -d 'Home Assistant\'s address: http://HOST:8123'
complete -c homing -n 'test "$(__homing_command)" = "register"' -l token-file -r -F -d 'Read the token from FILE; - is stdin'
complete -c homing -n 'test "$(__homing_command)" = "register"' -l name -x -d 'Name the device so, not as this machine'
complete -c homing -n 'test "$(__homing_command)" = "register"' -l again -d 'Replace the registration; identity and queue are kept'
complete -c homing -n 'test "$(__homing_command)" = "register"' -l no-home -d 'Do not record this network as home'
complete -c homing -n 'test "$(__homing_command)" = "register"' -l allow-unencrypted -d 'Go on although Home Assistant gives no secret'
complete -c homing -n 'test "$(__homing_command)" = "register"' -l allow-plain-http -d 'Send the token unencrypted to a host that is not local'
complete -c homing -n 'test "$(__homing_command)" = "status"' -l json -d 'Print JSON, for programs'
complete -c homing -n 'test "$(__homing_command)" = "status"' -s w -l watch -d 'Keep showing it as it changes'
complete -c homing -n 'test "$(__homing_command)" = "send-location"' -l zone -x -d 'Report this zone in place of a position: home, not_home, or its name'
complete -c homing -n 'test "$(__homing_command)" = "notify"' -l title -x -d 'Its title'
complete -c homing -n 'test "$(__homing_command)" = "notify"' -l data -x -d 'Its data, as an automation writes it'
