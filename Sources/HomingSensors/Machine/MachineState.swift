public import HomingBase
public import HomingLocation
public import HomingMachine

/// State of the machine as the sources have told it until now. `nil` stands for what nobody tells.
public struct MachineState: Equatable, Sendable {
    public var network = NetworkState.unknown
    public var details: NetworkDetails?
    public var power = PowerState.mains
    public var batteries: [Battery]?
    public var powerProfile: String?
    public var sessions: [UserSession]?
    public var media: [MediaPlayer]?
    /// Kind of fix, and the sky, in gpsd's newest reports; `nil` while gpsd is away.
    public var fixMode: FixMode?
    public var sky: SkyView?
    /// The newest position that people may be shown, from any source.
    public var fix: Fix?
    public var homing: HomingState?
    /// Data that Homing has used this month.
    public var dataUse: DataUse?

    public init() {}

    /// Takes what a source noticed.
    public mutating func applyObservation(_ observation: Observation) {
        switch observation {
        case .network(let state): network = state
        case .power(let state): power = state
        case .gpsd(.disconnected), .gpsd(.off): (fixMode, sky) = (nil, nil)
        case .gpsd, .receivers, .sleep, .devices, .links: break
        case .position(let report):
            if report.source == .gpsd { fixMode = report.mode }
        case .batteries(let list): batteries = list
        case .networkDetails(let network): details = network
        case .sessions(let list): sessions = list
        case .powerProfile(let profile): powerProfile = profile
        case .media(let players): media = players
        case .sky(let view): sky = view
        case .shownFix(let new): fix = new
        case .dataUse(let use): dataUse = use
        }
    }
}

/// State of Homing itself.
public struct HomingState: Equatable, Sendable {
    public var version: String
    /// Messages in the queue, without those that wait for their receipt alone.
    public var waiting: Int
    /// Seconds since 1970 at which Home Assistant last proved that it has something of ours.
    public var deliveredAt: Seconds?
    /// The endpoint in use, in the words of `homing status`: `instance URL`, `cloudhook`, `remote UI`.
    public var endpoint: String?
    /// Source of the location that was reported last; `nil` before the first report.
    public var locationSource: PositionSource?

    public init(
        version: String, waiting: Int = 0, deliveredAt: Seconds? = nil, endpoint: String? = nil,
        locationSource: PositionSource? = nil
    ) {
        self.version = version
        self.waiting = waiting
        self.deliveredAt = deliveredAt
        self.endpoint = endpoint
        self.locationSource = locationSource
    }
}
