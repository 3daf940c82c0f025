internal import Glibc
internal import HomingHealth
internal import HomingRuntime
public import HomingSocket

/// The command line's end of the control socket.
public typealias ControlClient = LineClient<ControlCommand>

extension ControlClient {
    /// Connects to a daemon of the user's own, else to the system's. Throws a `ControlError` that
    /// says what to do if none is there.
    public convenience init() throws(ControlError) {
        let own = "\(Folders.runtime())/control.sock"
        let system = "/run/homing/control.sock"
        let isGiven = getenv("RUNTIME_DIRECTORY") != nil
        let isSystems = !isGiven && access(own, F_OK) != 0 && access(system, F_OK) == 0
        try self.init(
            path: isSystems ? system : own, startHint: Warnable.daemonNotRunning.hint)
    }
}
