import HomingControl

/// The daemon, if one runs.
enum RunningDaemon {
    /// A connection to it, or `nil` where none listens; throws what a connection is refused for.
    static func connect() throws(ControlError) -> ControlClient? {
        do throws(ControlError) { return try ControlClient() } catch {
            if error.exitCode == .unavailable { return nil }
            throw error
        }
    }
}
