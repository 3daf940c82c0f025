internal import HomingBase
internal import HomingControl
internal import HomingDelivery
internal import HomingMachine
internal import HomingRoutes
internal import HomingSensors

/// What the agent tells of itself, and to its sensors.
extension Agent {
    /// What `homing status` shows.
    func status() -> StatusReport {
        StatusBuilder(
            pipeline: pipeline, registration: registration, version: homingVersion,
            startedAt: startedAt, push: push
        ).report()
    }

    func sleepChanged(_ state: SleepState) {
        switch state {
        case .preparing:
            push.sleep()
            sensors.leave()
        case .awake:
            sensors.comeBack()
            push.resume()
        }
    }

    /// What Homing's own sensors say.
    func homingState() -> HomingState {
        let queued = Stream.allCases.compactMap { try? outbox.ledger($0).queued }.reduce(0, +)
        let health = pipeline.courier.health.values
        return HomingState(
            version: homingVersion, queued: queued,
            deliveredAt: health.compactMap { $0.lastSuccess?.unixTime }.max(),
            way: pipeline.courier.current?.title)
    }

    /// What `systemctl status` shows of Homing.
    func statusText() -> String {
        guard registration != nil else { return StatusLine.unregistered }
        let state = homingState()
        let isDelivering = pipeline.courier.trouble == nil
        return StatusLine(
            way: pipeline.way, endpoint: state.way, isDelivering: isDelivering,
            queued: state.queued, deliveredAt: pipeline.deliveredAt
        ).text
    }
}
