internal import Glibc

/// The variables that our own process was given.
public enum ProcessEnvironment {
    /// Variables that are between systemd and us, or our own.
    private static let ownVariables = [
        "NOTIFY_SOCKET=", "WATCHDOG_", "LISTEN_", "JOURNAL_STREAM=", "HOMING_",
    ]

    /// `NAME=VALUE` of each that a program of the user's may have.
    public static var inherited: [String] {
        var variables: [String] = []
        var entry = environ
        while let variable = entry.pointee {
            variables.append(String(cString: variable))
            entry += 1
        }
        return variables.filter { variable in
            !ownVariables.contains { variable.hasPrefix($0) }
        }
    }
}
