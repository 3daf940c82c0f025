# Completion of homing for fish.
# Made from the program's own table of options by `make documents`; changes here are lost.

function __homing_command --description 'The command that the line has so far'
    set -l words (commandline -opc)
    set -e words[1]
    set -l command ''
    while set -q words[1]
        switch "$command:$words[1]"
            case '*:--config' 'setup:--url' 'setup:--token-file' 'setup:--name' 'register:--url' 'register:--token-file' 'register:--name' 'send-location:--zone'
                set -e words[1]
            case ':setup'
                set command 'setup'
            case ':register'
                set command 'register'
            case ':unregister'
                set command 'unregister'
            case ':status'
                set command 'status'
            case ':send-location'
                set command 'send-location'
            case ':doctor'
                set command 'doctor'
            case ':config'
                set command 'config'
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
complete -c homing -n 'test "$(__homing_command)" = ""' -a setup -d 'Pair this machine with Home Assistant, step by step'
complete -c homing -n 'test "$(__homing_command)" = ""' -a register -d 'Register this machine with Home Assistant'
complete -c homing -n 'test "$(__homing_command)" = ""' -a unregister -d 'Forget the registration; the queue is kept'
complete -c homing -n 'test "$(__homing_command)" = ""' -a status -d 'Show the way home, the position, the queue and what is wrong'
complete -c homing -n 'test "$(__homing_command)" = ""' -a send-location -d 'Report where this machine is, now'
complete -c homing -n 'test "$(__homing_command)" = ""' -a doctor -d 'Look at everything that can be wrong'
complete -c homing -n 'test "$(__homing_command)" = ""' -a config -d 'check or example'
complete -c homing -n 'test "$(__homing_command)" = "config"' -a check -d 'Check agent.conf and its drop-ins'
complete -c homing -n 'test "$(__homing_command)" = "config"' -a example -d 'Print a configuration with every key explained'
complete -c homing -n 'test "$(__homing_command)" = "setup"' -l url -x -d 'Home Assistant\'s address: http://HOST:8123'
complete -c homing -n 'test "$(__homing_command)" = "setup"' -l token-file -r -F -d 'Read a long-lived token from FILE in place of a login; - is stdin'
complete -c homing -n 'test "$(__homing_command)" = "setup"' -l name -x -d 'Name the device so, not as this machine'
complete -c homing -n 'test "$(__homing_command)" = "setup"' -l home -d 'This network is home'
complete -c homing -n 'test "$(__homing_command)" = "setup"' -l no-home -d 'This network is not home'
complete -c homing -n 'test "$(__homing_command)" = "setup"' -l no-service -d 'Do not start the service'
complete -c homing -n 'test "$(__homing_command)" = "setup"' -l headless -d 'Open no browser: print the page\'s address alone'
complete -c homing -n 'test "$(__homing_command)" = "setup"' -s y -l yes -d 'Take the usual answers; replace a registration there is'
complete -c homing -n 'test "$(__homing_command)" = "setup"' -l allow-unencrypted -d 'Go on although Home Assistant gives no secret'
complete -c homing -n 'test "$(__homing_command)" = "setup"' -l allow-plain-http -d 'Log in unencrypted at a host that is not local'
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
complete -c homing -n 'test "$(__homing_command)" = "doctor"' -l json -d 'Print JSON, for programs'
complete -c homing -n 'test "$(__homing_command)" = "doctor"' -l redact -d 'Leave out hosts, networks, places and names, for a bug report'
