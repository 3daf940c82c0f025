import Glibc
import HomingBase
import HomingCommandLine
import HomingRelay
import HomingRuntime
import HomingSettings
import HomingSocket
import HomingTerminal

/// The relay's process: reads the arguments, and runs one command.
@main enum RelayProgram {
    /// The headings of the help, and what stands under each.
    private static let groups: [(title: String, commands: [Command])] = [
        ("Run", [.initialise, .serve, .check, .example]),
        ("Look", [.status, .listMailboxes]),
        ("Devices", [.invite, .forgetMailbox, .blockMailbox, .unblockMailbox, .rotateKey]),
    ]

    private static let commands = groups.flatMap(\.commands)

    static let definition = ProgramDefinition(
        "homing-relay", summary: "the push relay for Home Assistant and Homing",
        version: homingVersion,
        options: [
            OptionDefinition("config", value: "FILE", help: "Read this file, not relay.conf")
        ],
        groups: groups.map { ($0.title, $0.commands.map(\.definition)) })

    static func main() {
        signal(SIGPIPE, SIG_IGN)
        Heap.hide()
        Heap.returnLargeBlocks()
        Console.end(run(definition.command()).rawValue, program: definition.name)
    }

    private static func run(_ command: ParsedCommand) -> ExitCode {
        guard let found = commands.first(where: { $0.definition.name == command.name }) else {
            return .failure
        }
        do throws(LineError) { return try found.run(command) } catch {
            return Terminal.tell(error, program: "homing-relay")
        }
    }
}

extension ParsedCommand {
    /// The path of the configuration, and whether it was given.
    var configuration: (path: String, isGiven: Bool) {
        let given = value("config")
        return (given ?? Folders.configuration(named: "relay.conf"), given != nil)
    }

    /// The settings. Throws with each problem as a line.
    func settings() throws(LineError) -> RelayConfiguration {
        let (path, isGiven) = configuration
        switch RelayConfiguration.table.load(path: path, explicit: isGiven, first: nil) {
        case .success(let loaded):
            for note in loaded.notes { Terminal.error("\(note)") }
            return loaded.main
        case .failure(let errors):
            throw LineError(
                .configuration, "the configuration is wrong:\n\(errors)",
                hint: "correct it, then: homing-relay check")
        }
    }
}

/// The relay's folders.
enum RelayFolders {
    static var state: String { Folders.state(of: RelayCommand.program) }
    static var runtime: String { Folders.runtime(of: RelayCommand.program) }
}

/// A command's end of the relay's socket.
enum RelaySocket {
    /// Where the relay of this process listens.
    static var own: String { "\(RelayFolders.runtime)/control.sock" }

    /// Asks the relay, and waits for the answer.
    static func call<Value: Codable & Sendable>(
        _ command: RelayCommand, returning: Value.Type
    ) throws(LineError) -> Value {
        let client = try LineClient<RelayCommand>(
            path: Folders.socket(of: RelayCommand.program),
            startHint: "start the relay: systemctl start homing-relay")
        return try client.call(command, returning: returning)
    }
}
