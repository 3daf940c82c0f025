internal import HomeAssistantAPI
internal import HomingBase
internal import HomingControl
internal import HomingDelivery
internal import HomingHealth
internal import HomingLocation
internal import HomingPush
internal import HomingRoutes
internal import HomingSensors

/// The state of a home at one moment, which the status, its own sensors, the doctor and the token's
/// gate read of it.
struct HomeState: Sendable {
    /// The rows of one stream.
    struct Queue: Sendable {
        let stream: Stream
        let ledger: Ledger
        /// Seconds since 1970 at which the oldest queued row was accepted.
        let oldest: Seconds?
    }

    let name: String
    let registration: Registration?
    let delivery: DeliveryState
    /// Fixes that were not reported here, by reason.
    let skipped: [SkipReason: Int]
    let zones: ZoneMap
    /// A stream that cannot be read is missing.
    let queues: [Queue]
    /// The power cuts that were noticed; `nil` before the first.
    let powerCut: PowerCut?
    let channel: PushChannelState
    let relay: RelayState
    let place: PlaceState
    /// The zone that a person sent last, unless another location was reported since.
    let sentZone: String?
    /// Detail in which this Home Assistant gets the locations.
    let disclosure: Disclosure
    let warnings: [(warnable: Warnable, detail: String?)]
    /// Whether another machine uses this registration.
    let isShared: Bool
    /// Whether the registration is being made, changed or deleted at this moment.
    let isRegistering: Bool

    /// Messages of all kinds in the queue.
    var queued: Int { queues.reduce(0) { $0 + $1.ledger.queued } }

    /// These without the messages that wait for their receipt alone.
    var waiting: Int { queues.reduce(queued) { $0 - unconfirmed(in: $1) } }

    /// Number of a queue's rows that were sent and wait for their receipt alone.
    func unconfirmed(in queue: Queue) -> Int {
        min(delivery.unconfirmed[queue.stream], queue.ledger.queued)
    }

    /// The values of the home's own sensors.
    var homing: HomingState {
        HomingState(
            version: homingVersion, waiting: waiting, deliveredAt: delivery.lastSuccess,
            endpoint: delivery.current?.title, locationSource: place.source)
    }
}

/// The state of one home's delivery at one moment.
struct DeliveryState: Sendable {
    /// `nil` without a registration that can be used.
    var route: Route?
    /// The webhook's addresses.
    var addresses: RouteChooser.Addresses?
    /// The health of each endpoint.
    var health: [Endpoint.Kind: EndpointHealth] = [:]
    /// The endpoint in use.
    var current: Endpoint.Kind?
    /// Reason why nothing is delivered.
    var trouble: Courier.Trouble?
    /// Uptime of the next attempt, while the route is failing.
    var nextAttempt: Seconds?
    /// Whether an attempt is under way.
    var isAtWork = false
    /// Rows that were sent, and wait for their receipt alone.
    var unconfirmed = RowCounts()
    /// Home Assistant's zones.
    var zones: [Zone] = []
    var homeAssistantVersion: String?
    /// Seconds since 1970 at which rows were last proved to be delivered; `nil` if none since the
    /// start.
    var deliveredAt: Seconds?
    /// Rows that a working Home Assistant refused, the newest last.
    var rejections: [StatusReport.Rejection] = []
    /// Reason why Home Assistant shows no tracker, as far as the reason is known.
    var tracker = TrackerRepair.Absence.unknown

    /// The trouble as a warning.
    var complaint: DeliveryWarning? { DeliveryWarning(trouble, tracker) }

    /// The reason why the queue is not delivered now; `nil` while the queue is being delivered.
    var obstacle: Warnable? {
        if route?.place == .portal { return .portal }
        guard let route, !route.endpoints.isEmpty else {
            return route?.isCutOff == true ? .notDelivering : .noEndpoint
        }
        return complaint?.warnable
    }

    /// Reason why nothing is sent from the present network; `nil` if something is sent.
    var noEndpointText: String? {
        guard let route, route.endpoints.isEmpty else { return nil }
        return route.exclusions ?? route.place.text
    }

    /// Seconds since 1970 at which any endpoint last worked.
    var lastSuccess: Seconds? { health.values.compactMap { $0.lastSuccess?.unixTime }.max() }

    /// Whether an endpoint has proved since the start that Home Assistant is behind it.
    var hasReceipt: Bool { health.values.contains { $0.lastReceipt != nil } }

    /// Whether Home Assistant now says, on the present route, that it has no such registration.
    var isUnknown: Bool {
        complaint.map { [Warnable.unknownWebhook, .gone].contains($0.warnable) } ?? false
    }

    /// Addresses of Home Assistant's pages on the present network, the endpoint in use first;
    /// without a trailing slash.
    var openBases: [String] { route?.endpoints.compactMap { ChannelEndpoint($0)?.url } ?? [] }
}

/// The worst problem among the endpoints of one home.
struct DeliveryWarning: Equatable {
    let warnable: Warnable
    let detail: String?

    /// All that it can come to.
    static let all: [Warnable] = [
        .notDelivering, .unknownWebhook, .keyRefused, .gone, .unauthorized, .trackerMissing,
        .trackerDeleted, .tls, .foreign,
    ]

    /// `nil` without trouble, and before the first try on a new route.
    init?(_ trouble: Courier.Trouble?, _ tracker: TrackerRepair.Absence) {
        guard let trouble, !trouble.problems.isEmpty else { return nil }
        let worst = Self.worst(of: Array(trouble.problems.values))
        if worst == .trackerMissing, case .deleted(let remedy) = tracker, remedy != .underWay {
            (warnable, detail) = (.trackerDeleted, remedy.text)
            return
        }
        let texts = trouble.problems.map { "\($0.key.title): \($0.value.text)" }.sorted()
        (warnable, detail) = (worst, texts.isEmpty ? nil : texts.joined(separator: "; "))
    }

    /// The most specific warning among the problems of the endpoints.
    static func worst(of problems: [EndpointProblem]) -> Warnable {
        let words = Set(problems.map(\.warnable))
        let order: [Warnable] = [
            .gone, .trackerMissing, .keyRefused, .unknownWebhook, .unauthorized, .tls, .foreign,
        ]
        return order.first(where: words.contains) ?? .notDelivering
    }
}

extension EndpointProblem {
    fileprivate var warnable: Warnable {
        switch self {
        case .network, .busy, .unavailable, .trackerNotLoaded: .notDelivering
        case .tls: .tls
        case .unauthorized: .unauthorized
        case .unknownWebhook: .unknownWebhook
        case .keyRefused: .keyRefused
        case .gone: .gone
        case .trackerMissing: .trackerMissing
        case .foreign: .foreign
        }
    }
}

extension TrackerRepair.Remedy {
    /// The detail of the warning.
    fileprivate var text: String? {
        switch self {
        case .underWay, .notAsked: nil
        case .refused: "Home Assistant did not let the user who registered reload the integration"
        case .unsuccessful: "a reload did not bring the device tracker back"
        }
    }
}
