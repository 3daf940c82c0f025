internal import HomingLocation

/// Compares what Home Assistant holds for our tracker with what it was told.
enum ReceiptJudge {
    enum Finding: Equatable {
        /// Everything that was sent arrived.
        case allArrived
        /// The first so many items arrived, the rest was not taken.
        case arrived(Int)
        case trackerMissing
    }

    /// Judges the items sent since the last proof, in their order.
    static func judge(_ sent: [SentItem], _ receipt: Receipt, zones: [Zone]) -> Finding {
        guard let last = sent.lastIndex(where: { $0.location != nil }) else { return .allArrived }
        if !receipt.trackerExists { return .trackerMissing }
        // The last item whose place it shows.
        let newestHeld = sent.lastIndex { $0.location.map { holds(receipt, $0, zones) } ?? false }
        return newestHeld == last ? .allArrived : .arrived(newestHeld.map { $0 + 1 } ?? 0)
    }

    /// Whether the tracker's state is that of the zone in which the last position lies, by the zones
    /// that we know. A zone that was made, moved or renamed shows in that.
    static func agrees(_ receipt: Receipt, _ sent: [SentItem], zones: ZoneMap) -> Bool {
        guard let state = receipt.trackerState,
            case .fix(let fix)? = sent.last(where: { $0.location != nil })?.location?.place
        else { return true }
        return state == zones.zone(at: fix.coordinate, accuracy: fix.accuracy)?.state ?? "not_home"
    }

    /// The position that it shows, among those sent, and whether it is that one: of several at one
    /// place the last is named, and any may be meant.
    static func shown(_ sent: [SentItem], _ receipt: Receipt, zones: [Zone]) -> ShownRow {
        let held = sent.filter { $0.location.map { holds(receipt, $0, zones) } ?? false }
        return ShownRow(row: held.last?.entries.last?.id, isCertain: held.count == 1)
    }

    /// Returns how many of the oldest live rows Home Assistant has seen before this session. The
    /// coordinates that Home Assistant holds decide: all rows up to the first row with those
    /// coordinates. Nothing is concluded if those coordinates are also the ones delivered before
    /// the rows.
    static func arrivedBefore(
        _ live: [OutboxEntry], _ receipt: Receipt, lastDelivered: Coordinate?
    ) -> Int {
        guard let place = receipt.place else { return 0 }
        if let lastDelivered, same(place, lastDelivered) { return 0 }
        let seen = live.firstIndex { entry in
            guard case .location(let message) = entry.message, case .fix(let fix) = message.place
            else { return false }
            return same(place, fix.coordinate)
        }
        return seen.map { $0 + 1 } ?? 0
    }

    /// Whether the tracker shows what this message told.
    static func holds(
        _ receipt: Receipt, _ message: LocationMessage, _ zones: [Zone]
    ) -> Bool {
        switch message.place {
        case .fix(let fix): receipt.place.map { same($0, fix.coordinate) } ?? false
        case .zone(let name, _):
            isNowhereOrCentre(receipt.place, of: name, zones)
                && receipt.trackerState.map(states(of: name, zones).contains) ?? false
        }
    }

    /// Whether the place is the centre of the zone of this name, which goes along with the name, or none.
    private static func isNowhereOrCentre(
        _ place: Coordinate?, of name: String, _ zones: [Zone]
    ) -> Bool {
        guard let place else { return true }
        return zones.contains { $0.isState(name) && same(place, $0.coordinate) }
    }

    /// The states of a tracker in the zone of this name: the name, or, where a name was sent since
    /// 2025.11, the name of the zone that has it for an id.
    private static func states(of name: String, _ zones: [Zone]) -> [String] {
        let id = "zone.\(name.lowercased())"
        return [name] + zones.filter { $0.entityID == id }.map(\.name)
    }

    /// Whether two places are the same as Home Assistant is told them. JSON keeps a double exactly, and an
    /// earlier version told more decimals.
    static func same(_ left: Coordinate, _ right: Coordinate) -> Bool {
        left.rounded == right.rounded
    }
}
