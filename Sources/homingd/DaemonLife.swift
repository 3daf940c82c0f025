import Glibc
import HomingAgent
import HomingConfiguration
import HomingControl
import HomingRegistration
import HomingRuntime
import HomingSettings

/// Life from the first turn of the loop to the last: starts the agent, minds the signals.
@LoopActor enum DaemonLife {
    /// Seconds an orderly end may take.
    private static let patience = 4.0

    /// Read by the main thread after the loop has ended.
    nonisolated(unsafe) private(set) static var exitCode = ExitCode.done
    private static var agent: Agent?
    private static var watches: [Watch] = []
    private static var isEnding = false
    /// Seconds after the start, at which most of what starting needed is not needed again.
    private static let settling: Seconds = 60

    /// Reads the configuration.
    ///
    /// - Parameters:
    ///   - path: as given on the command line.
    ///   - first: the first home; by default the one that the folders name.
    nonisolated static func load(
        _ path: String?,
        first: String? = HomeFolders(state: Folders.state(), runtime: Folders.runtime()).first()
    ) -> Result<Loaded<Configuration>, SettingsErrors> {
        Configuration.table.load(
            path: path ?? Folders.configuration(), explicit: path != nil, first: first)
    }

    /// Returns the configuration to start with, and why it is not that of the files; `nil` if the files
    /// have errors and no earlier configuration was kept.
    nonisolated static func startable(_ path: String?) -> (Loaded<Configuration>, problem: String?)?
    {
        switch load(path) {
        case .success(let configuration): return (configuration, nil)
        case .failure(let errors):
            Console.write("\(errors)\n", to: .error)
            let state = Folders.state()
            // A copy of an image has the settings of the marked machine, which are not its own.
            if (try? ImageMark(state: state).look(on: .read())) == .copy { return nil }
            let first = HomeFolders(state: state, runtime: Folders.runtime()).first()
            let kept = KeptConfiguration(state: state).load(
                path ?? Folders.configuration(), explicit: path != nil, first: first)
            guard let kept else { return nil }
            let problem = errors.diagnostics.first.map { "\($0)" } ?? ""
            let end = problem.hasSuffix("?") ? "" : "."
            return (
                kept.configuration,
                "\(problem)\(end) In use: the configuration of \(UTCTime(kept.time).minuteText), and "
                    + "what the wrong configuration forbids"
            )
        }
    }

    /// - Parameter problem: why the configuration is not that of the files.
    static func begin(
        _ path: String?, _ configuration: Loaded<Configuration>, problem: String?,
        level: LogLevel?
    ) {
        tellNotes(configuration)
        // Before systemd hears that we are ready: a reload may follow at once.
        watchSignals(path, level: level)
        do throws(StartFailure) {
            let files = ConfigurationFiles(
                path: { path ?? Folders.configuration() },
                problem: { first in
                    guard case .failure(let errors) = load(path, first: first) else { return nil }
                    return errors.diagnostics.first.map { "\($0)" }
                }, reload: { reload(path, level: level) })
            let agent = try Agent(configuration: configuration, files: files)
            try agent.start()
            self.agent = agent
            if let problem { agent.configurationProblem(problem) } else { keep(path) }
            watches.append(
                Watch.slowTimer(settling) {
                    CleanPages.release()
                    return .done
                })
        } catch {
            Log.error("\(error)")
            exitCode = error.isForPeople ? .configuration : .failure
            EventLoop.main.quit()
        }
    }

    /// Keeps a copy of the files for a start with an error in them.
    private static func keep(_ path: String?) {
        do throws(SystemError) {
            try KeptConfiguration(state: Folders.state()).keep(
                path ?? Folders.configuration(), explicit: path != nil,
                at: SystemClock().now().unixTime)
        } catch {
            Log.notice(
                "the configuration cannot be kept for a start with a mistake in it: \(error)")
        }
    }

    private static func watchSignals(_ path: String?, level: LogLevel?) {
        watches = [SIGTERM, SIGINT].map { number in
            Watch.signal(number) {
                end()
                return .again
            }
        }
        watches.append(
            Watch.signal(SIGHUP) {
                _ = reload(path, level: level)
                return .again
            })
    }

    /// The first signal lets the agent take its leave, a second one ends it at once.
    private static func end() {
        guard !isEnding else { return stop() }
        isEnding = true
        // Should a disk hang, what is committed is safe, and systemd need not wait.
        alarm(UInt32(patience))
        agent?.leave { stop() }
    }

    private static func stop() {
        guard let agent else { return }
        self.agent = nil
        agent.stop()
        EventLoop.main.quit()
    }

    private static func tellNotes(_ configuration: Loaded<Configuration>) {
        for note in configuration.notes { Log.notice("\(note)") }
    }

    /// Reads the configuration again. Returns the errors of a wrong configuration, which changes nothing.
    private static func reload(_ path: String?, level: LogLevel?) -> [String] {
        ServiceManager.reloading()
        defer { ServiceManager.ready() }
        switch load(path) {
        case .success(let configuration):
            Log.start(level: level ?? configuration.main.log.level)
            tellNotes(configuration)
            agent?.reload(configuration)
            agent?.configurationProblem(nil)
            keep(path)
            Log.notice("the configuration was read again")
            return []
        case .failure(let errors):
            for diagnostic in errors.diagnostics { Log.error("\(diagnostic)") }
            let problems = errors.diagnostics.map { "\($0)" }
            agent?.configurationProblem(problems.first ?? "")
            return problems
        }
    }
}
