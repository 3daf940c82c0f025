import Glibc
import HomingCommandLine
import HomingControl
import HomingReports
import HomingRuntime
import HomingSocket

/// `homing homes`: the Home Assistants that this machine reports to.
enum HomesCommand {
    static let command = Command(
        definition: CommandDefinition(
            "homes", summary: "List the Home Assistants that this machine reports to",
            discussion: """
                The first home has the keys of agent.conf that hold for one home alone. Another \
                home is added by homing setup --home NAME; its keys are in homes/NAME.conf beside \
                agent.conf.
                """,
            options: [OptionDefinition("json", help: "Print JSON, for programs")],
            examples: [
                ExampleDefinition("homing homes", help: "a line for each"),
                ExampleDefinition("homing setup --home cabin", help: "adds one"),
            ],
            exitCodes: [
                ExitCodeDefinition(0, help: "listed"),
                ExitCodeDefinition(69, help: "the daemon is not running"),
                ExitCodeDefinition(77, help: "not permitted for this user"),
            ]),
        run: { (command: ParsedCommand) throws(ControlError) -> ExitCode in
            let report = try ControlClient().call(.homes, returning: HomesReport.self)
            if command.has("json") {
                Terminal.print(json: ReportJSON.text(report))
            } else {
                Terminal.print(HomesText(report: report).text, terminator: "")
            }
            return .done
        })
}

/// `homing homes rename`: give a home another name.
enum RenameHomeCommand {
    static let command = Command(
        definition: CommandDefinition(
            "homes rename", summary: "Give a home another name",
            discussion: "Its files in homes beside agent.conf must be renamed by hand.",
            arguments: [
                ArgumentDefinition("NAME", help: "The home, as homing homes lists it"),
                ArgumentDefinition("NEW", help: "1 to 32 of a-z, 0-9 and \"-\", no \"-\" first"),
            ],
            examples: [ExampleDefinition("homing homes rename home villa", help: "")],
            exitCodes: [
                ExitCodeDefinition(0, help: "renamed"),
                ExitCodeDefinition(64, help: "there is no such home, or NEW is no name of one"),
                ExitCodeDefinition(69, help: "the daemon is not running"),
                ExitCodeDefinition(77, help: "not permitted for this user"),
            ]),
        run: { (command: ParsedCommand) throws(ControlError) -> ExitCode in
            let (name, new) = (command.arguments[0], command.arguments[1])
            _ = try ControlClient(home: name).call(
                .renameHome(.init(to: new)), returning: Done.self)
            Terminal.print("\(name) is called \(new) now.")
            for path in Self.files(of: name, command) {
                Terminal.print("Rename \(path) for \(new) too, then reload the daemon.")
            }
            return .done
        })
}

extension RenameHomeCommand {
    /// The files of the configuration of a home.
    static func files(of home: String, _ command: ParsedCommand) -> [String] {
        let file = command.value("config") ?? Folders.configuration()
        let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
        return [".conf", ".conf.d"].map { "\(folder)/homes/\(home)\($0)" }.filter {
            access($0, F_OK) == 0
        }
    }
}

/// `homing homes remove`: forget a Home Assistant, and what waits for it.
enum RemoveHomeCommand {
    static let command = Command(
        definition: CommandDefinition(
            "homes remove", summary: "Forget a Home Assistant, with its queue",
            discussion: """
                A token that homing setup made is revoked, if Home Assistant can be reached. The \
                device stays in Home Assistant until it is removed there: Settings, Devices, Mobile App.
                """,
            options: [
                OptionDefinition("yes", short: "y", help: "Do not ask, on a terminal either")
            ],
            arguments: [ArgumentDefinition("NAME", help: "The home, as homing homes lists it")],
            examples: [ExampleDefinition("homing homes remove cabin", help: "asks before")],
            exitCodes: [
                ExitCodeDefinition(0, help: "removed"),
                ExitCodeDefinition(1, help: "the question was answered by no"),
                ExitCodeDefinition(64, help: "there is no such home"),
                ExitCodeDefinition(69, help: "the daemon is not running"),
                ExitCodeDefinition(77, help: "not permitted for this user"),
            ]),
        run: run)

    private static func run(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
        let name = command.arguments[0]
        let client = try ControlClient(home: name)
        let report = try client.call(.homes, returning: HomesReport.self)
        let queued = report.homes.first { $0.name == name }?.queued ?? 0
        guard command.has("yes") || isConfirmed(name, queued) else {
            Terminal.print("Nothing was changed.")
            return .failure
        }
        let result = try client.call(.removeHome, returning: UnregisterResult.self)
        Terminal.print(result.text)
        for path in RenameHomeCommand.files(of: name, command) {
            Terminal.print("\(path) is still there, and holds for the next home called \(name).")
        }
        return .done
    }

    /// There is no way back, so a person is asked. A script is not.
    private static func isConfirmed(_ name: String, _ queued: Int) -> Bool {
        guard Terminal.isInputInteractive, Terminal.isOutputInteractive else { return true }
        let lost = queued == 0 ? "" : " \(queued) messages that wait for it are lost."
        Terminal.print(
            "Remove the home \(name)?\(lost) There is no way back. [y/N] ", terminator: "")
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}
