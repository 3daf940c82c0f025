# Completion of homing, homingd and homing-relay for fish: asks the program itself what may follow.

function __homing_complete
    set -l words (commandline -opc) (commandline -ct)
    command -sq $words[1]; or return
    set -l offered (command $words[1] __complete -- $words[2..] 2>/dev/null)
    or return
    if test "$offered" = :files
        # The word may be --option=file.
        set -l parts (string match -r -- '^((?:--[^=]*=)?)(.*)$' (commandline -ct))
        printf '%s\n' $parts[2](__fish_complete_path $parts[3])
    else
        printf '%s\n' $offered
    end
end

complete -c homing -f -a '(__homing_complete)'
complete -c homingd -f -a '(__homing_complete)'
complete -c homing-relay -f -a '(__homing_complete)'
