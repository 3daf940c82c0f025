import HomingCommandLine
import HomingControl
import HomingReports
import HomingTerminal

extension Command {
    /// `homing network`: what a home knows of the networks that the machine is on.
    static let network = CommandDefinition(
        "network", summary: "List the current networks, and whether they are at home",
        discussion: """
            A network at home shows that the machine is home while no receiver has a location. Its \
            gateway and its access points are known by their hardware addresses, which [place.NAME] \
            takes, too.
            """,
        options: [Terminal.json],
        examples: ["homing network": "a line for each"],
        exitCodes: .ofHome + [
            69: "the daemon is not running, or does not answer", 77: "not permitted for this user",
            0: "listed",
        ]
    ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
        let report = try ControlClient().call(.networks, returning: NetworkReport.self)
        Terminal.show(report, command, text: report.text, terminator: "")
    }

    /// `homing network home`: the present network is at home.
    static let networkIsHome = judgement(
        "home", areHome: true, summary: "Make the current network a home network",
        discussion: """
            Homing learns this by itself where Home Assistant is on the same network. The command is \
            for other homes: Home Assistant in the cloud, at another place, or in another subnet. On \
            this network Home Assistant is then reached directly, too.
            """)

    /// `homing network forget`: forgets the current network.
    static let forgetNetwork = judgement(
        "forget", areHome: false, summary: "Forget the current network",
        discussion: """
            If a network counts as home by mistake, or travels with this machine, type this command on \
            that network. If Home Assistant is on the network, Homing learns the network again with \
            the next delivery.
            """)

    private static func judgement(
        _ word: String, areHome: Bool, summary: String, discussion: String
    ) -> Command {
        CommandDefinition(
            "network \(word)", summary: summary, discussion: discussion,
            examples: ["homing network \(word)": "for the networks of this moment"],
            exitCodes: .ofHome + [
                69: "the daemon is not running, or does not answer",
                77: "not permitted for this user", 0: "done",
                1: "the machine is on no such network",
            ]
        ).runs { (_: ParsedCommand) throws(ControlError) -> ExitCode in
            let report = try ControlClient().call(
                .judgeNetworks(areHome: areHome), returning: NetworkReport.self)
            Terminal.print(report.text, terminator: "")
            if !areHome, !report.networks.isEmpty, let reason = report.noEndpoint {
                Terminal.print("Nothing is sent from this network now: \(reason).")
                let hint = "If this network is home, type: homing network home"
                Terminal.print(Terminal.typed(hint.namingHome()))
            }
            let isDone =
                areHome
                ? report.networks.contains { $0.isHome } : !report.networks.isEmpty
            return isDone ? .done : .failure
        }
    }
}
