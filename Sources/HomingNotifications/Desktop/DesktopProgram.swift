internal import Glibc

/// Start of a program with a window from a service.
///
/// What a service starts belongs to its unit: it has the service's restrictions, among them that no
/// memory may be written and run, which drawing on the graphics card needs; it lacks what the
/// desktop has told the user's manager since, the display above all; and it ends with the service.
/// So where the user has a systemd of their own, the program runs in a unit of its own there.
enum DesktopProgram {
    private static let systemdRun = "/usr/bin/systemd-run"

    /// Whether the user's own systemd is there to ask.
    static var hasManager: Bool {
        guard let folder = getenv("XDG_RUNTIME_DIR") else { return false }
        return access("\(String(cString: folder))/systemd/private", F_OK) == 0
            && access(systemdRun, X_OK) == 0
    }

    /// The path of a program that `PATH` names; `nil` where the program is missing.
    static func find(_ name: String) -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(name)" }
            .first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
    }

    /// A command line that opens an address in the user's browser: by xdg-open, else by gio.
    static func opener(
        of address: String, find: (String) -> String? = DesktopProgram.find
    ) -> [String]? {
        if let program = find("xdg-open") { return [program, address] }
        return find("gio").map { [$0, "open", address] }
    }

    /// A command line that starts the program, lets it go and ends.
    static func detached(_ words: [String], hasManager: Bool = DesktopProgram.hasManager)
        -> [String]
    {
        guard hasManager else { return ["/usr/bin/setsid", "--fork"] + words }
        // xdg-open ends before the browser that it has started.
        return [systemdRun, "--user", "--quiet", "--collect", "--property=ExitType=cgroup", "--"]
            + words
    }

    /// A command line that runs the program, and gives its output and its status as its own.
    ///
    /// - Parameter seconds: after which it is ended.
    static func attached(
        _ words: [String], seconds: Int, hasManager: Bool = DesktopProgram.hasManager
    ) -> [String] {
        guard hasManager else { return words }
        return [
            systemdRun, "--user", "--quiet", "--collect", "--pipe", "--wait",
            "--property=RuntimeMaxSec=\(seconds)", "--",
        ] + words
    }
}
