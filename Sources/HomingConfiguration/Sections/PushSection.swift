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
        /// When the relay that `homing relay join` joined is looked at.
        public var relay = RelayMode.auto
        /// Words of `PushCommand.permissions`, for what came by that relay.
        public var relayCommands: [String] = []
        /// Seconds after which an answer is not delivered any more; 0 is never.
        public var actionExpiry: Seconds = 300
        /// The name of the command that is told of notifications which no desktop shows.
        public var hook: String?
        /// Whether those on terminals are told of them too.
        public var wall = false
        /// Where Home Assistant hands what the WebSocket does not take; may hold a secret.
        public var url: String?
        /// Absolute path of the file that holds the token for `url`.
        public var tokenFile: String?

        /// All defaults.
        public init() {}
    }

    static let pushSection = Section<Configuration>(
        "push", scope: .own,
        """
        Notifications: Home Assistant sends them over a WebSocket that this machine keeps open. \
        docs/notifications.md says what they may hold.
        """,
        [
            Key(
                "mode", \.push.mode, .choice(),
                """
                When the WebSocket is open: always, unmetered (not on a network that \
                NetworkManager calls metered) or off. While it is closed, nothing arrives, and \
                Home Assistant says of each notification that it could not be sent; or hands it to \
                the relay, if there is one.
                """, scope: .inherited),
            Key(
                "plain_http", \.push.plainHTTP, .choice(),
                """
                Whether the token, which the WebSocket needs, may travel over plain HTTP: home (on \
                a home network, to a Home Assistant that has just proved to be ours) or never. \
                Over https it always may.
                """),
            Key(
                "commands", \.push.commands, .pushCommands,
                """
                Commands that a notification may give. request_location_update and command_update_sensors \
                report what Homing reports anyway; command_screen_lock locks the screen; \
                command_suspend sends the machine to sleep; command_run runs the \
                program of a [command.NAME]. Empty: no command.
                """),
            Key(
                "relay", \.push.relay, .choice(),
                """
                When the relay that homing relay join has joined is connected: auto (held while the \
                WebSocket cannot be opened and for two minutes after it was opened; looked at when \
                the machine wakes, every 15 minutes while the WebSocket is closed by choice, every \
                hour otherwise or on battery), hold (always), look (never held) or off.
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
                Whether each notification which no desktop can show is also written to the \
                terminals of all who are logged in, by wall. A service of the system needs the \
                group tty for it: docs/notifications.md says how.
                """, scope: .program),
            Key(
                "url", \.push.url, .url,
                """
                The relay to which Home Assistant hands a notification while the WebSocket is \
                closed, or when nothing confirmed it for 10 seconds: Home Assistant POSTs it to \
                this address (push_url), together with the token. For a relay that is not Homing's: \
                one that homing relay join has joined needs nothing here, and url replaces it. \
                Empty: no such relay.
                """),
            Key(
                "token_file", \.push.tokenFile, .secretFile,
                """
                The file whose only line is the token that the relay knows this machine by \
                (push_token). It is a secret: the file must be closed to other users. systemd's \
                credential homing.push_token can replace the file.
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
