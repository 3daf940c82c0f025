import HomingCommandLine

/// A program with commands of one word and of two, and everything a table can declare.
let sample = ProgramDefinition(
    "homing", summary: "Home Assistant companion: pair, check and control",
    version: "1.2.3",
    options: [
        OptionDefinition(
            "config", short: "c", value: "FILE",
            help: "Read this file in place of /etc/homing/agent.conf")
    ],
    groups: [
        (
            "Set up",
            [
                CommandDefinition(
                    "register", summary: "Make this machine known to Home Assistant",
                    options: [OptionDefinition("again", help: "Replace a registration")],
                    arguments: [
                        ArgumentDefinition("URL", .optional, help: "Home Assistant's address")
                    ]),
                CommandDefinition(
                    "config check", summary: "Say what is wrong with the configuration"),
                CommandDefinition(
                    "config example", summary: "Print a configuration with every key"),
            ]
        ),
        ("Ask", [status]),
        (
            "Drive",
            [
                sendLocation,
                CommandDefinition(
                    "log", summary: "Choose",
                    arguments: [
                        ArgumentDefinition("WORD", .any, help: "Words")
                    ]),
            ]
        ),
    ], first: ["register", "status"])

private let status = CommandDefinition(
    "status", summary: "Show the state of the delivery",
    options: [
        OptionDefinition("json", short: "j", help: "Print JSON"),
        OptionDefinition("verbose", short: "v", help: "Print more"),
        OptionDefinition(
            "format", short: "f", value: "FORMAT", allowed: ["short", "long"],
            help: "How much to print"),
    ],
    exitCodes: [
        0: "All is well",
        69: "The daemon is not running",
    ])

private let sendLocation = CommandDefinition(
    "send-location", summary: "Tell Home Assistant a position",
    discussion: """
        The position is queued like one of the receiver's own, and goes home by the same way. This \
        command returns when it is delivered.

        Without an accuracy, 10 m are assumed.
        """,
    options: [
        OptionDefinition(
            "accuracy", short: "a", value: "METRES", help: "How exact the position is, in metres"),
        OptionDefinition(
            "a-very-long-option-name", value: "VALUE",
            help: "Does nothing at all, but at a length that does not fit into one line of help"),
        OptionDefinition("wait", help: "Return only when Home Assistant has it"),
    ],
    arguments: [
        ArgumentDefinition("LATITUDE", help: "Degrees north"),
        ArgumentDefinition("LONGITUDE", help: "Degrees east"),
    ],
    examples: [
        "homing send-location -33.86 151.21":
            "The opera house, as far as anybody knows"
    ])

/// A program that is its only command.
let daemon = ProgramDefinition(
    "homingd", version: "1.2.3",
    command: CommandDefinition(
        "homingd", summary: "Send this machine's location to Home Assistant",
        options: [
            OptionDefinition("config", short: "c", value: "FILE", help: "Read this file"),
            OptionDefinition(
                "log-level", value: "LEVEL",
                allowed: ["error", "warning", "notice", "info", "debug"],
                help: "Log this much"),
        ], exitCodes: [78: "The configuration is wrong"]))
