import Glibc
import HomingControl
import HomingRuntime
import HomingTerminal

/// Lets one command at a time change the registration of this machine. Home Assistant forgets the earlier of
/// two registrations, and this machine might keep the forgotten registration.
@LoopActor enum RegistrationLock {
    /// Seconds for which another command may register.
    private static let patience: Seconds = 120
    /// Errors with which there is no lock: of a user who may not write there, of a file system without locks,
    /// and of a home without `.local/state`, of which a setup that fails leaves nothing behind.
    private static let withoutLock = [EACCES, EPERM, EROFS, ENOENT, ENOLCK, EOPNOTSUPP]
    private static var held: FileLock?

    /// Waits for another command, and holds the lock until `release`, or until the process ends.
    static func hold() async throws(ControlError) {
        guard held == nil else { return }
        let end = SystemClock.now().uptime + patience
        var hasTold = false
        while true {
            do throws(SystemError) { held = try lock() } catch {
                if withoutLock.contains(error.number) { return }
                throw ControlError(.failure, "\(error)")
            }
            if held != nil { return }
            guard SystemClock.now().uptime < end else { break }
            if !hasTold {
                Terminal.error("another command registers this machine: waiting for that command")
            }
            hasTold = true
            await Watch.pause(0.1)
        }
        throw ControlError(
            .temporary, "another command still registers this machine",
            hint: "wait until that command has ended, then give this command again")
    }

    static func release() { held = nil }

    /// The same as `hold`, for a command that does nothing else meanwhile.
    nonisolated static func wait() throws(ControlError) {
        try EventLoop.main.wait { () async -> Result<Void, ControlError> in
            do throws(ControlError) { return .success(try await hold()) } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Beside the state folder, which a registration makes.
    private static func lock() throws(SystemError) -> FileLock? {
        try FileLock("\(Folders.state()).lock")
    }
}
