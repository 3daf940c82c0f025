public import HomingLocation

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
    public var network: Network
    public var position: Position
    /// Skipped fixes, by reason.
    public var skipped: [String: Int]
    /// Positions out of the machine's reach, since the start; `nil` from a daemon that is older
    /// than this.
    public var held: HeldFixes.Count?
    /// Last result of the look-up service; `nil` where the service may not be asked, and from an
    /// older daemon.
    public var lookUp: LookUp?
    /// Data that was used this month; `nil` from an older daemon.
    public var data: DataUsed?
    /// Amount of saved data and the reason, in people's words; `nil` while nothing is saved.
    public var thrift: String?
    /// Warnings about the machine.
    public var warnings: [Warning]
    /// The first home first.
    public var homes: [Home]

    public init(
        version: String, processID: Int32, uptime: Double, network: Network, position: Position,
        skipped: [String: Int], warnings: [Warning], homes: [Home]
    ) {
        self.version = version
        self.processID = processID
        self.uptime = uptime
        self.network = network
        self.position = position
        self.skipped = skipped
        self.warnings = warnings
        self.homes = homes
    }
}
