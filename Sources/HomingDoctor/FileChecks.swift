internal import Glibc
internal import HomingConfiguration
internal import HomingHealth
internal import HomingRuntime

/// The state folder, what is secret in it, and the room on its disk.
struct FileChecks {
    /// The state folder.
    let folder: String
    /// The homes in the folder: the state folder of each, and its configuration.
    let homes: [(folder: String, configuration: Configuration)]
    /// Bytes that each queue may take.
    let queueSize: Int
    /// Whether the daemon has the registration and answers for it.
    let isDaemonRunning: Bool

    func run() -> [Finding] { [state(), files(), disk()] }

    private func state() -> Finding {
        let privacies = Self.home(in: folder)
        var status = stat()
        guard stat(folder, &status) == 0 else {
            return errno == ENOENT && !isDaemonRunning
                ? .skipped(.state, "\(folder) is not there yet", privacies)
                : .wrong(.state, .stateUnusable, "\(folder): \(SystemError("").reason)", privacies)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return .wrong(.state, .stateUnusable, "\(folder) is no folder", privacies)
        }
        guard status.st_uid == geteuid() || geteuid() == 0 else {
            return .skipped(.state, "\(folder) is another user's", privacies)
        }
        guard OwnerRights.has(W_OK | X_OK, to: folder) else {
            return .wrong(
                .state, .stateUnusable, "\(folder): \(SystemError("").reason)", privacies)
        }
        return .well(.state, folder, privacies)
    }

    private func files() -> Finding {
        let secrets = homes.flatMap { home in
            [
                "\(home.folder)/registration.json", "\(home.folder)/outbox.db",
                "\(home.folder)/outbox-log", "\(home.folder)/relay.json",
                home.configuration.homeAssistant.clientKey ?? "",
                home.configuration.push.tokenFile ?? "",
            ]
        }
        var seen = 0
        for path in secrets where !path.isEmpty {
            var status = stat()
            guard stat(path, &status) == 0 else { continue }
            seen += 1
            // A group may be meant to read a key; nobody is meant to read the rest.
            let forbidden: mode_t = path.hasPrefix(folder) ? 0o077 : 0o007
            if status.st_mode & forbidden != 0 {
                let mode = String(status.st_mode & 0o777, radix: 8)
                return .wrong(
                    .files, .filesExposed, "\(path) has mode \(mode)", Self.home(in: path))
            }
        }
        return seen == 0
            ? .skipped(.files, "no file found") : .well(.files, "closed to other users")
    }

    private func disk() -> Finding {
        guard let space = HostFiles().space(of: folder) else {
            return .skipped(.disk, "size unknown")
        }
        let free = Int(min(space.available / 1_048_576, 1e9))
        let wanted = queueSize * max(1, homes.count)
        return free < wanted
            ? .wrong(.disk, .diskFull, "\(free) MiB free, the queue may need \(wanted)")
            : .well(.disk, "\(free) MiB free")
    }

    /// The user's name in a path of theirs.
    static func home(in path: String) -> [Finding.Privacy] {
        let parts = path.split(separator: "/")
        guard parts.count > 1, parts[0] == "home" else { return [] }
        return [.init(.user, String(parts[1]))]
    }
}
