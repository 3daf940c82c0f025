import HomingControl
import HomingRuntime
import HomingTerminal

/// Lets one command at a time register this machine. Home Assistant forgets the earlier of two registrations,
/// and this machine might keep the forgotten registration.
@LoopActor enum RegistrationLock {
    /// Seconds for which another command may still register, start the service and test.
    private static let patience: Seconds = 120
    private static var held: FileLock?

    /// Waits for another command that registers this machine. Holds the lock until the process ends.
    static func hold() async throws(ControlError) {
        guard held == nil else { return }
        let end = SystemClock.now().uptime + patience
        var hasTold = false
        while true {
            // Without rights to the folder, or without locks in its file system, there is no lock.
            do throws(SystemError) { held = try FileLock("\(Folders.runtime()).lock") } catch {
                return
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

    /// The same for a command that does nothing else meanwhile.
    nonisolated static func wait() throws(ControlError) {
        try EventLoop.main.wait { () async -> Result<Void, ControlError> in
            do throws(ControlError) { return .success(try await hold()) } catch {
                return .failure(error)
            }
        }.get()
    }
}
