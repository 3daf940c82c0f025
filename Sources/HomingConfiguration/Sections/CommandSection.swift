internal import HomingNotifications
internal import HomingSettings

extension Configuration {
    /// The command of that name; one that is not there is the same as all defaults, which cannot be
    /// run.
    subscript(command name: String) -> Command {
        get { commands[name] ?? Command() }
        set { commands[name] = newValue == Command() ? nil : newValue }
    }

    static let commandSection = Section<Configuration>(
        each: "command",
        """
        A program that may be started by its NAME: by the notification command_run with \
        data.command, where [push] commands has command_run, or as [push] hook. There may be any \
        number of such sections. It runs as the daemon's user, without a shell; nothing of a \
        notification is in its arguments.
        """
    ) { name in
        [
            Key(
                "argv", \.[command: name].arguments, .argumentVector,
                "The absolute path of the program, then its arguments, each as it is."),
            Key(
                "timeout", \.[command: name].timeout, .number(1...3600, unit: "seconds"),
                "After this time the program is killed, with all processes that it started."),
        ]
    }
}
