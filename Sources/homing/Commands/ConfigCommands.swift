import Glibc
import HomingCommandLine
import HomingConfiguration
import HomingControl
import HomingRegistration
import HomingRuntime
import HomingSensors
import HomingSettings
import HomingTerminal

extension Command {
    /// `homing config check`: is the configuration right?
    static let checkConfiguration = CommandDefinition(
        "config check", summary: "Check agent.conf, its drop-ins and the files of homes",
        examples: [
            "homing config check": "the daemon's configuration",
            "homing config check --config FILE": "another file",
        ],
        exitCodes: [
            0: "the configuration is correct, or missing: the defaults are used",
            64: "there is no such home",
            78: "the configuration has errors, one per line",
        ]
    ).runs(check)

    private static func check(_ command: ParsedCommand) throws(ControlError) -> ExitCode {
        let given = command.value("config")
        let path = given ?? Folders.configuration()
        let first = OfflineState.firstHome
        switch Configuration.table.load(
            path: path, explicit: given != nil, first: first)
        {
        case .success(let configuration):
            try OfflineState.mustKnowHome(or: configuration.partNames)
            for note in configuration.notes { Terminal.print("\(note)") }
            // Who may not see the state folder is told nothing of homes.
            let homes = OfflineState.names
            for note in notes(command, configuration, homes: homes, first: first) {
                Terminal.print(Terminal.typed(note))
            }
            let strangers = (homes.isEmpty ? [HomeFolders.unnamed] : homes).flatMap {
                unknownSensors(configuration.values(of: $0).sensors)
            }
            guard strangers.isEmpty else {
                for stranger in strangers { Terminal.error("\(path): \(stranger)") }
                return .configuration
            }
            let files = (try? Configuration.table.files(of: path)) ?? [path]
            if files.isEmpty { Terminal.print("\(path): absent, so the defaults are used") }
            for file in files { Terminal.print("\(file): OK") }
            for file in configuration.partNames.flatMap({ command.files(of: $0) }) {
                Terminal.print("\(file): OK")
            }
            return .done
        case .failure(let errors):
            Terminal.error("\(errors)")
            return .configuration
        }
    }

    /// Returns notes on the files where there are several homes.
    private static func notes(
        _ command: ParsedCommand, _ configuration: Loaded<Configuration>, homes: [String],
        first: String?
    ) -> [String] {
        guard !homes.isEmpty else { return [] }
        let isOfAll = homes.count == 1 && first == homes.first
        let own = !isOfAll ? configuration.ownKeys.map { "\($0)" } : []
        let strangers = configuration.partNames.filter { !homes.contains($0) }
        return own
            + strangers.map { name in
                let files = listed(command.files(of: name), "and")
                let advice =
                    Suggestion.question(for: name, among: homes)
                    ?? "to add the home: homing setup --home \(name)"
                return "\(files): there is no home called \(name) yet; \(advice)"
            }
    }

    /// The daemon only warns of a sensor that does not exist, since another version may have it;
    /// who asks whether all is right wants to know that nothing was switched off by the name.
    private static func unknownSensors(_ settings: Configuration.Sensors) -> [String] {
        let choice = SensorChoice(enable: settings.enable, disable: settings.disable)
        let ids = SensorCatalog.descriptions.map(\.uniqueID)
        return choice.unknown.map { id in
            let meant = Suggestion.question(for: id, among: ids)
            let list = "the page sensors in /usr/share/doc/homing/docs lists all"
            return "sensors: there is no sensor \"\(id)\"; \(meant ?? list)"
        }
    }

    /// `homing config example`: every key with its default and its documentation.
    static let exampleConfiguration = CommandDefinition(
        "config example", summary: "Print a configuration with every key explained",
        examples: ["homing config example | less": "to read the example"]
    ).runs { (_: ParsedCommand) throws(ControlError) -> Void in
        Terminal.printFile(Configuration.table.example())
    }
}
