public import HomingBase
internal import HomingSQLite

/// Power cuts that this machine had, as far as is known (`durability = grouped`).
public struct PowerCut: Equatable, Sendable {
    /// Number of power cuts that were noticed.
    public var count: Int
    /// The last came after this time; seconds since 1970, `nil` if nothing was at stake.
    public var after: Seconds?
    /// The start that noticed it; seconds since 1970.
    public var noticed: Seconds
    /// Positions that it took, at most.
    public var lost: Int
}

extension MetaTable {
    /// `nil` before the first.
    func powerCut() throws(DatabaseError) -> PowerCut? {
        guard let count = try integer(.powerCuts), LedgerTable.plausible.contains(count),
            let noticed = try real(.powerCutNoticed)
        else { return nil }
        return PowerCut(
            count: Int(count), after: try real(.powerCutAfter), noticed: noticed,
            lost: Int(clamping: try integer(.powerCutLost) ?? 0))
    }

    func set(_ cut: PowerCut) throws(DatabaseError) {
        try set(.powerCuts, SQLValue(cut.count))
        try set(.powerCutAfter, SQLValue(cut.after))
        try set(.powerCutNoticed, .real(cut.noticed))
        try set(.powerCutLost, SQLValue(cut.lost))
    }
}
