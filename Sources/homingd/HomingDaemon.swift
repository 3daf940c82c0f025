import Glibc
import HomingCommandLine
internal import HomingConfiguration
import HomingControl
import HomingRuntime
internal import HomingSettings

/// The daemon's process: arguments, configuration, signals, the loop.
@main enum HomingDaemon {
    static let program = ProgramDefinition(
        "homingd", version: homingVersion,
        command: CommandDefinition(
            "homingd", summary: "Home Assistant companion for Linux",
            discussion: """
                Sends this machine's location to Home Assistant. Usually systemd runs homingd; \
                "homing" sets up and checks homingd.
                """,
            options: [
                OptionDefinition(
                    "config", value: "FILE", help: "Read this file instead of agent.conf"),
                OptionDefinition(
                    "log-level", value: "LEVEL", allowed: LogLevel.allCases.map(\.name),
                    help: "How much to log, whatever the configuration says"),
            ],
            exitCodes: [
                0: "ended by a signal, as it should",
                1: "cannot start now, and may later: another daemon, or a failing disk",
                64: "wrong use of the command line",
                77: "root's daemon may not use the state folder of another user",
                78: "the configuration or the stored data is wrong: correct it first",
            ]))

    static func main() {
        StandardFiles.openClosed()
        signal(SIGPIPE, SIG_IGN)
        Heap.hide()
        Heap.returnLargeBlocks()
        Heap.shareOneHeap()
        let command = program.command()
        refuseForeignState()
        let level = command.value("log-level").flatMap { LogLevel(name: $0) }
        let path = command.value("config")
        guard let (configuration, problem) = DaemonLife.startable(path) else {
            exit(ExitCode.configuration.rawValue)
        }
        Log.start(level: level ?? configuration.main.log.level)
        spawn { DaemonLife.begin(path, configuration, problem: problem, level: level) }
        EventLoop.main.run()
        exit(DaemonLife.exitCode.rawValue)
    }

    /// Ends where root's files would be closed to the user to whom the state folder belongs.
    private static func refuseForeignState() {
        let folder = Folders.state()
        guard let owner = Folders.owner(of: folder), owner.user != 0 else { return }
        Console.write(
            "homingd: \(folder) belongs to another user. Run homingd as that user. For the system's daemon, "
                + "run: sudo systemctl start homing\n", to: .error)
        exit(ExitCode.notPermitted.rawValue)
    }
}
