/// Everything `homing status` knows: one value from which the text and the JSON are made.
///
/// Times are seconds since 1970, ages and delays seconds. It holds no secret and no URL. What may be
/// told to anybody is in `forStrangers`.
public struct StatusReport: Codable, Equatable, Sendable {
    public var version: String
    public var processID: Int32
    /// Seconds since the daemon started.
    public var uptime: Double
    /// Whether parts were left out because the reader may not know them.
    public var restricted = false
    public var registration: Registration?
    public var network: Network
    public var endpoints: [Endpoint]
    /// Seconds until the way is tried again, while it fails.
    public var nextAttempt: Double?
    public var position: Position
    public var queues: [Queue]
    /// Positions that were not reported, by reason.
    public var skipped: [String: Int]
    /// Positions out of the machine's reach; `nil` from a daemon that is older than this.
    public var held: Held?
    /// `nil` without a registration, and from a daemon that is older than this.
    public var push: Push?
    public var rejections: [Rejection]
    public var warnings: [Warning]

    public init(
        version: String, processID: Int32, uptime: Double, registration: Registration?,
        network: Network, endpoints: [Endpoint], nextAttempt: Double?, position: Position,
        queues: [Queue], skipped: [String: Int], rejections: [Rejection], warnings: [Warning]
    ) {
        self.version = version
        self.processID = processID
        self.uptime = uptime
        self.registration = registration
        self.network = network
        self.endpoints = endpoints
        self.nextAttempt = nextAttempt
        self.position = position
        self.queues = queues
        self.skipped = skipped
        self.rejections = rejections
        self.warnings = warnings
    }

    /// JSON with snake_case keys, sorted.
    public func json(pretty: Bool = true) -> String {
        ReportJSON.text(self, pretty: pretty)
    }
}
