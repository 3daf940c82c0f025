/// Status of one home: a Home Assistant that this machine reports to, and all that is known of it.
extension StatusReport {
    public struct Home: Codable, Equatable, Sendable {
        public var name: String
        public var registration: Registration?
        /// Whether the present network is its home network.
        public var atHome: Bool?
        /// Reason for `atHome`.
        public var reason: String?
        public var endpoints: [Endpoint]
        /// Seconds until the route is tried again, while it fails.
        public var nextAttempt: Double?
        /// The zone of this Home Assistant in which the machine is.
        public var zone: String?
        /// The place that the networks show; `nil` from a daemon that is older than this.
        public var knownPlace: KnownPlace?
        /// Precision of reported locations: `exact`, `zone` or `never`; `nil` from an older daemon.
        public var locationTell: String?
        /// The source of the location told last: `gpsd`, `place` or `geoclue`; `nil` before the first, and
        /// from an older daemon.
        public var locationSource: String?
        /// The zone that `homing send-location` reported last, unless another location was reported since;
        /// `nil` also from an older daemon.
        public var sentZone: String?
        public var queues: [Queue]
        /// The power cuts that were noticed; `nil` before the first, and from an older daemon.
        public var powerCut: PowerCut?
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
            (self.name, self.registration, self.zone) = (name, registration, zone)
            (self.atHome, self.reason) = (atHome, reason)
            (self.endpoints, self.nextAttempt) = (endpoints, nextAttempt)
            (self.queues, self.skipped, self.push) = (queues, skipped, push)
            (self.rejections, self.warnings) = (rejections, warnings)
        }
    }

    /// The place of this machine as its networks show it.
    public struct KnownPlace: Codable, Equatable, Sendable {
        /// `unknown`, `at` or `away`.
        public var state: String
        /// `home`, or the NAME of a `[place.NAME]`, where `state` is `at`.
        public var name: String?
        /// Evidence by which the network was recognized: `ssid`, `connection` or `hardware`.
        public var evidence: String?
        /// Whether a network of the machine's travels with it, and so shows no place.
        public var networkTravels: Bool

        public init(
            state: String, name: String? = nil, evidence: String? = nil, networkTravels: Bool
        ) {
            self.state = state
            self.name = name
            self.evidence = evidence
            self.networkTravels = networkTravels
        }
    }

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

    public struct Endpoint: Codable, Equatable, Sendable {
        /// `instance`, `cloudhook` or `remote_ui`.
        public var kind: String
        /// The host, never a path.
        public var host: String?
        /// Its place in the order, from 1; absent where it may not be used now.
        public var order: Int?
        public var current: Bool
        /// Reason why the endpoint may not be used now.
        public var excluded: String?
        public var lastSuccess: Double?
        public var lastFailure: Double?
        public var problem: String?

        public init(
            kind: String, host: String?, order: Int?, current: Bool, excluded: String?,
            lastSuccess: Double?, lastFailure: Double?, problem: String?
        ) {
            (self.kind, self.host) = (kind, host)
            (self.order, self.current, self.excluded) = (order, current, excluded)
            (self.lastSuccess, self.lastFailure) = (lastSuccess, lastFailure)
            self.problem = problem
        }
    }

    /// The book of one stream: accepted = the sum of `fates` + queued.
    public struct Queue: Codable, Equatable, Sendable {
        public var stream: String
        public var queued: Int
        /// Number of `queued` that were sent, and wait for their receipt alone; `nil` for none.
        public var unconfirmed: Int?
        /// Seconds the oldest has waited.
        public var oldestAge: Double?
        public var accepted: Int
        public var fates: [String: Int]

        public init(
            stream: String, queued: Int, unconfirmed: Int? = nil, oldestAge: Double?,
            accepted: Int, fates: [String: Int]
        ) {
            self.stream = stream
            self.queued = queued
            self.unconfirmed = unconfirmed
            self.oldestAge = oldestAge
            self.accepted = accepted
            self.fates = fates
        }
    }

    /// The power cuts that a queue had, and what the last of them took.
    public struct PowerCut: Codable, Equatable, Sendable {
        public var count: Int
        /// The last came after this time; seconds since 1970, `nil` if nothing was at stake.
        public var after: Double?
        /// The start that noticed it; seconds since 1970.
        public var noticed: Double
        /// Positions that it took, at most.
        public var lost: Int

        public init(count: Int, after: Double?, noticed: Double, lost: Int) {
            (self.count, self.after, self.noticed, self.lost) = (count, after, noticed, lost)
        }
    }

    /// The channel by which notifications arrive.
    public struct Push: Codable, Equatable, Sendable {
        /// `open`, `connecting`, `waiting`, `off`, `asleep` or `stopped`.
        public var state: String
        /// Reason why the channel is not open.
        public var problem: String?
        /// `instance` or `remote_ui`: the endpoint in use, or the last. The name is promised.
        public var way: String?
        /// Seconds for which it has been open.
        public var openFor: Double?
        /// Seconds until it is tried again.
        public var nextAttempt: Double?
        public var lastMessage: Double?
        /// Time at which Home Assistant last took a confirmation from Homing.
        public var lastConfirmed: Double?
        /// Notifications that were shown since the start.
        public var shown: Int
        /// Those that were too many at once, and are in a summary.
        public var folded: Int
        /// Those that came a second time, and were not shown again.
        public var duplicates: Int
        /// Reason why the desktop did not show the last notification.
        public var desktopProblem: String?
        /// The helpers in people's sessions; `nil` where the daemon has a desktop of its own, and from
        /// one that is older than this.
        public var helpers: [Helper]?
        /// The reason why no helper shows notifications; `nil` while a helper does.
        public var absence: String?
        /// The relay; `nil` without a relay, and from an older daemon.
        public var relay: Relay?

        public init(
            state: String, problem: String? = nil, way: String? = nil, openFor: Double? = nil,
            nextAttempt: Double? = nil, lastMessage: Double? = nil, lastConfirmed: Double? = nil,
            shown: Int = 0, folded: Int = 0, duplicates: Int = 0, desktopProblem: String? = nil
        ) {
            self.state = state
            self.problem = problem
            self.way = way
            self.openFor = openFor
            self.nextAttempt = nextAttempt
            self.lastMessage = lastMessage
            self.lastConfirmed = lastConfirmed
            self.shown = shown
            self.folded = folded
            self.duplicates = duplicates
            self.desktopProblem = desktopProblem
        }

        /// A helper in somebody's session.
        public struct Helper: Codable, Equatable, Sendable {
            public var user: String
            public var version: String
            /// Whether its desktop is the one that shows notifications now.
            public var inUse: Bool
            /// Notifications that wait for an answer there.
            public var shown: Int

            public init(user: String, version: String, inUse: Bool, shown: Int) {
                self.user = user
                self.version = version
                self.inUse = inUse
                self.shown = shown
            }
        }
    }

    /// Something Home Assistant would not take.
    public struct Rejection: Codable, Equatable, Sendable {
        /// Seconds since 1970.
        public var time: Double
        public var what: String
        public var reason: String

        public init(time: Double, what: String, reason: String) {
            self.time = time
            self.what = what
            self.reason = reason
        }
    }
}
