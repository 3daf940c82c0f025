import Glibc
import HomingCommandLine
import HomingControl
import HomingRuntime
import HomingSession

/// The helper's process: arguments, signals, the loop.
@main enum SessionProgram {
    static let program = ProgramDefinition(
        "homing-session", version: homingVersion,
        command: CommandDefinition(
            "homing-session",
            summary: "Show the notifications of the system's daemon on this desktop",
            discussion: """
                Takes notifications from the system's homingd, shows them here, and takes the \
                answers back. Usually run by systemd, as homing-session.service.
                """,
            options: [
                OptionDefinition("socket", value: "PATH", help: "The daemon's socket"),
                OptionDefinition(
                    "log-level", value: "LEVEL", allowed: LogLevel.allCases.map(\.name),
                    help: "How much to log"),
            ],
            exitCodes: [
                0: "ended by a signal, or another helper has come",
                64: "wrong use of the command line",
            ]))

    static func main() {
        StandardFiles.openClosed()
        signal(SIGPIPE, SIG_IGN)
        let command = program.command()
        Log.start(level: command.value("log-level").flatMap { LogLevel(name: $0) } ?? .info)
        let socket = command.value("socket") ?? SessionHelper.socket
        spawn { SessionLife.begin(socket) }
        EventLoop.main.run()
        exit(ExitCode.done.rawValue)
    }
}

/// Helper from the first turn of the loop to the last.
@LoopActor enum SessionLife {
    private static var helper: SessionHelper?
    private static var watches: [Watch] = []

    static func begin(_ socket: String) {
        watches = [SIGTERM, SIGINT].map { number in
            Watch.signal(number) {
                end()
                return .again
            }
        }
        let helper = SessionHelper(socket: socket, clock: SystemClock()) { end() }
        self.helper = helper
        helper.start()
        ServiceManager.ready()
    }

    private static func end() {
        helper?.shutdown()
        helper = nil
        EventLoop.main.quit()
    }
}
