internal import HomingBase
public import HomingRuntime

/// Opens a web address in the user's browser, by xdg-open. The browser outlives us: see
/// `DesktopProgram`.
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
        guard WebAddress(address) != nil else { return failed("it is no web address") }
        let command = Command(
            DesktopProgram.detached(["xdg-open", address]), timeout: Self.patience)
        runner.run(command) { outcome in
            switch outcome {
            case .exited(0): break
            case .exited(let status): failed("xdg-open cannot be started (status \(status))")
            case .killed, .timedOut: failed("xdg-open does not start")
            case .failed(let reason): failed(reason)
            }
        }
    }
}
