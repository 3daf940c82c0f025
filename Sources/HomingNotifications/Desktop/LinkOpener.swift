internal import Glibc
public import HomingRuntime

/// Opens a web address in the user's browser, by xdg-open.
///
/// The browser must outlive us: where the user has a systemd of their own, it starts in a unit of its
/// own there, since systemd ends all that a service has started with the service; elsewhere in a
/// session of its own.
@LoopActor public final class LinkOpener {
    /// Seconds a program may take to start another.
    private static let patience = 10.0

    private let runner: CommandRunner

    /// - Parameter runner: starts the programs.
    public init(runner: CommandRunner) { self.runner = runner }

    /// - Parameters:
    ///   - address: `http://…` or `https://…`, which no program can take for an option.
    ///   - failed: gets the reason if nothing can be opened.
    public func open(_ address: String, failed: @escaping @LoopActor (String) -> Void) {
        guard address.hasPrefix("http://") || address.hasPrefix("https://") else {
            return failed("it is no web address")
        }
        let command = Command(Self.launcher + ["xdg-open", address], timeout: Self.patience)
        runner.run(command) { outcome in
            switch outcome {
            case .exited(0): break
            case .exited(let status): failed("xdg-open cannot be started (status \(status))")
            case .killed, .timedOut: failed("xdg-open does not start")
            case .failed(let reason): failed(reason)
            }
        }
    }

    private static var launcher: [String] {
        guard let folder = getenv("XDG_RUNTIME_DIR"),
            access("\(String(cString: folder))/systemd/private", F_OK) == 0
        else { return ["/usr/bin/setsid", "--fork"] }
        return [
            "/usr/bin/systemd-run", "--user", "--quiet", "--collect", "--property=ExitType=cgroup",
            "--",
        ]
    }
}
