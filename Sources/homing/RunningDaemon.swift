import HomingControl
import HomingRegistration
import HomingRuntime

/// The daemon, if one runs.
enum RunningDaemon {
    /// A connection to the daemon, or `nil` where none listens: then what an earlier version stored
    /// is moved to where this version looks. Throws the reason if a connection is refused.
    static func connect() throws(ControlError) -> ControlClient? {
        do throws(ControlError) { return try ControlClient() } catch {
            guard error.exitCode == .unavailable else { throw error }
            // Without the rights, there is nothing to read either.
            _ = try? OfflineState.folders.adoptEarlierFiles()
            return nil
        }
    }
}
