public import HomingBase

/// Bytes that Homing's connections have carried in one month, by kind of network.
public struct DataUse: Codable, Equatable, Sendable {
    /// A kind of network, by its default route.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        case mobile
        case wifi
        case cable
        /// A VPN, another kind, or a network that nobody names.
        case other

        /// The name for people.
        public var title: String {
            switch self {
            case .mobile: "mobile"
            case .wifi: "Wi-Fi"
            case .cable: "cable"
            case .other: "other networks"
            }
        }

        public init(_ network: NetworkState?) {
            guard case .known(let network)? = network else {
                self = .other
                return
            }
            switch network.primary {
            case .wifi: self = .wifi
            case .wired: self = .cable
            case .other(let type, _, _):
                self =
                    switch type {
                    case "gsm", "cdma", "bluetooth": .mobile
                    case let type where PrimaryConnection.cableTypes.contains(type): .cable
                    default: .other
                    }
            case nil: self = .other
            }
        }
    }

    public private(set) var year: Int
    /// 1…12.
    public private(set) var month: Int
    private var bytes: [String: Int] = [:]
    /// Bytes on networks that NetworkManager calls metered; part of all bytes.
    public private(set) var metered = 0

    /// The month of the time, in which nothing was used yet.
    public init(at time: CalendarTime) {
        (year, month) = (time.year, time.month)
    }

    public func used(by kind: Kind) -> Int { max(0, bytes[kind.rawValue] ?? 0) }

    /// Whether it can be the count of a month, as what a file holds may not be.
    public var isSound: Bool { (1...12).contains(month) && (1970...9999).contains(year) }

    /// Over all kinds of network.
    public var total: Int { Kind.allCases.map(used).reduce(0, Self.sum) }

    /// `2026-11`.
    public var monthText: String { "\(year)-\(month < 10 ? "0" : "")\(month)" }

    /// Counts bytes.
    public mutating func add(_ count: Int, on network: NetworkState?) {
        guard count > 0 else { return }
        let kind = Kind(network).rawValue
        bytes[kind] = Self.sum(bytes[kind] ?? 0, count)
        if case .known(let network)? = network, network.metered {
            metered = Self.sum(metered, count)
        }
    }

    /// Begins another month at 0 if the time is in a later one. An earlier one is a clock that is
    /// wrong now, or was wrong before: the month goes on, unless the clock is certain.
    public mutating func turn(to time: CalendarTime, isCertain: Bool) {
        let (now, counted) = ((time.year, time.month), (year, month))
        if now > counted || isCertain && now < counted && !isEve(time) { self = DataUse(at: time) }
    }

    /// Whether it is one of the two days before this month: who crosses a time zone to the west at the
    /// turn of the month is back in the month before for some hours.
    private func isEve(_ time: CalendarTime) -> Bool {
        let next = time.month == 12 ? (time.year + 1, 1) : (time.year, time.month + 1)
        return next == (year, month) && time.day > time.daysInMonth - 2
    }

    /// Adds two numbers. A file may hold any number: no number ends the daemon.
    private static func sum(_ one: Int, _ other: Int) -> Int {
        let (sum, isOver) = max(0, one).addingReportingOverflow(max(0, other))
        return isOver ? .max : sum
    }
}
