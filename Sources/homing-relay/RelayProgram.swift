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
        ("Machines", [.invite, .forgetMailbox, .blockMailbox, .unblockMailbox, .rotateKey]),
    ]

    private static let commands = groups.flatMap(\.commands)

    static let definition = ProgramDefinition(
        "homing-relay", summary: "Push relay for Home Assistant and Homing",
        version: homingVersion,
        options: [
            OptionDefinition("config", value: "FILE", help: "Read this file, not relay.conf")
        ],
        groups: groups.map { ($0.title, $0.commands.map(\.definition)) })

    static func main() {
        StandardFiles.openClosed()
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
            var error = error
            error.hint = error.hint.map(DaemonOwner.system.typed)
            return Terminal.reportFailure(error, program: "homing-relay")
        }
    }
}

extension ParsedCommand {
    /// The path of the configuration, and whether it was given.
    var configuration: (path: String, isGiven: Bool) {
        let given = value("config")
        return (given ?? Folders.configuration(named: "relay.conf"), given != nil)
    }

    /// Whether there is a configuration: without one the service does not start.
    private var isSetUp: Bool {
        do throws(SystemError) {
            return try !RelayConfiguration.table.files(of: configuration.path).isEmpty
        } catch {
            // Something is there, and a start says what is wrong with it.
            return true
        }
    }

    /// Advice where no relay runs.
    var startHint: String {
        isSetUp
            ? "start the relay: sudo systemctl start homing-relay; if the relay stops again: "
                + "sudo journalctl -u homing-relay"
            : "make the files of a relay first: sudo homing-relay init --public-url URL"
    }

    /// Throws if the relay is the service's, whose files are root's, and this user is another.
    func demandRights() throws(LineError) {
        let (path, isGiven) = configuration
        guard !isGiven, path.hasPrefix("/etc/"),
            SystemRelay.needsRoot(keys: "\(RelayFolders.state)/relay.keys")
        else { return }
        throw LineError(
            .notPermitted, "the files of this machine's relay are root's",
            hint: "give the same command with sudo")
    }

    /// Throws if there is neither a configuration nor keys.
    func demandFiles() throws(LineError) {
        let keys = KeyFile(RelayConfiguration(), state: RelayFolders.state).path
        guard !isSetUp, access(keys, F_OK) != 0 else { return }
        throw LineError(
            .configuration,
            "there is no relay here: neither \(configuration.path) nor \(keys) is there",
            hint: startHint)
    }

    /// The settings. Throws with each problem as a line.
    func settings() throws(LineError) -> RelayConfiguration {
        let (path, isGiven) = configuration
        do throws(SettingsErrors) {
            return try RelayConfiguration.read(path, isGiven: isGiven)
        } catch {
            throw LineError(
                .configuration, "the configuration is wrong:\n\(error)",
                hint: "correct it, then: homing-relay check")
        }
    }
}

extension RelayConfiguration {
    /// Reads the files, and prints the notes on them.
    ///
    /// - Parameter isGiven: whether somebody named the path.
    static func read(
        _ path: String, isGiven: Bool
    ) throws(SettingsErrors) -> RelayConfiguration {
        let loaded = try table.load(path: path, explicit: isGiven).get()
        for note in loaded.notes { Terminal.error("\(note)") }
        return loaded.main
    }
}

/// The relay's folders.
enum RelayFolders {
    static var state: String { Folders.state(of: RelayCommand.program) }
    static var runtime: String { Folders.runtime(of: RelayCommand.program) }
}

/// A command's end of the relay's socket.
enum RelaySocket {
    /// Path of the socket on which the relay of this process listens.
    static var own: String { "\(RelayFolders.runtime)/control.sock" }

    /// Path of the socket on which a relay listens that a command means.
    static var path: String { Folders.socket(of: RelayCommand.program) }

    /// Connects; `nil` where no relay runs. A relay that hangs is an error.
    static func connect() throws(LineError) -> LineClient<RelayCommand>? {
        do throws(LineError) { return try LineClient.ifListening(path: path) } catch {
            throw error.ofRelay
        }
    }

    /// Asks the relay that is connected, and waits for the answer.
    static func callRelay<Value: Codable & Sendable>(
        _ client: LineClient<RelayCommand>, _ verb: RelayCommand, returning: Value.Type
    ) throws(LineError) -> Value {
        do throws(LineError) { return try client.call(verb, returning: returning) } catch {
            throw error.ofRelay
        }
    }

    /// Asks the relay, and waits for the answer.
    static func call<Value: Codable & Sendable>(
        _ verb: RelayCommand, for command: ParsedCommand, returning: Value.Type
    ) throws(LineError) -> Value {
        guard let client = try connect() else {
            throw LineError(
                .unavailable, "the relay does not run (no answer at \(path))",
                hint: command.startHint)
        }
        return try callRelay(client, verb, returning: returning)
    }
}

extension LineError {
    /// The same error; in place of a refusal of this user, which names a group, the way to be root.
    fileprivate var ofRelay: LineError {
        guard exitCode == .notPermitted else { return self }
        return LineError(
            .notPermitted, "the relay does not answer this user", hint: "run it with sudo")
    }
}
