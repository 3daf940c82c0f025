import HomingBase
import HomingCommandLine
import HomingControl
import HomingTerminal

/// Every subcommand, as the help shows them.
enum CommandTable {
    static let commands: [Command] = groups.flatMap(\.commands)

    /// The headings of the help, and what stands under each.
    private static let groups: [(title: String, commands: [Command])] = [
        (
            "Set up",
            [
                .setup, .register, .registration, .updateRegistration, .keepRegistration, .encrypt,
                .unregister, .homes, .renameHome, .removeHome, .prepareImage,
            ]
        ),
        (
            "Every day",
            [
                .status, .sendLocation, .network, .networkIsHome, .forgetNetwork, .track, .notify,
                .notifications, .receiveNotification, .refreshNotifications, .doctor, .metrics,
            ]
        ),
        (
            "Notifications by a relay",
            [.relay, .relayStatus, .joinRelay, .leaveRelay, .testRelay]
        ),
        ("Control Home Assistant", [.event, .call, .tag, .say]),
        ("Ask Home Assistant", [.template, .zones, .camera, .homeAssistantConfiguration]),
        ("Configuration", [.checkConfiguration, .exampleConfiguration]),
    ]

    static let program = ProgramDefinition(
        "homing",
        summary: "Home Assistant companion: pair, check and control",
        version: homingVersion,
        options: [
            OptionDefinition("config", value: "FILE", help: "Read this file, not agent.conf"),
            OptionDefinition(
                "home", value: "NAME", suggested: { OfflineState.names },
                help: "Home to use, if there are several (also HOMING_HOME)"),
        ],
        groups: groups.map { ($0.title, $0.commands.map(\.definition)) },
        first: [Command.setup, .status, .sendLocation, .track, .notifications, .doctor]
            .map(\.definition.name))
}

/// Exit codes with the same meaning in several commands.
extension ExitCodes {
    private static let unknownHome: ExitCodes = [64: "there is no such home"]
    private static let daemon: ExitCodes = [
        69: "the daemon is not running, or does not answer",
        77: "not permitted for this user",
    ]
    /// Codes of a command about one home.
    static let ofHome: ExitCodes =
        unknownHome + [64: "several homes, and the command names no home"]
    /// Codes of a command that also works without a daemon.
    static let ofRegistration: ExitCodes = ofHome + [69: "the daemon runs, but does not answer"]
    /// Codes of what the daemon does by itself.
    static let ofDaemon: ExitCodes = unknownHome + daemon
    /// Codes of what the daemon does for a home.
    static let ofQueue: ExitCodes = ofHome + daemon + [66: "not registered"]
    /// Codes of what Home Assistant is asked now.
    static let ofHomeAssistant: ExitCodes =
        .ofQueue + [69: "Home Assistant cannot be reached: nothing was done"]
    /// Codes of a registration.
    static let ofRegistering: ExitCodes = [
        69: "Home Assistant does not answer at this address, or the daemon does not answer",
        73: "Home Assistant has a device of another name with this machine's identity",
        75: "another command still registers this machine",
        76: "Home Assistant refuses the registration",
        77: "not permitted for this user",
        78: "the configuration is wrong, or the stored registration cannot be read",
    ]
    /// The code of what must not be done twice.
    static let unknown: ExitCodes = [
        75: "sent, outcome unknown: no answer came, and Homing does not repeat the command"
    ]
}
