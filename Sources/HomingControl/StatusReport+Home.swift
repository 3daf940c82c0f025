/// One Home Assistant that this machine reports to.
extension StatusReport {
    public struct Home: Codable, Equatable, Sendable {
        public var name: String
        public var registration: Registration?
        /// Whether the present network is its home network.
        public var atHome: Bool?
        /// Why that is thought.
        public var reason: String?
        public var endpoints: [Endpoint]
        /// Seconds until the way is tried again, while it fails.
        public var nextAttempt: Double?
        /// The zone of this Home Assistant in which the machine is.
        public var zone: String?
        public var queues: [Queue]
        /// Positions that were not reported here, by reason.
        public var skipped: [String: Int]
        /// `nil` without a registration.
        public var push: Push?
        public var rejections: [Rejection]
        public var warnings: [Warning]

        public init(
            name: String, registration: Registration? = nil, atHome: Bool? = nil,
            reason: String? = nil, endpoints: [Endpoint] = [], nextAttempt: Double? = nil,
            zone: String? = nil, queues: [Queue] = [], skipped: [String: Int] = [:],
            push: Push? = nil, rejections: [Rejection] = [], warnings: [Warning] = []
        ) {
            self.name = name
            self.registration = registration
            self.atHome = atHome
            self.reason = reason
            self.endpoints = endpoints
            self.nextAttempt = nextAttempt
            self.zone = zone
            self.queues = queues
            self.skipped = skipped
            self.push = push
            self.rejections = rejections
            self.warnings = warnings
        }
    }
}
