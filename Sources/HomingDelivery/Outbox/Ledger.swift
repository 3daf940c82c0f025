/// The one end each accepted row comes to.
public enum Fate: String, CaseIterable, Sendable {
    /// Reported to Home Assistant for the map, confirmed by a receipt.
    case deliveredLive = "delivered_live"
    /// Told to Home Assistant as history, proved by a receipt.
    case deliveredTrack = "delivered_track"
    /// Dropped for a newer one.
    case superseded
    /// Past its own expiry, older than `queue_ttl`, or not to be told any more (`[location] tell`, or
    /// of another machine).
    case expired
    /// Pushed out by the bound on the outbox's size.
    case evicted
    /// Refused by a Home Assistant that had proved itself.
    case rejected
    /// Loss with a database that was set aside as damaged.
    case lostWithDatabase = "lost_with_database"
    /// Perhaps accepted, and not yet on the disk when the power was cut (`durability = grouped`).
    case lostInPowerCut = "lost_in_power_cut"
}

/// The ledger of one stream. Rows come in by `accepted` and leave by one fate each:
/// `accepted = Σ fates + queued`, always.
public struct Ledger: Equatable, Sendable {
    public var accepted: Int
    public var fates: [Fate: Int]
    /// Rows in the outbox now.
    public var queued: Int

    public init(accepted: Int = 0, fates: [Fate: Int] = [:], queued: Int = 0) {
        self.accepted = accepted
        self.fates = fates
        self.queued = queued
    }

    /// Whether every accepted row has exactly one fate or is queued.
    public var balances: Bool { accepted == fates.values.reduce(0, +) + queued }

    /// Number of rows that came to this end.
    public subscript(fate: Fate) -> Int { fates[fate] ?? 0 }

    public static func + (left: Ledger, right: Ledger) -> Ledger {
        Ledger(
            accepted: left.accepted + right.accepted,
            fates: left.fates.merging(right.fates, uniquingKeysWith: +),
            queued: left.queued + right.queued)
    }
}
