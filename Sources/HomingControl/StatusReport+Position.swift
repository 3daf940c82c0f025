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

        public init(
            gpsd: String, gpsdDetail: String? = nil, mode: Int? = nil, source: String? = nil,
            age: Double? = nil, accuracy: Double? = nil, place: Place? = nil
        ) {
            self.gpsd = gpsd
            self.gpsdDetail = gpsdDetail
            self.mode = mode
            self.source = source
            self.age = age
            self.accuracy = accuracy
            self.place = place
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

    /// What became of positions that the machine could not have reached, since the start.
    public struct Held: Codable, Equatable, Sendable {
        /// Those of which nothing is known yet.
        public var waiting: Int
        /// The receiver repeated them.
        public var believed: Int
        /// It did not.
        public var dropped: Int

        public init(waiting: Int, believed: Int, dropped: Int) {
            self.waiting = waiting
            self.believed = believed
            self.dropped = dropped
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
}
