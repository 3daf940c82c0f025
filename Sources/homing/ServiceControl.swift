import Glibc
internal import HomingBase
import HomingPairing
import HomingRuntime

/// systemctl(1): the system's service for root, the user's own for others.
enum ServiceControl {
    /// Seconds; the service says when it is ready.
    private static let patience: Seconds = 60

    /// Whether systemd runs this machine (sd_booted(3)).
    static var isThere: Bool { program != nil && access("/run/systemd/system", F_OK) == 0 }

    /// Whether the system's service starts with the machine. Then no user's own service starts.
    static var isSystemsEnabled: Bool {
        var entry = stat()
        return lstat("/etc/systemd/system/multi-user.target.wants/homing.service", &entry) == 0
            && entry.st_mode & S_IFMT == S_IFLNK
    }

    private static var program: String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/systemctl" }.first { access($0, X_OK) == 0 }
    }

    /// Time at which the service starts that `enable` enables: a lingering user's (loginctl(1))
    /// with the machine.
    static var start: ServiceStart {
        if geteuid() == 0 { return .withTheMachine }
        let name = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? ""
        return access("/var/lib/systemd/linger/\(name)", F_OK) == 0
            ? .withTheMachine : .withTheLogin
    }

    /// The arguments of systemctl that start the service now and at each start.
    private static var words: [String] {
        (geteuid() == 0 ? [] : ["--user"]) + ["enable", "--now", "homing.service"]
    }

    /// Command by which a person starts the service now and at each start.
    static var startCommand: String {
        "\(geteuid() == 0 ? "sudo " : "")systemctl \(words.joined(separator: " "))"
    }

    /// Starts the service now and at each start.
    @LoopActor static func enable() async -> PairingTrouble? {
        let isUser = geteuid() != 0
        guard let program else {
            return PairingTrouble(
                .machine, "there is no systemctl",
                hint: "start homingd by the service manager of this machine")
        }
        var child: ChildProcess?
        let result: ChildProcess.Result? = await withCheckedContinuation { continuation in
            do throws(SystemError) {
                child = try ChildProcess(
                    program, words, environment: environment, timeout: patience, limit: 1 << 16
                ) { continuation.resume(returning: $0) }
            } catch { continuation.resume(returning: nil) }
        }
        _ = child
        if result?.ending == .exited(0) { return nil }
        let said =
            String(decoding: result?.errors ?? [], as: UTF8.self)
            .split(separator: "\n").last.map { ": \($0)" } ?? ""
        let isMissing = isUser && said.holds("does not exist")
        return PairingTrouble(
            .machine, "the service could not be started\(said)",
            hint: isMissing
                ? "install the package homing-desktop, which brings this service, then run: \(startCommand)"
                : hintOfJournal("run: \(startCommand), and read"))
    }

    /// The hint with the command that shows what the service has said.
    static func hintOfJournal(_ words: String) -> String {
        let owner: DaemonOwner = geteuid() == 0 ? .system : .user
        return owner.typed("\(words): journalctl -u homing")
    }

    /// A user's service manager is found by the environment.
    private static var environment: [String] {
        let names = ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "HOME"]
        return ChildProcess.plainEnvironment
            + names.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
    }
}
