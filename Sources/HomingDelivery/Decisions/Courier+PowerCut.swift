internal import HomingBase
internal import HomingLocation

/// A power cut took positions from the outbox, and Home Assistant may have had some of them.
extension Courier {
    mutating func lost(through number: Int64) -> [Effect] {
        lostThrough = number
        return []
    }

    /// The effect on the queue where Home Assistant shows one of the positions that are gone: all that
    /// is queued came before that position, and is too old for the map. Looks once.
    mutating func lostOnes(
        _ live: [OutboxEntry], arrived: Int, _ held: Receipt, _ lastDelivered: Coordinate?
    ) -> StoreEffect? {
        guard let number = lostThrough else { return nil }
        lostThrough = nil
        let isShown = arrived == 0 && !live.isEmpty && showsLost(held, lastDelivered)
        return isShown ? noLongerNews(through: number) : nil
    }

    /// Whether the tracker shows a place that is not the last of those that are known to have arrived.
    private func showsLost(_ held: Receipt, _ lastDelivered: Coordinate?) -> Bool {
        guard held.trackerExists, let place = held.place else { return false }
        return lastDelivered.map { !ReceiptJudge.same(place, $0) } ?? true
    }
}
