public import HomingLocation

/// Where this machine is, and what became of the positions before.
extension StatusReport {
    public struct Position: Codable, Equatable, Sendable {
        /// What gpsd is to us: `watching`, `resting`, `disconnected`, in people's words.
        public var gpsd: String
        /// Why it is that.
        public var gpsdDetail: String?
        public var mode: Int?
        public var source: String?
        /// Seconds.
        public var age: Double?
        /// Metres.
        public var accuracy: Double?
        /// Who says when it was true: `receiver`, `time_of_day` or `arrival`.
        public var timeSource: String?
        /// Seconds for which the receiver has said one place, equal to the last digit.
        public var frozen: Double?
        public var place: Place?
    }

    public struct Place: Codable, Equatable, Sendable {
        public var latitude: Double
        public var longitude: Double
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
}

extension StatusReport.Position {
    /// What gpsd is to us, and the last fix that people may be shown.
    public init(gpsd: String, detail: String?, fix: Fix?, age: Double?, frozen: Double?) {
        self.init(
            gpsd: gpsd, gpsdDetail: detail, mode: fix?.mode.rawValue, source: fix?.source.name,
            age: age, accuracy: fix?.accuracy, timeSource: fix?.timeSource.name, frozen: frozen,
            place: fix.map {
                StatusReport.Place(
                    latitude: $0.coordinate.latitude, longitude: $0.coordinate.longitude)
            })
    }
}
