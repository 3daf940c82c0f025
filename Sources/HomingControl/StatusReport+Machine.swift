public import HomingHealth
public import HomingLocation

/// Status of this machine: its location, its network, and what is wrong.
extension StatusReport {
    public struct Network: Codable, Equatable, Sendable {
        /// Connection that NetworkManager names, in people's words.
        public var connection: String?
        public var connectivity: String
        public var metered: Bool

        public init(connection: String?, connectivity: String, metered: Bool) {
            self.connection = connection
            self.connectivity = connectivity
            self.metered = metered
        }
    }

    /// Bytes that Homing's connections have carried in one month, with the heads of IP and TCP.
    public struct DataUsed: Codable, Equatable, Sendable {
        /// `2026-11`.
        public var month: String
        /// Bytes by kind of network: `mobile`, `wifi`, `cable`, `other`.
        public var bytes: [String: Int]
        /// Over all kinds.
        public var total: Int
        /// Bytes on metered networks, a part of all bytes.
        public var metered: Int
        /// Bytes of a month; `nil`: no budget.
        public var budget: Int?

        public init(
            month: String, bytes: [String: Int], total: Int, metered: Int, budget: Int?
        ) {
            self.month = month
            self.bytes = bytes
            self.total = total
            self.metered = metered
            self.budget = budget
        }
    }

    public struct Position: Codable, Equatable, Sendable {
        /// State of gpsd for Homing: `watching`, `resting`, `disconnected`, in people's words.
        public var gpsd: String
        /// Reason for that state.
        public var gpsdDetail: String?
        /// Receivers that gpsd reads; `nil` while nobody watches gpsd.
        public var receivers: Int?
        /// Their paths and drivers; `nil` where no receiver is known, and from an older daemon.
        public var receiverNames: [String]?
        public var mode: Int?
        public var source: String?
        /// Seconds.
        public var age: Double?
        /// Metres.
        public var accuracy: Double?
        /// Source of the fix's time: `receiver`, `time_of_day` or `arrival`.
        public var timeSource: String?
        /// Seconds for which the receiver has said one place, equal to the last digit.
        public var frozen: Double?
        public var place: Place?
    }

    /// Last result of the look-up service.
    public struct LookUp: Codable, Equatable, Sendable {
        /// `not_asked`, `found`, `failed` or `refused`.
        public var state: String
        /// Seconds since the position was found.
        public var age: Double?
        /// Metres.
        public var accuracy: Double?
        /// The reason where `state` is not `found`.
        public var problem: String?

        public init(
            state: String, age: Double? = nil, accuracy: Double? = nil, problem: String? = nil
        ) {
            (self.state, self.age) = (state, age)
            (self.accuracy, self.problem) = (accuracy, problem)
        }
    }

    public struct Place: Codable, Equatable, Sendable {
        public var latitude: Double
        public var longitude: Double
    }

    /// Something a person can act on.
    public struct Warning: Codable, Equatable, Sendable {
        public var code: String
        /// `error` or `warning`.
        public var severity: String?
        public var text: String
        /// Detail that was said or found, in another program's words.
        public var detail: String?
        public var hint: String
    }
}

extension StatusReport.Position {
    /// Takes the state of gpsd for Homing, and the last fix that people may be shown.
    public init(
        gpsd: String, detail: String?, receivers: Int?, names: [String], fix: Fix?, age: Double?,
        frozen: Double?
    ) {
        self.init(
            gpsd: gpsd, gpsdDetail: detail, receivers: receivers,
            receiverNames: names.isEmpty ? nil : names, mode: fix?.mode.rawValue,
            source: fix?.source.name,
            age: age, accuracy: fix?.accuracy, timeSource: fix?.timeSource.name, frozen: frozen,
            place: fix.map {
                StatusReport.Place(
                    latitude: $0.coordinate.latitude, longitude: $0.coordinate.longitude)
            })
    }
}

extension StatusReport.Warning {
    /// Takes the words about the fault from the table of its subject.
    public init(_ warnable: Warnable, detail: String?) {
        self.init(
            code: warnable.code, severity: warnable.severity.rawValue, text: warnable.text,
            detail: detail, hint: warnable.hint)
    }
}
