internal import HomeAssistantAPI
internal import HomingControl
internal import HomingDelivery
internal import HomingHealth
internal import HomingRuntime
internal import HomingSocket

/// `homing event`.
extension HomeHandler {
    func sendEvent(_ params: ControlCommand.SendEvent, _ client: OpenRequest) {
        guard let registration = home.state.registration else {
            return client.refuse(.notRegistered)
        }
        let now = agent.clock.now()
        let event: FiredEvent
        do throws(FiredEvent.Defect) {
            event = try FiredEvent(
                type: params.type, data: params.data, expires: params.expires,
                deviceID: registration.deviceID, at: now)
        } catch { return client.refuse(ControlError(.usage, error.message, hint: error.hint)) }
        let delivery = home.delivery
        guard let id = delivery.fire(event.message, expiresAt: event.expiresAt) else {
            return client.refuse(ControlError(.failure, .outboxFailed))
        }
        home.log.debug("accepted event \(id.number) \(event.homingID)")
        guard params.wait else {
            return client.reply(SendEventResult(.queued, homingID: event.homingID))
        }
        let waiter = RowWaiter(patience: nil, isStubborn: true, clock: agent.clock) {
            client.answer(Self.result($0, event.homingID))
        }
        // Nobody waits for the rest of the daemon's life on behalf of a client that has gone.
        client.connection.atEnd { [weak delivery, weak waiter] in
            delivery?.forget(waiter)
        }
        delivery.wait(for: id, waiter, expires: params.expires)
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
