import Glibc
import HomingCommandLine
import HomingConfiguration
import HomingControl
import HomingReports
import HomingRuntime
import HomingSettings
import HomingTerminal

extension Command {
    /// A home, of those there are.
    private static let home = ArgumentDefinition(
        "NAME", suggested: { OfflineState.names }, help: "The home, as homing homes lists it")

    /// `homing homes`: the Home Assistants that this machine reports to.
    static let homes = CommandDefinition(
        "homes", summary: "List the Home Assistants that this machine reports to",
        discussion: """
            The first home has the keys of agent.conf that hold for one home alone. Another \
            home is added by homing setup --home NAME; its keys are in homes/NAME.conf beside \
            agent.conf. With --home NAME, the list has this home alone.
            """,
        options: [Terminal.json],
        examples: [
            "homing homes": "a line for each",
            "homing setup --home cabin": "adds one",
        ],
        exitCodes: .ofDaemon + [0: "listed"]
    ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
        let report = try ControlClient().call(.homes, returning: HomesReport.self)
        let name = ControlClient.namedHome
        Terminal.show(report.about(name), command, text: report.text(of: name), terminator: "")
    }

    /// `homing homes rename`: give a home another name.
    static let renameHome = CommandDefinition(
        "homes rename", summary: "Give a home another name",
        discussion: "Its files in homes beside agent.conf must be renamed by hand.",
        arguments: [
            home,
            ArgumentDefinition("NEW", help: "1 to 32 of a-z, 0-9 and \"-\", no \"-\" first"),
        ],
        examples: ["homing homes rename home villa": "gives the home another name"],
        exitCodes: .ofDaemon + [
            0: "renamed", 1: "the home cannot be opened", 64: "no home can be called NEW",
            78: "with the new name, the configuration would be wrong",
        ]
    ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
        let (name, new) = (command.arguments[0], command.arguments[1])
        let client = try ControlClient(home: name)
        _ = try client.call(.renameHome(to: new), returning: Done.self)
        Terminal.print("\(name) is called \(new) now.")
        for path in command.files(of: name, client) {
            Terminal.print(
                Terminal.typed("Rename \(path) for \(new) too. Then run: systemctl reload homing"))
        }
    }

    /// `homing homes remove`: forget a Home Assistant, and what waits for it.
    static let removeHome = CommandDefinition(
        "homes remove", summary: "Forget a Home Assistant, with its queue",
        discussion: """
            A token that homing setup made is revoked, if Home Assistant can be reached. The \
            device stays in Home Assistant until you remove it there: Settings, Devices & services, Mobile App.
            """,
        options: [OptionDefinition("yes", short: "y", help: "Do not ask")],
        arguments: [home],
        examples: [
            "homing homes remove cabin": "asks before",
            "homing homes remove cabin --yes": "does not ask",
        ],
        exitCodes: .ofDaemon + [
            0: "removed",
            1: "the question was answered by no",
            64: "not a terminal, and --yes is missing",
            78: "without this home, the configuration would be wrong",
        ]
    ).runs(remove)

    private static func remove(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
        let name = command.arguments[0]
        let client = try ControlClient(home: name)
        let report = try client.call(.homes, returning: HomesReport.self)
        let queued = report.homes.first { $0.name == name }?.queued ?? 0
        let lost =
            switch queued {
            case 0: ""
            case 1: " A report in its queue is lost."
            default: " \(queued) reports in its queue are lost."
            }
        let question = "Remove the home \(name)?\(lost) This cannot be undone."
        guard try Terminal.agrees(command, to: question) else { return .failure }
        let result = try client.call(.removeHome, returning: UnregisterResult.self)
        Terminal.print("The home \(name) is removed. \(result.text)")
        if report.first == name, report.homes.count + report.failed.count > 1 {
            Terminal.print(
                Terminal.typed(
                    "If agent.conf has keys for \(name) alone, they hold for no home now. "
                        + "See: homing config check"))
        }
        for path in command.files(of: name, client) {
            Terminal.print("\(path) is still there, and holds for the next home called \(name).")
        }
        return .done
    }
}

extension ParsedCommand {
    /// The paths of the files that a home has beside the configuration: the one that was given, or
    /// that the daemon reads.
    func files(of home: String, _ daemon: ControlClient? = nil) -> [String] {
        let isSystems = daemon?.isAnotherUsers == true || getuid() == 0
        let path = value("config") ?? Folders.configuration(isSystems: isSystems)
        let file = Configuration.table.file(of: home, beside: path)
        return [file, Configuration.table.dropInFolder(of: file)].filter { access($0, F_OK) == 0 }
    }
}
