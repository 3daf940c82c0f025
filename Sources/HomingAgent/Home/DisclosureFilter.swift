internal import HomeAssistantAPI
internal import HomingDelivery
internal import HomingLocation
internal import HomingMachine
internal import HomingSensors

/// Keeps from one Home Assistant what `[location] tell` keeps from it, also of rows that were queued
/// before.
struct DisclosureFilter {
    let disclosure: Disclosure
    /// The zones of Home Assistant, by which positions become zones.
    let zones: ZoneMap

    /// The answer of the queue as the courier may see it, and the rows that are not to be told.
    func filter(_ event: Courier.Event) -> (event: Courier.Event, withheld: [EntryID]) {
        guard disclosure != .exact else { return (event, []) }
        var withheld: [EntryID] = []
        func filter(_ entries: [OutboxEntry]) -> [OutboxEntry] {
            entries.compactMap { entry in
                let told = permittedPart(of: entry)
                if told == nil { withheld.append(entry.id) }
                return told
            }
        }
        switch event {
        case .recalled(let live, _):
            return (.recalled(live: filter(live), lastDelivered: nil), withheld)
        case .rows(var rows):
            rows.live = filter(rows.live)
            rows.track = filter(rows.track)
            rows.sensors = filter(rows.sensors)
            if disclosure == .never { rows.liveWaits = false }
            // More may stand behind the rows that are gone now.
            if !withheld.isEmpty { rows.mayBeMore = true }
            return (.rows(rows), withheld)
        default: return (event, [])
        }
    }

    /// The row as it may be told; `nil` if nothing of it may.
    private func permittedPart(of entry: OutboxEntry) -> OutboxEntry? {
        switch entry.message {
        case .location(let message):
            return disclosure == .never ? nil : entry.with(.location(zone(of: message)))
        case .sensor(var sensor):
            guard SensorCatalog.namingNetworks.contains(sensor.uniqueID) else { return entry }
            guard let item = SensorRegistration.unavailable(from: sensor.item) else { return nil }
            sensor.item = item
            return entry.with(.sensor(sensor))
        case .event: return entry
        }
    }

    private func zone(of message: LocationMessage) -> LocationMessage {
        guard case .fix(let fix) = message.place else { return message }
        var message = message
        let zone = zones.zone(at: fix.coordinate, accuracy: fix.accuracy)
        message.place = .zone(name: zone?.state ?? SourceChoice.awayName, time: fix.time)
        return message
    }
}

extension OutboxEntry {
    fileprivate func with(_ message: OutboxMessage) -> OutboxEntry {
        OutboxEntry(
            id: id, message: message, acceptedAt: acceptedAt, expiresAt: expiresAt,
            freshness: freshness)
    }
}
