import Glibc
import HomingRuntime
import HomingTestKit
import Testing

/// A D-Bus daemon of a test's own, with mocks of services on it.
@LoopActor final class PrivateBus {
    private let folder: TemporaryFolder
    private var daemon: Child?

    var address: String { "unix:path=\(socket)" }
    private var socket: String { "\(folder.path)/bus.sock" }

    /// Starts it.
    init() async throws {
        folder = try TemporaryFolder()
        // Other users run the service.
        chmod(folder.path, 0o777)
        try await start()
    }

    func start() async throws {
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>system</type><keep_umask/><listen>\(address)</listen>
            <auth>EXTERNAL</auth><servicedir>\(folder.path)</servicedir><policy context="default"><allow send_destination="*"/>
            <allow receive_sender="*"/><allow own="*"/><allow user="*"/></policy></busconfig>
            """
        let file = "\(folder.path)/bus.conf"
        try AtomicFile.write(Array(configuration.utf8), to: file)
        daemon = try Child([
            "dbus-daemon", "--config-file=\(file)", "--nofork", "--nopidfile", "--nosyslog",
            "--print-address",
        ])
        // It tells its address once it listens; the socket is there before that.
        let line = await daemon?.line() ?? ""
        try #require(!line.isEmpty, "the bus did not start")
    }

    /// Kills it, and whatever mock is on it ends.
    func stop() {
        daemon?.stop()
        daemon = nil
        unlink(socket)
    }

    /// Lets the bus start a service that only leaves a file, and answers the file's path.
    func offer(_ name: String) throws -> String {
        let mark = "\(folder.path)/started"
        let service = "[D-BUS Service]\nName=\(name)\nExec=/usr/bin/touch \(mark)\nUser=root\n"
        try AtomicFile.write(Array(service.utf8), to: "\(folder.path)/\(name).service")
        return mark
    }

    /// Freezes it, or lets it go on.
    func freeze(_ frozen: Bool) { daemon?.freeze(frozen) }

    /// Starts a mock of a service and waits until it is there.
    func mock(_ template: String) async throws -> Mock {
        let mock = Mock(
            try Child(
                ["/usr/bin/python3", Mock.script, template],
                environment: ["DBUS_SYSTEM_BUS_ADDRESS": address]))
        try #require(await mock.child.line() == "ready", "the mock of \(template) did not start")
        return mock
    }
}

/// A mock of a service, see Rig/mock.py.
@LoopActor final class Mock {
    static let script =
        #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(2).joined(separator: "/") + "/Rig/mock.py"

    let child: Child

    init(_ child: Child) { self.child = child }

    /// Has it do something, and waits until it did.
    func callAsFunction(_ command: String) async throws {
        child.say(command)
        let answer = await child.line()
        try #require(answer == "ok", "\(command): \(answer)")
    }

    func stop() { child.stop() }
}
