/// Whom this machine reports to, and by which way.
extension StatusReport {
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
        public var connection: String?
        public var connectivity: String
        public var metered: Bool

        public init(connection: String?, connectivity: String, metered: Bool) {
            self.connection = connection
            self.connectivity = connectivity
            self.metered = metered
        }
    }

    public struct Endpoint: Codable, Equatable, Sendable {
        /// `instance`, `cloudhook` or `remote_ui`.
        public var kind: String
        /// The host, never a path.
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
}
