internal import FoundationEssentials

/// Everything `homing status` knows: one value from which the text and the JSON are made.
///
/// Times are seconds since 1970, ages and delays seconds. It holds no secret and no URL; positions
/// only where `place` is set, which is for those who may know it.
public struct StatusReport: Codable, Equatable, Sendable {
    public struct Registration: Codable, Equatable, Sendable {
        public var deviceName: String
        public var encrypted: Bool
        public var homeAssistantVersion: String?

        public init(deviceName: String, encrypted: Bool, homeAssistantVersion: String?) {
            self.deviceName = deviceName
            self.encrypted = encrypted
            self.homeAssistantVersion = homeAssistantVersion
        }
    }

    public struct Network: Codable, Equatable, Sendable {
        /// What NetworkManager says, in people's words.
        public var connection: String
        public var connectivity: String
        public var metered: Bool
        public var atHome: Bool
        /// Why it is thought to be home or not.
        public var reason: String

        public init(
            connection: String, connectivity: String, metered: Bool, atHome: Bool, reason: String
        ) {
            self.connection = connection
            self.connectivity = connectivity
            self.metered = metered
            self.atHome = atHome
            self.reason = reason
        }
    }

    public struct Endpoint: Codable, Equatable, Sendable {
        /// `instance`, `cloudhook` or `remote_ui`.
        public var kind: String
        /// Scheme and host, never a path.
        public var host: String?
        /// Its place in the order, from 1; absent where it may not be used now.
        public var order: Int?
        public var current: Bool
        /// Why it may not be used now.
        public var excluded: String?
        public var lastSuccess: Double?
        public var lastFailure: Double?
        public var problem: String?

        public init(
            kind: String, host: String?, order: Int?, current: Bool, excluded: String?,
            lastSuccess: Double?, lastFailure: Double?, problem: String?
        ) {
            self.kind = kind
            self.host = host
            self.order = order
            self.current = current
            self.excluded = excluded
            self.lastSuccess = lastSuccess
            self.lastFailure = lastFailure
            self.problem = problem
        }
    }

    public struct Place: Codable, Equatable, Sendable {
        public var latitude: Double
        public var longitude: Double

        public init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    public struct Position: Codable, Equatable, Sendable {
        /// What gpsd is to us: `watching`, `resting`, `disconnected`, with the reason.
        public var gpsd: String
        public var mode: Int?
        public var source: String?
        /// Seconds.
        public var age: Double?
        /// Metres.
        public var accuracy: Double?
        /// Home Assistant's zone of that name.
        public var zone: String?
        public var place: Place?

        public init(
            gpsd: String, mode: Int? = nil, source: String? = nil, age: Double? = nil,
            accuracy: Double? = nil, zone: String? = nil, place: Place? = nil
        ) {
            self.gpsd = gpsd
            self.mode = mode
            self.source = source
            self.age = age
            self.accuracy = accuracy
            self.zone = zone
            self.place = place
        }
    }

    /// The book of one stream: accepted = the sum of `fates` + queued.
    public struct Queue: Codable, Equatable, Sendable {
        public var stream: String
        public var queued: Int
        /// Seconds the oldest has waited.
        public var oldestAge: Double?
        public var accepted: Int
        public var fates: [String: Int]

        public init(
            stream: String, queued: Int, oldestAge: Double?, accepted: Int, fates: [String: Int]
        ) {
            self.stream = stream
            self.queued = queued
            self.oldestAge = oldestAge
            self.accepted = accepted
            self.fates = fates
        }
    }

    /// Something a person can act on.
    public struct Warning: Codable, Equatable, Sendable {
        public var code: String
        public var text: String
        public var hint: String

        public init(code: String, text: String, hint: String) {
            self.code = code
            self.text = text
            self.hint = hint
        }
    }

    /// Something Home Assistant would not take.
    public struct Rejection: Codable, Equatable, Sendable {
        public var time: Double
        public var what: String
        public var reason: String

        public init(time: Double, what: String, reason: String) {
            self.time = time
            self.what = what
            self.reason = reason
        }
    }

    public var version: String
    public var processID: Int32
    /// Seconds since the daemon started.
    public var uptime: Double
    public var registration: Registration?
    public var network: Network
    public var endpoints: [Endpoint]
    /// Seconds until the way is tried again, while it fails.
    public var nextAttempt: Double?
    public var position: Position
    public var queues: [Queue]
    /// Positions that were not reported, by reason.
    public var skipped: [String: Int]
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

    /// The same without what only the machine's owner may know.
    public func withoutPlace() -> StatusReport {
        var report = self
        report.position.place = nil
        report.position.zone = nil
        return report
    }

    /// JSON with snake_case keys, sorted.
    public func json(pretty: Bool = true) -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting =
            pretty ? [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes] : [.sortedKeys]
        // Numbers are finite and keys are text, so encoding cannot fail.
        guard let data = try? encoder.encode(self) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }
}
