public import HomingCore
public import HomingRuntime

/// What sensors read from: files, and what signals have told.
public struct Machine: Sendable {
    public let files: HostFiles
    public let state: MachineState
    public let now: Moment

    public init(files: HostFiles = HostFiles(), state: MachineState, now: Moment) {
        self.files = files
        self.state = state
        self.now = now
    }
}

/// What the sources have told, as it is now.
public struct MachineState: Equatable, Sendable {
    public var network = NetworkState.unknown
    public var power = PowerState.mains
    public var gpsd = GPSDState.resting
    /// The newest good fix, and when it came.
    public var fix: Fix?
    public var fixAt: Seconds?
    /// Rows waiting in the outbox.
    public var queued = 0
    /// Seconds since 1970 of the last proved delivery.
    public var deliveredAt: Seconds?
    /// The way in use, in people's words.
    public var way: String?
    /// Homing's own version.
    public var version = ""

    public init() {}
}
