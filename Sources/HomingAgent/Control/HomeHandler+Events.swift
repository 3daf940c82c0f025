internal import HomeAssistantAPI
internal import HomingControl
internal import HomingCrypto
internal import HomingDelivery
internal import HomingHealth
internal import HomingJSON
internal import HomingRuntime

/// `homing event`.
extension HomeHandler {
    func sendEvent(
        _ type: String, _ data: [String: JSONValue], wait: Bool, expires: Double?,
        _ client: OpenRequest
    ) {
        guard let registration = home.state.registration else {
            return client.refuse(.notRegistered)
        }
        let now = agent.clock.now()
        let event: FiredEvent
        do throws(ControlError) {
            event = try FiredEvent(
                type: type, data: data, expires: expires,
                deviceID: registration.deviceID, at: now)
        } catch { return client.refuse(error) }
        guard let id = home.fire(event.message, expiresAt: event.expiresAt) else {
            return client.refuse(ControlError(.failure, .outboxFailed))
        }
        home.log.debug("accepted event \(id.number) \(event.homingID)")
        guard wait else {
            return client.reply(SendEventResult(.queued, homingID: event.homingID))
        }
        let waiter = RowWaiter(patience: nil, isStubborn: true, clock: agent.clock) {
            client.answer(Self.result($0, event.homingID))
        }
        // Nobody waits for the rest of the daemon's life on behalf of a client that has gone.
        client.connection.atEnd { [weak home, weak waiter] in home?.forget(waiter) }
        home.wait(for: id, waiter, expires: expires)
    }

    private static func result(
        _ ending: RowWaiter.Ending, _ homingID: String
    ) -> Result<SendEventResult, ControlError> {
        switch ending {
        case .settled(.deliveredLive), .settled(.deliveredTrack):
            .success(SendEventResult(.delivered, homingID: homingID))
        case .queued: .success(SendEventResult(.queued, homingID: homingID))
        case .settled(let fate): .failure(.dropped(fate))
        case .noRow: .failure(ControlError(.failure, .outboxFailed))
        }
    }
}

/// An event somebody asked to be fired, checked, with the names that make it one of a kind.
struct FiredEvent {
    /// Home Assistant's MAX_LENGTH_EVENT_EVENT_TYPE; a longer type is dropped there with a 200.
    static let maxType = 64
    /// Names in the data that are ours.
    static let ownNames = ["homing_id", "homing_fired_at"]
    /// Seconds that an event may wait at most, if it says how long: ten years.
    static let maxExpiry: Seconds = 315_360_000

    let message: EventMessage
    /// The same whenever the event is told again.
    let homingID: String
    /// Seconds since 1970.
    let expiresAt: Seconds?

    /// Throws the reason why the event cannot be taken.
    init(
        type: String, data: [String: JSONValue], expires: Seconds?, deviceID: String,
        at now: Moment
    ) throws(ControlError) {
        // Python counts what Swift calls scalars.
        guard (1...Self.maxType).contains(type.unicodeScalars.count) else {
            throw ControlError(
                .usage, "an event's type has 1 to \(Self.maxType) characters",
                hint: "Home Assistant drops an event with a longer one")
        }
        if let own = Self.ownNames.first(where: { data[$0] != nil }) {
            throw ControlError(
                .usage, "\(own) is set by Homing itself", hint: "use another name")
        }
        if let expires, !(expires > 0 && expires <= Self.maxExpiry) {
            throw ControlError(.usage, "an event expires after more than 0 seconds")
        }
        homingID = RandomToken.hex(bytes: 16)
        expiresAt = expires.map { now.unixTime + $0 }
        var data = data
        data["homing_id"] = .string(homingID)
        data["homing_fired_at"] = .number((now.unixTime * 1000).rounded() / 1000)
        // Which machine it was, unless the event speaks of a device of its own.
        if data["device_id"] == nil { data["device_id"] = .string(deviceID) }
        message = EventMessage(type: type, data: JSONValue.object(data).json())
    }
}
