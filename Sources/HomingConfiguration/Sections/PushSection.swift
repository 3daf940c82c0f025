public import HomingBase
internal import HomingNotifications
public import HomingPush
internal import HomingSettings

extension Configuration {
    /// `[push]`: notifications from Home Assistant, and what they may order.
    public struct Push: Equatable, Sendable {
        public var mode = PushMode.always
        public var plainHTTP = PlainHTTPToken.home
        /// Words of `PushCommand.permissions`.
        public var commands = PushCommand.permittedByDefault
        /// Mode of the relay that `homing relay join` joined: when Homing looks at the relay.
        public var relay = RelayMode.auto
        /// Words of `PushCommand.permissions`, for what came by that relay.
        public var relayCommands: [String] = []
        /// Seconds after which an answer is not delivered any more; 0 is never.
        public var actionExpiry: Seconds = 300
        /// The name of the command that is told of notifications which no desktop shows.
        public var hook: String?
        /// Whether those on terminals are told of them too.
        public var wall = false
        /// Address where Home Assistant hands over what the WebSocket does not take; may hold a
        /// secret.
        public var url: String?
        /// Absolute path of the file that holds the token for `url`.
        public var tokenFile: String?

        /// All defaults.
        public init() {}
    }

    static let pushSection = Section<Configuration>(
        "push", scope: .own,
        """
        Notifications: Home Assistant sends them over a channel that this machine keeps open. \
        The page notifications says what they may hold.
        """,
        [
            Key(
                "mode", \.push.mode, .choice(),
                """
                When the channel is open: always, unmetered (not on a network that \
                NetworkManager calls metered) or off. While the channel is closed, Home \
                Assistant hands notifications to the relay. Without a relay, these notifications \
                are lost, and notify fails in Home Assistant.
                """, scope: .inherited),
            Key(
                "plain_http", \.push.plainHTTP, .choice(),
                """
                Whether the channel's token may travel over plain HTTP: never, or home. home \
                means on a home network, to a Home Assistant that has just given a receipt. Over \
                https the token is always allowed.
                """),
            Key(
                "commands", \.push.commands, .pushCommands,
                """
                Commands that a notification may give. request_location_update and \
                command_update_sensors report what Homing reports anyway. command_screen_lock \
                locks the screen. command_suspend sends the machine to sleep. command_run runs \
                the program of a [command.NAME]. Empty: no command.
                """),
            Key(
                "relay", \.push.relay, .choice(),
                """
                When the joined relay (homing relay join) is connected: auto, hold (always), \
                look (only briefly) or off. auto holds the connection while the channel cannot \
                be opened, and two minutes longer. Otherwise auto looks when the machine wakes, \
                and every hour. If the channel is closed by choice, auto looks every 15 minutes, \
                but not on battery or on a metered network.
                """, scope: .inherited),
            Key(
                "relay_commands", \.push.relayCommands, .pushCommands,
                """
                The same as commands, for what came by the relay. Whoever has the relay's token can \
                send through the relay, so this is a separate list. Empty: no command.
                """),
            Key(
                "action_expiry", \.push.actionExpiry,
                .number(10...86_400, unit: "seconds", zero: "never"),
                """
                How long an answer to a notification may wait. An older answer is dropped, and a \
                notification says so: a door must not open hours after the button was pressed.
                """, scope: .inherited),
            Key(
                "hook", \.push.hook, .name(of: "command"),
                """
                The NAME of a [command.NAME] that runs for each notification which no desktop can \
                show. It gets the notification as one JSON object on its standard input.
                """),
            Key(
                "wall", \.push.wall, .boolean,
                """
                Whether each notification that no desktop can show is also written to the \
                terminals of all logged-in users, by wall. A service of the system needs the group tty: \
                the page notifications says how.
                """, scope: .program),
            Key(
                "url", \.push.url, .url,
                """
                The address (push_url) of a relay that is not Homing's. Home Assistant POSTs \
                notifications and the token there while the channel is closed. The relay also \
                gets notifications that were not confirmed for 10 seconds. url replaces a relay \
                that homing relay join has joined. Empty: no such relay.
                """),
            Key(
                "token_file", \.push.tokenFile, .secretFile,
                """
                The file with the relay's token of this machine (push_token) as its only line. \
                The token is a secret: close the file to other users. systemd's credential \
                homing.push_token can replace the file.
                """),
        ])
}

extension Kind where Value == [String] {
    /// Words of `PushCommand.permissions`.
    static let pushCommands = list(
        "any of \(listed(PushCommand.permissions, "and")) separated by \";\"", check: pushCommand)
}

private func pushCommand(_ word: String) throws(Refusal) -> String {
    guard PushCommand.permissions.contains(word) else {
        throw Refusal(
            "\(quoted(word)) is not allowed; allowed is \(listed(PushCommand.permissions, "and"))"
                + Suggestion.phrase(for: word, among: PushCommand.permissions))
    }
    return word
}
