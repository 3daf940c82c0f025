internal import HomingBase

/// Limits how often an address may send wrong tokens, guess codes and join.
///
/// A valid token is never limited here, so a sender can post from an address that another client
/// abuses.
struct Throttle<Address: Hashable & Sendable>: Sendable {
    /// An act that is counted.
    enum Act: CaseIterable, Sendable {
        /// A token that this relay did not give.
        case badToken
        /// A code that is wrong.
        case guess
        /// A device that joined.
        case join

        /// Acts of an address in `period` seconds.
        var limit: Double {
            switch self {
            case .badToken: 30
            case .guess, .join: 10
            }
        }

        var period: Seconds {
            switch self {
            case .badToken: 60
            case .guess, .join: 3600
            }
        }
    }

    /// Addresses of a kind that are counted in a period.
    static var capacity: Int { 8192 }

    private var counts: [Act: RecentCounts<Address>] = [:]

    init() {
        for act in Act.allCases {
            counts[act] = RecentCounts(period: act.period, capacity: Self.capacity)
        }
    }

    /// Whether the address may act once more.
    ///
    /// - Parameters:
    ///   - address: of IPv6, the network of 64 bits.
    ///   - now: uptime.
    mutating func allows(_ act: Act, by address: Address, at now: Seconds) -> Bool {
        (counts[act]?.count(address, at: now) ?? 0) + 1 <= act.limit
    }

    /// Counts an act of the address.
    mutating func note(_ act: Act, by address: Address, at now: Seconds) {
        counts[act]?.add(address, at: now)
    }

    /// Takes an act of the address back.
    mutating func takeBack(_ act: Act, by address: Address) { counts[act]?.takeBack(address) }

    /// Addresses that are remembered.
    var size: Int { counts.values.reduce(0) { $0 + $1.size } }
}
