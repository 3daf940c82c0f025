internal import HomingCommandLine
internal import HomingConfiguration

/// The companion's pages: what comes from the tables, and around it what no table knows.
enum Pages {
    static func homing(_ program: ProgramDefinition) -> ManualPage {
        let manual = ProgramManual(program: program)
        return ManualPage(
            name: "homing", section: 1, summary: program.summary,
            chapters: [
                manual.synopsis,
                ManualPage.Chapter(
                    "DESCRIPTION",
                    [
                        .text(
                            """
                            Homing reports the location of this machine to Home Assistant. The daemon, homingd(8), \
                            takes the location from gpsd, from known networks or from GeoClue, and delivers \
                            it. This command registers the machine, shows the status, and reports a location \
                            by hand.

                            Root, the daemon's own user and the group homing may do everything. Other users \
                            see the status without location, network, data, route and notifications.
                            """)
                    ]),
            ] + manual.commands + [
                manual.options,
                ManualPage.Chapter(
                    "ENVIRONMENT",
                    [
                        .entry(
                            [.literal("HOMING_TOKEN")],
                            "The long-lived access token with which to register."),
                        .entry(
                            [.literal("HOMING_HOME")],
                            "Home to use, if there are several; --home takes precedence."
                        ),
                    ]),
                ManualPage.Chapter("FILES", [socket, configuration]),
                ManualPage.seeAlso([("agent.conf", 5), ("homingd", 8)]),
            ])
    }

    static func homingd(_ program: ProgramDefinition) -> ManualPage {
        let manual = ProgramManual(program: program)
        return ManualPage(
            name: "homingd", section: 8, summary: program.summary,
            chapters: [
                manual.synopsis,
                ManualPage.Chapter(
                    "DESCRIPTION",
                    [
                        .text(program.onlyCommand?.discussion ?? ""),
                        .text(
                            """
                            Without a registration, homingd keeps no locations, unless [location] \
                            queue_unregistered is true. homingd reports problems in its status and in \
                            the journal, where "journalctl -x" explains each warning.
                            """),
                    ]),
                manual.options, signals, manual.exitStatus,
                ManualPage.Chapter("FILES", [state, socket, configuration]),
                ManualPage.seeAlso([
                    ("homing", 1), ("journalctl", 1), ("agent.conf", 5), ("gpsd", 8),
                ]),
            ])
    }

    static let agentConf = ManualPage(
        name: "agent.conf", section: 5,
        summary: "configuration of the Home Assistant companion Homing",
        chapters: [
            ManualPage.Chapter(
                "SYNOPSIS",
                [
                    .line([.literal("/etc/homing/agent.conf")]),
                    .line([.literal("/etc/homing/agent.conf.d/*.conf")]),
                    .line([.literal("~/.config/homing/agent.conf")]),
                    .line([.literal("~/.config/homing/agent.conf.d/*.conf")]),
                ]),
            ManualPage.Chapter(
                "DESCRIPTION",
                [
                    .text(
                        """
                        Every key has a default, and the files may be absent. The files in agent.conf.d \
                        are read after agent.conf, in the order of their names. A later file replaces \
                        a key, not a section. A user's own daemon reads the files in \
                        ~/.config/homing, if there are any.

                        Put your own settings into /etc/homing/agent.conf.d/local.conf. For a user's \
                        own daemon, the file is ~/.config/homing/agent.conf.d/local.conf.

                        Numbers are whole, in the unit named. Lists are separated by ";". A comment begins \
                        with "#" and stands on a separate line. No password, token or other secret belongs \
                        here.

                        "homing config check" finds mistakes. "homing config example" prints every key \
                        with its default. "sudo systemctl reload homing" applies changes. A wrong file \
                        changes nothing in a running daemon.

                        The pages that are named here are in /usr/share/doc/homing/docs.
                        """)
                ]),
        ]
            + ConfigurationManual(
                table: Configuration.table, defaults: Configuration(), file: "agent.conf"
            ).sections + [
                ManualPage.Chapter(
                    "EXAMPLES",
                    [
                        .text("A second network that is home, and a report for every 50 m:"),
                        .example(
                            "[home_network]\nssid = HomeNet;Garage\n[location]\nmin_distance = 50"),
                    ]),
                ManualPage.seeAlso([("homing", 1), ("homingd", 8)]),
            ])

    private static let signals = ManualPage.Chapter(
        "SIGNALS",
        [
            .entry(
                [.literal("SIGHUP")],
                "Read the configuration again. A wrong one changes nothing and is reported."),
            .entry(
                [.literal("SIGTERM"), .plain(", "), .literal("SIGINT")],
                "End; what is not delivered stays in the queue."),
        ])

    private static let configuration = ManualPage.Block.entry(
        [.literal("/etc/homing/agent.conf")],
        "The configuration, see agent.conf(5). homes/NAME.conf beside it has the keys of one home.")
    private static let socket = ManualPage.Block.entry(
        [.literal("/run/homing/control.sock")], "Where the daemon listens for homing(1).")
    private static let state = ManualPage.Block.entry(
        [.literal("/var/lib/homing")],
        """
        The registration of each home with its token and secret, and its queue, in homes/NAME. \
        Readable by the daemon's user alone; a user's own daemon has ~/.local/state/homing.
        """)
}
