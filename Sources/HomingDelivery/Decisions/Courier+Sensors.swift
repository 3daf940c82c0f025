internal import HomingBase

/// Sensors: their answers are sealed and tell of each, so they need no receipt of their own.
extension Courier {
    mutating func sensorsAnswered(
        _ item: SentItem, _ verdicts: [String: SensorVerdict], onNewConnection: Bool, _ now: Moment
    ) -> [Effect] {
        proved(now)
        if onNewConnection { session?.mustProve = true }
        var taken: [EntryID] = []
        var disabled: [String] = []
        var effects: [Effect] = []
        for entry in item.entries {
            guard case .sensor(let sensor) = entry.message else { continue }
            switch verdicts[sensor.uniqueID] {
            case .taken: taken.append(entry.id)
            case .disabled:
                taken.append(entry.id)
                disabled.append(sensor.uniqueID)
            case .notRegistered: effects += unknown(entry, sensor.uniqueID)
            case .invalid(let words): effects += reject(SentItem(entry), words)
            case nil:
                effects += doubt(SentItem(entry), "Home Assistant said nothing of it")
                session?.sensorsAfter = 0
                session?.mayHaveMore = true
            }
        }
        for id in taken { doubts[id] = nil }
        if !taken.isEmpty { effects.insert(.store(.settle(taken, .deliveredLive)), at: 0) }
        if !disabled.isEmpty { effects.append(.sensorsDisabled(disabled)) }
        return effects + advance(now)
    }

    /// Registered, and then sent again; not forever, should a registration never take.
    private mutating func unknown(_ entry: OutboxEntry, _ uniqueID: String) -> [Effect] {
        if session?.registeredIDs.contains(uniqueID) == true {
            let rejection = doubt(SentItem(entry), "Home Assistant does not keep its registration")
            guard rejection.isEmpty else { return rejection }
        }
        session?.unregistered.append(entry)
        return []
    }

    mutating func sensorRegistered(onNewConnection: Bool, _ now: Moment) -> [Effect] {
        proved(now)
        if onNewConnection { session?.mustProve = true }
        // From now on it may be the witness.
        if session?.shortForm?.hasWitness == false { session?.shortForm = nil }
        guard var session, !session.unregistered.isEmpty else { return advance(now) }
        let entry = session.unregistered.removeFirst()
        session.registered.append(entry)
        if let id = entry.message.sensorID { session.registeredIDs.insert(id) }
        if session.unregistered.isEmpty {
            session.rows.sensors = session.registered + session.rows.sensors
            session.registered = []
        }
        self.session = session
        return advance(now)
    }

    /// Drops the row of a sensor whose state is of no use to anybody any more.
    mutating func forget(_ entry: OutboxEntry, _ now: Moment) -> [Effect] {
        session?.unregistered.removeAll { $0.id == entry.id }
        return [.store(.settle([entry.id], .superseded))] + advance(now)
    }

    /// Asks for a receipt after a failed registration: is the fault the sensor's or the endpoint's?
    mutating func suspect(_ entry: OutboxEntry, status: Int?) -> [Effect] {
        session?.unregistered.removeAll { $0.id == entry.id }
        return beginRequest(.receipt(.suspicion(SentItem(entry), status: status)))
    }
}

extension SentItem {
    /// The state of one sensor.
    fileprivate init(_ entry: OutboxEntry) {
        self.init(entries: [entry], fate: .deliveredLive)
    }
}
