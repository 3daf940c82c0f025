internal import HomingCommandLine
internal import HomingRelay

/// The relay's pages.
extension Pages {
    static func homingRelay(_ program: ProgramDefinition) -> ManualPage {
        let manual = ProgramManual(program: program)
        return ManualPage(
            name: "homing-relay", section: 8, summary: program.summary,
            chapters: [
                manual.synopsis,
                ManualPage.Chapter(
                    "DESCRIPTION",
                    [
                        .text(
                            """
                            Home Assistant hands a notification to this server when a machine sleeps, is \
                            away, or has closed its channel. The relay encrypts the notification for the \
                            machine, keeps it on disk, and hands it over when the machine comes. The \
                            machine joins by "homing relay join", see homing(1).

                            The service homing-relay waits for the configuration: before \
                            "homing-relay init", or a file in relay.conf.d, systemctl status names the \
                            files that are not there. Only root can query the running relay: its user \
                            exists only while the relay runs. A proxy in front brings TLS.
                            """)
                    ]),
            ] + manual.commands + [
                manual.options,
                ManualPage.Chapter(
                    "SIGNALS",
                    [
                        .entry(
                            [.literal("SIGTERM"), .plain(", "), .literal("SIGINT")],
                            "End. Stored messages stay, and the machines connect again later.")
                    ]),
                ManualPage.Chapter(
                    "FILES",
                    [
                        .entry(
                            [.literal("/etc/homing/relay.conf")],
                            "The configuration, see relay.conf(5)."),
                        .entry(
                            [.literal("/var/lib/homing-relay/relay.keys")],
                            "The keys. Secret; without them each machine must join again."),
                        .entry(
                            [.literal("/var/lib/homing-relay/mailboxes.db")],
                            "The waiting messages, encrypted."),
                        .entry(
                            [.literal("/var/lib/private/homing-relay")],
                            "Where systemd keeps that folder for the service."),
                        .entry(
                            [.literal("/run/homing-relay/control.sock")],
                            "The control socket, for the commands of this page."),
                    ]),
                ManualPage.seeAlso([("homing", 1), ("relay.conf", 5)]),
            ])
    }

    static let relayConf = ManualPage(
        name: "relay.conf", section: 5, summary: "configuration of Homing's push relay",
        chapters: [
            ManualPage.Chapter(
                "SYNOPSIS",
                [
                    .line([.literal("/etc/homing/relay.conf")]),
                    .line([.literal("/etc/homing/relay.conf.d/*.conf")]),
                ]),
            ManualPage.Chapter(
                "DESCRIPTION",
                [
                    .text(
                        """
                        Every key has a default, and the files may be absent. The files in relay.conf.d \
                        are read after relay.conf, in the order of their names. A later file replaces \
                        a key, not a section. Numbers are whole, in the unit named. Lists are \
                        separated by ";". A comment begins with "#" and stands on a separate line.

                        "homing-relay check" finds mistakes. "homing-relay example" prints every key \
                        with its default. "sudo systemctl restart homing-relay" applies changes.

                        The pages that are named here are in /usr/share/doc/homing-relay.
                        """)
                ]),
        ]
            + ConfigurationManual(
                table: RelayConfiguration.table, defaults: RelayConfiguration(), file: "relay.conf"
            ).sections + [
                ManualPage.Chapter(
                    "EXAMPLES",
                    [
                        .text("Behind a proxy on the same machine:"),
                        .example("[listen]\npublic_url = https://relay.example"),
                    ]),
                ManualPage.seeAlso([("homing-relay", 8)]),
            ])
}
