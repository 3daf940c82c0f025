import Glibc
import HomingBase
import HomingCommandLine
import HomingRelay
import HomingRuntime
import HomingSettings
import HomingSocket
import HomingTerminal

extension Command {
    /// `homing-relay init`: make the files of a new relay.
    static let initialise = CommandDefinition(
        "init", summary: "Make the configuration and the keys of a new relay",
        discussion: """
            A file that is there already stays as it is, and has to say what the options say. The \
            keys are secret, and belong into your backup: without them each machine must join again.
            """,
        options: [
            OptionDefinition(
                "public-url", value: "URL",
                help: "How Home Assistant and machines reach the relay: https://relay.example"),
            OptionDefinition(
                "listen", value: "ADDRESS",
                help: "Where the relay listens: 0.0.0.0:8765 for a whole network"),
            OptionDefinition(
                "forward", value: "URL",
                help: "The far relay, for a front beside Home Assistant: https://relay.example"),
        ],
        examples: [
            "sudo homing-relay init --public-url https://relay.example": "behind a proxy with TLS",
            "sudo homing-relay init --public-url http://192.168.1.20:8765 --listen 0.0.0.0:8765":
                "for the network at home",
            "sudo homing-relay init --public-url http://192.168.1.20:8765 --listen 0.0.0.0:8765"
                + " --forward https://relay.example": "a front for the relay at relay.example",
        ],
        exitCodes: [
            0: "made, or there already", 1: "a file cannot be written",
            64: "no such URL or address, or the file has another one",
            77: "not permitted for this user",
        ]
    ).runs(initialise)

    /// An option, and the value that a person has given.
    private typealias Choice = (option: InitOption, value: String)

    private static func initialise(_ command: ParsedCommand) throws(LineError) {
        try command.demandRights()
        let (path, _) = command.configuration
        let values = InitOption.allCases.compactMap { option in
            command.value(option.rawValue).map { (option: option, value: $0) }
        }
        let isNew = try makeConfiguration(path, values)
        let settings: RelayConfiguration
        if isNew {
            settings = try firstSettings(path, values)
        } else {
            settings = try command.settings()
            try compare(settings, path, values)
        }
        Terminal.print(isNew ? "\(path) is made." : "\(path) is there already, and stays.")
        let folder = RelayFolders.state
        let keys = KeyFile(settings, state: folder)
        do {
            try Folders.make(folder)
            let hasKeys = try hasKeys(keys)
            Terminal.print(
                hasKeys
                    ? "\(keys.path) is there already, and stays."
                    : "\(keys.path) is made. Put a copy into your backup.")
        } catch let error as LineError {
            throw error
        } catch let error as KeyFileError {
            throw LineError(.configuration, "\(error)")
        } catch {
            throw LineError(.failure, "\(error)")
        }
        for warning in settings.warnings { Terminal.print("Warning: \(warning).") }
        Terminal.print(
            """
            Next: sudo systemctl enable --now homing-relay
            Then: sudo homing-relay invite, and "sudo homing relay join" on the machine.
            """)
    }

    /// The settings of a file that was just made of these options; deletes a file that is wrong.
    private static func firstSettings(
        _ path: String, _ values: [Choice]
    ) throws(LineError) -> RelayConfiguration {
        do throws(SettingsErrors) {
            return try RelayConfiguration.read(path, isGiven: true)
        } catch {
            unlink(path)
            let lines = error.diagnostics.map { refusal($0, path, values) }
            throw LineError(.usage, lines.joined(separator: "\n"))
        }
    }

    /// A problem in words about the option that caused the problem. The user has not seen the file.
    private static func refusal(
        _ problem: Diagnostic, _ path: String, _ values: [Choice]
    ) -> String {
        let cause = values.first { choice in
            problem.file == path && problem.key == "\(choice.option.section).\(choice.option.key)"
        }
        return cause.map { "--\($0.option.rawValue) \(problem.message)" } ?? "\(problem)"
    }

    /// Refuses options that say otherwise than the files that are there.
    private static func compare(
        _ settings: RelayConfiguration, _ path: String, _ values: [Choice]
    ) throws(LineError) {
        for (option, value) in values {
            let (present, key) = (option.value(in: settings), option.key)
            guard present?.withoutEndingSlashes != value.withoutEndingSlashes else { continue }
            throw LineError(
                .usage,
                "\(path) is there already, with \(present.map { "\(key) = \($0)" } ?? "no \(key)")",
                hint:
                    "set \(key) under [\(option.section)] there by hand. Then run: sudo systemctl restart homing-relay"
                    + option.consequence)
        }
    }

    /// Whether there are keys already; makes keys if not.
    private static func hasKeys(_ keys: KeyFile) throws -> Bool {
        do throws(KeyFileError) {
            _ = try keys.read()
            return true
        } catch {
            guard error.isMissing else { throw error }
        }
        do throws(KeyFileError) { return try !keys.make().isNew } catch {
            throw LineError(.failure, "\(error)")
        }
    }

    /// Writes the file unless the file is there. Returns whether the file is new.
    private static func makeConfiguration(
        _ path: String, _ values: [Choice]
    ) throws(LineError) -> Bool {
        guard access(path, F_OK) != 0 else { return false }
        var text = RelayConfiguration.table.example()
        for (option, value) in values {
            guard !value.isEmpty, value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
                throw LineError(
                    .usage,
                    "--\(option.rawValue) is empty, or holds a character that no address has")
            }
            option.set(to: value, in: &text)
        }
        // The service's user reads both, whatever this shell's umask is.
        let mask = umask(0o022)
        defer { umask(mask) }
        do throws(SystemError) {
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            try Folders.make(folder, mode: 0o755)
            return try AtomicFile.create(Array(text.utf8), at: path, mode: 0o644)
        } catch {
            let isForRoot = error.number == EACCES && geteuid() != 0
            throw LineError(
                .failure, "\(error)",
                hint: isForRoot ? "give the same command with sudo" : nil)
        }
    }
}
